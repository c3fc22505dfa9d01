/* SPDX-License-Identifier: GPL-2.0-only */
/* What is known of cgroups, which may be those of containers. */
#ifndef GTHULHU_CONTAINERS_H
#define GTHULHU_CONTAINERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "labels/label_set.h"

struct object;

struct container {
	uint64_t id; /* of its cgroup */
	char *path; /* in the hierarchy, tidy; owned */
	struct label_set set;
};

struct containers {
	struct container *all; /* owned */
	size_t nr;
};

void containers_clear(struct containers *containers);

/* After the object is loaded: it gets the answers. */
int containers_fill(const struct containers *containers, const struct object *object);

/*
 * Says what is known of a cgroup and all below it of which nothing else is; the
 * facts are as in a label_set. The path is tidied. Returns the number of processes,
 * or -errno.
 */
int containers_set(struct containers *containers, const struct object *object, char *path,
		   bool complete, char *const *facts, size_t nr_facts);

/* Of this cgroup nothing is known but what is known of the one above. */
int containers_forget(struct containers *containers, const struct object *object, char *path);

/* The innermost one of a task that something is known of; NULL: none. */
const struct container *container_of_task(const struct containers *containers, pid_t tid);

#endif /* GTHULHU_CONTAINERS_H */
