/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A scheduler to compare with. It follows the documentation of the kernel's own one, EEVDF
 * (Documentation/scheduler/sched-eevdf.rst). Each CPU has a run-queue. A task has a virtual time,
 * and a deadline by which it gets one slice of its share. Its lag is its distance below the mean
 * of its run-queue. Of the tasks that are not ahead of the mean, the one with the earliest deadline
 * goes first. The running task keeps the CPU for a slice, unless it is ahead. Lag survives a sleep.
 * A timer ends a slice while others wait (hrtick), and so does a task that wakes up. A task that then
 * goes on gets no such timer for its next slice: the kernel starts it as it switches.
 *
 * Preemption is lazy, as in Debian's kernels: a CPU on which another CPU wakes up a task that goes
 * first notices with its next interrupt, or when the task that runs comes back from the kernel.
 *
 * A CPU that falls idle takes a task from a nearby run-queue with tasks to spare, unless its mean
 * idle time is too short for that search. At ticks, a busy CPU takes one if another has much more
 * weight.
 *
 * A sleeper that is ahead of the mean stays in its run-queue until it is that one's turn. So the mean
 * moves as slowly as if it were awake, and it keeps its deadline if it wakes up before.
 *
 * Tasks of a session are a group (autogroup), which has the weight of one task.
 *
 * Left out: groups of tasks by cgroup, load over time, and wakers of many tasks (wake_wide).
 */
#include "kernel.bpf.h"
#include "exit.bpf.h"
#include "eevdf_queue.h"

enum {
	LEAST_HRTICK_NS = 10000,
	BASE_SLICE_NS = 700000, /* for one CPU; more CPUs have longer ones, up to eight */
	BALANCE_NS = 16000000, /* for each CPU of an LLC, up to 16 of them */
	WAKEUP = 1, /* SCX_ENQ_WAKEUP */
	FORK = 4, /* SCX_WAKE_FORK */
	SYNC = 16, /* SCX_WAKE_SYNC */
	SLEEP = 1, /* SCX_DEQ_SLEEP */
	EXITING = 4, /* PF_EXITING */
	KICK_IDLE = 1, /* SCX_KICK_IDLE */
	PREEMPT = 2, /* SCX_KICK_PREEMPT */
	EVERYWHERE = 2,
	LOOK_NS = 100, /* the approximate time of a look at another run-queue */
};

#define FOREVER (~0ULL)

const volatile u64 ops_flag_SCX_OPS_BUILTIN_IDLE_PER_NODE;
/* A task on its way out is one as any other: else it would run while it is still in a run-queue. */
const volatile u64 ops_flag_SCX_OPS_ENQ_EXITING;
char cpus[1]; /* the model looks for it */

void scx_bpf_dsq_insert(struct task_struct *p, u64 dsq_id, u64 slice, u64 enq_flags) __ksym;
u32 scx_bpf_nr_cpu_ids(void);
u32 host_llc_of(s32 cpu); /* the model's: a number of an LLC, or of a node */
u32 host_node_of(s32 cpu);
void host_update_curr(s32 cpu); /* the running task's time counts up to now */
void host_start_hrtick(s32 cpu, u64 after_ns); /* a timer that ends slices; 0: none */
void host_await_entry(s32 cpu); /* its task's slice ends when that comes back from the kernel */

/* By default from 7.2 on, a timer ends the task's slice if others wait, whatever its group has. */
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

/* A task that waits and may run on a CPU. */
static struct entity *movable(const struct run_queue *q, s32 cpu)
{
	struct entity *found = NULL;

	for (struct entity *e = q->first; e && !found; e = e->next) {
		if (e->own)
			found = movable(e->own, cpu);
		else if (!e->sleeps && bpf_cpumask_test_cpu(cpu, e->p->cpus_ptr))
			found = e;
	}
	if (!found && q->curr && q->curr->own)
		found = movable(q->curr->own, cpu);
	return found;
}

/* Of all that waits or runs on its CPU. */
static s64 weight_of(const struct entity *e)
{
	return e->q->group ? e->q->group->weight * e->weight / e->q->weight : e->weight;
}

/* A CPU that is not idle takes a task only if that leaves it lighter than the other one was. */
static bool pull_from(s32 busiest, s32 cpu, bool is_idle)
{
	struct entity *e = movable(&queues[busiest].all, cpu);
	s64 until_deadline;

	if (!e)
		return false;
	if (!is_idle && queues[busiest].all.weight - queues[cpu].all.weight <= weight_of(e))
		return false;
	host_update_curr(busiest);
	charge(busiest);
	until_deadline = e->deadline - e->vruntime;
	take_out(e, false);
	put_in(queue_for(e->p, cpu), e, until_deadline);
	return true;
}

