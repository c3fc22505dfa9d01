/* SPDX-License-Identifier: GPL-2.0-only */
/* Sets of CPUs, and references: each that a call takes, it gives back or stores. */
#include "machine.h"

static s64 held;
static s32 rcu_depth, preempt_depth;

/* One of the scheduler's; the member is first. */
struct owned_mask {
	struct bpf_cpumask mask;
	struct owned_mask *next;
};

static struct owned_mask *masks;

void hold(s64 change)
{
	held += change;
	if (held < 0)
		violation("references", "%s gives back what it does not have", now_in.name);
}

/* The scheduler's storage goes with it. */
void forget_masks(void)
{
	while (masks) {
		struct owned_mask *owned = masks;

		masks = owned->next;
		free(owned);
	}
}

void check_given_back(const char *who)
{
	if (held)
		violation("references", "%s keeps %lld references", who, held);
	if (rcu_depth || preempt_depth)
		violation("references", "%s leaves a section open", who);
}

void bpf_rcu_read_lock(void)
{
	rcu_depth++;
}

void bpf_rcu_read_unlock(void)
{
	if (--rcu_depth < 0)
		violation("references", "%s: no section to leave", now_in.name);
}

void bpf_preempt_disable(void)
{
	preempt_depth++;
}

void bpf_preempt_enable(void)
{
	if (--preempt_depth < 0)
		violation("references", "%s: no section to leave", now_in.name);
}

void *host_kptr_exchange(void **slot, void *fresh)
{
	void *old = *slot;

	*slot = fresh;
	hold((old ? 1 : 0) - (fresh ? 1 : 0));
	return old;
}

struct bpf_cpumask *bpf_cpumask_create(void)
{
	struct owned_mask *owned = calloc(1, sizeof(*owned));

	hold(1);
	owned->next = masks;
	masks = owned;
	return &owned->mask;
}

void bpf_cpumask_release(struct bpf_cpumask *mask)
{
	hold(-1);
	for (struct owned_mask **at = &masks; *at; at = &(*at)->next) {
		struct owned_mask *owned = *at;

		if (&owned->mask != mask)
			continue;
		*at = owned->next;
		free(owned);
		return;
	}
}

void bpf_cpumask_set_cpu(u32 cpu, struct bpf_cpumask *mask)
{
	if (cpu < nr_cpus_)
		mask->cpumask.bits[0] |= 1UL << cpu;
}

void bpf_cpumask_clear_cpu(u32 cpu, struct bpf_cpumask *mask)
{
	if (cpu < nr_cpus_)
		mask->cpumask.bits[0] &= ~(1UL << cpu);
}

void bpf_cpumask_clear(struct bpf_cpumask *mask)
{
	mask->cpumask.bits[0] = 0;
}

void bpf_cpumask_copy(struct bpf_cpumask *to, const struct cpumask *from)
{
	to->cpumask = *from;
}

bool bpf_cpumask_and(struct bpf_cpumask *to, const struct cpumask *a, const struct cpumask *b)
{
	to->cpumask.bits[0] = a->bits[0] & b->bits[0];
	return to->cpumask.bits[0];
}

void bpf_cpumask_or(struct bpf_cpumask *to, const struct cpumask *a, const struct cpumask *b)
{
	to->cpumask.bits[0] = a->bits[0] | b->bits[0];
}

bool bpf_cpumask_test_cpu(u32 cpu, const struct cpumask *mask)
{
	return cpu < nr_cpus_ && (mask->bits[0] >> cpu & 1);
}

bool bpf_cpumask_empty(const struct cpumask *mask)
{
	return !mask->bits[0];
}

bool bpf_cpumask_intersects(const struct cpumask *a, const struct cpumask *b)
{
	return a->bits[0] & b->bits[0];
}

bool bpf_cpumask_subset(const struct cpumask *a, const struct cpumask *b)
{
	return !(a->bits[0] & ~b->bits[0]);
}

u32 bpf_cpumask_weight(const struct cpumask *mask)
{
	return __builtin_popcountl(mask->bits[0]);
}

u32 bpf_cpumask_first(const struct cpumask *mask)
{
	return mask->bits[0] ? (u32)__builtin_ctzl(mask->bits[0]) : nr_cpus_;
}

/* Returns nr_cpus or more without a match. Searches after the last one, then wraps around. */
u32 bpf_cpumask_any_and_distribute(const struct cpumask *a, const struct cpumask *b)
{
	static u32 last;
	unsigned long mask = a->bits[0] & b->bits[0];

	for (u32 i = 1; i <= nr_cpus_; i++) {
		u32 cpu = (last + i) % nr_cpus_;

		if (mask >> cpu & 1)
			return last = cpu;
	}
	return nr_cpus_;
}

u32 bpf_cpumask_any_distribute(const struct cpumask *mask)
{
	return bpf_cpumask_any_and_distribute(mask, mask);
}
