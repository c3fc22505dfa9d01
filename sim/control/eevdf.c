/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A scheduler to compare with. It follows the documentation of the kernel's own one, EEVDF
 * (Documentation/scheduler/sched-eevdf.rst). Each CPU has a run-queue. A task has a virtual time,
 * and a deadline by which it gets one slice of its share. Its lag is its distance below the mean
 * of its run-queue. Of the tasks that are not ahead of the mean, the one with the earliest deadline
 * goes first. The running task keeps the CPU for a slice, unless it is ahead. Lag survives a sleep.
 * A timer ends a slice while others wait (hrtick), and so does a task that wakes up.
 *
 * A CPU that falls idle takes a task from a nearby run-queue with tasks to spare, unless its mean
 * idle time is too short for that search. At ticks, a busy CPU takes one if another has two tasks
 * more.
 *
 * A sleeper that is ahead of the mean counts as queued until the mean has caught up with it.
 *
 * Left out: groups of tasks, and their load over time.
 */
#include "kernel.bpf.h"
#include "exit.bpf.h"

enum {
	USUAL_WEIGHT = 100,
	MAX_CPUS = 1024,
	LEAST_HRTICK_NS = 10000,
	BASE_SLICE_NS = 700000, /* for one CPU; more CPUs have longer ones, up to eight */
	TICK_NS = 4000000,
	BALANCE_NS = 16000000, /* for each CPU of an LLC, up to 16 of them */
	WAKEUP = 1, /* SCX_ENQ_WAKEUP */
	FORK = 4, /* SCX_WAKE_FORK */
	KICK_IDLE = 1, /* SCX_KICK_IDLE */
	PREEMPT = 2, /* SCX_KICK_PREEMPT */
	EVERYWHERE = 2,
	LOOK_NS = 100, /* the approximate time of a look at another run-queue */
};

#define FOREVER (~0ULL)

const volatile u64 ops_flag_SCX_OPS_BUILTIN_IDLE_PER_NODE;
char cpus[1]; /* the model looks for it */

void scx_bpf_dsq_insert(struct task_struct *p, u64 dsq_id, u64 slice, u64 enq_flags) __ksym;
u32 scx_bpf_nr_cpu_ids(void);
u32 host_llc_of(s32 cpu); /* the model's: a number of an LLC, or of a node */
u32 host_node_of(s32 cpu);
void host_update_curr(s32 cpu); /* the running task's time counts up to now */
void host_start_hrtick(s32 cpu, u64 after_ns); /* a timer that ends slices; 0: none */

struct entity {
	struct task_struct *p;
	struct entity *next; /* that waits, by deadline */
	s64 vruntime, deadline, lag;
	s64 protected_until; /* in virtual time, while it runs */
	s64 mean; /* of its run-queue when it left that, */
	s32 left; /* and the CPU of that */
	u64 charged_ns; /* of sum_exec_runtime */
	u32 weight;
	s32 cpu; /* whose run-queue it is in, -1: none */
	bool waits; /* in the list */
	bool served; /* it has had its slice since it was picked */
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct entity);
} entities SEC(".maps");

static struct run_queue {
	struct entity *first, *curr;
	u32 nr; /* of those that wait */
	s64 weight, sum; /* of all that wait or run: weights, and these times virtual times */
	s64 latest; /* mean virtual time when it had a task last */
	u64 next_balance_ns;
	u64 idle_since_ns; /* 0: it is not */
	u64 idle_ns; /* the mean length of an idle time */
} __attribute__((aligned(64))) queues[MAX_CPUS];

static s64 slice_ns;
static bool overloaded; /* tasks wait somewhere, as far as is known */

static struct entity *entity_of(struct task_struct *p)
{
	return bpf_task_storage_get(&entities, p, NULL, 0);
}

static s64 in_virtual_time(s64 ns, const struct entity *e)
{
	return ns * USUAL_WEIGHT / e->weight;
}

static s64 mean_of(const struct run_queue *q)
{
	return q->weight ? q->sum / q->weight : q->latest;
}

static bool is_eligible(const struct run_queue *q, const struct entity *e)
{
	return e->vruntime * q->weight <= q->sum;
}

/* Charges the running task for its time. */
static void charge(struct run_queue *q, struct entity *e)
{
	s64 ran = in_virtual_time(e->p->se.sum_exec_runtime - e->charged_ns, e);

	e->charged_ns = e->p->se.sum_exec_runtime;
	e->vruntime += ran;
	q->sum += ran * e->weight;
	if (e->vruntime < e->deadline)
		return;
	e->deadline = e->vruntime + in_virtual_time(slice_ns, e);
	e->served = true;
}

