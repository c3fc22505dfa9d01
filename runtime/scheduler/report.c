// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "output/log.h"
#include "scheduler/report.h"

/*
 * Fixed parts of the kernel's interface (enum scx_exit_kind, scx_exit_code): the same since 6.12,
 * and user space relies on them.
 */
enum {
	EXIT_KIND_UNREG = 64,
	EXIT_KIND_UNREG_BPF = 65,
	EXIT_KIND_UNREG_KERN = 66,
	EXIT_KIND_SYSRQ = 67,
	EXIT_KIND_ERROR = 1024,
};

#define EXIT_CODE_ACT_RESTART (1LL << 48)

enum ending report_ending(const struct gthulhu_exit *report)
{
	if (!report->kind)
		return ENDING_NONE;
	if (report->kind >= EXIT_KIND_ERROR)
		return ENDING_ERROR;
	if (report->exit_code & EXIT_CODE_ACT_RESTART)
		return ENDING_RESTART;
	return report->kind == EXIT_KIND_UNREG ? ENDING_STOPPED : ENDING_DISABLED;
}

void report_format(struct gthulhu_exit *report, char *text, unsigned long size)
{
	report->reason[sizeof(report->reason) - 1] = '\0';
	report->msg[sizeof(report->msg) - 1] = '\0';
	report->dump[sizeof(report->dump) - 1] = '\0';
	log_printable(report->reason);
	log_printable(report->msg);

	if (!report->reason[0])
		snprintf(text, size, "exit kind %d", report->kind);
	else if (!report->msg[0])
		snprintf(text, size, "%s", report->reason);
	else
		snprintf(text, size, "%s (%s)", report->reason, report->msg);
}
