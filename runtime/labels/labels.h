/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Labels of processes and of containers. They belong to the loader, not to a policy: the loader
 * writes their answers to the maps of the policy in force when it loads it and when labels change.
 * A map that all policies share has the number of each process's set of labels; the kernel copies
 * it to what the process starts. A container's labels are found by its cgroup.
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
	int processes_fd; /* process_labels; owned; negative: no policy asked for labels yet */
	struct label_set
		*sets; /* of processes, by number; the first is empty; owned; NULL: none yet */
	size_t nr_sets;
	struct containers containers;
};

/* Makes an empty set of labels; the caller must labels_close() it. */
void labels_init(struct labels *labels);

/* Frees everything and makes the set empty again, so that it may be closed again. */
void labels_close(struct labels *labels);

/* Before the object is loaded: gives it the shared map. Returns 0 or -errno. */
int labels_share(const struct labels *labels, struct object *object);

/* After it is loaded: writes the answers to its maps. Returns 0 or -errno. */
int labels_fill(struct labels *labels, struct object *object);

/*
 * Sets labels of a process and its descendants, `k=v`, or removes them, `k-`. Returns the number of
 * processes, or -errno. No label changes if a text is invalid, the policy asks for no labels or there
 * is no such process; after another failure some processes may have their new labels.
 */
int labels_change(struct labels *labels, const struct object *object, pid_t pid, char *const *texts,
		  size_t nr_texts);

#endif /* GTHULHU_LABELS_H */
