/* SPDX-License-Identifier: GPL-2.0-only */
/* The state of a running loader; only for run.c, generation.c and requests.c. */
#ifndef GTHULHU_CONTEXT_H
#define GTHULHU_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "control/control.h"
#include "control/options.h"
#include "control/state.h"
#include "labels/labels.h"
#include "scheduler/session.h"

struct context {
	const struct run_options *options;
	int signal_fd;
	struct state state;
	struct control control;
	struct session session; /* in force, or being loaded */
	struct retired retired;
	struct labels labels;
	struct client *stop_client; /* sent `stop` and waits for its answer; NULL: none */
	unsigned int published; /* the last generation that was put in force; 0: none */
	bool lost; /* a failed swap left no policy in force */
	int64_t ejected_ms[RESTARTS_MOST]; /* times of the reloads after ejections, a ring */
	unsigned int nr_ejected; /* number of those reloads */
};

#endif /* GTHULHU_CONTEXT_H */
