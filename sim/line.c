/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines of memory, and locks. A line is held by one CPU that wrote it last, or by all that have
 * read it since. A CPU that fetches it pays by distance: a reader to the nearest holder, a writer
 * to the farthest. While a line is on its way to a writer, and while a lock is held, others wait.
 *
 * The scheduler's accesses come from its compiler, as calls of -fsanitize=thread. How often and in
 * which order it reads a variable is the compiler's choice. So each line counts once for a
 * call of the scheduler, when the call ends, and all as if they were fetched from the same moment.
 */
#include "machine.h"

enum {
	LINE_SHIFT = 6,
	LINE_SIZE = 1 << LINE_SHIFT,
	FEWEST_SLOTS = 1 << 12,
	STACK_SIZE = 1 << 14,
	MAX_VARIABLES = 256
};

/* Times in which others wait, in order. */
struct calendar {
	struct span {
		u64 from_ns, to_ns;
	} *spans;
	u32 nr, max;
};

struct account {
	char name[64];
	bool is_lock;
	u64 nr, ns, wait_ns; /* of transfers, or of times when a lock was held */
	u64 worst_ns; /* of one line or lock, waits included */
	struct account *next, *next_shared;
};

struct line {
	s32 owner; /* who may write it, -1: nobody */
	u32 wanted; /* by the call of the scheduler, WANT_... */
	bool is_known; /* any CPU has it */
	struct cpu_set holders;
	struct calendar calendar;
	struct account *account, *lock_account;
	u64 spent_ns, lock_ns; /* for it, and for the lock that is in it */
};

enum { WANT_READ = 1, WANT_WRITE = 2 };

static struct slot {
	u64 key; /* 0: it is free */
	struct line *line;
} *slots; /* by a hash of the key */
static u32 nr_lines, nr_slots;
static struct line **wanted;
static u32 nr_wanted, max_wanted;
static u64 nr_accesses; /* since the scheduler was called */
static struct account *accounts, *shared_accounts; /* of objects, by name */

/* The scheduler's variables, by address; each begins a line of its own, wherever the compiler puts it. */
static struct variable {
	u64 from, size, key;
} variables[MAX_VARIABLES];
static u32 nr_variables;
static u64 end_of_variables;
static u64 next_key = 1ULL << 60; /* no address is as high */

/* ---- Accounts ---- */

static struct account *new_account(const char *name, bool is_lock)
{
	struct account *a = calloc(1, sizeof(*a));

	strncpy(a->name, name, sizeof(a->name) - 1);
	a->is_lock = is_lock;
	a->next = accounts;
	accounts = a;
	return a;
}

/* Of the lines of all objects with that name. */
static struct account *account_of(const char *name)
{
	struct account *a = shared_accounts;

	while (a && strcmp(a->name, name))
		a = a->next_shared;
	if (a)
		return a;
	a = new_account(name, false);
	a->next_shared = shared_accounts;
	return shared_accounts = a;
}

void forget_accounts(void)
{
	for (struct account *a = accounts; a; a = a->next)
		a->nr = a->ns = a->wait_ns = a->worst_ns = 0;
	for (u32 i = 0; i < nr_slots; i++) {
		if (slots[i].line)
			slots[i].line->spent_ns = slots[i].line->lock_ns = 0;
	}
}

static void note_worst(struct account *a, u64 ns)
{
	if (a && ns > a->worst_ns)
		a->worst_ns = ns;
}

void print_accounts(void)
{
	for (u32 i = 0; i < nr_slots; i++) {
		const struct line *l = slots[i].line;

		if (!l)
			continue;
		note_worst(l->account, l->spent_ns);
		note_worst(l->lock_account, l->lock_ns);
	}
	for (struct account *a = accounts; a; a = a->next) {
		if (a->nr)
			printf("%s %llu %llu %llu %llu %s\n", a->is_lock ? "lock" : "line", a->nr,
			       a->ns, a->wait_ns, a->worst_ns, a->name);
	}
}

/* ---- Calendars ---- */

/* The first moment from which nobody else is there for that long. */
static u64 find_gap(const struct calendar *c, u64 at_ns, u64 length_ns)
{
	u32 low = 0, high = c->nr;

	while (low < high) {
		u32 middle = (low + high) / 2;

		if (c->spans[middle].to_ns <= at_ns)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < c->nr && c->spans[low].from_ns < at_ns + length_ns; low++)
		at_ns = c->spans[low].to_ns;
	return at_ns;
}

