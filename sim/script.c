/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tasks that fork, exec, exit and change themselves. A script is a list of steps, which begins
 * again at its end; a word of the scenario is one step:
 *
 *   run:NS             runs that long, on one of the fastest CPUs
 *   runtime:NS         runs that long on any CPU
 *   sleep:NS           sleeps that long, give or take a half
 *   pause:NS           sleeps exactly that long
 *   nap:NS             sleeps that long, and up to the slack of a timer longer
 *   until:NS:PHASE     the same until PHASE after the next multiple of NS
 *   fork:SCRIPT:FLAGS  forks a task that follows a script, with the flags of clone(2)
 *   exec:NAME          executes a program of that name, with %XX for bytes
 *   name:NAME          takes another name
 *   cpus:MASK          changes its affinity
 *   nice:N             changes its nice value
 *   give               wakes its partner, or spares it the next sleep by take
 *   take               sleeps until it is given a wake-up
 *   yield              calls sched_yield()
 *   leave              begins to exit: it still runs and sleeps, and is as good as gone
 *   exit               ends
 *   repeat:STEP:TIMES  goes back to a step until it was taken so often; 0: for ever. It takes no time
 *   timer:N:NS:FIXED   sleeps until a period after timer N expired last, the first time after the
 *                      task began. If that has passed, FIXED goes on, and else the period begins now
 *   own:STEP:NS:FIXED  the same with a timer of its own, which the first such step has
 *   lock:N, unlock:N   a mutex
 *   wait:N:M           for a condition. Mutex M is unlocked; 0: no mutex
 *   signal:N, broad:N  wakes the first task that waits for a condition, or all
 *   barrier:N:USERS    waits until so many tasks are there
 *   post:N:TIMES       a semaphore; without TIMES once
 *   down:N             waits until it can take one away
 */
#include "machine.h"
#include "words.h"

enum { MAX_SCRIPTS = 65536, MAX_STEPS = 4096, FIRST_PID = 100000 };

/* A system call takes that long, and so does what follows on a wake-up. */
#define SYSCALL_NS 1000

/* A usual task's timer may expire that much later, so that one interrupt serves several timers. */
#define SLACK_NS 50000

struct step {
	void (*take)(struct task *p, const struct step *s);
	u64 value, flags, more;
	struct cpu_set cpus;
	char name[TASK_COMM_LEN];
};

struct script {
	struct step *steps;
	u32 nr;
};

static struct script scripts[MAX_SCRIPTS];

static void take_run(struct task *p, const struct step *s)
{
	p->left_ns = s->value;
}

static void take_runtime(struct task *p, const struct step *s)
{
	p->left_ns = work_done_in(&cpus_[p->cpu], s->value) ?: 1;
}

static void take_pause(struct task *p, const struct step *s)
{
	p->until_ns = now_ns + s->value;
	sleep_now(p);
}

static void take_sleep(struct task *p, const struct step *s)
{
	p->sleep_ns = s->value;
	sleep_now(p);
}

/* The tick serves the timer as well, if it comes within the slack. */
static u64 with_slack(const struct cpu *c, u64 at_ns)
{
	u64 tick_ns = c->tick.at_ns;

	if (!c->tick.pending)
		return at_ns + SLACK_NS;
	if (tick_ns < at_ns)
		tick_ns += (at_ns - tick_ns + TICK_NS - 1) / TICK_NS * TICK_NS;
	return tick_ns < at_ns + SLACK_NS ? tick_ns : at_ns + SLACK_NS;
}

static void sleep_until(struct task *p, u64 at_ns)
{
	p->until_ns = with_slack(&cpus_[p->cpu], at_ns);
	sleep_now(p);
}

static void take_nap(struct task *p, const struct step *s)
{
	sleep_until(p, now_ns + s->value);
}

static void take_until(struct task *p, const struct step *s)
{
	sleep_until(p, (now_ns / s->value + 1) * s->value + s->flags);
}

static void take_fork(struct task *p, const struct step *s)
{
	static u32 pid = FIRST_PID;
	struct task *child = new_task(pid++, p, s->flags);

	child->class = p->class;
	child->other_class = p->other_class;
	child->legal_since_ns = now_ns;
	child->family = p->family ?: p;
	set_script(child, s->value);
	if (s->flags & CLONE_VFORK)
		child->vforked_by = p;
	fork_task(child, p, s->flags);
	if (s->flags & CLONE_VFORK)
		take_sleep(p, &(struct step){});
}

/* The task that made it by vfork() has its memory back. */
static void release_maker(struct task *p)
{
	struct task *maker = p->vforked_by;

	p->vforked_by = NULL;
	if (maker)
		wake(maker, here, WAKE_TTWU);
}

static void take_name(struct task *p, const struct step *s)
{
	p->class = -1; /* from now on open */
	rename_task(p, s->name);
}

static void take_exec(struct task *p, const struct step *s)
{
	release_maker(p);
	p->k.self_exec_id++;
	take_name(p, s);
}

static void take_cpus(struct task *p, const struct step *s)
{
	p->legal_since_ns = now_ns;
	set_affinity(p, &s->cpus);
}

static void take_nice(struct task *p, const struct step *s)
{
	set_nice(p, (s32)s->value);
}

static void take_give(struct task *p, const struct step *s)
{
	struct task *other = p->partner;

	if (!other)
		fail("task %d has no partner", p->k.pid);
	if (!other->takes) {
		other->nr_given++;
		return;
	}
	other->takes = false;
	wake(other, here, WAKE_TTWU | WAKE_SYNC);
}

static void take_take(struct task *p, const struct step *s)
{
	if (p->nr_given) {
		p->nr_given--;
		return;
	}
	p->takes = true;
	take_sleep(p, s);
}

