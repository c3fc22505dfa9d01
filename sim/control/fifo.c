/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A scheduler to compare with: one queue for all CPUs, first come, first served, and slices of
 * 20 ms. A task that wakes up takes an idle CPU, or waits at the end. It interrupts nobody.
 */
#include "kernel.bpf.h"
#include "exit.bpf.h"

enum { SHARED_QUEUE = 1 << 16 /* no CPU's number */ };

const volatile u64 kernel_SCX_SLICE_DFL;
char cpus[1]; /* the model looks for it */

void scx_bpf_dsq_insert(struct task_struct *p, u64 dsq_id, u64 slice, u64 enq_flags) __ksym;
bool scx_bpf_dsq_move_to_local(u64 dsq_id) __ksym;

s32 BPF_STRUCT_OPS(fifo_select_cpu, struct task_struct *p, s32 prev_cpu, u64 wake_flags)
{
	bool is_idle = false;
	s32 cpu = scx_bpf_select_cpu_dfl(p, prev_cpu, wake_flags, &is_idle);

	if (is_idle)
		scx_bpf_dsq_insert(p, SCX_DSQ_LOCAL, kernel_SCX_SLICE_DFL, 0);
	return cpu;
}

void BPF_STRUCT_OPS(fifo_enqueue, struct task_struct *p, u64 enq_flags)
{
	scx_bpf_dsq_insert(p, SHARED_QUEUE, kernel_SCX_SLICE_DFL, enq_flags);
}

void BPF_STRUCT_OPS(fifo_dispatch, s32 cpu, struct task_struct *prev)
{
	scx_bpf_dsq_move_to_local(SHARED_QUEUE);
}

s32 BPF_STRUCT_OPS_SLEEPABLE(fifo_init)
{
	return scx_bpf_create_dsq(SHARED_QUEUE, -1);
}

void BPF_STRUCT_OPS(fifo_exit, struct scx_exit_info *info)
{
	report_exit(info);
}

SEC(".struct_ops.link")
struct sched_ext_ops gthulhu = {
	.select_cpu = (void *)fifo_select_cpu,
	.enqueue = (void *)fifo_enqueue,
	.dispatch = (void *)fifo_dispatch,
	.init = (void *)fifo_init,
	.exit = (void *)fifo_exit,
	.name = "fifo",
};

/* It has no classes. */
s32 host_class_of(struct task_struct *p)
{
	return -1;
}
