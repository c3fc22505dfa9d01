/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_REPORT_H
#define GTHULHU_REPORT_H

#include "abi.h"

/* How a scheduler ended, by the kernel's account. */
enum ending {
	ENDING_NONE, /* it has not */
	ENDING_STOPPED, /* this loader has taken it out */
	ENDING_RESTART, /* the kernel asks to load it again: a CPU came or went */
	ENDING_DISABLED, /* on request of an operator or of the policy */
	ENDING_ERROR, /* an error or a stall */
};

enum ending report_ending(const struct gthulhu_exit *report);

/*
 * The report in one line: "runnable task stall (job[17] failed to run for 2.0s)".
 * Terminates and cleans the report's strings in place.
 */
void report_format(struct gthulhu_exit *report, char *text, unsigned long size);

#endif /* GTHULHU_REPORT_H */
