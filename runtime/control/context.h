/* SPDX-License-Identifier: GPL-2.0-only */
/* All that a running loader knows; for run.c, generation.c and requests.c alone. */
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
	struct session session; /* the policy in force, or about to be */
	struct retired retired;
	struct labels labels;
	struct client *stop_client; /* has asked for the end; NULL: nobody has */
	unsigned int published; /* the last generation that was in force */
	bool lost; /* an exchange has left nothing in force */
	int64_t ejected_ms[RESTARTS_MOST]; /* when it was loaded again for that, a ring */
	unsigned int nr_ejected; /* how often */
};

#endif /* GTHULHU_CONTEXT_H */
