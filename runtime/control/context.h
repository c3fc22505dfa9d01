/* SPDX-License-Identifier: GPL-2.0-only */
/* The state of a running loader; only for files of this room. */
#ifndef GTHULHU_CONTEXT_H
#define GTHULHU_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "control/control.h"
#include "control/options.h"
#include "control/state.h"
#include "labels/labels.h"
#include "scheduler/session.h"

enum { FALLBACK_REASON = 640 };

/* The last time that the loader went back by itself; see fallback.h. */
struct fallback {
	unsigned int from, to; /* generations; from 0: never; to 0: the kernel's own scheduler */
	unsigned int times;
	time_t at;
	char policy[GTHULHU_NAME_LEN];
	char reason[FALLBACK_REASON];
};

/* A generation on trial; see trial.h. */
struct trial {
	unsigned int generation; /* 0: none */
	unsigned int from; /* the one that it replaced */
	int fd; /* of the client; owned */
	int64_t until_ms; /* as clock_ms() */
	char policy[GTHULHU_NAME_LEN];
	char ended[FALLBACK_REASON]; /* why it was ejected; empty: it was not */
};

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
	struct fallback fallback;
	struct trial trial;
	bool given_back; /* to the kernel's own scheduler, because a promise broke */
	unsigned int next; /* the generation to load after an ejection or hotplug */
	bool lost; /* a failed swap left no policy in force */
	int64_t ejected_ms[RESTARTS_MOST]; /* times of the reloads after ejections, a ring */
	unsigned int nr_ejected; /* number of those reloads */
};

#endif /* GTHULHU_CONTEXT_H */
