/* SPDX-License-Identifier: GPL-2.0-only */
/* Checks after each event, and counters. */
#include "machine.h"
#include "cost.h"

#include <stdarg.h>
#include <unistd.h>

struct promise promises[MAX_CLASSES];
u64 settle_ns = 50000; /* an interrupt, a kick and a switch take less */
/* A task that changes its own class leaves the tracepoint before it leaves the CPU. */
#define LEAVE_NS 200000
u64 slice_slack_ns = 25000; /* what the promise leaves to interrupts */
u64 watchdog_ns = 5000000000;

void fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	printf("fail ");
	vprintf(format, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
	_exit(2);
}

/* The first one ends the run: what follows from it says nothing new. */
void violation(const char *what, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	printf("violation %s at %llu.%03llu us: ", what, (now_ns - EPOCH_NS) / 1000, now_ns % 1000);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	report();
	fflush(stdout);
	_exit(3);
}

/* ---- What is counted ---- */

static bool is_bound_kthread(const struct task *p)
{
	return (p->k.flags & PF_KTHREAD) && p->k.nr_cpus_allowed == 1;
}

void note_running(struct task *p)
{
	u64 waited_ns = time_since(p->since_ns);

	count_wait(p, waited_ns);
	p->wait_ns += waited_ns;
	p->nr_waits++;
	if (waited_ns > p->max_wait_ns)
		p->max_wait_ns = waited_ns;
	p->started_ns = now_ns;
	p->woken = false;
}

void note_stopped(struct task *p)
{
	u64 ran_ns = time_since(p->started_ns);

	if (is_bound_kthread(p))
		cpus_[p->cpu].ours_since_ns = now_ns;

	if (ran_ns > p->max_run_ns)
		p->max_run_ns = ran_ns;
}

void report(void)
{
	for_each_task(p)
	{
		if (p->family)
			continue;
		printf("task %d %d %llu %llu %llu %llu %llu", p->k.pid, p->class, p->bursts,
		       p->nr_waits, p->wait_ns, p->max_wait_ns, p->max_run_ns);
		for_each_cpu(c) printf(" %llu", p->ran_ns[c->id]);
		printf("\n");
	}
}

/* The figures of all tasks begin anew. */
void count_anew(void)
{
	forget_figures();
	forget_costs();
	for_each_task(p)
	{
		p->bursts = p->nr_waits = p->wait_ns = p->max_wait_ns = p->max_run_ns = 0;
		memset(p->ran_ns, 0, nr_cpus_ * sizeof(u64));
	}
}

/* ---- What holds ---- */

#ifdef UNCHECKED
enum { IS_CHECKED = 0 };
#else
enum { IS_CHECKED = 1 };
#endif

/* Left to the kernel: the dying, and those that may not migrate at the moment. */
static bool is_exempt(const struct task *p)
{
	return p->class < 0 || p->forgotten || p->pinned || p->kill || is_bound_kthread(p);
}

/* None of its rule's CPUs is among those that it may use. */
static bool is_foreign(const struct task *p)
{
	const struct cpu_set *cpus = &promises[p->class].cpus;

	for (u32 i = 0; i < nr_words_; i++) {
		if (cpus->words[i] & p->affinity.words[i] & online_cpus.words[i])
			return false;
	}
	return true;
}

/* Whether a task may run there: its affinity goes before the rule's CPUs, but not beyond need. */
static bool is_legal(const struct task *p, u32 cpu)
{
	if (!has_cpu(&p->affinity, cpu) || !has_cpu(&online_cpus, cpu))
		return false;
	return has_cpu(&promises[p->class].cpus, cpu) || is_foreign(p);
}

static u64 shortest(u64 a, u64 b)
{
	return a < b ? a : b;
}