static void add_to_list(struct run_queue *q, struct entity *e)
{
	struct entity **at = &q->first;

	while (*at && (*at)->deadline <= e->deadline)
		at = &(*at)->next;
	e->next = *at;
	*at = e;
	e->waits = true;
	q->nr++;
	if (!overloaded)
		overloaded = true;
}

static void remove_from_list(struct run_queue *q, struct entity *e)
{
	struct entity **at = &q->first;

	if (!e->waits)
		return;
	while (*at != e)
		at = &(*at)->next;
	*at = e->next;
	e->waits = false;
	q->nr--;
}

/* The kernel's delayed dequeue: a lead over the mean shrinks in sleep, as if the task were queued. */
static s64 lag_of(const struct entity *e, s32 cpu)
{
	s64 lag = e->lag;

	if (lag < 0 && e->left == cpu)
		lag += mean_of(&queues[cpu]) - e->mean;
	return e->lag < 0 && lag > 0 ? 0 : lag;
}

/* Queues a task with the lag that it had; the mean of the others stays the same. */
static void join(s32 cpu, struct entity *e, bool is_new)
{
	struct run_queue *q = &queues[cpu];
	s64 lag = q->weight ? lag_of(e, cpu) * (q->weight + e->weight) / q->weight : 0;

	e->vruntime = mean_of(q) - lag;
	e->deadline = e->vruntime + in_virtual_time(is_new ? slice_ns / 2 : slice_ns, e);
	e->cpu = cpu;
	q->weight += e->weight;
	q->sum += e->vruntime * e->weight;
}

static void leave(struct entity *e)
{
	struct run_queue *q = &queues[e->cpu];
	s64 most = in_virtual_time(2 * slice_ns > TICK_NS ? 2 * slice_ns : TICK_NS, e);
	s64 lag = mean_of(q) - e->vruntime;

	e->lag = lag > most ? most : lag < -most ? -most : lag;
	q->latest = e->mean = mean_of(q);
	e->left = e->cpu;
	q->weight -= e->weight;
	q->sum -= e->vruntime * e->weight;
	remove_from_list(q, e);
	if (q->curr == e)
		q->curr = NULL;
	e->cpu = -1;
}

/* The list is by deadline. NULL: nobody waits. */
static struct entity *first_eligible(const struct run_queue *q)
{
	struct entity *e = q->first;

	while (e && !is_eligible(q, e))
		e = e->next;
	return e ?: q->first;
}

/* Whether the running task is to go on, although another waits. */
static bool goes_on(const struct run_queue *q, const struct entity *curr,
		    const struct entity *other)
{
	if (!is_eligible(q, curr))
		return !is_eligible(q, other) && curr->deadline <= other->deadline;
	return curr->vruntime < curr->protected_until || curr->deadline <= other->deadline;
}

/* Whether the running task has had its slice, or what protects it. */
static bool is_over(const struct entity *curr)
{
	return curr->served || curr->vruntime >= curr->protected_until;
}

/* A timer ends the slice if others wait, by default from 7.2 on. */
static void start_hrtick(s32 cpu, const struct entity *curr)
{
	s64 left = (curr->protected_until - curr->vruntime) * curr->weight / USUAL_WEIGHT;

	if (!queues[cpu].nr)
		left = 0;
	else if (left < LEAST_HRTICK_NS)
		left = LEAST_HRTICK_NS;
	host_start_hrtick(cpu, left);
}

/* ---- Balance ---- */

static bool is_near(s32 a, s32 b, u32 level)
{
	if (level == EVERYWHERE)
		return true;
	return level ? host_node_of(a) == host_node_of(b) : host_llc_of(a) == host_llc_of(b);
}

/* The run-queue where most tasks wait, at least so many; -1: none. */
static s32 busiest_near(s32 cpu, u32 level, u32 nr)
{
	s32 busiest = -1;

	s32 nr_cpus = scx_bpf_nr_cpu_ids();

	for (s32 other = 0; other < nr_cpus; other++) {
		if (other == cpu || !is_near(cpu, other, level) || queues[other].nr < nr)
			continue;
		busiest = other;
		nr = queues[other].nr + 1;
	}
	return busiest;
}

