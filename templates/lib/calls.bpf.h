/* SPDX-License-Identifier: GPL-2.0-only */
/* Who is credited with a call of a traced kernel function. */
#ifndef GTHULHU_CALLS_BPF_H
#define GTHULHU_CALLS_BPF_H

#include "kernel.bpf.h"

/* Bits of the count that the kernel keeps of a CPU's interrupts, besides those of preemption. */
enum {
	COUNT_SOFTIRQ = 1 << 8, /* a soft one is served; the bits above: they are off */
	COUNT_HARDIRQ = 0x7fff0000, /* an interrupt, or one that cannot be masked */
};

/* x86 has it here, others where the task is. */
extern const int __preempt_count __ksym __weak;

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct thread_info___counts {
	u32 preempt_count;
};

struct task_struct___counts {
	struct thread_info___counts thread_info;
	int softirq_disable_cnt;
};

#pragma clang attribute pop

static __always_inline u32 interrupt_count(const struct task_struct *current)
{
	const struct task_struct___counts *p = (const void *)current;
	u32 count = 0;

	if (bpf_ksym_exists(&__preempt_count))
		count = *(const int *)bpf_this_cpu_ptr(&__preempt_count);
	else if (bpf_core_field_exists(p->thread_info.preempt_count))
		count = p->thread_info.preempt_count;
	/* With PREEMPT_RT, soft interrupts are counted with the task that serves them. */
	if (bpf_core_field_exists(p->softirq_disable_cnt))
		count |= p->softirq_disable_cnt;
	return count;
}

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