static void check_place(struct task *p)
{
	bool running = is_running(p), waiting = p->queue || p->in_custody;

	if (p->gone || !is_runnable(p)) {
		if (running)
			violation("model", "task %d runs and sleeps", p->k.pid);
		if (waiting)
			violation("I1", "task %d sleeps in a queue", p->k.pid);
		return;
	}
	if (running + !!p->queue + p->insert.pending != 1)
		violation("I1", "task %d is %s", p->k.pid, running ? "twice" : "lost");
	if (!running && now_ns - p->since_ns > watchdog_ns)
		violation("I1", "task %d stalls in queue 0x%llx", p->k.pid, p->queue->id);
	if (!running && p->class >= 0 && promises[p->class].wait_ns &&
	    now_ns - p->since_ns > promises[p->class].wait_ns)
		violation("I2", "task %d of class %d waits for %llu us", p->k.pid, p->class,
			  (now_ns - p->since_ns) / 1000);
}

static void check_class(struct task *p)
{
	s32 class;

	if (p->class < 0 || p->gone || !p->known || p->kill)
		return;
	/* It has its class again soon after it has a CPU. */
	if (p->forgotten && (!p->storage || !is_running(p) || now_ns - p->started_ns < settle_ns))
		return;
	p->forgotten = false;
	class = class_in_force(p);
	/* Which mood it is in only the scheduler knows; its mean is tested by itself. */
	if (class != p->class && class == p->other_class) {
		p->other_class = p->class;
		p->class = class;
		p->legal_since_ns = now_ns;
	}
	if (class != p->class)
		violation("I6", "task %d is in class %d instead of %d", p->k.pid, class, p->class);
}

static void check_cpu_of(struct task *p)
{
	struct cpu *c = &cpus_[p->cpu];
	u64 since_ns = shortest(now_ns - p->started_ns, now_ns - p->legal_since_ns);

	if (!is_running(p) || is_exempt(p) || since_ns < settle_ns)
		return;
	if (p->told_ns && now_ns - p->told_ns < LEAVE_NS + settle_ns)
		return;
	if (!is_legal(p, c->id))
		violation("I3", "task %d of class %d runs on CPU %d, which it may not use",
			  p->k.pid, p->class, c->id);
}

/* When it wakes, a kernel thread of this CPU waits for nothing but its like. */
static void check_kthread(struct task *p)
{
	struct cpu *c = &cpus_[p->cpu];
	u64 since_ns = shortest(now_ns - p->since_ns, now_ns - p->legal_since_ns);

	if (!is_bound_kthread(p) || p->pinned || !p->queue || !p->woken || c->real_time ||
	    since_ns < settle_ns || now_ns - c->ours_since_ns < settle_ns)
		return;
	if (!c->curr || !is_bound_kthread(c->curr))
		violation("I5", "kernel thread %d waits for CPU %d", p->k.pid, c->id);
}

/* Changes since it was queued count when it is queued again. */
static bool is_outdated(const struct task *p)
{
	return p->asked_ns <= p->legal_since_ns;
}

/* It was given a CPU, and a kernel thread of that CPU woke up before it got there. */
static bool is_behind_kthread(const struct task *p)
{
	const struct task *curr = cpus_[p->cpu].curr;

	return p->queue == &cpus_[p->cpu].local && curr && is_bound_kthread(curr);
}

/* The grace of a waker that is about to sleep, as in fair.bpf.h. */
#define MAKE_WAY_NS 300000

/* It is next on its CPU, and waits until the one that it interrupts has run long enough. */
static bool is_next_after(const struct task *p)
{
	u64 after_ns = promises[p->class].after_ns;
	u64 most_ns = after_ns > MAKE_WAY_NS ? after_ns : MAKE_WAY_NS;

	return after_ns && p->queue == &cpus_[p->cpu].local &&
		now_ns - p->queued_ns < most_ns + settle_ns;
}

/* It has the CPU of its waker, which is about to sleep, or has to make way. */
static bool is_handed_over(const struct task *p)
{
	const struct cpu *c = &cpus_[p->cpu];

	return p->woken && p->synced && c->curr && p->queue == &c->local &&
		now_ns - p->queued_ns < MAKE_WAY_NS + settle_ns;
}

