/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's functions for sets of CPUs, and the sets that the scheduler has made with them. */
#include "machine.h"
#include "cost.h"

/* One of the scheduler's; the member is first. */
struct owned_mask {
	struct cpu_set set;
	struct owned_mask *next;
};

static struct owned_mask *masks;

/* The scheduler's storage goes with it. */
void forget_masks(void)
{
	while (masks) {
		struct owned_mask *owned = masks;

		masks = owned->next;
		free(owned);
	}
}

struct bpf_cpumask *bpf_cpumask_create(void)
{
	struct owned_mask *owned = new_object(sizeof(*owned), "a mask of CPUs");

	hold(1);
	owned->next = masks;
	masks = owned;
	return (struct bpf_cpumask *)&owned->set;
}

void bpf_cpumask_release(struct bpf_cpumask *mask)
{
	hold(-1);
	for (struct owned_mask **at = &masks; *at; at = &(*at)->next) {
		struct owned_mask *owned = *at;

		if (&owned->set.k != &mask->cpumask)
			continue;
		*at = owned->next;
		free(owned);
		return;
	}
}

static struct cpu_set *own(struct bpf_cpumask *mask)
{
	return (struct cpu_set *)mask;
}

/* The kernel's functions for masks take time, and lines. */
static void use_word(const struct cpu_set *set, u32 cpu, bool write)
{
	walk(costs.small);
	if (cpu < nr_cpus_)
		touch(&set->words[cpu / WORD_BITS], write);
}

static void use_set(const struct cpu_set *set, bool write)
{
	walk(costs.small);
	touch_set(set, write);
}

static void use_both(const struct cpumask *a, const struct cpumask *b)
{
	use_set(set_of(a), false);
	if (a != b)
		touch_set(set_of(b), false);
}

void bpf_cpumask_set_cpu(u32 cpu, struct bpf_cpumask *mask)
{
	use_word(own(mask), cpu, true);
	if (cpu < nr_cpus_)
		add_cpu(own(mask), cpu);
}

void bpf_cpumask_clear_cpu(u32 cpu, struct bpf_cpumask *mask)
{
	use_word(own(mask), cpu, true);
	if (cpu < nr_cpus_)
		remove_cpu(own(mask), cpu);
}

bool bpf_cpumask_test_and_clear_cpu(u32 cpu, struct bpf_cpumask *mask)
{
	bool was_there = cpu < nr_cpus_ && has_cpu(own(mask), cpu);

	bpf_cpumask_clear_cpu(cpu, mask);
	return was_there;
}

void bpf_cpumask_clear(struct bpf_cpumask *mask)
{
	use_set(own(mask), true);
	*own(mask) = (struct cpu_set){};
}

void bpf_cpumask_copy(struct bpf_cpumask *to, const struct cpumask *from)
{
	use_set(set_of(from), false);
	use_set(own(to), true);
	*own(to) = *set_of(from);
}

bool bpf_cpumask_and(struct bpf_cpumask *to, const struct cpumask *a, const struct cpumask *b)
{
	use_both(a, b);
	use_set(own(to), true);
	*own(to) = common_cpus(set_of(a), set_of(b));
	return !is_empty(own(to));
}

void bpf_cpumask_or(struct bpf_cpumask *to, const struct cpumask *a, const struct cpumask *b)
{
	use_both(a, b);
	use_set(own(to), true);
	for (u32 i = 0; i < nr_words_; i++)
		own(to)->words[i] = set_of(a)->words[i] | set_of(b)->words[i];
}

bool bpf_cpumask_test_cpu(u32 cpu, const struct cpumask *mask)
{
	use_word(set_of(mask), cpu, false);
	return cpu < nr_cpus_ && has_cpu(set_of(mask), cpu);
}

bool bpf_cpumask_empty(const struct cpumask *mask)
{
	use_set(set_of(mask), false);
	return is_empty(set_of(mask));
}

bool bpf_cpumask_intersects(const struct cpumask *a, const struct cpumask *b)
{
	use_both(a, b);
	return have_common_cpus(set_of(a), set_of(b));
}

bool bpf_cpumask_subset(const struct cpumask *a, const struct cpumask *b)
{
	use_both(a, b);
	for (u32 i = 0; i < nr_words_; i++) {
		if (set_of(a)->words[i] & ~set_of(b)->words[i])
			return false;
	}
	return true;
}

u32 bpf_cpumask_weight(const struct cpumask *mask)
{
	use_set(set_of(mask), false);
	return count_cpus(set_of(mask));
}

u32 bpf_cpumask_first(const struct cpumask *mask)
{
	s32 cpu = next_cpu(set_of(mask), 0);

	use_set(set_of(mask), false);
	return cpu < 0 ? nr_cpus_ : (u32)cpu;
}

/* Returns nr_cpus or more without a match. Searches after the last one, then wraps around. */
u32 bpf_cpumask_any_and_distribute(const struct cpumask *a, const struct cpumask *b)
{
	static u32 last;
	struct cpu_set both = common_cpus(set_of(a), set_of(b));
	s32 cpu = next_cpu(&both, last + 1);

	use_both(a, b);
	if (cpu < 0)
		cpu = next_cpu(&both, 0);
	return cpu < 0 ? nr_cpus_ : (last = cpu);
}

u32 bpf_cpumask_any_distribute(const struct cpumask *mask)
{
	return bpf_cpumask_any_and_distribute(mask, mask);
}