/* No event begins before the one that happens. */
static void drop_past(struct calendar *c)
{
	u32 nr = 0;

	while (nr < c->nr && c->spans[nr].to_ns <= event_ns)
		nr++;
	if (!nr)
		return;
	c->nr -= nr;
	memmove(c->spans, c->spans + nr, c->nr * sizeof(struct span));
}

static void book(struct calendar *c, u64 from_ns, u64 to_ns)
{
	u32 at;

	drop_past(c);
	for (at = c->nr; at && c->spans[at - 1].from_ns > from_ns; at--)
		;
	if (at && c->spans[at - 1].to_ns == from_ns) {
		c->spans[at - 1].to_ns = to_ns;
		return;
	}
	if (at < c->nr && c->spans[at].from_ns == to_ns) {
		c->spans[at].from_ns = from_ns;
		return;
	}
	if (c->nr == c->max) {
		c->max = c->max * 2 + 4;
		c->spans = realloc(c->spans, c->max * sizeof(struct span));
	}
	memmove(c->spans + at + 1, c->spans + at, (c->nr++ - at) * sizeof(struct span));
	c->spans[at] = (struct span){ from_ns, to_ns };
}

/* ---- Lines ---- */

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

/* A line that nobody has; the memory may have been another's. */
static struct line *new_line(u64 key, struct account *account)
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

static void new_lines(u64 key, u64 size, struct account *account)
{
	for (u64 i = 0; i < (size + LINE_SIZE - 1) >> LINE_SHIFT; i++)
		new_line(key + i, account);
}

void *new_object(u64 size, const char *name)
{
	void *object;

	/* Its end is the end of the allocation, which sanitizers guard. */
	if (posix_memalign(&object, LINE_SIZE, size))
		fail("there is no memory for a %s", name);
	memset(object, 0, size);
	name_object(object, size, name);
	return object;
}

void name_object(const void *object, u64 size, const char *name)
{
	if (costs_on)
		new_lines((u64)object >> LINE_SHIFT, size, account_of(name));
}

/* The last variable that begins there or before; NULL: none. */
static struct variable *variable_before(u64 address)
{
	u32 low = 0, high = nr_variables;

