/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_OPTIONS_H
#define GTHULHU_OPTIONS_H

#include "object/tunables.h"

/* What the command line wants. */
struct run_options {
	const char *path; /* of the object */
	const char *called; /* what it is called; NULL: its path */
	const char *folder; /* of the state */
	struct settings settings;
	unsigned int max_restarts; /* after ejections, in RESTART_PERIOD_MS */
	int ready_fd; /* gets a byte when the policy is in force, stdout and stderr go to the log then;
		       * negative: nobody waits */
};

enum restart_limits {
	RESTARTS_USUAL = 3,
	RESTARTS_MOST = 100,
	RESTART_PERIOD_MS = 600000,
};

#endif /* GTHULHU_OPTIONS_H */
