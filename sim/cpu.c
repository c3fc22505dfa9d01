/* SPDX-License-Identifier: GPL-2.0-only */
/* A CPU's way: what it picks, puts and runs, and what takes it away. After the kernel's ext.c. */
#include "machine.h"
#include "cost.h"
#include "kernel.h"
#include "strand.h"

struct cpu cpus_[MAX_CPUS];
u32 nr_cpus_;

/* ---- Rescheduling ---- */

/* A CPU looks again for what to run: itself at once, another after an interrupt. */
void resched(struct cpu *c)
{
	if (!c->resched.pending)
		post(&c->resched, when_it_looks(c));
}

void charge_curr(struct cpu *c)
{
	struct task *p = c->curr;
	u64 ran_ns = time_since(c->charged_ns), own_ns, done_ns;

	/* It is busy until after the end of the scenario. */
	if (now_ns < c->charged_ns)
		return;
	/* A task that sleeps is on its way out: as in the kernel, the next one is charged for that. */
	if (p && !is_runnable(p))
		return;
	own_ns = ran_ns > c->stolen_ns ? ran_ns - c->stolen_ns : 0;
	c->charged_ns = now_ns;
	c->stolen_ns = 0;
	if (!p)
		return;
	p->k.se.sum_exec_runtime += ran_ns;
	p->k.se.exec_start = now_ns;
	(p->family ?: p)->ran_ns[c->id] += own_ns;
	done_ns = work_done_in(c, own_ns);
	if (p->left_ns != FOREVER)
		p->left_ns -= done_ns < p->left_ns ? done_ns : p->left_ns;
	if (p->k.scx.slice != FOREVER)
		p->k.scx.slice -= ran_ns < p->k.scx.slice ? ran_ns : p->k.scx.slice;
}

/* For controls that do what the kernel itself does. */
void host_update_curr(s32 cpu)
{
	charge_curr(&cpus_[cpu]);
}

static void end_turn(struct cpu *c, u64 cost_ns)
{
	here = c;
	walk(cost_ns);
	charge_curr(c);
	c->curr->k.scx.slice = 0;
	resched(c);
	here = NULL;
}

static void end_slice(struct event *e)
{
	struct cpu *c = container(e, struct cpu, slice_end);

	if (!c->curr)
		return;
	end_turn(c, costs.interrupt + costs.timer);
}

/* The kernel's hrtick: the CPU looks for another task after that time; 0: it does not. */
void host_start_hrtick(s32 cpu, u64 after_ns)
{
	struct event *e = &cpus_[cpu].slice_end;

	e->happen = end_slice;
	e->where = &cpus_[cpu];
	if (after_ns)
		post(e, now_ns + after_ns);
	else
		cancel(e);
}

static void comes_back(struct event *e)
{
	struct cpu *c = container(e, struct cpu, entry);

	if (!c->curr || c->curr->k.flags & EXITING)
		return;
	end_turn(c, 0);
}

/* Lazy preemption: the CPU looks for another task when the running one comes back from the kernel. */
void host_await_entry(s32 cpu)
{
	struct cpu *c = &cpus_[cpu];
	u64 after_ns = c->curr ? until_it_enters(c->curr) : 0;

	c->entry.happen = comes_back;
	c->entry.where = c;
	if (after_ns && !c->entry.pending)
		post(&c->entry, now_ns + after_ns);
}

/* ---- A CPU chooses ---- */

/* The kernel's balance_one: true if prev goes on. */
static bool look_for_tasks(struct cpu *c, struct task *prev, bool queued)
{
	u32 loops = 32;

	charge_curr(c);
	if (queued && prev->k.scx.slice)
		return true;
	if (c->local.nr || consume(&global_queue, c))
		return false;
	do {
		u32 nr;

		OPS(IN_DISPATCH, dispatch, prev, c->id, prev ? &prev->k : NULL);
		nr = c->nr_dispatched;
		flush_dispatched(c);
		if (queued && prev->k.scx.slice)
			return true;
		if (c->local.nr || consume(&global_queue, c) || !nr)
			break;
	} while (--loops);
	return !c->local.nr && queued && !(ops->flags & OPS_ENQ_LAST);
}

