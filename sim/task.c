/* SPDX-License-Identifier: GPL-2.0-only */
/* A task's way: woken, queued, run, asleep; and calls into the scheduler. After the kernel's ext.c. */
#include "machine.h"
#include "cost.h"
#include "strand.h"

struct task *all_tasks;
struct cpu *here;
struct call now_in;

/* ---- Calls into the scheduler ---- */

struct call enter(struct cpu *c, enum context context, const char *name, struct task *subject)
{
	static u64 nr_calls;
	struct call before;

	if (costs_on)
		settle();
	before = now_in;
	before.here = here;
	now_in = (struct call){ c, context, name, subject, NULL, spent, ++nr_calls };
	if (context == IN_TRACING && subject)
		subject->told_ns = now_ns;
	here = c;
	if (c && context) {
		now_in.caller = bpf_get_current_task_btf();
		now_in.caller->migration_disabled++;
		begin_accesses();
		walk(costs.callback);
	}
	trace("%s %d", name, subject ? subject->k.pid : 0);
	return before;
}

void leave(struct call before)
{
	if (costs_on)
		settle();
	if (now_in.context)
		end_call(now_in.name, now_in.spent_before);
	check_given_back(now_in.name);
	if (now_in.caller)
		now_in.caller->migration_disabled--;
	now_in = before;
	here = before.here;
}

/* The verifier (or on older kernels, the function) refuses what is called elsewhere. */
void allow(u32 contexts, const char *function)
{
	if (!(now_in.context & contexts))
		violation("error", "%s calls %s", now_in.name ?: "nobody", function);
}

/* ---- Into a queue ---- */

bool may_run_on(const struct task *p, s32 cpu)
{
	return cpus_[cpu].online && has_cpu(&p->mask, cpu);
}

static void insert_directly(struct task *p, u64 flags)
{
	struct queue *q = find_queue(p->direct_dsq, &cpus_[p->cpu]);
	bool by_key = p->direct_flags & BY_KEY;

	flags |= p->direct_flags & ~BY_KEY;
	/* To its own CPU it may go even while it may not run there: it is moved at once. */
	if (q->id == DSQ_LOCAL && p->direct_dsq != DSQ_LOCAL) {
		struct cpu *c = container(q, struct cpu, local);

		if (!may_run_on(p, c->id))
			violation("error", "task %d may not run on CPU %d", p->k.pid, c->id);
		p->cpu = c->id;
	}
	p->direct_dsq = DSQ_INVALID;
	queue_insert(q, p, flags, by_key);
}

static void insert_locally(struct task *p, u64 flags)
{
	p->k.scx.slice = SLICE_DFL_NS;
	queue_insert(&cpus_[p->cpu].local, p, flags, false);
}

/* The end of the kernel's do_enqueue_task. */
static void insert(struct task *p, u64 flags)
{
	if (p->direct_dsq != DSQ_INVALID)
		insert_directly(p, flags);
	else
		p->in_custody = true;
}

static void insert_late(struct event *e)
{
	insert(container(e, struct task, insert), 0);
}

/* The kernel's do_enqueue_task: asks the scheduler where a runnable task waits. */
void enqueue_again(struct task *p, u64 flags)
{
	p->asked_ns = now_ns;
	if (p->direct_dsq != DSQ_INVALID)
		return insert_directly(p, flags);
	if ((p->k.flags & EXITING) && !(ops->flags & OPS_ENQ_EXITING))
		return insert_locally(p, flags);
	if (p->pinned && !(ops->flags & OPS_ENQ_MIGRATION_DISABLED))
		return insert_locally(p, flags);
	OPS(IN_ENQUEUE, enqueue, p, &p->k, flags);
	if (!p->gap_ns)
		return insert(p, flags);
	p->insert.happen = insert_late;
	post(&p->insert, now_ns + p->gap_ns);
	p->gap_ns = 0;
}

/* sticky: the running task, which goes on at once. */
void enqueue_task(struct task *p, u64 flags, bool sticky)
{
	if (is_runnable(p))
		violation("model", "task %d is runnable already", p->k.pid);
	p->k.scx.flags |= TASK_QUEUED;
	if (!p->since_ns)
		p->since_ns = now_ns;
	if (!(flags & MIGRATING))
		OPS(IN_OPS, runnable, p, &p->k, flags);
	flags &= ~MIGRATING;
	if (sticky)
		queue_insert(&cpus_[p->cpu].local, p, 0, false);
	else
		enqueue_again(p, flags);
}

void dequeue_task(struct task *p, u64 flags)
{
	struct cpu *c = &cpus_[p->cpu];

	if (!is_runnable(p))
		return;
	if (is_running(p)) {
		charge_curr(c);
		OPS(IN_OPS, stopping, p, &p->k, false);
	}
	if (!(flags & MIGRATING))
		OPS(IN_OPS, quiescent, p, &p->k, flags);
	p->k.scx.flags &= ~TASK_QUEUED;
	p->in_custody = false;
	p->direct_dsq = DSQ_INVALID;
	queue_remove(p);
}

/* A queued task whose CPU it may no longer use, or that moves with its CPU. */
void requeue_elsewhere(struct task *p)
{
	dequeue_task(p, MIGRATING);
	p->cpu = any_cpu(&p->mask);
	enqueue_task(p, MIGRATING, false);
}

