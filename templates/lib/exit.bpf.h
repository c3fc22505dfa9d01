/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keeps why the kernel let the scheduler go, for the loader to read.
 */
#ifndef GTHULHU_EXIT_BPF_H
#define GTHULHU_EXIT_BPF_H

#include "kernel.bpf.h"
#include "abi.h"

struct gthulhu_exit exit_report SEC(".data.exit");

static __always_inline void report_exit(struct scx_exit_info *info)
{
	bpf_probe_read_kernel_str(exit_report.reason, sizeof(exit_report.reason), info->reason);
	bpf_probe_read_kernel_str(exit_report.msg, sizeof(exit_report.msg), info->msg);
	bpf_probe_read_kernel_str(exit_report.dump, sizeof(exit_report.dump), info->dump);
	exit_report.exit_code = info->exit_code;
	/* Last, and a barrier: the loader takes a kind that is not 0 for a complete report. */
	__sync_lock_test_and_set(&exit_report.kind, info->kind);
}

/*
 * Timers of a scheduler that has ended go on until its maps are freed. On 6.16 its queues are those
 * of the next one, which has the same numbers.
 */
static __always_inline bool has_ended(void)
{
	return exit_report.kind;
}

#endif /* GTHULHU_EXIT_BPF_H */
