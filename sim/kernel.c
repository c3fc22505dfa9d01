/* SPDX-License-Identifier: GPL-2.0-only */
/* The constants and functions of sched_ext, and since which kernel each exists. */
#include "kernel.h"
#include "machine.h"

u32 kernel_version = 0x702;

static const struct {
	const char *name;
	u64 value;
	u32 since; /* kernel version */
} constants[] = {
	{ "SCX_DSQ_LOCAL", DSQ_LOCAL },
	{ "SCX_DSQ_GLOBAL", DSQ_GLOBAL },
	{ "SCX_DSQ_LOCAL_ON", DSQ_LOCAL_ON },
	{ "SCX_ENQ_WAKEUP", ENQ_WAKEUP },
	{ "SCX_ENQ_HEAD", ENQ_HEAD },
	{ "SCX_ENQ_CPU_SELECTED", ENQ_CPU_SELECTED },
	{ "SCX_ENQ_PREEMPT", ENQ_PREEMPT },
	{ "SCX_ENQ_REENQ", ENQ_REENQ },
	{ "SCX_ENQ_LAST", ENQ_LAST },
	{ "SCX_KICK_IDLE", KICK_IDLE },
	{ "SCX_KICK_PREEMPT", KICK_PREEMPT },
	{ "SCX_TASK_QUEUED", TASK_QUEUED },
	{ "SCX_DEQ_SLEEP", DEQ_SLEEP },
	{ "SCX_SLICE_DFL", SLICE_DFL_NS },
	{ "SCX_SLICE_INF", FOREVER },
	{ "SCX_WAKE_FORK", WAKE_FORK },
	{ "SCX_WAKE_TTWU", WAKE_TTWU },
	{ "SCX_WAKE_SYNC", WAKE_SYNC },
	{ "SCX_PICK_IDLE_CORE", PICK_IDLE_CORE },
	{ "SCX_OPS_KEEP_BUILTIN_IDLE", OPS_KEEP_IDLE },
	{ "SCX_OPS_ENQ_LAST", OPS_ENQ_LAST },
	{ "SCX_OPS_BUILTIN_IDLE_PER_NODE", OPS_IDLE_PER_NODE, 0x60f },
	{ "SCX_OPS_ENQ_EXITING", OPS_ENQ_EXITING },
	{ "SCX_OPS_ENQ_MIGRATION_DISABLED", OPS_ENQ_MIGRATION_DISABLED },
};

/* Functions, a variable and a member that not all kernels have. */
static const struct {
	const char *name;
	u32 since;
} functions[] = {
	{ "&__preempt_count", 0x60f },
	{ "bw_quota_us", 0x611 },
	{ "cgroup_set_idle", 0x613 },
	{ "bpf_task_work_schedule_resume", 0x700 },
	{ "bpf_task_work_schedule_resume_impl", 0x612 },
	{ "scx_bpf_dsq_insert", 0x60d },
	{ "scx_bpf_dsq_insert_vtime", 0x60d },
	{ "scx_bpf_dsq_move_to_local", 0x60d },
	{ "scx_bpf_dsq_move", 0x60d },
	{ "scx_bpf_dsq_move_vtime", 0x60d },
	{ "scx_bpf_dsq_move_set_slice", 0x60d },
	{ "scx_bpf_dsq_move_set_vtime", 0x60d },
	{ "scx_bpf_now", 0x60e },
	{ "scx_bpf_select_cpu_and", 0x610 },
	{ "scx_bpf_reenqueue_local", 0x60c },
	{ "scx_bpf_cpu_curr", 0x612 },
	{ "scx_bpf_cpu_node", 0x60f },
	{ "scx_bpf_task_cgroup", 0x60c },
	{ "scx_bpf_dsq_insert___v2", 0x613 },
	{ "__scx_bpf_dsq_insert_vtime", 0x613 },
	{ "__scx_bpf_select_cpu_and", 0x613 },
	{ "scx_bpf_task_set_slice", 0x613 },
	{ "scx_bpf_task_set_dsq_vtime", 0x613 },
	{ "scx_bpf_dsq_peek", 0x613 },
	{ "scx_bpf_reenqueue_local___v2", 0x613 },
	{ "scx_bpf_dsq_move_to_local___v2", 0x701 },
	{ "scx_bpf_dsq_reenq", 0x701 },
};

/* libbpf takes a name up to its last `___`. */
bool host_has(const char *function)
{
	size_t length = strlen(function);

	for (const char *at = strstr(function, "___"); at; at = strstr(at + 1, "___"))
		length = at - function;
	for (u32 i = 0; i < NR(functions); i++) {
		if (strlen(functions[i].name) == length &&
		    !strncmp(functions[i].name, function, length))
			return kernel_version >= functions[i].since;
	}
	fail("the model does not know since when there is %s", function);
}

void set_constant(const char *name, u64 *to)
{
	for (u32 i = 0; i < NR(constants); i++) {
		if (!strcmp(constants[i].name, name)) {
			*to = kernel_version >= constants[i].since ? constants[i].value : 0;
			return;
		}
	}
	fail("the model does not know the constant %s", name);
}

/* clang puts constants into read-only memory; libbpf sets them before it is that. */