/* The running task no longer is: it waits, unless it sleeps. */
static void put(struct cpu *c, struct task *p, bool to_idle)
{
	charge_curr(c);
	cancel(&p->burst);
	note_stopped(p);
	if (!is_runnable(p))
		return;
	OPS(IN_OPS, stopping, p, &p->k, true);
	p->since_ns = now_ns;
	if (p->k.scx.slice)
		queue_insert(&c->local, p, ENQ_HEAD, false);
	else
		enqueue_again(p, to_idle ? ENQ_LAST : 0);
}

void set_next(struct cpu *c, struct task *p)
{
	queue_remove(p);
	p->in_custody = false;
	if (!c->curr) {
		c->charged_ns = now_ns;
		c->stolen_ns = 0;
	}
	p->since_ns = 0;
	/* The kernel reads its clock once for a change of the running task. */
	p->k.se.exec_start = c->curr == p ? c->charged_ns : now_ns;
	OPS(IN_OPS, running, p, &p->k);
	if (p->kill)
		p->left_ns = 1000;
}

/* While it does not run, its mask is that CPU alone: the kernel's migrate_disable_switch. */
static void leave_pinned(struct task *prev)
{
	if (prev->pinned && !is_only_cpu(&prev->mask, prev->pin))
		pin(prev);
}

static void become_idle(struct cpu *c, struct task *prev)
{
	set_idle(c, true);
	if (!prev)
		return;
	c->idle_since_ns = now_ns;
	OPS(IN_OPS, update_idle, NULL, c->id, true);
}

static void leave_idle(struct cpu *c)
{
	set_idle(c, false);
	OPS(IN_OPS, update_idle, NULL, c->id, false);
}

static void trace_switch(struct cpu *c, struct task *prev, struct task *next, bool to_real_time)
{
	static struct task idle_task = { .k.comm = "swapper" };
	static struct task real_time_task = { .k.comm = "rt", .k.pid = 1 << 20 };

	show_switch(c, prev, next);
	TRACE("tp_btf/sched_switch", prev,
	      prev && is_runnable(prev) && (prev->in_kernel || prev->on_way_out),
	      prev ? &prev->k : &idle_task.k,
	      to_real_time   ? &real_time_task.k
		      : next ? &next->k
			     : &idle_task.k,
	      prev && !is_runnable(prev) ? 1U : 0U);
	if (prev)
		prev->on_way_out = false;
}

/* A CPU that begins to run a task fetches the lines that others have written. */
static void touch_task(const struct task *p)
{
	touch(&p->k, true);
	touch(&p->k.scx, true);
}

/* A CPU takes another task, or none; the kernel's __schedule. */
static void switch_to(struct cpu *c, struct task *prev, struct task *next)
{
	if (prev)
		put(c, prev, !next);
	else if (next)
		leave_idle(c);
	if (next)
		note_running(next);
	if (next) {
		touch_task(next);
		set_next(c, next);
	} else {
		become_idle(c, prev);
	}
	walk(costs.switch_over);
	c->curr = next;
	trace("switch to %d", next ? next->k.pid : 0);
	trace_switch(c, prev, next, false);
	if (next) {
		run(c, next);
		begin_return(next);
	}
	if (prev)
		leave_pinned(prev);
}

