/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prints the figures of a simulation: a histogram of waits and the CPU time, by groups of tasks.
 * A line `wait GROUP LOW_NS WOKEN ALL` counts the waits of LOW_NS and more, up to the next line.
 */
#include "machine.h"
#include "cost.h"

/* Each power of two has 32 buckets, so a bound is at most 3 % too low. */
enum { SUB_BITS = 5, NR_SUBS = 1 << SUB_BITS, NR_BUCKETS = NR_SUBS * (65 - SUB_BITS) };

static struct group {
	u64 woken[NR_BUCKETS], all[NR_BUCKETS];
	u32 nr_tasks;
} *groups[MAX_GROUPS];
static u64 nr_switches, nr_wakeups, since_ns;

static u32 bucket_of(u64 ns)
{
	u32 shift;

	if (ns < NR_SUBS)
		return ns;
	shift = 63 - __builtin_clzll(ns) - SUB_BITS;
	return (shift + 1) * NR_SUBS + (ns >> shift) - NR_SUBS;
}

static u64 low_of(u32 bucket)
{
	u32 shift = bucket / NR_SUBS;

	return shift ? (u64)(bucket % NR_SUBS + NR_SUBS) << (shift - 1) : bucket;
}

void open_group(u64 group)
{
	if (group >= MAX_GROUPS)
		fail("group %llu is one too many", group);
	if (!groups[group])
		groups[group] = calloc(1, sizeof(struct group));
}

void watch(struct task *p, u64 group)
{
	open_group(group);
	p->watched = groups[group];
	groups[group]->nr_tasks++;
}

void count_wait(struct task *p, u64 waited_ns)
{
	nr_wakeups += p->woken;
	nr_switches++;
	if (!p->watched)
		return;
	p->watched->all[bucket_of(waited_ns)]++;
	p->watched->woken[bucket_of(waited_ns)] += p->woken;
}

void forget_figures(void)
{
	for (u32 i = 0; i < MAX_GROUPS; i++) {
		if (groups[i]) {
			memset(groups[i]->all, 0, sizeof(groups[i]->all));
			memset(groups[i]->woken, 0, sizeof(groups[i]->woken));
		}
	}
	nr_switches = nr_wakeups = 0;
	since_ns = now_ns;
}

/* A scheduler that keeps a task out of all queues for this long has lost it. */
#define LOST_NS 1000000000

static bool is_lost(const struct task *p)
{
	return p->in_custody && is_runnable(p) && time_since(p->asked_ns) > LOST_NS;
}

/* A wait that has not ended counts as long as it is by now, so that nobody starves unseen. */
static void count_waiting(void)
{
	for_each_task(p)
	{
		if (is_lost(p))
			violation("I1", "task %d is lost: no queue has it", p->k.pid);
		if (!p->gone && is_runnable(p) && !is_running(p))
			count_wait(p, time_since(p->since_ns > since_ns ? p->since_ns : since_ns));
	}
}

static void print_group(u32 number, const struct group *g)
{
	u64 ran_ns = 0, bursts = 0;

	for_each_task(p)
	{
		if (p->watched != g)
			continue;
		bursts += p->bursts;
		for_each_cpu(c) ran_ns += p->ran_ns[c->id];
	}
	printf("group %u %u %llu %llu\n", number, g->nr_tasks, ran_ns, bursts);
	for (u32 i = 0; i < NR_BUCKETS; i++) {
		if (g->all[i])
			printf("wait %u %llu %llu %llu\n", number, low_of(i), g->woken[i],
			       g->all[i]);
	}
}

void print_figures(void)
{
	u64 switches = nr_switches, wakeups = nr_wakeups;

	count_waiting();
	printf("total %llu %llu %llu %llu\n", now_ns - since_ns, switches, wakeups, nr_events);
	for (u32 i = 0; i < MAX_GROUPS; i++) {
		if (groups[i])
			print_group(i, groups[i]);
		free(groups[i]);
		groups[i] = NULL;
	}
	print_costs();
}