static bool pull_from(s32 busiest, s32 cpu)
{
	for (struct entity *e = queues[busiest].first; e; e = e->next) {
		if (!bpf_cpumask_test_cpu(cpu, e->p->cpus_ptr))
			continue;
		leave(e);
		join(cpu, e, false);
		add_to_list(&queues[cpu], e);
		return true;
	}
	return false;
}

/* The nearest run-queue with at least so many waiting tasks. */
static void pull(s32 cpu, u32 nr)
{
	for (u32 level = 0; level <= EVERYWHERE; level++) {
		s32 busiest = busiest_near(cpu, level, nr);

		if (busiest >= 0 && pull_from(busiest, cpu))
			return;
	}
}

/* The nearest CPUs first, as far as the time allows. */
static void pull_while_idle(s32 cpu)
{
	u32 nr_cpus = scx_bpf_nr_cpu_ids();

	for (u32 level = 0; overloaded && level <= EVERYWHERE; level++) {
		s32 busiest;

		if (queues[cpu].idle_ns < (u64)LOOK_NS * (level ? nr_cpus : 16))
			return;
		busiest = busiest_near(cpu, level, 1);
		if (busiest >= 0 && pull_from(busiest, cpu))
			return;
		if (busiest < 0 && level == EVERYWHERE)
			overloaded = false;
	}
}

static void note_idle(struct run_queue *q, bool is_idle)
{
	u64 now_ns = bpf_ktime_get_ns();

	if (!is_idle && q->idle_since_ns)
		q->idle_ns = (7 * q->idle_ns + now_ns - q->idle_since_ns) / 8;
	q->idle_since_ns = is_idle ? now_ns : 0;
}

static void balance_sometimes(s32 cpu)
{
	struct run_queue *q = &queues[cpu];
	u32 nr_cpus = scx_bpf_nr_cpu_ids();
	u64 now_ns = bpf_ktime_get_ns();

	if (now_ns < q->next_balance_ns)
		return;
	q->next_balance_ns = now_ns + (nr_cpus < 16 ? nr_cpus : 16) * BALANCE_NS;
	pull(cpu, q->nr + 2);
}

/* Any of them: it looks for a task to take when it is kicked. */
static void kick_idle(void)
{
	const struct cpumask *online = scx_bpf_get_online_cpumask();
	s32 idle = scx_bpf_pick_idle_cpu(online, 0);

	scx_bpf_put_cpumask(online);
	if (idle >= 0)
		scx_bpf_kick_cpu(idle, KICK_IDLE);
}

static u32 nr_of_tasks(s32 cpu)
{
	return queues[cpu].nr + !!queues[cpu].curr;
}

/* For a new task: the CPU with the fewest tasks, and of equals the one where it is. */
static s32 least_busy(struct task_struct *p, s32 cpu)
{
	s32 nr_cpus = scx_bpf_nr_cpu_ids(), best = cpu;

	for (s32 other = 0; other < nr_cpus; other++) {
		if (nr_of_tasks(other) < nr_of_tasks(best) &&
		    bpf_cpumask_test_cpu(other, p->cpus_ptr))
			best = other;
	}
	return best;
}

/* ---- Callbacks ---- */

s32 BPF_STRUCT_OPS(eevdf_select_cpu, struct task_struct *p, s32 prev_cpu, u64 wake_flags)
{
	bool is_idle = false;
	s32 cpu = scx_bpf_select_cpu_dfl(p, prev_cpu, wake_flags, &is_idle);

	return is_idle || !(wake_flags & FORK) ? cpu : least_busy(p, cpu);
}

void BPF_STRUCT_OPS(eevdf_enqueue, struct task_struct *p, u64 enq_flags)
{
	struct entity *e = entity_of(p);
	s32 cpu = scx_bpf_task_cpu(p);
	struct run_queue *q = &queues[cpu];

	if (!e)
		return;
	if (e->cpu >= 0 && e->cpu != cpu)
		leave(e);
	if (e->cpu < 0) {
		e->charged_ns = p->se.sum_exec_runtime;
		join(cpu, e, !(enq_flags & WAKEUP));
	} else if (q->curr == e) {
		charge(q, e);
		q->curr = NULL;
	}
	add_to_list(q, e);
	if (!q->curr)
		return;
	host_update_curr(cpu);
	charge(q, q->curr);
	/* As in the kernel, whatever charges the running task ends its slice, too. */
	if (is_over(q->curr) || (first_eligible(q) == e && !goes_on(q, q->curr, e)))
		scx_bpf_kick_cpu(cpu, PREEMPT);
	else
		start_hrtick(cpu, q->curr);
}

