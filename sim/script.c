/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tasks that fork, exec, exit and change themselves. A script is a list of steps, which begins
 * again at its end; a word of the scenario is one step:
 *
 *   run:NS             runs that long
 *   sleep:NS           sleeps that long
 *   fork:SCRIPT:FLAGS  forks a task that follows a script, with the flags of clone(2)
 *   exec:NAME          executes a program of that name
 *   name:NAME          takes another name
 *   cpus:MASK          changes its affinity
 *   nice:N             changes its nice value
 *   give               wakes its partner, or spares it the next sleep by take
 *   take               sleeps until it is given a wake-up
 *   yield              calls sched_yield()
 *   exit               ends
 */
#include "machine.h"

enum { MAX_SCRIPTS = 16, MAX_STEPS = 16, FIRST_PID = 100000 };

/* A system call takes that long, and so does what follows on a wake-up. */
#define SYSCALL_NS 1000

struct step {
	void (*take)(struct task *p, const struct step *s);
	u64 value, flags;
	struct cpu_set cpus;
	char name[TASK_COMM_LEN];
};

struct script {
	struct step steps[MAX_STEPS];
	u32 nr;
};

static struct script scripts[MAX_SCRIPTS];

static void take_run(struct task *p, const struct step *s)
{
	p->left_ns = s->value;
}

static void take_sleep(struct task *p, const struct step *s)
{
	p->sleep_ns = s->value;
	sleep_now(p);
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

static void take_exit(struct task *p, const struct step *s)
{
	release_maker(p);
	leave_children(p);
	p->kill = true;
	die(p);
}

static const struct {
	const char *name;
	void (*take)(struct task *p, const struct step *s);
} words[] = {
	{ "run", take_run },   { "sleep", take_sleep }, { "fork", take_fork },
	{ "exec", take_exec }, { "name", take_name },	{ "cpus", take_cpus },
	{ "nice", take_nice }, { "yield", take_yield }, { "give", take_give },
	{ "take", take_take }, { "exit", take_exit },
};

void add_step(u64 number, char *word)
{
	char *name = strtok(word, ":"), *value = strtok(NULL, ":"), *flags = strtok(NULL, ":");
	struct script *script = &scripts[number < MAX_SCRIPTS ? number : 0];
	struct step *s = &script->steps[script->nr++];

	if (number >= MAX_SCRIPTS || script->nr > MAX_STEPS)
		fail("script %llu is one too many, or too long", number);
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
	strncpy(s->name, value ?: "", sizeof(s->name) - 1);
}

void set_script(struct task *p, u64 number)
{
	if (number >= MAX_SCRIPTS || !scripts[number].nr)
		fail("there is no script %llu", number);
	p->script = &scripts[number];
	p->step = 0;
	p->burst_ns = SYSCALL_NS;
}

void forget_scripts(void)
{
	memset(scripts, 0, sizeof(scripts));
}

/* The running task has done what its last step took, and takes the next one. */
void follow_script(struct task *p)
{
	const struct step *s = &p->script->steps[p->step];

	p->step = (p->step + 1) % p->script->nr;
	p->left_ns = SYSCALL_NS;
	here = &cpus_[p->cpu];
	s->take(p, s);
	here = NULL;
	if (is_running(p) && !p->burst.pending)
		run(&cpus_[p->cpu], p);
}
