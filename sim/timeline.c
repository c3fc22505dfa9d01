/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prints what a timeline of the CPUs shows: each switch and each wake-up, as the kernel's trace
 * events sched_switch and sched_waking have them. Lines of one CPU are in the order of time.
 *
 *   process TASK PROCESS PARENT CLASS NAME        each task: at the beginning, or as it is forked
 *   switch AT_NS CPU PREV IS_RUNNABLE NEXT CLASS  PREV, NEXT: numbers of tasks, 0: none; of NEXT
 *                                                 the class that the scheduler has it in, or -1;
 *                                                 NAME: a dot, and bytes in hexadecimal
 *   waking AT_NS CPU BY TASK TARGET_CPU           BY: the task that ran there
 *   cut AT_NS                                     there were too many; from then on it is empty
 */
#include "machine.h"

static u64 nr_left; /* that may be printed */

/* To ask for it costs nothing. */
static s32 class_of(struct task *p)
{
	struct cpu *before = here;
	s32 class;

	here = NULL;
	class = class_in_force(p);
	here = before;
	return class;
}

void show_process(struct task *p)
{
	if (!nr_left)
		return;
	printf("process %d %d %d %d .", p->k.pid, p->k.tgid, p->parent ? p->parent->k.tgid : 0,
	       class_of(p));
	for (const char *at = p->k.comm; *at; at++)
		printf("%02x", (unsigned char)*at);
	printf("\n");
}

void begin_timeline(u64 most)
{
	nr_left = most;
	for_each_task(p) if (!p->gone) show_process(p);
}

static bool may_print(void)
{
	if (!nr_left)
		return false;
	if (--nr_left)
		return true;
	printf("cut %llu\n", now_ns);
	return false;
}

void show_switch(const struct cpu *c, const struct task *prev, struct task *next)
{
	if (may_print())
		printf("switch %llu %d %d %d %d %d\n", now_ns, c->id, prev ? prev->k.pid : 0,
		       prev && is_runnable(prev), next ? next->k.pid : 0,
		       next ? class_of(next) : -1);
}

void show_waking(const struct task *p, const struct cpu *waker)
{
	if (may_print())
		printf("waking %llu %d %d %d %d\n", now_ns, waker ? waker->id : 0,
		       waker && waker->curr ? waker->curr->k.pid : 0, p->k.pid, p->cpu);
}