/* A task may wait for so long while a CPU of another cell is idle. */
#define FAR_WAIT_NS 1000000

/* Whether a task may wait in another cell; a new one waits in any. */
static bool is_far(const struct task *p, const struct cpu *c)
{
	return nr_cells() > 1 && (cell_of(p->cpu) != cell_of(c->id) || !p->nr_waits);
}

static void check_idle(struct task *p)
{
	if (!p->queue || p->class < 0 || p->forgotten || now_ns - p->queued_ns < settle_ns ||
	    p->kill)
		return;
	if (is_behind_kthread(p) || is_next_after(p) || is_handed_over(p) || is_held(p))
		return;
	for_each_cpu(c)
	{
		bool own = p->queue == &c->local || p->queue->id == (u64)c->id;

		if (c->curr || c->real_time || !c->online || now_ns - c->idle_since_ns < settle_ns)
			continue;
		if (!own &&
		    (is_exempt(p) || is_foreign(p) || is_outdated(p) || !promises[p->class].eager ||
		     !is_legal(p, c->id)))
			continue;
		if (!own && is_far(p, c) && promises[p->class].eager != 2 &&
		    (now_ns - p->queued_ns < FAR_WAIT_NS ||
		     now_ns - c->idle_since_ns < FAR_WAIT_NS))
			continue;
		violation("I7", "task %d of class %d waits in 0x%llx while CPU %d is idle",
			  p->k.pid, p->class, p->queue->id, c->id);
	}
}

/* Whether a CPU could take a task from where it waits: not from another CPU's own queues. */
static bool waits_for(const struct task *p, const struct cpu *c)
{
	/* Each queue has another one for those of its tasks that are overdue. */
	const u64 overdue = 1 << 17;
	u64 id;

	if (!p->queue || is_exempt(p) || is_held(p))
		return false;
	id = p->queue->id & ~overdue;
	if (p->queue != &c->local && id != (u64)c->id) {
		if (id < MAX_CPUS || p->queue->id == DSQ_LOCAL || is_outdated(p))
			return false;
		/*
		 * One that starts to wait in a shared queue of its cell ends the slice on its own
		 * CPU alone.
		 */
		if ((p->cpu != c->id || is_far(p, c)) && p->queued_ns > c->decided_ns)
			return false;
		/* Tasks in another cell do not end slices of this one; a new task may wait in any. */
		if (id == p->queue->id && is_far(p, c))
			return false;
	}
	return may_run_on(p, c->id) && is_legal(p, c->id);
}

/* Since when somebody has been waiting who could run there. */
static void check_slice(struct cpu *c)
{
	const struct task *first = NULL;
	u64 waits_ns = 0, limit_ns;

	if (!c->curr || is_exempt(c->curr) || is_outdated(c->curr))
		return;
	for_each_task(p)
	{
		u64 waited_ns = shortest(now_ns - p->since_ns, now_ns - p->legal_since_ns);

		waited_ns = shortest(waited_ns, now_ns - p->released_ns);
		if (waited_ns > waits_ns && waits_for(p, c)) {
			waits_ns = waited_ns;
			first = p;
		}
	}
	waits_ns = shortest(waits_ns, now_ns - c->decided_ns);
	waits_ns = shortest(waits_ns, now_ns - c->ours_since_ns);
	limit_ns = promises[c->curr->class].slice_ns + slice_slack_ns;
	if (waits_ns > limit_ns)
		violation(
			"I8",
			"task %d of class %d runs on CPU %d for %llu us while task %d waits in 0x%llx",
			c->curr->k.pid, c->curr->class, c->id, waits_ns / 1000, first->k.pid,
			first->queue->id);
}

void check_all(void)
{
	if (!ops || !IS_CHECKED)
		return;
	for_each_task(p)
	{
		check_place(p);
		check_class(p);
		check_cpu_of(p);
		check_kthread(p);
		check_idle(p);
	}
	for_each_cpu(c) check_slice(c);
}
