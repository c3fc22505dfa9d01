/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs a scheduler (the argument, a shared object) through a scenario (standard
 * input), one line per event: NANOSECONDS VERB ARGUMENTS. It prints
 * `violation ...` with exit code 3, `fail ...` with 2 if the scenario or the
 * model is wrong, and `task ...` with the figures of each task.
 */
#include "words.h"
#include "cgroup.h"
#include "cost.h"
#include "kernel.h"
#include "labels.h"
#include "strand.h"

enum { LINE_LENGTH = 1 << 18 }; /* a fact has 60 kB at most, and a byte may take three */

static u64 most_events = FOREVER;

/* machine CPUS KERNEL SEED SETTLE_NS SLICE_SLACK_NS WATCHDOG_NS */
static void do_machine(struct words *w)
{
	init_cpus(read_number(w));
	kernel_version = read_number(w);
	seed_random(read_number(w));
	settle_ns = read_number(w);
	slice_slack_ns = read_number(w);
	watchdog_ns = read_number(w);
}

/* group KIND NUMBER CPUS: they share a cache (llc), a node, or a core */
static void do_group(struct words *w)
{
	const char *kind = read_text(w);
	u64 group = read_number(w);
	struct cpu_set cpus = read_set(w);

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
static void do_speed(struct words *w)
{
	struct cpu_set cpus = read_set(w);
	u64 thousandths = read_number(w);

	if (!thousandths || thousandths > 1000)
		fail("no CPU has a speed of %llu thousandths", thousandths);
	cpus = common_cpus(&cpus, &possible_cpus);
	for_each_cpu_of(cpu, &cpus)
		cpus_[cpu].speed = thousandths * FULL_SPEED / 1000 ?: 1;
}

/* offline CPUS: before the scheduler is there */
static void do_offline(struct words *w)
{
	struct cpu_set cpus = read_set(w);

	cpus = common_cpus(&cpus, &possible_cpus);
	for_each_cpu_of(cpu, &cpus)
		set_online(&cpus_[cpu], false);
	if (is_empty(&online_cpus))
		fail("no CPU is online");
}

/* class NUMBER CPUS EAGER SLICE_NS WAIT_NS AFTER_NS */
static void do_class(struct words *w)
{
	u64 class = read_number(w);

	if (class >= MAX_CLASSES)
		fail("there is no class %llu", class);
	promises[class].cpus = read_set(w);
	promises[class].eager = read_number(w);
	promises[class].slice_ns = read_number(w);
	promises[class].wait_ns = read_number(w);
	promises[class].after_ns = read_number(w);
}

/* task PID MAKER CLONE_FLAGS COMM CGROUP UID GID NICE CPUS KTHREAD: there before the scheduler */
static void do_task(struct words *w)
{
	u32 pid = read_number(w);
	u64 maker = read_number(w);
	struct task *p = new_task(pid, maker ? find_task(maker) : NULL, read_number(w));

	memset(p->k.comm, 0, sizeof(p->k.comm));
	strncpy(p->k.comm, read_text(w), sizeof(p->k.comm) - 1);
	p->css.dfl_cgrp = &cgroup_at(read_text(w))->k;
	p->cred.euid.val = read_number(w);
	p->cred.egid.val = read_number(w);
	p->k.static_prio = 120 + (s32)read_number(w);
	p->affinity = read_set(w);
	p->k.flags = read_number(w) ? PF_KTHREAD : 0;
	show_mask(p);
	p->cpu = any_cpu(&p->affinity);
}

/* session PID N: for controls; its children inherit it, 0: one that is no group */
static void do_session(struct words *w)
{
	struct task *p = read_task(w);

	p->autogroup = read_number(w);
}

/* tunable NUMBER VALUE: as the loader writes it; before `machine`, which loads the scheduler */
static void do_tunable(struct words *w)
{
	u64 number = read_number(w);

	if (nr_cpus_)
		fail("a tunable is set before the machine");
	set_tunable(number, read_number(w));
}

static void do_start(struct words *w)
{
	enable_scheduler();
}

/* work PID BURST_NS SLEEP_NS PARTNER: 0 sleeps until woken, a burst of 2^64-1 has no end */
static void do_work(struct words *w)
{
	struct task *p = read_task(w);
	u64 partner;

	p->burst_ns = read_number(w);
	p->sleep_ns = read_number(w);
	partner = read_number(w);
	p->partner = partner ? find_task(partner) : NULL;
}

/* step SCRIPT WORD: one more, script.c has the words */
static void do_step(struct words *w)
{
	u64 script = read_number(w);

	add_step(script, (char *)w->args[w->at++]);
}

/* script PID SCRIPT: the task follows it instead of its work, from its next burst on */
static void do_script(struct words *w)
{
	struct task *p = read_task(w);

	set_script(p, read_number(w));
}

/* count: the figures of tasks begin anew */
static void do_count(struct words *w)
{
	for_each_cpu(c) charge_curr(c);
	count_anew();
}

/* expect PID CLASS OTHER_CLASS: from the next event on */
static void do_expect(struct words *w)
{
	struct task *p = read_task(w);

	p->class = read_number(w);
	p->other_class = read_number(w);
	p->legal_since_ns = now_ns;
}

static void do_fork(struct words *w)
{
	u32 pid = read_number(w);
	struct task *maker = read_task(w);
	u64 clone_flags = read_number(w);
	struct task *p = new_task(pid, maker, clone_flags);

	p->class = read_number(w);
	p->other_class = read_number(w);
	p->burst_ns = read_number(w);
	p->sleep_ns = read_number(w);
	fork_task(p, maker, clone_flags);
}

static void do_wake(struct words *w)
{
	struct task *p = read_task(w);
	struct cpu *waker = read_cpu(w);

	wake(p, waker, WAKE_TTWU | (read_number(w) ? WAKE_SYNC : 0));
}

/* gap PID NS: between the task's next enqueue and its insertion */
static void do_gap(struct words *w)
{
	struct task *p = read_task(w);

	p->gap_ns = read_number(w);
}

static void do_exit(struct words *w)
{
	kill_task(read_task(w));
}

static void do_forget(struct words *w)
{
	forget_task(read_task(w));
}

static void do_rename(struct words *w)
{
	struct task *p = read_task(w);

	rename_task(p, read_text(w));
}

static void do_cgroup(struct words *w)
{
	struct task *p = read_task(w);
	const char *path = read_text(w);

	move_to_cgroup(p, path, read_number(w));
}

/* weight CGROUP N: its cpu.weight */
static void do_weight(struct words *w)
{
	const char *path = read_text(w);

	set_cgroup_weight(path, read_number(w));
}

/* idle CGROUP IDLE: its cpu.idle */
static void do_idle(struct words *w)
{
	const char *path = read_text(w);

	set_cgroup_idle(path, read_number(w));
}

/* quota CGROUP QUOTA_US PERIOD_US BURST_US: its cpu.max and cpu.max.burst; 0 for no quota */
static void do_quota(struct words *w)
{
	const char *path = read_text(w);
	u64 quota_us = read_number(w), period_us = read_number(w);

	set_cgroup_quota(path, quota_us, period_us, read_number(w));
}

/* kernel PID IN: it is in the middle of a system call */
static void do_kernel(struct words *w)
{
	struct task *p = read_task(w);

	p->in_kernel = read_number(w);
	begin_return(p);
}

static void do_rmdir(struct words *w)
{
	remove_cgroup(read_text(w));
}

static void do_affinity(struct words *w)
{
	struct task *p = read_task(w);
	struct cpu_set cpus = read_set(w);

	/* The kernel refuses what leaves a task no CPU. */
	if (!any_online(&cpus))
		return;
	p->legal_since_ns = now_ns;
	set_affinity(p, &cpus);
}

static void do_nice(struct words *w)
{
	struct task *p = read_task(w);

	set_nice(p, (s32)read_number(w));
}

static void do_ids(struct words *w)
{
	struct task *p = read_task(w);
	u32 uid = read_number(w);

	set_ids(p, uid, read_number(w));
}

/* call PID FUNCTION INTERRUPTS: the bits that the kernel counts them in */
static void do_call(struct words *w)
{
	struct task *p = read_task(w);
	const char *function = read_text(w);

	call_function(p, function, read_number(w));
}

static void do_migration(struct words *w)
{
	struct task *p = read_task(w);

	p->legal_since_ns = now_ns;
	disable_migration(p, !read_number(w));
}

static void do_rt(struct words *w)
{
	struct cpu *c = read_cpu(w);

	take_for_real_time(c, read_number(w));
}

/* Without callbacks for it, the kernel lets the scheduler go, and the loader comes again. */
static void do_online(struct words *w)
{
	struct cpu *c = read_cpu(w);
	bool online = read_number(w);

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
static void do_watch(struct words *w)
{
	struct task *p = read_task(w);

	watch(p, read_number(w));
}

/* limit EVENTS: the scenario fails beyond so many */
static void do_limit(struct words *w)
{
	most_events = read_number(w);
}

/* show MOST: from now on each switch and each wake-up is printed, up to so many; timeline.c */
static void do_show(struct words *w)
{
	begin_timeline(read_number(w));
}

/* cost NAME NS: of the kernel's or the scheduler's work, before the first task; cost.c has them */
static void do_cost(struct words *w)
{
	const char *name = read_text(w);

	set_cost(name, read_number(w));
}

/* fine: from now on events can be put aside in the middle; strand.c */
static void do_fine(struct words *w)
{
	if (!costs_on)
		fail("without costs no event takes time");
	fine = true;
}

static void finish(void)
{
	unload_scheduler("ends");
	check_given_back("the scheduler");
	forget_scripts();
	forget_courses();
	free_all_tasks();
	free_cgroups();
	forget_labels();
	forget_events();
	forget_strands();
	forget_lines();
	exit(0);
}

/* figures: as end, and prints the figures of the groups instead of the tasks' */
static void do_figures(struct words *w)
{
	for_each_cpu(c) charge_curr(c);
	print_figures();
	print_repeated();
	finish();
}

static void do_end(struct words *w)
{
	for_each_cpu(c) charge_curr(c);
	report();
	finish();
}

static const struct {
	const char *name;
	void (*run)(struct words *w);
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
	{ "quota", do_quota },	   { "kernel", do_kernel },   { "idle", do_idle },
	{ "show", do_show },	   { "fine", do_fine },	      { "session", do_session },
	{ "tunable", do_tunable }, { "record", do_record },   { "actions", do_actions },
	{ "again", do_again },	   { "timer", do_timer },     { "give", do_give },
	{ "follow", do_follow },   { "course", do_course },   { "container", do_container },
	{ "fact", do_fact },	   { "label", do_label },     { "labelled", do_labelled },
	{ "enters", do_enters },
};

static void run_line(struct words *w, const char *object)
{
	while (happen_next(EPOCH_NS + w->at_ns)) {
		if (nr_events > most_events)
			fail("more than %llu events happen by %llu us", most_events,
			     (now_ns - EPOCH_NS) / 1000);
		if (is_between_events())
			check_all();
	}
	if (nr_cpus_ && !ops)
		load_scheduler(object);
	for (u32 i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (strcmp(verbs[i].name, w->verb))
			continue;
		here = nr_cpus_ ? &cpus_[any_cpu(&possible_cpus)] : NULL;
		verbs[i].run(w);
		here = NULL;
		if (verbs[i].run != do_expect)
			check_all();
		return;
	}
	fail("a scenario has no verb %s", w->verb);
}

int main(int argc, char **argv)
{
	static char buffer[LINE_LENGTH];

	if (argc != 2)
		fail("usage: machine SCHEDULER.so < SCENARIO");
	now_ns = EPOCH_NS;
	while (fgets(buffer, sizeof(buffer), stdin)) {
		struct words w = { .at_ns = strtoull(strtok(buffer, " \n"), NULL, 10) };

		w.verb = strtok(NULL, " \n");
		while (w.nr < MAX_ARGS && (w.args[w.nr] = strtok(NULL, " \n")))
			w.nr++;
		run_line(&w, argv[1]);
	}
	fail("the scenario has no end");
}
