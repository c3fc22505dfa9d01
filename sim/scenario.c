/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs a scheduler (the argument, a shared object) through a scenario (standard
 * input), one line per event: NANOSECONDS VERB ARGUMENTS. It prints
 * `violation ...` with exit code 3, `fail ...` with 2 if the scenario or the
 * model is wrong, and `task ...` with the figures of each task.
 */
#include "machine.h"

enum { MAX_ARGS = 16, LINE_LENGTH = 8192 };

struct line {
	u64 at_ns;
	const char *verb;
	const char *args[MAX_ARGS];
	u32 nr, at;
};

static u64 most_events = FOREVER;

static u64 number(struct line *l)
{
	char *end;
	u64 value;

	if (l->at == l->nr)
		fail("%s wants more", l->verb);
	value = strtoull(l->args[l->at], &end, 0);
	if (*end || end == l->args[l->at])
		fail("%s: %s is no number", l->verb, l->args[l->at]);
	l->at++;
	return value;
}

/* A number, or hexadecimal digits after 0x, as many as it takes. */
struct cpu_set read_cpus(const char *text)
{
	struct cpu_set set = {};
	const char *digits = text + 2, *end;
	u32 place = 0;

	if (strncmp(text, "0x", 2)) {
		char *rest;

		set.words[0] = strtoull(text, &rest, 10);
		if (*rest || rest == text)
			fail("%s is no set of CPUs", text);
		return set;
	}
	end = digits + strspn(digits, "0123456789abcdef");
	if (*end || end == digits || end - digits > MAX_CPUS / 4)
		fail("%s is no set of CPUs", text);
	for (; end-- > digits; place += 4) {
		unsigned long digit = *end <= '9' ? *end - '0' : *end - 'a' + 10;

		set.words[place / WORD_BITS] |= digit << place % WORD_BITS;
	}
	return set;
}

static struct cpu_set cpu_set(struct line *l)
{
	if (l->at == l->nr)
		fail("%s wants more", l->verb);
	return read_cpus(l->args[l->at++]);
}

static struct task *task(struct line *l)
{
	return find_task(number(l));
}

static struct cpu *cpu(struct line *l)
{
	u64 id = number(l);

	if (id >= nr_cpus_)
		fail("there is no CPU %llu", id);
	return &cpus_[id];
}

/* %XX is a byte; a text begins with a dot, so that it may be empty. */
static const char *text(struct line *l)
{
	char *from = (char *)l->args[l->at++] + 1, *to = from;
	const char *start = from;

	while (*from) {
		char hex[3] = { from[0], from[0] ? from[1] : 0, from[0] && from[1] ? from[2] : 0 };

		if (*from == '%') {
			*to++ = strtoul((char[]){ hex[1], hex[2], 0 }, NULL, 16);
			from += 3;
		} else {
			*to++ = *from++;
		}
	}
	*to = 0;
	return start;
}

/* machine CPUS KERNEL SEED SETTLE_NS SLICE_SLACK_NS WATCHDOG_NS */
static void do_machine(struct line *l)
{
	init_cpus(number(l));
	kernel_version = number(l);
	seed_random(number(l));
	settle_ns = number(l);
	slice_slack_ns = number(l);
	watchdog_ns = number(l);
}

/* group KIND NUMBER CPUS: they share a cache (llc), a node, or a core */
static void do_group(struct line *l)
{
	const char *kind = text(l);
	u64 group = number(l);
	struct cpu_set cpus = cpu_set(l);

	cpus = common_cpus(&cpus, &possible_cpus);
	if (group >= MAX_CPUS || is_empty(&cpus))
		fail("group %llu has no CPUs, or is one too many", group);
	if (!strcmp(kind, "llc"))
		join_llc(group, &cpus);
	else if (!strcmp(kind, "node"))
		join_node(group, &cpus);
	else if (!strcmp(kind, "core"))
		join_core(&cpus);
	else
		fail("CPUs cannot share a %s", kind);
}

/* speed CPUS THOUSANDTHS: how fast they are, compared to the fastest */
static void do_speed(struct line *l)
{
	struct cpu_set cpus = cpu_set(l);
	u64 thousandths = number(l);

	if (!thousandths || thousandths > 1000)
		fail("no CPU has a speed of %llu thousandths", thousandths);
	cpus = common_cpus(&cpus, &possible_cpus);
	for_each_cpu_of(cpu, &cpus)
		cpus_[cpu].speed = thousandths * FULL_SPEED / 1000 ?: 1;
}

/* offline CPUS: before the scheduler is there */
static void do_offline(struct line *l)
{
	struct cpu_set cpus = cpu_set(l);

	cpus = common_cpus(&cpus, &possible_cpus);
	for_each_cpu_of(cpu, &cpus)
		set_online(&cpus_[cpu], false);
	if (is_empty(&online_cpus))
		fail("no CPU is online");
}

