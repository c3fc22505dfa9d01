/* SPDX-License-Identifier: GPL-2.0-only */
/* Facts about cgroups, which may belong to containers. */
#ifndef GTHULHU_CONTAINERS_H
#define GTHULHU_CONTAINERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "labels/label_set.h"

struct object;

struct container {
	uint64_t id; /* of the cgroup */
	char *path; /* in the cgroup tree, normalized; owned */
	struct label_set set;
};

/* Zeroed: empty. */
struct containers {
	struct container *all; /* owned */
	size_t nr;
};

/* Frees everything; `*containers` is empty then. */
void containers_clear(struct containers *containers);

/* Writes all answers to the maps of a loaded object. Returns 0 or -errno. */
int containers_fill(const struct containers *containers, const struct object *object);

/*
 * Sets the facts about a cgroup, as in struct label_set; they replace those set before. They hold
 * for all cgroups below that have no facts of their own. Normalizes path in place. Returns the
 * number of processes in them, or -errno. If a fact or the path is invalid, or memory or space runs
 * out, no facts change; after a later failure the new facts stay.
 */
int containers_set(struct containers *containers, const struct object *object, char *path,
		   bool complete, char *const *facts, size_t nr_facts);

/*
 * Forgets the facts about a cgroup; lookups fall back to its parent. Normalizes path in place.
 * Returns the number of processes in it, or -errno.
 */
int containers_forget(struct containers *containers, const struct object *object, char *path);

/*
 * Returns the innermost cgroup of a task that has facts; NULL: none has. Valid until `*containers`
 * changes.
 */
const struct container *container_of_task(const struct containers *containers, pid_t tid);

#endif /* GTHULHU_CONTAINERS_H */
