/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the task that a call of a traced kernel function is credited to. */
#ifndef GTHULHU_CALLS_BPF_H
#define GTHULHU_CALLS_BPF_H

#include "interrupts.bpf.h"

/*
 * Whether a function that has just been entered was called by the task that runs: by itself, or
 * as far as one can tell, since a soft interrupt is served mostly where its cause was.
 */
static __always_inline bool is_caller(const struct task_struct *p, u32 count, bool via_softirq)
{
	if (p->flags & PF_KTHREAD) /* the idle task is one */
		return false;
	return !(count & (via_softirq ? COUNT_HARDIRQ : COUNT_HARDIRQ | COUNT_SOFTIRQ));
}

#endif /* GTHULHU_CALLS_BPF_H */
