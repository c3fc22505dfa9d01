/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cgroups with weights: how much a unit of a task's weight counts, by those of its cgroups.
 *
 * A group has a number of CPUs to itself, its portion. It divides that among its parts by their
 * weights: the groups below it, and its own tasks together. A part that cannot use all of its
 * portion leaves the rest to the other parts of the group. The rate of a group is what a unit of
 * weight gets of its portion in this way. Every 10 ms a timer finds the rates of the groups that
 * have runnable tasks, and of nothing else.
 *
 * The rates are solutions of equations: the parts of a group, each with what it can use at most,
 * make up its portion. Each side is a line with bends, so Newton's steps find the rate, and go on
 * from the last one.
 */
#ifndef GTHULHU_RATES_BPF_H
#define GTHULHU_RATES_BPF_H

#include "exit.bpf.h"
#include "shares.bpf.h"

#define GROUP_WORDS (MAX_GROUPS / 64)
#define FILL_NS 10000000ULL
#define FILL_ROUNDS 3
#ifndef FILL_TIMER_FLAGS
#define FILL_TIMER_FLAGS 0
#endif
/* For a group that was idle it looks sooner, but not that often. */
#define EARLY_FILL_NS 500000
#define LEAST_FILL_NS 2000000

/* Of struct group.runnable: the number of tasks is above the sum of their weights. */
#define TASKS_SHIFT 44
#define WEIGHTS_MASK ((1ULL << TASKS_SHIFT) - 1)
#define MAX_WORTH (1ULL << 32)
/* From a rate to a worth: a task of the usual weights that has a CPU to itself is worth one. */
#define WORTH_OF_RATE ((WORTH_ONE * WEIGHT_ONE * WEIGHT_ONE) >> RATE_SHIFT)
/* A task that moves keeps no more than this, by this ratio of weights at most. */
#define LONGEST_AHEAD_NS (1LL << 37)
#define MAX_RATIO (1ULL << 26)
/* Weights of tasks are finer by so much where their groups count. */
#define FINE_SHIFT 8
/* Less than a thousandth of a task counts as no task. */
#define FEWEST_TASKS (1ULL << (CPU_SHIFT - 10))

static u64 active_bits[GROUP_WORDS]; /* groups below the root that have, or had, runnable tasks */
static u32 active[MAX_GROUPS]; /* the same as a list; for the timer */
static u32 nr_active;
static u16 pass; /* the number of the timer's pass over that list */
static u32 filling; /* the timer is set */
static u64 filled_ns; /* when it last looked, */
static u64 next_fill_ns; /* and when it will again */
static bool weighs; /* tasks of groups below the root are runnable, or were a moment ago */

struct fill_timer {
	struct bpf_timer timer;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct fill_timer);
} fill_timers SEC(".maps");

static __always_inline u64 rate_for(u64 portion, u64 weight)
{
	return least_of((portion << RATE_SHIFT) / (weight ?: 1), MAX_RATE);
}

/* Virtual time for a run of a task whose weight is finer. */
static __always_inline u64 fine_ns(u64 ran_ns, u64 weight)
{
	const u64 one = (u64)WEIGHT_ONE * WEIGHT_ONE << FINE_SHIFT;

	if (weight == one)
		return ran_ns;
	return ran_ns * one / (weight ?: 1);
}

/* A rate that is as much higher as one portion is than another, at most 16 times. */
static __always_inline u64 times(u64 rate, u64 portion, u64 other)
{
	return least_of(rate * least_of((portion << 10) / (other ?: 1), 1 << 14) >> 10, MAX_RATE);
}

/* ---- The rates ---- */

static __always_inline void look_at_tasks(struct group *g)
{
	u64 runnable = g->runnable, weights = runnable & WEIGHTS_MASK;
	u64 tasks = runnable >> TASKS_SHIFT << CPU_SHIFT;

	g->tasks = g->tasks ? towards(g->tasks, tasks) : tasks;
	g->mean = g->mean ? towards(g->mean, weights) : weights;
	if (!runnable && g->tasks < FEWEST_TASKS)
		g->tasks = g->mean = 0;
	g->sum = g->tasks ? most_of(most_of(weights, g->mean), 1) : 0;
	g->demand = g->weights = g->most = g->sated = g->open = 0;
	g->pass = pass;
}

/* A part of a group: whether its portion is enough. */
static __always_inline void sort_part(struct group *g, u64 demand, u64 weight)
{
	if (portion_of(weight, g->rate) >= demand)
		g->sated += demand;
	else
		g->open += weight;
}

static __always_inline void add_part(struct group *g, u64 demand, u64 weight)
{
	if (!demand || !weight)
		return;
	g->demand += demand;
	g->weights += weight;
	g->most = most_of(g->most, rate_for(demand, weight));
	sort_part(g, demand, weight);
}