/* class NUMBER CPUS EAGER SLICE_NS WAIT_NS AFTER_NS */
static void do_class(struct line *l)
{
	u64 class = number(l);

	if (class >= MAX_CLASSES)
		fail("there is no class %llu", class);
	promises[class].cpus = cpu_set(l);
	promises[class].eager = number(l);
	promises[class].slice_ns = number(l);
	promises[class].wait_ns = number(l);
	promises[class].after_ns = number(l);
}

/* task PID MAKER CLONE_FLAGS COMM CGROUP UID GID NICE CPUS KTHREAD: there before the scheduler */
static void do_task(struct line *l)
{
	u32 pid = number(l);
	u64 maker = number(l);
	struct task *p = new_task(pid, maker ? find_task(maker) : NULL, number(l));

	memset(p->k.comm, 0, sizeof(p->k.comm));
	strncpy(p->k.comm, text(l), sizeof(p->k.comm) - 1);
	p->css.dfl_cgrp = &cgroup_at(text(l))->k;
	p->cred.euid.val = number(l);
	p->cred.egid.val = number(l);
	p->k.static_prio = 120 + (s32)number(l);
	p->affinity = cpu_set(l);
	p->k.flags = number(l) ? PF_KTHREAD : 0;
	show_mask(p);
	p->cpu = any_cpu(&p->affinity);
}

static void do_start(struct line *l)
{
	enable_scheduler();
}

/* work PID BURST_NS SLEEP_NS PARTNER: 0 sleeps until woken, a burst of 2^64-1 has no end */
static void do_work(struct line *l)
{
	struct task *p = task(l);
	u64 partner;

	p->burst_ns = number(l);
	p->sleep_ns = number(l);
	partner = number(l);
	p->partner = partner ? find_task(partner) : NULL;
}

/* step SCRIPT WORD: one more, script.c has the words */
static void do_step(struct line *l)
{
	u64 script = number(l);

	add_step(script, (char *)l->args[l->at++]);
}

/* script PID SCRIPT: the task follows it instead of its work, from its next burst on */
static void do_script(struct line *l)
{
	struct task *p = task(l);

	set_script(p, number(l));
}

/* count: the figures of tasks begin anew */
static void do_count(struct line *l)
{
	for_each_cpu(c) charge_curr(c);
	count_anew();
}

/* expect PID CLASS OTHER_CLASS: from the next event on */
static void do_expect(struct line *l)
{
	struct task *p = task(l);

	p->class = number(l);
	p->other_class = number(l);
	p->legal_since_ns = now_ns;
}

static void do_fork(struct line *l)
{
	u32 pid = number(l);
	struct task *maker = task(l);
	u64 clone_flags = number(l);
	struct task *p = new_task(pid, maker, clone_flags);

	p->class = number(l);
	p->other_class = number(l);
	p->burst_ns = number(l);
	p->sleep_ns = number(l);
	fork_task(p, maker, clone_flags);
}

static void do_wake(struct line *l)
{
	struct task *p = task(l);
	struct cpu *waker = cpu(l);

	wake(p, waker, WAKE_TTWU | (number(l) ? WAKE_SYNC : 0));
}

/* gap PID NS: between the task's next enqueue and its insertion */
static void do_gap(struct line *l)
{
	struct task *p = task(l);

	p->gap_ns = number(l);
}

static void do_exit(struct line *l)
{
	kill_task(task(l));
}

static void do_forget(struct line *l)
{
	forget_task(task(l));
}

static void do_rename(struct line *l)
{
	struct task *p = task(l);

	rename_task(p, text(l));
}

static void do_cgroup(struct line *l)
{
	struct task *p = task(l);
	const char *path = text(l);

	move_to_cgroup(p, path, number(l));
}

/* weight CGROUP N: its cpu.weight */
static void do_weight(struct line *l)
{
	const char *path = text(l);

	set_cgroup_weight(path, number(l));
}

/* quota CGROUP QUOTA_US PERIOD_US BURST_US: its cpu.max and cpu.max.burst; 0 for no quota */
static void do_quota(struct line *l)
{
	const char *path = text(l);
	u64 quota_us = number(l), period_us = number(l);

	set_cgroup_quota(path, quota_us, period_us, number(l));
}

/* kernel PID IN: it is in the middle of a system call */
static void do_kernel(struct line *l)
{
	struct task *p = task(l);

	p->in_kernel = number(l);
}

static void do_rmdir(struct line *l)
{
	remove_cgroup(text(l));
}

static void do_affinity(struct line *l)
{
	struct task *p = task(l);
	struct cpu_set cpus = cpu_set(l);

	/* The kernel refuses what leaves a task no CPU. */
	if (!any_online(&cpus))
		return;
	p->legal_since_ns = now_ns;
	set_affinity(p, &cpus);
}

static void do_nice(struct line *l)
{
	struct task *p = task(l);

	set_nice(p, (s32)number(l));
}