	while (low < high) {
		u32 middle = (low + high) / 2;

		if (variables[middle].from <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &variables[low - 1] : NULL;
}

/* NULL: the address is in none. */
static struct variable *variable_at(u64 address)
{
	static struct variable *last = variables;
	struct variable *v = last;

	/* Most accesses are elsewhere, or go on where the last one was. */
	if (!nr_variables || address < variables[0].from || address >= end_of_variables)
		return NULL;
	if (address - v->from >= v->size)
		v = variable_before(address);
	if (!v || address - v->from >= v->size)
		return NULL;
	return last = v;
}

void name_variable(const void *address, u64 size, const char *name)
{
	u64 from = (u64)address;
	struct variable *after;
	char text[64] = {};

	if (!costs_on || !size)
		return;
	if (nr_variables == MAX_VARIABLES)
		fail("the scheduler has more than %d variables", MAX_VARIABLES);
	/* glue.c makes `cpus` longer; a compiler adds a number to the name of a function's own. */
	if (!strncmp(name, "host_more_", 10))
		name += 10;
	strncpy(text, name, sizeof(text) - 1);
	text[strcspn(text, ".")] = 0;
	after = variable_before(from);
	after = after ? after + 1 : variables;
	memmove(after + 1, after, (variables + nr_variables++ - after) * sizeof(*after));
	*after = (struct variable){ from, size, next_key };
	if (from + size > end_of_variables)
		end_of_variables = from + size;
	new_lines(next_key, size, account_of(text));
	next_key += (size >> LINE_SHIFT) + 1;
}

/* Another object is loaded. */
void forget_variables(void)
{
	nr_variables = end_of_variables = 0;
}

const char *name_of_variable(const void *address)
{
	const struct variable *v = variable_at((u64)address);

	return v ? slots[slot_of(v->key)].line->account->name : "?";
}

static u64 key_of(u64 address)
{
	const struct variable *v = variable_at(address);

	return v ? v->key + ((address - v->from) >> LINE_SHIFT) : address >> LINE_SHIFT;
}

/* NULL: it is on a stack, or never written. */
static struct line *line_at(u64 address)
{
	return nr_slots ? slots[slot_of(key_of(address))].line : NULL;
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
static u64 fetch(struct line *l, bool write)
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

static void count(struct account *a, u64 ns, u64 wait_ns)
{
	a->nr++;
	a->ns += ns;
	a->wait_ns += wait_ns;
}

static void count_transfer(struct line *l, u64 ns, u64 wait_ns)
{
	count(l->account, ns, wait_ns);
	l->spent_ns += ns + wait_ns;
}

struct fetched {
	u64 ns, wait_ns;
};

static struct fetched access_line(struct line *l, bool write)
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

/* The lines that the scheduler has used since the last time. */
void settle_lines(void)
{
	struct fetched sum = {};

	if (!nr_wanted)
		return;
	for (u32 i = 0; i < nr_wanted; i++) {
		struct fetched each = access_line(wanted[i], wanted[i]->wanted & WANT_WRITE);

		wanted[i]->wanted = 0;
		sum.ns += each.ns;
		sum.wait_ns += each.wait_ns;
	}
	nr_wanted = 0;
	spend(sum.ns, &spent.transfer_ns);
	spend(sum.wait_ns, &spent.line_wait_ns);
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

/* ---- Locks ---- */

void init_lock(struct lock *l, const char *name)
{
	if (!costs_on)
		return;
	l->line = new_line(next_key++, new_account(name, false));
	l->line->lock_account = new_account(name, true);
}

/* A list's links are in its members. */
static u64 fetch_links(const struct task *p)
{
	const struct task *const members[] = { p, p->prev, p->next };
	u64 sum_ns = 0;

	for (u32 i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		struct line *l = members[i] ? line_at((u64)&members[i]->k.scx) : NULL;
		u64 ns = l ? fetch(l, true) : 0;

		if (ns)
			count_transfer(l, ns, 0);
		sum_ns += ns;
	}
	return sum_ns;
}

/*
 * The executing CPU waits for a lock, and holds it for that long; the line comes with it. `member`,
 * unless it is NULL, is linked or unlinked meanwhile.
 */
void hold_lock(struct lock *l, u64 path_ns, const struct task *member)
{
	u64 ns, start_ns;

	if (!costs_on || !here)
		return;
	ns = fetch(l->line, true) + (member ? fetch_links(member) : 0);
	start_ns = find_gap(&l->line->calendar, now_ns, path_ns + ns);
	book(&l->line->calendar, start_ns, start_ns + path_ns + ns);
	count(l->line->lock_account, path_ns + ns, start_ns - now_ns);
	l->line->lock_ns += path_ns + ns + start_ns - now_ns;
	spend(start_ns - now_ns, &spent.lock_wait_ns);
	spend(path_ns, &spent.path_ns);
	spend(ns, &spent.transfer_ns);
}

/* A CPU looks at what a lock protects, without the lock. */
void peek_lock(struct lock *l)
{
	u64 ns;

	if (!costs_on || !here)
		return;
	ns = fetch(l->line, false);
	if (ns)
		count_transfer(l->line, ns, 0);
	spend(ns ?: costs.own, &spent.transfer_ns);
}

void forget_lines(void)
{
	for (u32 i = 0; i < nr_slots; i++) {
		if (slots[i].line)
			free(slots[i].line->calendar.spans);
		free(slots[i].line);
	}
	free(slots);
	free(wanted);
	slots = NULL;
	wanted = NULL;
	nr_slots = nr_lines = nr_wanted = max_wanted = 0;
	forget_variables();
	shared_accounts = NULL;
	while (accounts) {
		struct account *a = accounts;

		accounts = a->next;
		free(a);
	}
}

/* ---- What the compiler calls for each access of the scheduler ---- */

void begin_accesses(void)
{
	nr_accesses = 0;
}

static void want(u64 address, bool write)
{
	struct line *l = line_at(address);

	if (!l)
		return;
	if (++nr_accesses > MOST_ACCESSES)
		violation("error", "%s does not end: it goes on using %s", now_in.name,
			  l->account->name);
	if (!l->wanted) {
		if (nr_wanted == max_wanted) {
			max_wanted = max_wanted * 2 + 64;
			wanted = realloc(wanted, max_wanted * sizeof(struct line *));
		}
		wanted[nr_wanted++] = l;
	}
	l->wanted |= write ? WANT_WRITE : WANT_READ;
}

static void want_range(void *address, u64 size, bool write)
{
	u64 first = (u64)address, last = first + (size ?: 1) - 1;

	/* Nobody else uses the caller's stack. */
	if (!costs_on || !here || !now_in.context || first - (u64)&first < STACK_SIZE)
		return;
	for (u64 at = first; at < last; at += LINE_SIZE)
		want(at, write);
	want(last, write);
}

#define PLAIN(size)                                                                                \
	void __tsan_read##size(void *a)                                                            \
	{                                                                                          \
		want_range(a, size, false);                                                        \
	}                                                                                          \
	void __tsan_write##size(void *a)                                                           \
	{                                                                                          \
		want_range(a, size, true);                                                         \
	}                                                                                          \
	void __tsan_unaligned_read##size(void *a)                                                  \
	{                                                                                          \
		want_range(a, size, false);                                                        \
	}                                                                                          \
	void __tsan_unaligned_write##size(void *a)                                                 \
	{                                                                                          \
		want_range(a, size, true);                                                         \
	}                                                                                          \
	void __tsan_read_write##size(void *a)                                                      \
	{                                                                                          \
		want_range(a, size, true);                                                         \
	}                                                                                          \
	void __tsan_unaligned_read_write##size(void *a)                                            \
	{                                                                                          \
		want_range(a, size, true);                                                         \
	}

/* clang-format off */
PLAIN(1) PLAIN(2) PLAIN(4) PLAIN(8) PLAIN(16)
	/* clang-format on */

	void __tsan_read_range(void *a, u64 size)
{
	want_range(a, size, false);
}

void __tsan_write_range(void *a, u64 size)
{
	want_range(a, size, true);
}

void *__tsan_memcpy(void *to, const void *from, u64 size)
{
	want_range((void *)from, size, false);
	want_range(to, size, true);
	return memcpy(to, from, size);
}

void *__tsan_memset(void *to, int byte, u64 size)
{
	want_range(to, size, true);
	return memset(to, byte, size);
}

void __tsan_init(void)
{
}

void __tsan_func_entry(void *caller)
{
}

void __tsan_func_exit(void *caller)
{
}

/* The types are those of gcc's built-in declarations. */
typedef uint8_t word8;
typedef uint16_t word16;
typedef uint32_t word32;
typedef unsigned long word64;

#define FETCH(bits, name)                                                                          \
	word##bits __tsan_atomic##bits##_fetch_##name(volatile void *a, word##bits value,          \
						      int order)                                   \
	{                                                                                          \
		want_range((void *)a, sizeof(value), true);                                        \
		return __atomic_fetch_##name((volatile word##bits *)a, value, __ATOMIC_SEQ_CST);   \
	}

#define ATOMIC(bits)                                                                               \
	word##bits __tsan_atomic##bits##_load(const volatile void *a, int order)                   \
	{                                                                                          \
		want_range((void *)a, bits / 8, false);                                            \
		return *(volatile word##bits *)a;                                                  \
	}                                                                                          \
                                                                                                   \
	void __tsan_atomic##bits##_store(volatile void *a, word##bits value, int order)            \
	{                                                                                          \
		want_range((void *)a, sizeof(value), true);                                        \
		*(volatile word##bits *)a = value;                                                 \
	}                                                                                          \
                                                                                                   \
	word##bits __tsan_atomic##bits##_exchange(volatile void *a, word##bits value, int order)   \
	{                                                                                          \
		want_range((void *)a, sizeof(value), true);                                        \
		return __atomic_exchange_n((volatile word##bits *)a, value, __ATOMIC_SEQ_CST);     \
	}                                                                                          \
                                                                                                   \
	/* gcc's, which wants whether it did, and the old value at `expected` */                   \
	bool __tsan_atomic##bits##_compare_exchange_strong(volatile void *a, void *expected,       \
							   word##bits value, int order, int other) \
	{                                                                                          \
		want_range((void *)a, sizeof(value), true);                                        \
		return __atomic_compare_exchange_n((volatile word##bits *)a,                       \
						   (word##bits *)expected, value, false,           \
						   __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);            \
	}                                                                                          \
                                                                                                   \
	/* clang's, which wants the old value */                                                   \
	word##bits __tsan_atomic##bits##_compare_exchange_val(                                     \
		volatile void *a, word##bits expected, word##bits value, int order, int other)     \
	{                                                                                          \
		__tsan_atomic##bits##_compare_exchange_strong(a, &expected, value, order, other);  \
		return expected;                                                                   \
	}                                                                                          \
                                                                                                   \
	FETCH(bits, add)                                                                           \
	FETCH(bits, sub)                                                                           \
	FETCH(bits, and)                                                                           \
	FETCH(bits, or)                                                                            \
	FETCH(bits, xor)

/* clang-format off */
ATOMIC(8) ATOMIC(16) ATOMIC(32) ATOMIC(64)
	/* clang-format on */

	void __tsan_atomic_thread_fence(int order)
{
}
