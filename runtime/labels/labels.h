/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Labels of processes and of containers. They are the loader's, not a policy's:
 * what they answer to the questions of the policy in force is written to its
 * maps when it is loaded, and when labels change. The kernel has the number of
 * a process's set of labels in a map that all policies share, and gives it to
 * what the process starts; a container's labels are known by its cgroup.
 */
#ifndef GTHULHU_LABELS_H
#define GTHULHU_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "labels/containers.h"
#include "labels/label_set.h"

struct object;

struct labels {
	int processes_fd; /* process_labels; negative: no policy has asked for labels yet */
	struct label_set *sets; /* of processes, by number; the first is empty; owned */
	size_t nr_sets;
	struct containers containers;
};

void labels_init(struct labels *labels);
void labels_close(struct labels *labels);

/* Before the object is loaded: it gets the map that all share. */
int labels_share(const struct labels *labels, struct object *object);

/* After: it gets the answers. */
int labels_fill(struct labels *labels, struct object *object);

/*
 * Gives a process and what it has started labels, `k=v`, or takes them away, `k-`.
 * Returns the number of processes, or -errno.
 */
int labels_change(struct labels *labels, const struct object *object, pid_t pid, char *const *texts,
		  size_t nr_texts);

#endif /* GTHULHU_LABELS_H */
