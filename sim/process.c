/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes: fork and exit, with the events that tell of them. */
#include "machine.h"
#include "cgroup.h"
#include "cost.h"
#include "kernel.h"

static struct task *buried;
static struct task **by_pid; /* NULL: no task has the number */
static u32 max_pids; /* of by_pid */
static struct task **end = &all_tasks; /* of the list of all tasks */
/* No task of a scenario calls setsid(): all belong to one session, which has the number 0. */
static struct pid session;
static struct task swapper = { .k.group_leader = &swapper.k, .k.real_parent = &swapper.k };

/* The kernel's sched_prio_to_weight. */
static const u32 weights[40] = {
	88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916,
	9548,  7620,  6100,  4904,  3906,  3121,  2501,	 1991,	1586,  1277,
	1024,  820,   655,   526,   423,   335,	  272,	 215,	172,   137,
	110,   87,    70,    56,    45,	   36,	  29,	 23,	18,    15,
};

u32 weight_of_nice(s32 nice)
{
	u32 weight = (weights[nice + 20] * 100 + 512) / 1024;

	return weight ?: 1;
}

struct task *find_task(u32 pid)
{
	if (pid < max_pids && by_pid[pid])
		return by_pid[pid];
	fail("there is no task %u", pid);
}

struct task_struct *bpf_task_acquire(struct task_struct *k)
{
	hold(1);
	return k;
}

void bpf_task_release(struct task_struct *k)
{
	hold(-1);
}

struct task_struct *bpf_task_from_pid(s32 pid)
{
	struct task *p = pid >= 0 && (u32)pid < max_pids ? by_pid[pid] : NULL;

	return p && !p->gone ? bpf_task_acquire(&p->k) : NULL;
}

/* The threads of a process. */
int bpf_iter_task_new(struct bpf_iter_task *it, struct task_struct *k, u32 flags)
{
	if (flags != BPF_TASK_ITER_PROC_THREADS)
		violation("error", "%s iterates over tasks in another way", now_in.name);
	it->opaque[0] = (uintptr_t)all_tasks;
	it->opaque[1] = k->tgid;
	hold(1);
	return 0;
}

struct task_struct *bpf_iter_task_next(struct bpf_iter_task *it)
{
	struct task *p = (struct task *)(uintptr_t)it->opaque[0];

	while (p && (p->gone || (u64)p->k.tgid != it->opaque[1]))
		p = p->other;
	it->opaque[0] = (uintptr_t)(p ? p->other : NULL);
	return p ? &p->k : NULL;
}

void bpf_iter_task_destroy(struct bpf_iter_task *it)
{
	hold(-1);
}

/* ---- Fork and exit ---- */

void show_mask(struct task *p)
{
	p->mask = p->pinned ? only_cpu(p->pin) : p->affinity;
	p->k.cpus_ptr = &p->mask.k;
	p->k.nr_cpus_allowed = count_cpus(&p->affinity);
}

static void list_task(struct task *p)
{
	u32 pid = p->k.pid;

	if (pid >= max_pids) {
		u32 nr = pid * 2 + 64;

		by_pid = realloc(by_pid, nr * sizeof(struct task *));
		memset(by_pid + max_pids, 0, (nr - max_pids) * sizeof(struct task *));
		max_pids = nr;
	}
	by_pid[pid] = p;
	*end = p;
	end = &p->other;
}

/* A task with its parent's attributes; the scheduler does not know it yet. */
struct task *new_task(u32 pid, struct task *parent, u64 clone_flags)
{
	struct task *p = new_object(sizeof(*p), "task_struct");

	p->ran_ns = calloc(nr_cpus_, sizeof(u64));
	if (parent) {
		p->k = parent->k;
		p->k.migration_disabled = 0;
		p->cred = parent->cred;
		p->affinity = parent->affinity;
		p->cpu = parent->cpu;
		p->autogroup = parent->autogroup;
	} else {
		p->affinity = possible_cpus;
		p->k.static_prio = 120;
		p->k.scx.weight = 100;
	}
	p->k.pid = pid;
	p->k.scx.flags = 0;
	p->k.scx.dsq = NULL;
	p->leader = parent && (clone_flags & CLONE_THREAD) ? parent->leader : p;
	p->k.tgid = p->leader->k.pid;
	p->k.group_leader = &p->leader->k;
	p->signal.pids[PIDTYPE_SID] = &session;
	p->k.signal = &p->leader->signal;
	p->k.real_cred = &p->cred;
	p->css.dfl_cgrp = parent ? parent->css.dfl_cgrp : &cgroup_at("/")->k;
	p->k.cgroups = &p->css;
	p->k.se.sum_exec_runtime = 0;
	p->direct_dsq = DSQ_INVALID;
	p->class = -1;
	show_mask(p);
	if (parent && (clone_flags & (CLONE_THREAD | CLONE_PARENT)))
		parent = parent->parent;
	p->parent = parent;
	p->k.real_parent = parent ? &parent->leader->k : &swapper.k;
	list_task(p);
	return p;
}