void BPF_STRUCT_OPS(eevdf_dispatch, s32 cpu, struct task_struct *prev)
{
	struct run_queue *q = &queues[cpu];
	struct entity *curr = q->curr, *next;

	if (curr)
		charge(q, curr);
	else if (!q->nr)
		pull_while_idle(cpu);
	next = first_eligible(q);
	if (curr && (!next || goes_on(q, curr, next))) {
		prev->scx.slice = FOREVER;
		curr->served = false;
		if (curr->protected_until <= curr->vruntime)
			curr->protected_until = curr->deadline;
		start_hrtick(cpu, curr);
	} else if (next) {
		remove_from_list(q, next);
		scx_bpf_dsq_insert(next->p, SCX_DSQ_LOCAL, FOREVER, 0);
	}
	if (next || curr ? !!q->idle_since_ns : !q->idle_since_ns)
		note_idle(q, !next && !curr);
}

void BPF_STRUCT_OPS(eevdf_running, struct task_struct *p)
{
	struct entity *e = entity_of(p);
	s64 slice_end;

	if (!e || e->cpu < 0)
		return;
	remove_from_list(&queues[e->cpu], e);
	queues[e->cpu].curr = e;
	slice_end = e->vruntime + in_virtual_time(slice_ns, e);
	e->protected_until = slice_end < e->deadline ? slice_end : e->deadline;
	e->charged_ns = p->se.sum_exec_runtime;
	e->served = false;
	start_hrtick(e->cpu, e);
}

void BPF_STRUCT_OPS(eevdf_quiescent, struct task_struct *p, u64 deq_flags)
{
	struct entity *e = entity_of(p);

	if (!e || e->cpu < 0)
		return;
	if (queues[e->cpu].curr == e)
		charge(&queues[e->cpu], e);
	leave(e);
}

void BPF_STRUCT_OPS(eevdf_tick, struct task_struct *p)
{
	struct entity *e = entity_of(p);

	if (!e || e->cpu < 0)
		return;
	charge(&queues[e->cpu], e);
	if (queues[e->cpu].nr)
		kick_idle();
	balance_sometimes(e->cpu);
	if (is_over(e) && queues[e->cpu].nr)
		p->scx.slice = 0;
}

void BPF_STRUCT_OPS(eevdf_set_weight, struct task_struct *p, u32 weight)
{
	struct entity *e = entity_of(p);

	if (e && e->cpu < 0)
		e->weight = weight;
}

s32 BPF_STRUCT_OPS(eevdf_init_task, struct task_struct *p, struct scx_init_task_args *args)
{
	struct entity *e = bpf_task_storage_get(&entities, p, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);

	if (!e)
		return -12; /* ENOMEM */
	e->p = p;
	e->weight = USUAL_WEIGHT;
	e->cpu = -1;
	return 0;
}

s32 BPF_STRUCT_OPS_SLEEPABLE(eevdf_init)
{
	/* A CPU is idle for long at first. */
	for (u32 cpu = 0; cpu < scx_bpf_nr_cpu_ids(); cpu++)
		queues[cpu].idle_ns = 1000000;
	slice_ns = BASE_SLICE_NS;
	for (u32 nr = scx_bpf_nr_cpu_ids(); nr > 1 && slice_ns < 4 * BASE_SLICE_NS; nr /= 2)
		slice_ns += BASE_SLICE_NS;
	return 0;
}

void BPF_STRUCT_OPS(eevdf_exit, struct scx_exit_info *info)
{
	report_exit(info);
}

SEC(".struct_ops.link")
struct sched_ext_ops gthulhu = {
	.select_cpu = (void *)eevdf_select_cpu,
	.enqueue = (void *)eevdf_enqueue,
	.dispatch = (void *)eevdf_dispatch,
	.tick = (void *)eevdf_tick,
	.running = (void *)eevdf_running,
	.quiescent = (void *)eevdf_quiescent,
	.set_weight = (void *)eevdf_set_weight,
	.init_task = (void *)eevdf_init_task,
	.init = (void *)eevdf_init,
	.exit = (void *)eevdf_exit,
	.name = "eevdf",
};

/* It has no classes. */
s32 host_class_of(struct task_struct *p)
{
	return -1;
}
