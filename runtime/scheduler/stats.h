/* SPDX-License-Identifier: GPL-2.0-only */
/* Counters of the scheduler in force, and the classes of tasks, as members of answers. */
#ifndef GTHULHU_STATS_H
#define GTHULHU_STATS_H

#include <stdbool.h>

#include "object/object.h"
#include "output/json.h"

struct labels;

/* Returns true if the object has counters. */
bool stats_are_kept(const struct object *object);

/*
 * Writes an array `classes`: the owner and the counters of each class, summed over the CPUs. If the
 * object counts only rules with `monitor`, it has fewer counters. Requires stats_are_kept().
 * Returns 0 or -errno; on failure the answer is incomplete and must be discarded.
 */
int stats_write(const struct object *object, struct json *json);

/*
 * Writes an array `classes` with their owners and an array `tasks` with their classes: of task tid,
 * or of all tasks if it is 0. If the policy asks for labels, each task also has the number of its
 * `label_set`, see label_report.h. Returns 0 or -errno; on failure the answer must be discarded.
 */
int stats_write_tasks(const struct object *object, const struct labels *labels, int tid,
		      struct json *json);

#endif /* GTHULHU_STATS_H */
