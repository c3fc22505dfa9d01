// SPDX-License-Identifier: GPL-2.0-only
/*
 * The smallest object that follows the ABI: one queue, first come, first
 * served. Macros turn it into what the loader must refuse or survive:
 *
 *	STALL		forgets tasks named "victim"; the watchdog notices
 *	FAIL_INIT	cannot be initialised, long after attaching has succeeded
 *	FUTURE		has a callback that no kernel knows
 *	WILD		the same, and an address of nothing in its place
 *	REJECTED	is refused by the verifier
 *	MISSING		calls a function that no kernel has
 *	FOREIGN		has no policy
 *	ABI, KERNEL_MIN	other values of the policy's
 *	PIN_CPU		a rule that names this CPU
 *	OURS		has the name of a generated scheduler
 *	NR_PINS, NO_NAME, NO_EXIT_REPORT, OPS
 *			breaches of the ABI
 *
 * While it is initialised it makes sure that the loader has filled in
 * everything, and refuses to be enabled otherwise.
 */
#ifdef WILD
#define FUTURE
#endif
#ifdef FUTURE
#define sched_ext_ops sched_ext_ops_of_today
#endif
#include "kernel.bpf.h"
#include "compat.bpf.h"
#undef sched_ext_ops
#include "abi.h"
#ifndef NO_EXIT_REPORT
#include "exit.bpf.h"
#endif

#ifndef barrier_var
#define barrier_var(var) asm volatile("" : "+r"(var))
#endif

char _license[] SEC("license") = "GPL";

#ifdef MISSING
void scx_bpf_of_tomorrow(s32 cpu) __ksym;
#endif

#ifdef FUTURE
struct sched_ext_ops {
	s32 (*select_cpu)(struct task_struct *p, s32 prev_cpu, u64 wake_flags);
	void (*enqueue)(struct task_struct *p, u64 enq_flags);
	void (*dispatch)(s32 cpu, struct task_struct *prev);
	void (*foresee)(struct task_struct *p);
	s32 (*init)(void);
	void (*exit)(struct scx_exit_info *info);
	u64 flags;
	u64 foresight;
	u32 timeout_ms;
	u32 exit_dump_len;
	u64 hotplug_seq;
	char name[128];
};
#endif

#ifndef ABI
#define ABI GTHULHU_ABI_VERSION
#endif
#ifndef KERNEL_MIN
#define KERNEL_MIN (6 << 16 | 13 << 8)
#endif

#ifndef NR_PINS
#ifdef PIN_CPU
#define NR_PINS 1
#else
#define NR_PINS 0
#endif
#endif
#ifndef OPS
#define OPS gthulhu
#endif

#ifndef FOREIGN
const volatile struct gthulhu_policy policy = {
	.abi_version = ABI,
	.kernel_min = KERNEL_MIN,
	.nr_pins = NR_PINS,
#ifndef NO_NAME
	.name = "fifo",
#endif
	.file = "fifo.gpl",
};
#endif

#ifdef PIN_CPU
const volatile struct gthulhu_pin policy_pins[] = {
	{ .line = 12, .nr_words = 1, .rule = "poller", .cpus = { 1ULL << PIN_CPU } },
};
#endif

const volatile u64 ops_flag_SCX_OPS_ENQ_LAST;
const volatile u64 ops_flag_SCX_OPS_NEVER_HEARD_OF;
const volatile u64 kernel_SCX_SLICE_INF;
const volatile u64 kernel_SCX_NEVER_HEARD_OF;

struct cpu_state {
	u64 nr_dispatched;
} __attribute__((aligned(64)));

struct cpu_state cpus[1] SEC(".data.cpus");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u64);
} percpu_marks SEC(".maps");

/* How many tasks were born under our eyes; keeps a tracing program in the object. */
u64 nr_births;

#define QUEUE 1
#define SLICE_NS 5000000ULL

static bool is_victim(const struct task_struct *p)
{
	return p->comm[0] == 'v' && p->comm[1] == 'i' && p->comm[2] == 'c';
}

s32 BPF_STRUCT_OPS(fifo_select_cpu, struct task_struct *p, s32 prev_cpu, u64 wake_flags)
{
	bool is_idle;

	return scx_bpf_select_cpu_dfl(p, prev_cpu, wake_flags, &is_idle);
}

void BPF_STRUCT_OPS(fifo_enqueue, struct task_struct *p, u64 enq_flags)
{
#ifdef STALL
	if (is_victim(p))
		return;
#endif
	dsq_insert(p, QUEUE, SLICE_NS, enq_flags);
	scx_bpf_kick_cpu(scx_bpf_task_cpu(p), SCX_KICK_IDLE);
}

void BPF_STRUCT_OPS(fifo_dispatch, s32 cpu, struct task_struct *prev)
{
	u32 i = cpu;

	/* The verifier knows nr_cpus, and so that .data.cpus is as long as the loader made it. */
	barrier_var(i);
#ifndef REJECTED
	if (i < nr_cpus)
#endif
		cpus[i].nr_dispatched++;
	dsq_move_to_local(QUEUE);
#ifdef MISSING
	scx_bpf_of_tomorrow(cpu);
#endif
}

SEC("tp_btf/task_newtask")
int BPF_PROG(fifo_newtask)
{
	__sync_fetch_and_add(&nr_births, 1);
	return 0;
}

s32 BPF_STRUCT_OPS_SLEEPABLE(fifo_init)
{
	u32 last = nr_cpus - 1;
	u32 beyond = nr_cpus;

#ifdef FAIL_INIT
	return -7;
#endif
	if (kernel_SCX_DSQ_LOCAL != (1ULL << 63 | 2) || kernel_SCX_SLICE_INF != ~0ULL)
		return -101;
	if (kernel_SCX_NEVER_HEARD_OF || ops_flag_SCX_OPS_NEVER_HEARD_OF)
		return -102;
	if (!ops_flag_SCX_OPS_ENQ_LAST)
		return -103;
	if (!bpf_map_lookup_elem(&percpu_marks, &last) ||
	    bpf_map_lookup_elem(&percpu_marks, &beyond))
		return -104;
	return scx_bpf_create_dsq(QUEUE, -1);
}

void BPF_STRUCT_OPS(fifo_exit, struct scx_exit_info *info)
{
#ifndef NO_EXIT_REPORT
	report_exit(info);
#endif
}

#if defined(FUTURE) && !defined(WILD)
void BPF_STRUCT_OPS(fifo_foresee, struct task_struct *p)
{
}
#endif

SEC(".struct_ops.link")
struct sched_ext_ops OPS = {
	.select_cpu = (void *)fifo_select_cpu,
	.enqueue = (void *)fifo_enqueue,
	.dispatch = (void *)fifo_dispatch,
	.init = (void *)fifo_init,
	.exit = (void *)fifo_exit,
#ifdef WILD
	.foresee = (void *)0x4141414141414141,
#elif defined(FUTURE)
	.foresee = (void *)fifo_foresee,
#endif
#ifdef FUTURE
	.foresight = 42,
#endif
#ifdef STALL
	.timeout_ms = 2000,
#endif
#ifdef OURS
	.name = "gthulhu_fifo",
#else
	.name = "fifo",
#endif
};