/* The tasks of a group are gone. */
static __always_inline void leave_active(struct group *g, u32 number)
{
	u64 bit = 1ULL << number % 64;
	u64 *word = &active_bits[bounded(number / 64, GROUP_WORDS)];

	__sync_fetch_and_and(word, ~bit);
	if (g->runnable)
		__sync_fetch_and_or(word, bit);
	g->ahead_ns = 0;
	g->has_worth = false;
}

/* A group came while the timer took the one above it for idle, or before that one. */
static __always_inline void stay_active(u32 number)
{
	u64 bit = 1ULL << number % 64;
	u64 *word = &active_bits[bounded(number / 64, GROUP_WORDS)];

	if (!(*word & bit))
		__sync_fetch_and_or(word, bit);
}

/* ---- Classes with a share ---- */

/* Whether a class competes by its weights; if not, its part is set apart. */
static __always_inline bool competes(struct group *g, struct share *s)
{
	g->weight = least_of(g->sum, MAX_WEIGHTS);
	g->demand = least_of(g->demand, s->high);
	s->set_apart = portion_of(g->weight, group_at(0)->rate) < s->part;
	if (s->set_apart)
		reserved += least_of(s->part, g->demand);
	return !s->set_apart;
}

/* The rest is for the groups that compete, or nearly nothing. */
static __always_inline u64 not_reserved(void)
{
	u64 rest = all_cpus() > reserved ? all_cpus() - reserved : 0;

	return most_of(rest, all_cpus() >> 10);
}

/* The CPUs that a group has for itself. */
static __always_inline u64 own_portion(u32 number, const struct group *g)
{
	const struct share *s = share_of(number);
	u64 portion;

	if (!number)
		return not_reserved();
	portion = portion_of(weight_beside(g), group_at(g->parent)->rate);
	return s ? most_of(portion, s->part) : portion;
}

/* From the leaves to the root: what each can use. */
static __noinline void gather_demands(void)
{
	int i;

	reserved = 0;
	bpf_for(i, 0, nr_active) {
		u32 number = active[bounded(nr_active - 1 - i, MAX_GROUPS)];
		struct group *g = group_at(number), *parent;
		struct share *s = share_of(number);

		add_part(g, least_of(g->tasks, all_cpus()), g->sum);
		g->demand = least_of(g->demand, all_cpus());
		if (!number)
			continue;
		parent = group_at(g->parent);
		if (g->demand)
			stay_active(g->parent);
		else
			leave_active(g, number);
		/* The one above it is not in the list yet, and has nothing to divide. */
		if (parent->pass != pass)
			g->demand = 0;
		else if (!s || competes(g, s))
			add_part(parent, g->demand, weight_beside(g));
	}
	/* No group competes: the classes may do so. */
	if (NR_SHARES && !group_at(0)->demand && reserved < all_cpus())
		group_at(0)->rate = MAX_RATE;
}

/* From the root to the leaves: a step of each rate. */
static __noinline void step_rates(void)
{
	int i;

	if (!MAY_HAVE_GROUPS)
		return;
	bpf_for(i, 0, nr_active) {
		u32 number = active[bounded(i, MAX_GROUPS)];
		struct group *g = group_at(number), *parent = group_at(g->parent);
		const struct share *s = share_of(number);
		u64 portion = own_portion(number, g);

		/* Groups below one that is left out are left out, too. */
		if (g->parent && !parent->demand)
			g->demand = 0;
		if (!g->demand)
			continue;
		if (g->open && portion > g->sated)
			g->rate = rate_for(portion - g->sated, g->open);
		else
			g->rate = rate_for(portion, g->weights);
		/* All have enough: then each has more than it can use, by the same factor. */
		if (!g->open && portion >= g->sated)
			g->rate = most_of(g->rate, times(g->most, portion, g->sated));
		/* For the next step. */
		g->sated = g->open = 0;
		if (g->sum)
			sort_part(g, least_of(g->tasks, all_cpus()), g->sum);
		if (number && !(s && s->set_apart))
			sort_part(parent, g->demand, weight_beside(g));
	}
}

/*
 * For how long a group's tasks, taken together, have had what they are entitled to later. The tasks of
 * the root are no group that others compete with: each of them has a portion of its own.
 */
static __always_inline s64 ahead_of(u32 number, struct group *g, u64 ran_ns, u64 passed_ns)
{
	u64 portion = number ? portion_of(g->sum, g->rate) : 0;
	s64 ahead_ns;

	if (!portion)
		return 0;
	ahead_ns = g->ahead_ns + (s64)((ran_ns << CPU_SHIFT) / portion) - (s64)passed_ns;
	if (ahead_ns > DEBT_LIMIT_NS + SLEEP_CREDIT_NS)
		return DEBT_LIMIT_NS + SLEEP_CREDIT_NS;
	return ahead_ns < -SLEEP_CREDIT_NS ? -SLEEP_CREDIT_NS : ahead_ns;
}

/*
 * Sets the worth of each group's tasks. Virtual time passes as fast as if all were equal.
 *
 * The worth follows the rate in some 40 ms, unless a weight was set. If it were that of a moment in
 * which others need the CPUs, a light task that runs just then would pay for that for many times as
 * long.
 */
