// SPDX-License-Identifier: GPL-2.0-only
/*
 * How many dispatches it takes from a thread's first call of what a policy
 * asks about to the class that the rule gives it. programs/first_call.c loads
 * it beside the scheduler, whose task storage it reads.
 */
#include "kernel.bpf.h"

char _license[] SEC("license") = "GPL";

/* kernel.bpf.h has constants of its own in .rodata. */
const volatile u32 class_offset SEC(".rodata.asked");
const volatile u32 wanted_class SEC(".rodata.asked");

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, u64[8]); /* the scheduler's own takes its place */
} task_ctxs SEC(".maps");

struct seen {
	u32 class_before;
	u32 dispatches; /* until the class was the wanted one */
	u32 in_force;
	/*
	 * The kernel has put it aside for a task of another scheduling class, and goes on with it,
	 * and what is left of its slice, without asking the scheduler: no dispatch.
	 */
	u32 goes_on;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__type(key, u32);
	__type(value, struct seen);
} first_calls SEC(".maps");

static u32 class_of(struct task_struct *p)
{
	char *value = bpf_task_storage_get(&task_ctxs, p, NULL, 0);

	return value ? *(u32 *)(value + class_offset) : ~0U;
}

static void note_call(void)
{
	struct task_struct *p = bpf_get_current_task_btf();
	struct seen seen = {};
	u32 tid = p->pid;

	if (bpf_map_lookup_elem(&first_calls, &tid))
		return;
	seen.class_before = class_of(p);
	bpf_map_update_elem(&first_calls, &tid, &seen, 1 /* BPF_NOEXIST */);
}

SEC("fentry/udp_sendmsg")
int first_udp_sendmsg(void *ctx)
{
	note_call();
	return 0;
}

SEC("fentry/udp_recvmsg")
int first_udp_recvmsg(void *ctx)
{
	note_call();
	return 0;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(dispatched, bool preempt, struct task_struct *prev, struct task_struct *next,
	     unsigned int prev_state)
{
	u32 from = prev->pid, to = next->pid;
	struct seen *seen = bpf_map_lookup_elem(&first_calls, &from);

	if (seen && !seen->in_force)
		seen->goes_on = !prev_state && prev->scx.slice;
	seen = bpf_map_lookup_elem(&first_calls, &to);
	if (!seen || seen->in_force || seen->goes_on)
		return 0;
	seen->dispatches++;
	seen->in_force = class_of(next) == wanted_class;
	return 0;
}
