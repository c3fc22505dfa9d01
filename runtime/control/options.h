/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_OPTIONS_H
#define GTHULHU_OPTIONS_H

#include "object/tunables.h"

/* The options of the command line. */
struct run_options {
	const char *path; /* of the object */
	const char *called; /* its name in messages; NULL: its path */
	const char *directory; /* the state directory */
	struct settings settings;
	bool force; /* also an object that was taken out by itself, see refused.h */
	bool dry_run; /* load it, and never enable it */
	bool take_over; /* wait for the loader that runs, and go on with its policy */
	unsigned int max_restarts; /* after ejections, within RESTART_PERIOD_MS */
	/*
	 * Receives a byte when the policy is in force; stdout and stderr go to the log from then on.
	 * Negative: no process waits.
	 */
	int ready_fd;
};

enum restart_limits {
	RESTARTS_USUAL = 3,
	RESTARTS_MOST = 100,
	RESTART_PERIOD_MS = 600000,
};

#endif /* GTHULHU_OPTIONS_H */
