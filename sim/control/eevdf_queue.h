/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The run-queues of eevdf.c: which tasks and groups are in them, with which lag, and which of them
 * goes first.
 */
#ifndef EEVDF_QUEUE_H
#define EEVDF_QUEUE_H

#include "kernel.bpf.h"

enum {
	USUAL_WEIGHT = 100,
	MAX_CPUS = 1024,
	MAX_GROUPS = 256, /* more have to share */
	TICK_NS = 4000000,
};

u32 host_autogroup_of(struct task_struct *p); /* the model's; 0: none */
bool host_in_task(void); /* what happens is a task's own doing, not an interrupt's */

struct entity {
	struct task_struct *p; /* NULL: it stands for a group */
	struct run_queue *own; /* of the group */
	struct run_queue *q; /* where it is, NULL: nowhere */
	struct entity *next; /* that waits, by deadline */
	s64 vruntime, deadline, lag;
	s64 protected_until; /* in virtual time, while it runs */
	u64 charged_ns; /* of sum_exec_runtime */
	s64 weight;
	bool waits; /* in the list */
	bool sleeps; /* in the list */
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct entity);
} entities SEC(".maps");

struct run_queue {
	struct entity *first, *curr;
	struct entity *group; /* that it belongs to, NULL: it is the CPU's */
	s64 *total; /* the weight of the group's tasks on all CPUs */
	s32 cpu;
	s64 weight, sum; /* of all that wait or run: weights, and these times virtual times */
	s64 latest; /* mean virtual time when it had a task last */
};

static struct cpu_queue {
	struct run_queue all;
	u32 nr; /* of tasks that wait, in groups, too */
	bool is_due; /* its task is to go, and has not been told */
	u64 next_balance_ns;
	u64 idle_since_ns; /* 0: it is not */
	u64 idle_ns; /* the mean length of an idle time */
} __attribute__((aligned(64))) queues[MAX_CPUS];

static struct group_queue {
	struct entity entity;
	struct run_queue tasks;
} __attribute__((aligned(64))) groups[MAX_GROUPS][MAX_CPUS];

static s64 totals[MAX_GROUPS];
static s64 slice_ns;
static bool overloaded; /* tasks wait somewhere, as far as is known */

static struct entity *entity_of(struct task_struct *p)
{
	return bpf_task_storage_get(&entities, p, NULL, 0);
}

/* The task that runs. NULL: none, or it is no longer there. */
static struct entity *current_on(s32 cpu)
{
	struct entity *e = queues[cpu].all.curr;

	return e && e->own ? e->own->curr : e;
}

/* Where a task waits on a CPU: with its group, or among all. */
static struct run_queue *queue_for(struct task_struct *p, s32 cpu)
{
	u32 group = host_autogroup_of(p);
	struct group_queue *g = &groups[group % MAX_GROUPS][cpu];

	if (!group)
		return &queues[cpu].all;
	if (!g->entity.own) {
		g->entity.own = &g->tasks;
		g->entity.weight = USUAL_WEIGHT;
		g->tasks.group = &g->entity;
		g->tasks.total = &totals[group % MAX_GROUPS];
		g->tasks.cpu = cpu;
	}
	return &g->tasks;
}

static s64 in_virtual_time(s64 ns, const struct entity *e)
{
	return ns * USUAL_WEIGHT / e->weight;
}

static s64 mean_of(const struct run_queue *q)
{
	return q->weight ? q->sum / q->weight : q->latest;
}

static bool is_eligible(const struct entity *e)
{
	return e->vruntime * e->q->weight <= e->q->sum;
}

/* Charges the running task for its time, and its group. */
static void charge(s32 cpu)
{
	struct entity *e = current_on(cpu);
	s64 ran_ns;

	if (!e)
		return;
	ran_ns = e->p->se.sum_exec_runtime - e->charged_ns;
	e->charged_ns = e->p->se.sum_exec_runtime;
	for (; e; e = e->q->group) {
		s64 ran = in_virtual_time(ran_ns, e);

		e->vruntime += ran;
		e->q->sum += ran * e->weight;
		if (e->vruntime >= e->deadline)
			e->deadline = e->vruntime + in_virtual_time(slice_ns, e);
	}
}

static void count_waiting(const struct entity *e, s32 change)
{
	if (e->own || e->sleeps)
		return;
	queues[e->q->cpu].nr += change;
	if (change > 0 && !overloaded)
		overloaded = true;
}

static void add_to_list(struct entity *e)
{
	struct entity **at = &e->q->first;

	while (*at && (*at)->deadline <= e->deadline)
		at = &(*at)->next;
	e->next = *at;
	*at = e;
	e->waits = true;
	count_waiting(e, 1);
}

static void remove_from_list(struct entity *e)
{
	struct entity **at = &e->q->first;

	if (!e->waits)
		return;
	while (*at != e)
		at = &(*at)->next;
	*at = e->next;
	e->waits = false;
	count_waiting(e, -1);
}

/* ---- Into a run-queue, and out of it ---- */

static void count_weight(struct run_queue *q, s64 weight)
{
	q->weight += weight;
	if (q->total)
		*q->total += weight;
}