/* The run-queue with most weight, of those where tasks wait; -1: none has more. */
static s32 heaviest_near(s32 cpu, u32 level)
{
	s32 nr_cpus = scx_bpf_nr_cpu_ids(), heaviest = -1;
	s64 most = queues[cpu].all.weight;

	for (s32 other = 0; other < nr_cpus; other++) {
		if (!is_near(cpu, other, level) || !queues[other].nr ||
		    queues[other].all.weight <= most)
			continue;
		heaviest = other;
		most = queues[other].all.weight;
	}
	return heaviest;
}

static void pull(s32 cpu)
{
	for (u32 level = 0; level <= EVERYWHERE; level++) {
		s32 heaviest = heaviest_near(cpu, level);

		if (heaviest >= 0 && pull_from(heaviest, cpu, false))
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
		if (busiest >= 0 && pull_from(busiest, cpu, true))
			return;
		if (busiest < 0 && level == EVERYWHERE)
			overloaded = false;
	}
}

static void note_idle(struct cpu_queue *q, bool is_idle)
{
	u64 now_ns = bpf_ktime_get_ns();

	if (!is_idle && q->idle_since_ns)
		q->idle_ns = (7 * q->idle_ns + now_ns - q->idle_since_ns) / 8;
	q->idle_since_ns = is_idle ? now_ns : 0;
}

