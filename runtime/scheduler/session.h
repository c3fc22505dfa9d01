/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One scheduler in the kernel, from load to end. Call order: session_init(), open the object,
 * session_load(), session_attach(), session_enable(), session_disable(), session_conclude(),
 * session_retire(). session_retire() is valid at any point after session_init() and releases
 * everything; the caller must call it also after a failure.
 */
#ifndef GTHULHU_SESSION_H
#define GTHULHU_SESSION_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "loader.h"
#include "object/object.h"
#include "scheduler/calls.h"
#include "scheduler/conditions.h"
#include "scheduler/follow.h"
#include "scheduler/promises.h"
#include "scheduler/report.h"

struct bpf_link;
struct labels;

struct session {
	struct object object; /* owned */
	unsigned int generation;
	char called[PATH_MAX]; /* name of the object in messages */
	struct bpf_link **links; /* of tracing programs; owned */
	size_t nr_links;
	struct calls calls; /* owned */
	struct follow follow;
	struct promises promises; /* owned */
	struct conditions conditions; /* owned */
	struct bpf_link *ops_link; /* of the scheduler; owned; NULL: not attached */
	void *exit_map; /* .data.exit, mapped; owned; NULL: not loaded */
	size_t exit_map_size;
	char ops_name[128]; /* as in /sys/kernel/sched_ext/root/ops */
	uint64_t hotplug_seq; /* the kernel's count of CPU hotplug, before it was loaded */
	bool enabled; /* the kernel enabled the scheduler at least once */
	time_t since; /* when session_enable() returned */
};

static inline const char *policy_name(const struct session *session)
{
	return session->object.policy.name;
}

/* Makes an empty session without an object. */
void session_init(struct session *session);

/*
 * Fills in the open object, loads it into the kernel, which verifies it, and writes the answers of
 * labels to its maps. Returns 0 or -errno.
 */
int session_load(struct session *session, struct labels *labels);

/* Attaches the programs beside the scheduler. Returns 0 or -errno. */
int session_attach(struct session *session);

/*
 * Attaches the scheduler. Returns 0 or -errno. 0 does not mean that the kernel enabled it: that is
 * `session->enabled`.
 */
int session_enable(struct session *session);

/* Returns true if the scheduler is in force, by its exit report and by /sys. */
bool session_in_force(const struct session *session);

/* Returns true if the scheduler has ended, by its exit report alone, which costs nothing. */
bool session_has_ended(const struct session *session);

/*
 * Returns true if CPUs came or went since it was loaded. The kernel ends the scheduler then, but up to
 * 6.18 a nohz_full CPU that was offline cannot tell it to (docs/invariants.md).
 */
bool session_cpus_changed(const struct session *session);

/* Returns how the scheduler ended, by its exit report. The object must be loaded. */
enum ending session_ending(const struct session *session);

/* Detaches the scheduler and waits until the kernel has disabled it. */
void session_disable(struct session *session);

/* Logs how the scheduler ended, after session_disable(), and returns the exit status for it. */
enum exit_status session_conclude(const struct session *session, enum ending ending);

/* Retired objects that are kept: more than hotplug ejects within seconds. */
#define MAX_RETIRED 16

/*
 * Objects of ended sessions, which stay loaded for a while. Until 6.18 the kernel frees task
 * storage in a worker that sleeps and may not migrate. If its CPU goes offline meanwhile, the
 * worker and hotplug wait for each other for ever, and with them everything that needs the hotplug
 * lock. CPUs go offline in groups (SMT off), so objects stay until CPUs have been left alone.
 */
struct retired {
	struct object objects[MAX_RETIRED]; /* owned */
	size_t nr;
};

/*
 * Ends the session if it has not ended, frees all but its object, and moves the object to
 * `retired`. The session is as after session_init().
 */
void session_retire(struct retired *retired, struct session *session);

/* Closes all retired objects. */
void retired_clear(struct retired *retired);

#endif /* GTHULHU_SESSION_H */