static void do_ids(struct line *l)
{
	struct task *p = task(l);
	u32 uid = number(l);

	set_ids(p, uid, number(l));
}

/* call PID FUNCTION INTERRUPTS: the bits that the kernel counts them in */
static void do_call(struct line *l)
{
	struct task *p = task(l);
	const char *function = text(l);

	call_function(p, function, number(l));
}

static void do_migration(struct line *l)
{
	struct task *p = task(l);

	p->legal_since_ns = now_ns;
	disable_migration(p, !number(l));
}

static void do_rt(struct line *l)
{
	struct cpu *c = cpu(l);

	take_for_real_time(c, number(l));
}

/* Without callbacks for it, the kernel lets the scheduler go, and the loader comes again. */
static void do_online(struct line *l)
{
	struct cpu *c = cpu(l);
	bool online = number(l);

	unload_scheduler("hotplug");
	set_online(c, online);
	for_each_task(p)
	{
		if (p->gone)
			continue;
		if (!any_online(&p->mask)) {
			p->affinity = possible_cpus;
			show_mask(p);
		}
		if (!may_run_on(p, p->cpu))
			p->cpu = any_cpu(&p->mask);
		p->legal_since_ns = now_ns;
	}
	load_scheduler(NULL);
	enable_scheduler();
}

/* watch PID GROUP: its waits and CPU time count in that group's figures, see figures.c */
static void do_watch(struct line *l)
{
	struct task *p = task(l);

	watch(p, number(l));
}

/* limit EVENTS: the scenario fails beyond so many */
static void do_limit(struct line *l)
{
	most_events = number(l);
}

/* cost NAME NS: of the kernel's or the scheduler's work, before the first task; cost.c has them */
static void do_cost(struct line *l)
{
	const char *name = text(l);

	set_cost(name, number(l));
}

static void finish(void)
{
	unload_scheduler("ends");
	check_given_back("the scheduler");
	forget_scripts();
	free_everything();
	forget_events();
	forget_lines();
	exit(0);
}

/* figures: as end, and prints the figures of the groups instead of the tasks' */
static void do_figures(struct line *l)
{
	for_each_cpu(c) charge_curr(c);
	print_figures();
	finish();
}

static void do_end(struct line *l)
{
	for_each_cpu(c) charge_curr(c);
	report();
	finish();
}

static const struct {
	const char *name;
	void (*run)(struct line *l);
} verbs[] = {
	{ "machine", do_machine }, { "class", do_class },     { "task", do_task },
	{ "start", do_start },	   { "work", do_work },	      { "expect", do_expect },
	{ "fork", do_fork },	   { "wake", do_wake },	      { "exit", do_exit },
	{ "rename", do_rename },   { "cgroup", do_cgroup },   { "affinity", do_affinity },
	{ "nice", do_nice },	   { "ids", do_ids },	      { "migration", do_migration },
	{ "rt", do_rt },	   { "forget", do_forget },   { "online", do_online },
	{ "call", do_call },	   { "end", do_end },	      { "step", do_step },
	{ "script", do_script },   { "count", do_count },     { "group", do_group },
	{ "speed", do_speed },	   { "offline", do_offline }, { "gap", do_gap },
	{ "watch", do_watch },	   { "limit", do_limit },     { "figures", do_figures },
	{ "weight", do_weight },   { "rmdir", do_rmdir },     { "cost", do_cost },
	{ "quota", do_quota },	   { "kernel", do_kernel },
};

static void run_line(struct line *l, const char *object)
{
	while (happen_next(EPOCH_NS + l->at_ns)) {
		if (nr_events > most_events)
			fail("more than %llu events happen by %llu us", most_events,
			     (now_ns - EPOCH_NS) / 1000);
		check_all();
	}
	if (nr_cpus_ && !ops)
		load_scheduler(object);
	for (u32 i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (strcmp(verbs[i].name, l->verb))
			continue;
		here = nr_cpus_ ? &cpus_[any_cpu(&possible_cpus)] : NULL;
		verbs[i].run(l);
		here = NULL;
		if (verbs[i].run != do_expect)
			check_all();
		return;
	}
	fail("nobody knows how to %s", l->verb);
}

int main(int argc, char **argv)
{
	static char buffer[LINE_LENGTH];

	if (argc != 2)
		fail("usage: machine SCHEDULER.so < SCENARIO");
	now_ns = EPOCH_NS;
	while (fgets(buffer, sizeof(buffer), stdin)) {
		struct line l = { .at_ns = strtoull(strtok(buffer, " \n"), NULL, 10) };

		l.verb = strtok(NULL, " \n");
		while (l.nr < MAX_ARGS && (l.args[l.nr] = strtok(NULL, " \n")))
			l.nr++;
		run_line(&l, argv[1]);
	}
	fail("the scenario has no end");
}
