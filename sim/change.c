/* SPDX-License-Identifier: GPL-2.0-only */
/* Changes of a task (affinity, nice, users, name, cgroup), with their events. */
#include "machine.h"
#include "cgroup.h"

/* The kernel takes a task out of its queue, changes it, and puts it back; so does this. */
struct change {
	struct task *p;
	bool queued, running;
};

static struct change begin_change(struct task *p)
{
	struct change change = { p, is_runnable(p), is_running(p) };

	dequeue_task(p, DEQ_SAVE);
	return change;
}

static void end_change(struct change change)
{
	struct task *p = change.p;

	if (change.queued)
		enqueue_task(p, ENQ_RESTORE, change.running);
	if (change.queued && change.running)
		set_next(&cpus_[p->cpu], p);
}

/* It may not stay where it is: the stopper thread interrupts it and moves it. */
static void leave_cpu(struct task *p)
{
	struct cpu *c = &cpus_[p->cpu], *caller = here;

	if (may_run_on(p, p->cpu) || !is_runnable(p))
		return;
	if (is_running(p)) {
		put_aside(c);
		here = c;
		requeue_elsewhere(p);
		resched(c);
	} else {
		requeue_elsewhere(p);
	}
	here = caller;
}

static void change_mask(struct task *p)
{
	struct change change = begin_change(p);

	show_mask(p);
	OPS(IN_OPS, set_cpumask, p, &p->k, &p->mask.k);
	end_change(change);
	leave_cpu(p);
}

void set_affinity(struct task *p, const struct cpu_set *cpus)
{
	p->affinity = *cpus;
	change_mask(p);
}

/*
 * Seen when the task is switched out, task.c's and cpu.c's part. Only a task that
 * runs does that to itself.
 */
void disable_migration(struct task *p, bool disabled)
{
	bool shown = p->pinned && is_only_cpu(&p->mask, p->pin);

	p->enables_migration = !disabled && !is_running(p);
	if (!is_running(p) || disabled == p->pinned)
		return;
	if (disabled) {
		p->pinned = true;
		p->pin = p->cpu;
		p->k.migration_disabled++;
	} else {
		p->pinned = false;
		p->k.migration_disabled--;
		if (shown)
			change_mask(p);
	}
}

void pin(struct task *p)
{
	change_mask(p);
}

void set_nice(struct task *p, s32 nice)
{
	struct change change = begin_change(p);

	p->k.static_prio = 120 + nice;
	p->k.scx.weight = weight_of_nice(nice);
	OPS(IN_OPS, set_weight, p, &p->k, p->k.scx.weight);
	end_change(change);
}

void set_autogroup(struct task *p, u32 number)
{
	struct change change = begin_change(p);

	p->autogroup = number;
	end_change(change);
}

void set_ids(struct task *p, u32 uid, u32 gid)
{
	p->cred.euid.val = uid;
	p->cred.egid.val = gid;
	TRACE("fexit/commit_creds", p);
}

int __preempt_count; /* of the CPU that calls */

/* The running task enters a function that is traced; by a kprobe, which may do less than fentry. */
void call_function(struct task *p, const char *function, u32 interrupts)
{
	char section[64];
	struct call before;

	if (!is_running(p))
		fail("task %d does not run, and can call nothing", p->k.pid);
	snprintf(section, sizeof(section), "?kprobe/%s", function);
	if (!program_at(section))
		fail("the scheduler does not trace %s", function);
	__preempt_count = interrupts;
	before = enter(&cpus_[p->cpu], IN_KPROBE, section, p);
	((void (*)(void *))program_at(section))(NULL);
	leave(before);
}

/* The event comes before the name changes. */
void rename_task(struct task *p, const char *name)
{
	TRACE("tp_btf/task_rename", p, &p->k, name);
	memset(p->k.comm, 0, sizeof(p->k.comm));
	strncpy(p->k.comm, name, sizeof(p->k.comm) - 1);
}

void move_to_cgroup(struct task *p, const char *path, bool whole_process)
{
	struct cgroup_node *node = cgroup_at(path);
	struct cgroup *from;

	for_each_task(thread)
	{
		if (thread == p || (whole_process && thread->leader == p->leader)) {
			struct change change = begin_change(thread);

			from = thread->css.dfl_cgrp;
			thread->css.dfl_cgrp = &node->k;
			if (from != &node->k)
				OPS(IN_OPS, cgroup_move, thread, &thread->k, from, &node->k);
			end_change(change);
		}
	}
	if (whole_process)
		p = p->leader;
	TRACE("tp_btf/cgroup_attach_task", p, &node->k, node->path, &p->k, whole_process);
}