static void init_task(struct task *p, bool fork, struct cgroup *cgroup)
{
	struct scx_init_task_args args = { .fork = fork, .cgroup = cgroup };
	struct call before = enter(here, IN_SLEEPABLE, "init_task", p);
	s32 err = ops->init_task ? ops->init_task(&p->k, &args) : 0;

	leave(before);
	if (err)
		violation("error", "init_task(%d) returns %d", p->k.pid, err);
	p->known = true;
}

/* In the order of copy_process: what the scheduler is told before all of it is true. */
void fork_task(struct task *p, struct task *maker, u64 clone_flags)
{
	struct task_struct *parent = p->k.real_parent;
	struct css_set css = p->css;

	here = &cpus_[maker->cpu];
	p->k.real_parent = maker->k.real_parent;
	p->css.dfl_cgrp = &cgroup_at("/")->k;
	init_task(p, true, css.dfl_cgrp);
	p->k.scx.weight = weight_of_nice(p->k.static_prio - 120);
	if (kernel_version >= 0x702)
		p->css = css;
	OPS(IN_OPS, enable, p, &p->k);
	OPS(IN_OPS, set_weight, p, &p->k, p->k.scx.weight);
	p->css = css;
	p->k.real_parent = parent;
	TRACE("tp_btf/task_newtask", maker, &p->k, clone_flags);
	show_process(p);
	wake(p, here, WAKE_FORK);
	here = NULL;
}

static void tell_of_exit(struct task *p)
{
	OPS(IN_OPS, disable, p, &p->k);
	OPS(IN_SLEEPABLE, exit_task, p, &p->k, NULL);
}

void leave_children(struct task *p)
{
	for_each_task(child)
	{
		if (child->parent == p && p->leader == p) {
			child->parent = all_tasks;
			child->k.real_parent = &all_tasks->k;
		}
	}
}

/* Its children get init as their parent; when it dies, which may take a while, is not told. */
void kill_task(struct task *p)
{
	leave_children(p);
	p->kill = true;
	if (p == p->leader)
		p->signal.flags |= SIGNAL_GROUP_EXIT;
	if (is_running(p))
		kill_running(p);
	else
		wake(p, here, WAKE_TTWU);
}

/* The running task has done its last. */
void exit_task(struct task *p)
{
	p->gone = true;
	sleep_now(p);
	here = &cpus_[p->cpu];
	reap(p);
	if (p->family)
		bury(p);
	here = NULL;
}

/* Of a chain of forks only the living count: threads may still know the dead as their leader. */
void bury(struct task *p)
{
	struct task **at = &all_tasks;

	while (*at != p)
		at = &(*at)->other;
	*at = p->other;
	if (end == &p->other)
		end = at;
	by_pid[p->k.pid] = NULL;
	p->other = buried;
	buried = p;
}

/* Before 7.2 a fork that fails does this to the task that forks. */
void forget_task(struct task *p)
{
	free_storage(&p->storage);
	p->forgotten = true;
}

void reap(struct task *p)
{
	p->gone = true;
	cancel(&p->alarm);
	cancel(&p->burst);
	end_return(p);
	tell_of_exit(p);
	free_storage(&p->storage);
}

/* ---- The scheduler comes and goes ---- */

void introduce_tasks(void)
{
	/* Forked while the scheduler was being enabled: it has no storage for them. */
	for_each_task(p) if (!p->gone) TRACE("tp_btf/task_newtask", p, &p->k, 0ULL);
	for_each_task(p) if (!p->gone) init_task(p, false, p->css.dfl_cgrp);
	for_each_task(p)
	{
		bool runs = p->k.scx.flags & TASK_QUEUED;

		if (p->gone)
			continue;
		p->k.scx.flags &= ~TASK_QUEUED;
		p->k.scx.slice = SLICE_DFL_NS;
		p->k.scx.weight = weight_of_nice(p->k.static_prio - 120);
		OPS(IN_OPS, enable, p, &p->k);
		OPS(IN_OPS, set_weight, p, &p->k, p->k.scx.weight);
		if (runs)
			enqueue_task(p, ENQ_RESTORE, false);
	}
}

void forget_tasks(void)
{
	for_each_task(p)
	{
		queue_remove(p);
		p->in_custody = false;
		p->direct_dsq = DSQ_INVALID;
		if (p->known && !p->gone)
			tell_of_exit(p);
		p->known = false;
		cancel(&p->burst);
		end_return(p);
		free_storage(&p->storage);
	}
}

static void free_tasks(struct task **list)
{
	while (*list) {
		struct task *p = *list;

		*list = p->other;
		free(p->ran_ns);
		free(p->progress);
		free(p->replayed);
		free(p);
	}
}

void free_all_tasks(void)
{
	free_tasks(&all_tasks);
	free_tasks(&buried);
	free(by_pid);
}
