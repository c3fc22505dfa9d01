/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_REPORT_H
#define GTHULHU_REPORT_H

#include "abi.h"

/* How a scheduler ended, by the kernel's exit report. */
enum ending {
	ENDING_NONE, /* it has not ended */
	ENDING_STOPPED, /* this loader disabled it */
	ENDING_RESTART, /* the kernel asks for a reload after CPU hotplug */
	ENDING_DISABLED, /* disabled on request of an operator or of the policy */
	ENDING_ERROR, /* an error or a stall */
};

/* Returns how a scheduler ended. */
enum ending report_ending(const struct gthulhu_exit *report);

/*
 * Writes the report in one line to text, which has size bytes: "runnable task stall (job[17] failed
 * to run for 2.0s)". Terminates the report's strings and makes them printable, in place.
 */
void report_format(struct gthulhu_exit *report, char *text, unsigned long size);

#endif /* GTHULHU_REPORT_H */