static void balance_sometimes(s32 cpu)
{
	struct cpu_queue *q = &queues[cpu];
	u32 nr_cpus = scx_bpf_nr_cpu_ids();
	u64 now_ns = bpf_ktime_get_ns();

	if (now_ns < q->next_balance_ns)
		return;
	q->next_balance_ns = now_ns + (nr_cpus < 16 ? nr_cpus : 16) * BALANCE_NS;
	pull(cpu);
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
	return queues[cpu].nr + !!current_on(cpu);
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

static bool is_exiting(const struct entity *e)
{
	return e && e->p->flags & EXITING;
}

/* The part of its group's weight that a task has that joins it. */
static s64 weight_to_join(struct task_struct *p)
{
	const struct run_queue *q = queue_for(p, bpf_get_smp_processor_id());
	const struct entity *e = entity_of(p);
	s64 weight = e ? e->weight : USUAL_WEIGHT;

	return q->total ? USUAL_WEIGHT * weight / (*q->total + weight) : weight;
}

/*
 * The kernel's wake_affine: a woken task goes to its waker's CPU if that leaves it less loaded than the
 * one where the task was. A waker that is about to sleep does not count, unless it exits.
 */
static s32 less_loaded(struct task_struct *p, s32 prev_cpu, u64 wake_flags)
{
	s32 here = bpf_get_smp_processor_id();
	const struct entity *waker = current_on(here);
	s64 weight = queues[here].all.weight;

	if (here == prev_cpu || !bpf_cpumask_test_cpu(here, p->cpus_ptr))
		return prev_cpu;
	if ((wake_flags & SYNC) && waker && !is_exiting(waker))
		weight -= weight_of(waker);
	weight += weight_to_join(p);
	return 100 * weight < 108 * queues[prev_cpu].all.weight ? here : prev_cpu;
}

/* The CPU that is here comes back from an interrupt or a system call. An exiting task does not. */
static void notice(s32 cpu)
{
	if (queues[cpu].is_due && !is_exiting(current_on(cpu)))
		scx_bpf_kick_cpu(cpu, PREEMPT);
}

/* ---- Callbacks ---- */

s32 BPF_STRUCT_OPS(eevdf_select_cpu, struct task_struct *p, s32 prev_cpu, u64 wake_flags)
{
	struct entity *e = entity_of(p);
	bool is_idle = false;
	s32 cpu;

	/* It has never left, and is not asked. */
	if (e && e->sleeps && e->q->cpu == prev_cpu)
		return prev_cpu;
	cpu = scx_bpf_select_cpu_dfl(p, prev_cpu, wake_flags & ~SYNC, &is_idle);
	if (is_idle)
		return cpu;
	return wake_flags & FORK ? least_busy(p, cpu) : less_loaded(p, prev_cpu, wake_flags);
}

void BPF_STRUCT_OPS(eevdf_enqueue, struct task_struct *p, u64 enq_flags)
{
	struct entity *e = entity_of(p), *curr;
	s32 cpu = scx_bpf_task_cpu(p);
	bool is_new = false;

	if (!e)
		return;
	/* The mean that the task is placed at is that of now. */
	if (current_on(cpu)) {
		host_update_curr(cpu);
		charge(cpu);
	}
	if (e->q && e->q->cpu != cpu)
		take_out(e, false);
	if (!e->q) {
		s64 slice = in_virtual_time(slice_ns, e);

		is_new = !(enq_flags & WAKEUP);
		e->charged_ns = p->se.sum_exec_runtime;
		put_in(queue_for(p, cpu), e, is_new ? slice / 2 : slice);
	} else if (e->sleeps) {
		wake_up_early(e);
	} else if (!e->waits) {
		if (e->q->curr == e)
			e->q->curr = NULL;
		add_to_list(e);
	}
	curr = current_on(cpu);
	if (!curr)
		return;
	/* As in the kernel, whatever charges the running task ends its slice, too. A new task does not. */
	if (is_over(curr) || (!is_new && goes_before(e, curr)))
		queues[cpu].is_due = true;
	notice(bpf_get_smp_processor_id());
	if (queues[cpu].is_due && cpu != (s32)bpf_get_smp_processor_id())
		host_await_entry(cpu);
	if (!queues[cpu].is_due || cpu != (s32)bpf_get_smp_processor_id() || is_exiting(curr))
		start_hrtick(cpu, curr);
}

void BPF_STRUCT_OPS(eevdf_dispatch, s32 cpu, struct task_struct *prev)
{
	struct cpu_queue *q = &queues[cpu];
	struct entity *curr = current_on(cpu), *next;

	q->is_due = false;
	charge(cpu);
	next = pick(cpu);
	if (!next) {
		pull_while_idle(cpu);
		next = pick(cpu);
	}
	if (next && next == curr) {
		prev->scx.slice = FOREVER;
	} else if (next) {
		remove_from_list(next);
		scx_bpf_dsq_insert(next->p, SCX_DSQ_LOCAL, FOREVER, 0);
	}
	if (next ? !!q->idle_since_ns : !q->idle_since_ns)
		note_idle(q, !next);
}

static void begin_to_run(struct entity *e)
{
	struct run_queue *q = e->q;

	remove_from_list(e);
	if (q->curr && q->curr != e)
		add_to_list(q->curr);
	q->curr = e;
	e->protected_until = e->deadline;
}

void BPF_STRUCT_OPS(eevdf_running, struct task_struct *p)
{
	struct entity *e = entity_of(p);

	if (!e || !e->q)
		return;
	begin_to_run(e);
	e->charged_ns = p->se.sum_exec_runtime;
	if (e->q->group)
		begin_to_run(e->q->group);
	start_hrtick(e->q->cpu, e);
}

void BPF_STRUCT_OPS(eevdf_quiescent, struct task_struct *p, u64 deq_flags)
{
	struct entity *e = entity_of(p);

	if (!e || !e->q)
		return;
	if (e->q->curr == e)
		charge(e->q->cpu);
	take_out(e, (deq_flags & SLEEP) && !(p->flags & EXITING));
}

void BPF_STRUCT_OPS(eevdf_tick, struct task_struct *p)
{
	struct entity *e = entity_of(p);
	s32 cpu;

	if (!e || !e->q)
		return;
	cpu = e->q->cpu;
	charge(cpu);
	if (queues[cpu].nr)
		kick_idle();
	balance_sometimes(cpu);
	if (is_over(e) || queues[cpu].is_due)
		p->scx.slice = 0;
}

void BPF_STRUCT_OPS(eevdf_set_weight, struct task_struct *p, u32 weight)
{
	struct entity *e = entity_of(p);

	if (!e)
		return;
	if (e->sleeps)
		take_out(e, false);
	if (!e->q)
		e->weight = weight;
}

s32 BPF_STRUCT_OPS(eevdf_init_task, struct task_struct *p, struct scx_init_task_args *args)
{
	struct entity *e = bpf_task_storage_get(&entities, p, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);

	if (!e)
		return -12; /* ENOMEM */
	e->p = p;
	e->weight = USUAL_WEIGHT;
	return 0;
}

void BPF_STRUCT_OPS(eevdf_exit_task, struct task_struct *p, struct scx_exit_task_args *args)
{
	struct entity *e = entity_of(p);

	if (e && e->q)
		take_out(e, false);
}

s32 BPF_STRUCT_OPS_SLEEPABLE(eevdf_init)
{
	/* A CPU is idle for long at first. */
	for (u32 cpu = 0; cpu < scx_bpf_nr_cpu_ids(); cpu++) {
		queues[cpu].all.cpu = cpu;
		queues[cpu].idle_ns = 1000000;
	}
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
	.exit_task = (void *)eevdf_exit_task,
	.init = (void *)eevdf_init,
	.exit = (void *)eevdf_exit,
	.name = "eevdf",
};

/* It has no classes. */
s32 host_class_of(struct task_struct *p)
{
	return -1;
}