static __noinline void set_worths(u64 passed_ns)
{
	bool anew = __sync_lock_test_and_set(&reweighed, 0);
	u64 tasks = 0, speed = 1ULL << CPU_SHIFT;
	int i;

	bpf_for(i, 0, nr_active)
		tasks += group_at(active[bounded(i, MAX_GROUPS)])->tasks;
	if (tasks > all_cpus())
		speed = most_of((all_cpus() << CPU_SHIFT) / tasks, 1);
	bpf_for(i, 0, nr_active) {
		u32 number = active[bounded(i, MAX_GROUPS)];
		struct group *g = group_at(number);
		struct share *s = share_of(number);
		u64 ran_ns = __sync_lock_test_and_set(&g->ran_ns, 0), worth;

		/* A class that wakes up lacks nothing yet. */
		if (s && !g->demand)
			s->used = s->low;
		if (!g->demand)
			continue;
		if (s)
			follow_use(g, s, ran_ns, passed_ns);
		worth = most_of(least_of(g->rate * WORTH_OF_RATE / speed, MAX_WORTH), 1);
		if (g->has_worth && !anew)
			worth = most_of(towards(g->worth, worth), 1);
		g->worth = worth;
		g->has_worth = true;
		g->ahead_ns = ahead_of(number, g, least_of(ran_ns, passed_ns * nr_cpus), passed_ns);
	}
}

static __noinline void list_active(void)
{
	int word, bit;

	if (!MAY_HAVE_GROUPS)
		return;
	pass++;
	active[0] = 0;
	nr_active = 1;
	look_at_tasks(group_at(0));
	bpf_for(word, 0, GROUP_WORDS) {
		u64 bits = active_bits[bounded(word, GROUP_WORDS)];

		if (!bits)
			continue;
		bpf_for(bit, 0, 64) {
			u32 number = word * 64 + bit;

			if (!(bits >> bit & 1) || !number)
				continue;
			active[bounded(nr_active, MAX_GROUPS)] = number;
			nr_active++;
			if (!tells_of_idle(NULL))
				read_idle(group_at(number));
			look_at_tasks(group_at(number));
		}
	}
}

/* Of the scheduler. */
static bool may_fill_here(void);

static __noinline void set_fill_timer(struct fill_timer *entry, u64 now_ns, u64 at_ns)
{
	if (!may_fill_here())
		return;
	if (__sync_lock_test_and_set(&filling, 1) && !time_before(at_ns, next_fill_ns))
		return;
	next_fill_ns = at_ns;
	if (bpf_timer_start(&entry->timer, at_ns - now_ns, FILL_TIMER_FLAGS))
		filling = 0;
}

/* Not as regular as tasks that wake up every 10 ms: else it would see them always, or never. */
static __always_inline u64 until_fill(void)
{
	return NR_SHARES ? FILL_NS * 3 / 4 + bpf_get_prandom_u32() % (FILL_NS / 2) : FILL_NS;
}

static int fill(void *map, u32 *key, struct fill_timer *entry)
{
	u64 now_ns = bpf_ktime_get_ns(), passed_ns = least_of(now_ns - filled_ns, 16 * FILL_NS);
	int round;

	if (has_ended())
		return 0;
	/* First: a group that becomes active now is either seen below or sets the timer. */
	__sync_lock_test_and_set(&filling, 0);
	filled_ns = now_ns;
	list_active();
	if (nr_active < 2) {
		weighs = false;
		group_at(0)->worth = WORTH_ONE;
		return 0;
	}
	gather_demands();
	bpf_for(round, 0, FILL_ROUNDS)
		step_rates();
	set_worths(passed_ns);
	set_fill_timer(entry, now_ns, now_ns + until_fill());
	return 0;
}

static __always_inline s32 init_fill_timer(void)
{
	u32 key = 0;
	struct fill_timer *entry = bpf_map_lookup_elem(&fill_timers, &key);
	const struct cpumask *online;

	if (!entry)
		return -22; /* EINVAL */
	online = scx_bpf_get_online_cpumask();
	nr_online = bpf_cpumask_weight(online);
	scx_bpf_put_cpumask(online);
	group_at(0)->worth = WORTH_ONE;
	bpf_timer_init(&entry->timer, &fill_timers, CLOCK_MONOTONIC);
	return bpf_timer_set_callback(&entry->timer, fill);
}

/* There is something new to look at. */
static __noinline void start_filling(void)
{
	u32 key = 0;
	struct fill_timer *entry = bpf_map_lookup_elem(&fill_timers, &key);
	u64 now_ns = bpf_ktime_get_ns();

	weighs = true;
	if (entry)
		set_fill_timer(entry, now_ns,
			       later_of(now_ns + EARLY_FILL_NS, filled_ns + LEAST_FILL_NS));
}

#endif /* GTHULHU_RATES_BPF_H */
