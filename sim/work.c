// SPDX-License-Identifier: GPL-2.0-only
/* Task work: the scheduler is called back when a task is about to return to its program. */
#include "cost.h"
#include "machine.h"

static void return_to_program(struct event *e)
{
	struct task *p = container(e, struct task, returns);
	struct cpu *c = &cpus_[p->cpu];
	struct bpf_task_work *work = p->work;
	struct spent spent_before;
	struct call before;

	/* It does when it runs again. */
	if (c->curr != p || p->in_kernel)
		return;
	p->work = NULL;
	work->opaque = 0;
	p->on_way_out = true;
	here = c;
	spent_before = begin_operation();
	before = enter(c, IN_TIMER, "task work", NULL);
	p->work_callback(NULL, NULL, work);
	leave(before);
	end_operation(OP_TIMER, spent_before);
	here = NULL;
}

/* A task that has something to do on its way out runs, or is no longer in a system call. */
void begin_return(struct task *p)
{
	if (!p->work)
		return;
	p->returns.happen = return_to_program;
	post(&p->returns, now_ns);
}

/* An exiting task does its work as well, when the scheduler no longer knows it. */
void end_return(struct task *p)
{
	cancel(&p->returns);
	if (p->work)
		p->work->opaque = 0;
	p->work = NULL;
}

int bpf_task_work_schedule_resume(struct task_struct *k, struct bpf_task_work *work, void *map,
				  return_callback *callback)
{
	struct task *p = container(k, struct task, k);

	if (work->opaque)
		return -16; /* EBUSY */
	work->opaque = 1;
	p->work = work;
	p->work_callback = callback;
	begin_return(p);
	return 0;
}

int bpf_task_work_schedule_resume_impl(struct task_struct *k, struct bpf_task_work *work, void *map,
				       return_callback *callback, void *aux__prog)
{
	return bpf_task_work_schedule_resume(k, work, map, callback);
}
