/* SPDX-License-Identifier: GPL-2.0-only */
/* Descriptions of tasks: one for each, and another one when it has changed. */
#ifndef GTHULHU_DESCRIBE_BPF_H
#define GTHULHU_DESCRIBE_BPF_H

#include "buffer.bpf.h"

/* A session is a group of the kernel's own scheduler (autogroup). */
static __always_inline u32 session_of(const struct task_struct *p)
{
	return p->signal->pids[PIDTYPE_SID]->numbers[0].nr;
}

/* A number that changes with what RECORD_TASK says. */
static __always_inline u64 mark_of(const struct task_struct *p)
{
	const struct task_struct___record *r = (const void *)p;
	u64 mark = p->cgroups->dfl_cgrp->kn->id;

	mark = mark * 31 + ((u64)p->real_cred->euid.val << 32 | p->real_cred->egid.val);
	mark = mark * 31 + r->cpus_mask.bits[0];
	mark = mark * 31 + p->nr_cpus_allowed;
	mark = mark * 31 + ((u64)p->static_prio << 8 | r->policy);
	mark = mark * 31 + session_of(p);
	return mark | 1;
}

static __always_inline void fill_task(struct record_task *to, struct task_struct *p)
{
	const struct task_struct___record *r = (const void *)p;
	u64 bytes = constants.mask_bytes;

	to->start_ns = r->start_time;
	to->process = p->tgid;
	to->parent = p->real_parent->tgid;
	to->uid = p->real_cred->euid.val;
	to->gid = p->real_cred->egid.val;
	to->cgroup = p->cgroups->dfl_cgrp->kn->id;
	to->priority = p->static_prio;
	to->policy = r->policy;
	to->flags = p->flags & PF_KTHREAD ? RECORD_KTHREAD : 0;
	to->nr_cpus = p->nr_cpus_allowed;
	__builtin_memcpy(to->name, p->comm, sizeof(to->name));
	__builtin_memset(to->mask, 0, sizeof(to->mask));
	bpf_probe_read_kernel(to->mask, bytes <= sizeof(to->mask) ? bytes : 8, &r->cpus_mask);
}

struct task_event {
	struct record_event event;
	struct record_task task;
};

/* Describes a task that was not, or that has changed. */
static __always_inline void look_at(struct cpu_state *cpu, struct task_struct *p)
{
	u64 mark = mark_of(p);
	struct task_event *event;
	struct task_seen *was;

	was = bpf_task_storage_get(&seen, p, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!was || was->mark == mark)
		return;
	event = reserve(cpu, RECORD_TASK, sizeof(*event), p->pid);
	if (!event)
		return;
	was->mark = mark;
	event->event.argument = session_of(p);
	fill_task(&event->task, p);
	submit(event);
}

#endif /* GTHULHU_DESCRIBE_BPF_H */
