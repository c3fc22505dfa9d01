/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A scheduler to compare with: what scx_simple, the kernel's example, is documented to do. A task
 * that wakes up takes an idle CPU. Else it waits in one queue for all CPUs, in the order of virtual
 * time by weight. A task that slept long keeps a lead of one slice. Slices have 20 ms, and nobody
 * is interrupted.
 */
#include "kernel.bpf.h"
#include "exit.bpf.h"

enum { SHARED_QUEUE = 1 << 16 /* no CPU's number */, USUAL_WEIGHT = 100 };

const volatile u64 kernel_SCX_SLICE_DFL;
char cpus[1]; /* the model looks for it */

static u64 now_served; /* virtual time of the task that went on to a CPU last */

void scx_bpf_dsq_insert(struct task_struct *p, u64 dsq_id, u64 slice, u64 enq_flags) __ksym;
void scx_bpf_dsq_insert_vtime(struct task_struct *p, u64 dsq_id, u64 slice, u64 vtime,
			      u64 enq_flags) __ksym;
bool scx_bpf_dsq_move_to_local(u64 dsq_id) __ksym;

static bool is_before(u64 a, u64 b)
{
	return (s64)(a - b) < 0;
}

s32 BPF_STRUCT_OPS(simple_select_cpu, struct task_struct *p, s32 prev_cpu, u64 wake_flags)
{
	bool is_idle = false;
	s32 cpu = scx_bpf_select_cpu_dfl(p, prev_cpu, wake_flags, &is_idle);

	if (is_idle)
		scx_bpf_dsq_insert(p, SCX_DSQ_LOCAL, kernel_SCX_SLICE_DFL, 0);
	return cpu;
}

void BPF_STRUCT_OPS(simple_enqueue, struct task_struct *p, u64 enq_flags)
{
	u64 vtime = p->scx.dsq_vtime;

	if (is_before(vtime, now_served - kernel_SCX_SLICE_DFL))
		vtime = now_served - kernel_SCX_SLICE_DFL;
	scx_bpf_dsq_insert_vtime(p, SHARED_QUEUE, kernel_SCX_SLICE_DFL, vtime, enq_flags);
}

void BPF_STRUCT_OPS(simple_dispatch, s32 cpu, struct task_struct *prev)
{
	scx_bpf_dsq_move_to_local(SHARED_QUEUE);
}

void BPF_STRUCT_OPS(simple_running, struct task_struct *p)
{
	if (is_before(now_served, p->scx.dsq_vtime))
		now_served = p->scx.dsq_vtime;
}

void BPF_STRUCT_OPS(simple_stopping, struct task_struct *p, bool runnable)
{
	p->scx.dsq_vtime += (kernel_SCX_SLICE_DFL - p->scx.slice) * USUAL_WEIGHT / p->scx.weight;
}

void BPF_STRUCT_OPS(simple_enable, struct task_struct *p)
{
	p->scx.dsq_vtime = now_served;
}

s32 BPF_STRUCT_OPS_SLEEPABLE(simple_init)
{
	return scx_bpf_create_dsq(SHARED_QUEUE, -1);
}

void BPF_STRUCT_OPS(simple_exit, struct scx_exit_info *info)
{
	report_exit(info);
}

SEC(".struct_ops.link")
struct sched_ext_ops gthulhu = {
	.select_cpu = (void *)simple_select_cpu,
	.enqueue = (void *)simple_enqueue,
	.dispatch = (void *)simple_dispatch,
	.running = (void *)simple_running,
	.stopping = (void *)simple_stopping,
	.enable = (void *)simple_enable,
	.init = (void *)simple_init,
	.exit = (void *)simple_exit,
	.name = "simple",
};

/* It has no classes. */
s32 host_class_of(struct task_struct *p)
{
	return -1;
}
