/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines of memory. A line is held by one CPU that wrote it last, or by all that have read it since.
 * A CPU that fetches it pays by distance: a reader to the nearest holder, a writer to the farthest.
 * While a line is on its way to a writer, others wait.
 */
#include "line.h"
#include "sanitizers.h"

enum { FEWEST_SLOTS = 1 << 12 };

static struct slot {
	u64 key; /* 0: it is free */
	struct line *line;
} *slots; /* by a hash of the key */
static u32 nr_lines, nr_slots;

/* ---- By key ---- */

static u32 slot_of(u64 key)
{
	u32 slot = (key * 0x9e3779b97f4a7c15ULL) >> 32 & (nr_slots - 1);

	while (slots[slot].key && slots[slot].key != key)
		slot = (slot + 1) & (nr_slots - 1);
	return slot;
}

static void make_room(void)
{
	struct slot *before = slots;
	u32 nr = nr_slots;

	if (nr_lines * 2 < nr_slots)
		return;
	nr_slots = nr_slots ? nr_slots * 2 : FEWEST_SLOTS;
	slots = calloc(nr_slots, sizeof(struct slot));
	for (u32 i = 0; i < nr; i++) {
		if (before[i].key)
			slots[slot_of(before[i].key)] = before[i];
	}
	free(before);
}

/* Makes a line that no CPU has yet. The memory may have belonged to another object. */
struct line *new_line(u64 key, struct account *account)
{
	struct slot *slot;
	struct line *l;

	make_room();
	slot = &slots[slot_of(key)];
	l = slot->line;
	if (!l) {
		l = calloc(1, sizeof(*l));
		*slot = (struct slot){ key, l };
		nr_lines++;
	}
	l->owner = -1;
	l->is_known = false;
	l->holders = (struct cpu_set){};
	l->account = account;
	return l;
}

void new_lines(u64 key, u64 size, struct account *account)
{
	for (u64 i = 0; i < (size + LINE_SIZE - 1) >> LINE_SHIFT; i++)
		new_line(key + i, account);
}

/* Returns NULL if nobody has made a line with this key. */
struct line *line_of_key(u64 key)
{
	return nr_slots ? slots[slot_of(key)].line : NULL;
}

/* Returns NULL for an address on a stack, or in memory that is never written. */
struct line *line_at(u64 address)
{
	return line_of_key(place_of(address) >> LINE_SHIFT);
}

void *new_object(u64 size, const char *name)
{
	u64 whole = (size + LINE_SIZE - 1) & ~(u64)(LINE_SIZE - 1);
	void *object;

	/* No other object begins in its last line, whose rest sanitizers guard. */
	if (posix_memalign(&object, LINE_SIZE, whole))
		fail("there is no memory for a %s", name);
	memset(object, 0, size);
	ASAN_POISON_MEMORY_REGION((char *)object + size, whole - size);
	name_object(object, size, name);
	return object;
}

void name_object(const void *object, u64 size, const char *name)
{
	if (costs_on)
		new_lines((u64)object >> LINE_SHIFT, size, account_of(name));
}

void forget_spent_on_lines(void)
{
	for (u32 i = 0; i < nr_slots; i++) {
		if (slots[i].line)
			slots[i].line->spent_ns = slots[i].line->lock_ns = 0;
	}
}

void note_worst_lines(void)
{
	for (u32 i = 0; i < nr_slots; i++) {
		const struct line *l = slots[i].line;

		if (!l)
			continue;
		note_worst(l->account, l->spent_ns);
		note_worst(l->lock_account, l->lock_ns);
	}
}

void forget_lines(void)
{
	for (u32 i = 0; i < nr_slots; i++) {
		if (slots[i].line)
			free(slots[i].line->calendar.spans);
		free(slots[i].line);
	}
	free(slots);
	slots = NULL;
	nr_slots = nr_lines = 0;
	forget_wanted_lines();
	forget_variables();
	free_accounts();
}

/* ---- Transfers ---- */

static bool are_within(const struct cpu_set *set, const struct cpu_set *group)
{
	if (!group)
		return true;
	for (u32 i = 0; i < nr_words_; i++) {
		if (set->words[i] & ~group->words[i])
			return false;
	}
	return true;
}

static bool are_on_core(const struct cpu_set *set, const struct cpu *c)
{
	struct cpu_set rest = *set;
	const struct cpu *each = c;

	do {
		remove_cpu(&rest, each->id);
		each = each->sibling;
	} while (each != c);
	return is_empty(&rest);
}

static bool is_with_sibling(const struct cpu_set *set, const struct cpu *c)
{
	for (const struct cpu *each = c->sibling; each != c; each = each->sibling) {
		if (has_cpu(set, each->id))
			return true;
	}
	return false;
}

static u64 to_nearest(const struct cpu_set *holders, const struct cpu *c)
{
	const struct cpu_set *llc = llcs[c->llc], *node = nodes[c->node];

	if (is_with_sibling(holders, c))
		return costs.sibling;
	if (!llc || have_common_cpus(holders, llc))
		return costs.llc;
	return !node || have_common_cpus(holders, node) ? costs.node : costs.far;
}

static u64 to_farthest(const struct cpu_set *holders, const struct cpu *c)
{
	if (!are_within(holders, nodes[c->node]))
		return costs.far;
	if (!are_within(holders, llcs[c->llc]))
		return costs.node;
	return are_on_core(holders, c) ? costs.sibling : costs.llc;
}

/* Give the executing CPU a line. Returns how long that takes; 0: it had the line already. */
u64 fetch(struct line *l, bool write)
{
	bool has = has_cpu(&l->holders, here->id);
	u64 ns;

	if (has && (!write || l->owner == here->id))
		return 0;
	if (!l->is_known)
		ns = costs.memory;
	else if (!write)
		ns = to_nearest(&l->holders, here);
	else if (has && is_only_cpu(&l->holders, here->id))
		ns = 0;
	else
		ns = to_farthest(&l->holders, here);
	if (write)
		l->holders = (struct cpu_set){};
	add_cpu(&l->holders, here->id);
	l->owner = write ? here->id : -1;
	l->is_known = true;
	return ns;
}

void count_transfer(struct line *l, u64 ns, u64 wait_ns)
{
	count(l->account, ns, wait_ns);
	l->spent_ns += ns + wait_ns;
}

struct fetched access_line(struct line *l, bool write)
{
	u64 ns = fetch(l, write), start_ns;

	if (!ns)
		return (struct fetched){ costs.own, 0 };
	start_ns = find_gap(&l->calendar, now_ns, write ? ns : 1);
	if (write)
		book(&l->calendar, start_ns, start_ns + ns);
	count_transfer(l, ns, start_ns - now_ns);
	return (struct fetched){ ns, start_ns - now_ns };
}

/* The kernel itself uses memory, at once. */
void touch(const void *address, bool write)
{
	struct line *l;
	struct fetched fetched;

	if (!costs_on || !here)
		return;
	l = line_at((u64)address);
	if (!l)
		return;
	fetched = access_line(l, write);
	spend(fetched.ns, &spent.transfer_ns);
	spend(fetched.wait_ns, &spent.line_wait_ns);
}

/* Only the words of a set that hold CPUs of this machine are read. */
void touch_set(const struct cpu_set *set, bool write)
{
	for (u32 i = 0; costs_on && i < nr_words_; i += LINE_SIZE / sizeof(set->words[0]))
		touch(&set->words[i], write);
}