/* ---- Waking and sleeping ---- */

/* A task that is about to sleep does so before it is woken. */
static void await_sleep(const struct task *p)
{
	struct cpu *c = &cpus_[p->cpu];

	if (!is_runnable(p))
		return;
	acquire(&c->guard);
	release(&c->guard);
}

void wake(struct task *p, struct cpu *waker, u64 wake_flags)
{
	struct call before = enter(waker, 0, "wake", p);
	u64 flags = wake_flags & WAKE_FORK ? ENQ_INITIAL : ENQ_WAKEUP;
	struct cpu *c;
	struct spent spent_before;
	s32 cpu;

	acquire(&p->guard);
	await_sleep(p);
	cpu = p->cpu;
	spent_before = begin_operation();
	cancel(&p->alarm);
	if (is_runnable(p) || p->gone) {
		release(&p->guard);
		leave(before);
		return;
	}
	show_waking(p, waker);
	p->left_ns = p->burst_ns;
	p->woken = true;
	p->synced = wake_flags & WAKE_SYNC;
	p->since_ns = now_ns;
	walk(costs.wake);
	touch(&p->k.scx, true);
	if (p->k.nr_cpus_allowed > 1 && !p->pinned && ops->select_cpu) {
		struct call outer = enter(waker, IN_SELECT_CPU, "select_cpu", p);

		cpu = ops->select_cpu(&p->k, cpu, wake_flags);
		leave(outer);
		if (cpu < 0 || cpu >= (s32)nr_cpus_)
			violation("error", "select_cpu returns CPU %d", cpu);
		flags |= ENQ_CPU_SELECTED;
	}
	p->cpu = may_run_on(p, cpu) ? cpu : any_cpu(&p->mask);
	c = &cpus_[p->cpu];
	acquire(&c->guard);
	hold_lock(&c->lock, costs.queue, NULL);
	enqueue_task(p, flags, false);
	/* wakeup_preempt: the idle task is of a lower class. */
	if (!cpus_[p->cpu].curr && !cpus_[p->cpu].real_time)
		resched(&cpus_[p->cpu]);
	end_operation(OP_WAKEUP, spent_before);
	release(&c->guard);
	release(&p->guard);
	leave(before);
}

static void burst_over(struct event *e);

void run(struct cpu *c, struct task *p)
{
	p->burst.happen = burst_over;
	p->burst.where = c;
	if (p->left_ns != FOREVER)
		post(&p->burst, now_ns + time_for_work(c, p->left_ns));
}

/* The rest takes a moment, during which it may be interrupted. */
void die(struct task *p)
{
	if (p->k.flags & EXITING)
		return exit_task(p);
	p->k.flags |= EXITING;
	p->left_ns = 20000;
	run(&cpus_[p->cpu], p);
}

static bool in_task; /* not an interrupt */

bool host_in_task(void)
{
	return in_task;
}

u32 host_autogroup_of(struct task_struct *k)
{
	return container(k, struct task, k)->autogroup;
}

static void end_burst(struct task *p)
{
	if (p->script)
		return follow_script(p);
	if (p->replayed)
		return follow_course(p);
	if (p->partner && !p->partner->gone)
		wake(p->partner, &cpus_[p->cpu], WAKE_TTWU | WAKE_SYNC);
	sleep_now(p);
}

static void burst_over(struct event *e)
{
	struct task *p = container(e, struct task, burst);
	struct cpu *c = &cpus_[p->cpu];

	if (c->curr != p)
		violation("model", "task %d does not run", p->k.pid);
	charge_curr(c);
	/* The kernel has taken some of its time. */
	if (costs_on && p->left_ns)
		return run(c, p);
	p->bursts++;
	if (p->kill)
		return die(p);
	in_task = true;
	end_burst(p);
	in_task = false;
}

/* It notices that it has been killed. */
void kill_running(struct task *p)
{
	charge_curr(&cpus_[p->cpu]);
	p->left_ns = 1000;
	run(&cpus_[p->cpu], p);
}

static void alarm_rings(struct event *e)
{
	struct task *p = container(e, struct task, alarm);
	struct cpu *c = &cpus_[p->cpu];

	here = c;
	walk(costs.interrupt + costs.timer + (c->curr ? 0 : costs.idle_exit));
	here = NULL;
	wake(p, c, WAKE_TTWU);
}

void sleep_now(struct task *p)
{
	struct cpu *c = &cpus_[p->cpu];
	bool running = c->curr == p;

	here = c;
	acquire(&c->guard);
	dequeue_task(p, DEQ_SLEEP);
	p->since_ns = 0;
	if ((p->until_ns || p->sleep_ns) && !p->gone) {
		p->alarm.happen = alarm_rings;
		p->alarm.where = c;
		post(&p->alarm,
		     p->until_ns ?: now_ns + p->sleep_ns / 2 + random_below(p->sleep_ns));
		p->until_ns = 0;
	}
	/* At once: nobody wakes a task that is on its way out of a CPU. */
	if (running)
		schedule(&c->resched);
	here = c;
	release(&c->guard);
	here = NULL;
}