void schedule(struct event *e)
{
	struct cpu *c = container(e, struct cpu, resched);
	struct task *prev, *next;
	struct spent before;
	bool queued, keep;

	if (!c->online || c->real_time)
		return;
	/* A CPU interrupts itself at once. Without costs, the order is one of the tests' races. */
	if (costs_on && c->kick.pending && c->kicks_itself) {
		cancel(&c->kick);
		kick_now(&c->kick);
	}
	cancel(e);
	cancel(&c->entry);
	here = c;
	acquire(&c->guard);
	prev = c->curr;
	queued = prev && is_runnable(prev);
	before = begin_operation();
	hold_lock(&c->lock, costs.schedule, NULL);
	c->decided_ns = now_ns;
	c->in_balance = c->has_looked = true;
	keep = look_for_tasks(c, prev, queued);
	c->in_balance = false;
	next = keep ? prev : c->local.first;
	if (next && !next->k.scx.slice)
		next->k.scx.slice = SLICE_DFL_NS;
	/* The event that put it there has not ended yet. */
	if (next && costs_on && next->queued_ns > now_ns)
		spend(next->queued_ns - now_ns, &spent.lock_wait_ns);
	if (next && next == prev) {
		run(c, prev);
	} else {
		switch_to(c, prev, next);
		end_operation(OP_SWITCH, before);
	}
	if (!c->tick.pending && c->curr)
		post(&c->tick, (now_ns / TICK_NS + 1) * TICK_NS + c->id * 10000);
	/* It does that itself, on this CPU. */
	if (c->curr && c->curr->enables_migration)
		disable_migration(c->curr, false);
	c->has_looked = false;
	release(&c->guard);
	here = NULL;
}

/* The running task gives the rest of its slice away. */
void yield(struct task *p)
{
	struct cpu *c = &cpus_[p->cpu];

	charge_curr(c);
	p->k.scx.slice = 0;
	schedule(&c->resched);
}

static void tick(struct event *e)
{
	struct cpu *c = container(e, struct cpu, tick);
	struct spent before;

	if (!c->curr)
		return;
	here = c;
	acquire(&c->guard);
	before = begin_operation();
	walk(costs.tick);
	charge_curr(c);
	OPS(IN_OPS, tick, c->curr, &c->curr->k);
	if (!c->curr->k.scx.slice)
		resched(c);
	end_operation(OP_TICK, before);
	release(&c->guard);
	here = NULL;
	post(e, event_ns + TICK_NS);
}

/* ---- Real-time tasks go before all of sched_ext ---- */

static void real_time_ends(struct event *e)
{
	struct cpu *c = container(e, struct cpu, real_time_end);

	c->real_time = false;
	c->charged_ns = c->idle_since_ns = c->ours_since_ns = now_ns;
	resched(c);
}

/* The running task stays, and the CPU belongs to another class. */
void put_aside(struct cpu *c)
{
	struct task *prev = c->curr;

	here = c;
	cancel(&c->resched);
	if (prev)
		put(c, prev, false);
	else
		leave_idle(c);
	c->curr = NULL;
	c->idle_since_ns = now_ns;
	trace_switch(c, prev, NULL, true);
	cancel(&c->tick);
	if (prev)
		leave_pinned(prev);
	here = NULL;
}

void take_for_real_time(struct cpu *c, u64 for_ns)
{
	if (!c->online || c->real_time)
		return;
	put_aside(c);
	c->real_time = true;
	/* The loader clears it where the kernel deprecates it. */
	if (kernel_version < 0x613) {
		here = c;
		OPS(IN_RELEASE, cpu_release, NULL, c->id, NULL);
		here = NULL;
	}
	c->real_time_end.happen = real_time_ends;
	post(&c->real_time_end, now_ns + for_ns);
}

void init_cpus(u32 nr)
{
	char name[32];

	if (!nr || nr > MAX_CPUS)
		fail("the model has 1 to %d CPUs, not %u", MAX_CPUS, nr);
	nr_cpus_ = nr;
	nr_words_ = (nr + WORD_BITS - 1) / WORD_BITS;
	for_each_cpu(c)
	{
		c->id = c - cpus_;
		c->sibling = c;
		c->speed = FULL_SPEED;
		add_cpu(&possible_cpus, c->id);
		set_online(c, true);
		c->local.id = DSQ_LOCAL;
		c->resched.happen = schedule;
		c->tick.happen = tick;
		c->kick.happen = kick_now;
		c->reenqueue.happen = reenqueue_now;
		snprintf(name, sizeof(name), "run-queue of CPU %d", c->id);
		init_lock(&c->lock, name);
		c->resched.where = c->tick.where = c->kick.where = c->reenqueue.where = c;
	}
	init_lock(&global_queue.lock, "the global queue");
	name_idle_masks();
}
