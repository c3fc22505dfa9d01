/* SPDX-License-Identifier: GPL-2.0-only */
/* A scheduler from its load to its end: one object, once. */
#ifndef GTHULHU_SESSION_H
#define GTHULHU_SESSION_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "loader.h"
#include "object/object.h"
#include "scheduler/calls.h"
#include "scheduler/report.h"

struct bpf_link;
struct labels;

/* What holds a policy in force. */
struct session {
	struct object object;
	unsigned int generation;
	char called[PATH_MAX]; /* the object, for people */
	struct bpf_link **links; /* tracing programs; owned */
	size_t nr_links;
	struct calls calls;
	struct bpf_link *ops_link; /* the scheduler itself; owned */
	void *exit_map; /* .data.exit, mapped; NULL before */
	size_t exit_map_size;
	char ops_name[128]; /* as in /sys/kernel/sched_ext/root/ops */
	bool enabled; /* the kernel has enabled it once */
	time_t since;
};

static inline const char *policy_name(const struct session *session)
{
	return session->object.policy.name;
}

/* Nothing is open yet; what follows is done in this order. */
void session_init(struct session *session);

/* Loads the object, which the kernel verifies, and tells it what labels there are. */
int session_load(struct session *session, struct labels *labels);

/* Attaches the programs beside the scheduler. */
int session_attach(struct session *session);

/* Puts the scheduler in force, if the kernel enables it: see enabled. */
int session_enable(struct session *session);

/* Whether it is in force, by its report and by /sys. */
bool session_in_force(const struct session *session);

/* By its report alone, which costs nothing. */
bool session_has_ended(const struct session *session);

enum ending session_ending(const struct session *session);

/* Takes the scheduler out, and waits until it is gone. */
void session_disable(struct session *session);

/* Takes out whatever is in; all but the object is gone then. */
void session_end(struct session *session);

/* Says how it ended, after session_disable(). */
enum exit_status session_conclude(const struct session *session, enum ending ending);

/* Objects of earlier lives that are kept: more than hotplug ejects within seconds. */
#define MAX_RETIRED 16

/*
 * Until 6.18 the kernel frees task storage in a worker that sleeps and may not
 * migrate; if its CPU is taken away meanwhile both wait for each other for ever,
 * and with them all that needs the hotplug lock. CPUs go in groups (SMT off), so
 * the objects of earlier lives stay until CPUs have been left alone for a while.
 */
struct retired {
	struct object objects[MAX_RETIRED];
	size_t nr;
};

/* Ends the session, if it has not ended, and takes its object over. */
void session_retire(struct retired *retired, struct session *session);

void retired_clear(struct retired *retired);

#endif /* GTHULHU_SESSION_H */