static void take_yield(struct task *p, const struct step *s)
{
	yield(p);
}

/* As in the kernel's do_exit, where a task waits for locks and may be preempted. */
static void take_leave(struct task *p, const struct step *s)
{
	p->k.flags |= EXITING;
}

static void take_exit(struct task *p, const struct step *s)
{
	release_maker(p);
	leave_children(p);
	p->kill = true;
	die(p);
}

/* The step before it was the last of a round. */
static void take_repeat(struct task *p, const struct step *s)
{
	u64 *nr = &p->progress[s - p->script->steps];

	if (s->flags && ++*nr == s->flags)
		*nr = 0;
	else
		p->step = s->value;
}

static void wait_for_timer(struct task *p, u64 *next_ns, u64 period_ns, bool is_fixed)
{
	*next_ns = (*next_ns ?: p->begun_ns) + period_ns;
	if (*next_ns > now_ns) {
		p->until_ns = *next_ns;
		sleep_now(p);
	} else if (!is_fixed) {
		*next_ns = now_ns;
	}
}

static void take_timer(struct task *p, const struct step *s)
{
	wait_for_timer(p, timer_of_all(s->value), s->flags, s->more);
}

static void take_own(struct task *p, const struct step *s)
{
	wait_for_timer(p, &p->progress[s->value], s->flags, s->more);
}

static void take_lock(struct task *p, const struct step *s)
{
	if (!lock_mutex(s->value, p))
		p->step = s - p->script->steps;
}

static void take_unlock(struct task *p, const struct step *s)
{
	unlock_mutex(s->value, p);
}

static void take_wait(struct task *p, const struct step *s)
{
	wait_for_condition(s->value, s->flags, p);
}

static void take_signal(struct task *p, const struct step *s)
{
	signal_condition(s->value, false);
}

static void take_broad(struct task *p, const struct step *s)
{
	signal_condition(s->value, true);
}

static void take_barrier(struct task *p, const struct step *s)
{
	arrive_at_barrier(s->value, s->flags, p);
}

static void take_post(struct task *p, const struct step *s)
{
	for (u64 i = 0; i < (s->flags ?: 1); i++)
		post_semaphore(s->value);
}

static void take_down(struct task *p, const struct step *s)
{
	wait_for_semaphore(s->value, p);
}

static const struct {
	const char *name;
	void (*take)(struct task *p, const struct step *s);
} words[] = {
	{ "run", take_run },	     { "sleep", take_sleep },	{ "fork", take_fork },
	{ "exec", take_exec },	     { "name", take_name },	{ "cpus", take_cpus },
	{ "nice", take_nice },	     { "yield", take_yield },	{ "give", take_give },
	{ "take", take_take },	     { "exit", take_exit },	{ "runtime", take_runtime },
	{ "pause", take_pause },     { "repeat", take_repeat }, { "timer", take_timer },
	{ "own", take_own },	     { "lock", take_lock },	{ "unlock", take_unlock },
	{ "wait", take_wait },	     { "signal", take_signal }, { "broad", take_broad },
	{ "barrier", take_barrier }, { "post", take_post },	{ "down", take_down },
	{ "nap", take_nap },	     { "until", take_until },	{ "leave", take_leave },
};

/* For one step more, which is the last. */
static struct step *new_step(struct script *script)
{
	/* By powers of two; tasks begin only when the script is whole. */
	if (!(script->nr & (script->nr - 1)))
		script->steps = realloc(script->steps, (script->nr * 2 ?: 1) * sizeof(struct step));
	script->steps[script->nr] = (struct step){};
	return &script->steps[script->nr++];
}

void add_step(u64 number, char *word)
{
	char *name = strtok(word, ":"), *value = strtok(NULL, ":"), *flags = strtok(NULL, ":");
	char *more = strtok(NULL, ":");
	struct step *s;

	if (number >= MAX_SCRIPTS || scripts[number].nr == MAX_STEPS)
		fail("script %llu is one too many, or too long", number);
	s = new_step(&scripts[number]);
	for (u32 i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!strcmp(words[i].name, name))
			s->take = words[i].take;
	}
	if (!s->take)
		fail("no script can %s", name);
	if (s->take == take_cpus)
		s->cpus = read_cpus(value ?: "");
	else
		s->value = value ? strtoull(value, NULL, 0) : 0;
	s->flags = flags ? strtoull(flags, NULL, 0) : 0;
	s->more = more ? strtoull(more, NULL, 0) : 0;
	strncpy(s->name, value ? decoded(value) : "", sizeof(s->name) - 1);
}

void set_script(struct task *p, u64 number)
{
	if (number >= MAX_SCRIPTS || !scripts[number].nr)
		fail("there is no script %llu", number);
	p->script = &scripts[number];
	p->step = 0;
	free(p->progress);
	p->progress = calloc(p->script->nr, sizeof(u64));
	p->burst_ns = SYSCALL_NS;
}

void forget_scripts(void)
{
	for (u32 i = 0; i < MAX_SCRIPTS; i++)
		free(scripts[i].steps);
	memset(scripts, 0, sizeof(scripts));
}

/* The running task has done what its last step took, and takes the next one. */
void follow_script(struct task *p)
{
	const struct step *s;

	p->begun_ns = p->begun_ns ?: now_ns;
	p->left_ns = SYSCALL_NS;
	here = &cpus_[p->cpu];
	do {
		s = &p->script->steps[p->step];
		p->step = (p->step + 1) % p->script->nr;
		s->take(p, s);
	} while (s->take == take_repeat);
	here = NULL;
	if (is_running(p) && !p->burst.pending)
		run(&cpus_[p->cpu], p);
}