/* Queues it with the lag that it had; the mean of the others stays the same. */
static void join(struct run_queue *q, struct entity *e, s64 until_deadline)
{
	s64 lag = q->weight ? e->lag * (q->weight + e->weight) / q->weight : 0;

	e->vruntime = mean_of(q) - lag;
	e->deadline = e->vruntime + until_deadline;
	e->q = q;
	count_weight(q, e->weight);
	q->sum += e->vruntime * e->weight;
	add_to_list(e);
}

static void leave(struct entity *e)
{
	struct run_queue *q = e->q;
	s64 most = in_virtual_time(slice_ns + TICK_NS, e);
	s64 lag = mean_of(q) - e->vruntime;

	/* Sleep only makes a lead shrink. */
	if (e->sleeps && lag > 0)
		lag = 0;
	e->lag = lag > most ? most : lag < -most ? -most : lag;
	q->latest = mean_of(q);
	remove_from_list(e);
	count_weight(q, -e->weight);
	q->sum -= e->vruntime * e->weight;
	if (q->curr == e)
		q->curr = NULL;
	e->q = NULL;
	e->sleeps = false;
}

/* A group has the weight of one task, divided as its tasks are. Lag and deadline keep their ns. */
static void share_out(struct entity *g)
{
	s64 had = g->weight, weight = USUAL_WEIGHT * g->own->weight / *g->own->total ?: 1;
	s64 mean = mean_of(g->q);
	bool waited = g->waits;

	if (weight == had)
		return;
	remove_from_list(g);
	g->q->sum -= g->vruntime * had;
	g->deadline = mean + (g->deadline - mean) * had / weight;
	g->protected_until = mean + (g->protected_until - mean) * had / weight;
	g->vruntime = mean + (g->vruntime - mean) * had / weight;
	g->weight = weight;
	count_weight(g->q, weight - had);
	g->q->sum += g->vruntime * weight;
	if (waited)
		add_to_list(g);
}

/* The kernel's delayed dequeue: false if it is not ahead, as the only one in a queue never is. */
static bool stay_asleep(struct entity *e)
{
	if (is_eligible(e))
		return false;
	if (e->q->curr == e)
		e->q->curr = NULL;
	remove_from_list(e);
	e->sleeps = true;
	add_to_list(e);
	return true;
}

/* With its group, if that is empty then. */
static void depart(struct entity *e, bool sleeps)
{
	struct run_queue *q = e->q;
	struct entity *g = q->group;

	leave(e);
	if (g && q->weight)
		share_out(g);
	else if (g && !(sleeps && stay_asleep(g)))
		leave(g);
}

static void take_out(struct entity *e, bool sleeps)
{
	if (!sleeps || !stay_asleep(e))
		depart(e, sleeps);
}

/* One that the mean has overtaken meanwhile begins anew there. */
static void wake_up_early(struct entity *e)
{
	struct run_queue *q = e->q;

	if (is_eligible(e)) {
		leave(e);
		join(q, e, in_virtual_time(slice_ns, e));
		return;
	}
	remove_from_list(e);
	e->sleeps = false;
	add_to_list(e);
}

static void put_in(struct run_queue *q, struct entity *e, s64 until_deadline)
{
	join(q, e, until_deadline);
	e = q->group;
	if (!e)
		return;
	if (!e->q)
		join(&queues[q->cpu].all, e, in_virtual_time(slice_ns, e));
	else if (e->sleeps)
		wake_up_early(e);
	share_out(e);
}

/* ---- Who goes first ---- */

/* The running one goes on while it is protected, unless it is ahead. NULL: the queue is empty. */
static struct entity *best_in(const struct run_queue *q)
{
	struct entity *curr = q->curr, *e = q->first;

	if (curr && e && !is_eligible(curr))
		curr = NULL;
	if (curr && (!e || curr->vruntime < curr->protected_until))
		return curr;
	while (e && !is_eligible(e))
		e = e->next;
	if (!e || (curr && curr->deadline < e->deadline))
		e = curr;
	return e ?: q->curr ?: q->first;
}

/* Sleepers whose turn it is leave. */
static struct entity *best_awake_in(const struct run_queue *q)
{
	struct entity *e;

	while ((e = best_in(q)) && e->sleeps)
		depart(e, true);
	return e;
}

static struct entity *pick(s32 cpu)
{
	for (;;) {
		struct entity *best = best_awake_in(&queues[cpu].all), *e = best;

		if (best && best->own)
			e = best_awake_in(best->own);
		/* The group may have had sleepers only, or the CPU has its task already. */
		if (e || !best || best->q)
			return e;
	}
}

static bool is_alone(const struct entity *e)
{
	return e->q->weight == e->weight;
}

/* Whether the running task or its group has had its slice, and another one waits. */
static bool is_over(const struct entity *e)
{
	for (; e; e = e->q->group) {
		if (!is_alone(e) && e->vruntime >= e->protected_until)
			return true;
	}
	return false;
}

/* Whether a task that wakes up is to go before the running one. */
static bool goes_before(const struct entity *e, const struct entity *curr)
{
	if (e->q != curr->q) {
		e = e->q->group ?: e;
		curr = curr->q->group ?: curr;
	}
	/* A task that wakes another may be waiting for it. */
	if (host_in_task() && !is_eligible(curr))
		return true;
	return best_awake_in(curr->q) == e;
}

#endif /* EEVDF_QUEUE_H */
