/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether an interrupt runs, and on which task's back. */
#ifndef GTHULHU_INTERRUPTS_BPF_H
#define GTHULHU_INTERRUPTS_BPF_H

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

static __always_inline bool in_interrupt(void)
{
	return interrupt_count(bpf_get_current_task_btf()) & (COUNT_SOFTIRQ | COUNT_HARDIRQ);
}

#endif /* GTHULHU_INTERRUPTS_BPF_H */
