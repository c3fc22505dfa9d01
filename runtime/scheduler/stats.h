/* SPDX-License-Identifier: GPL-2.0-only */
/* What the scheduler in force has counted, and which class each task has, as parts of answers. */
#ifndef GTHULHU_STATS_H
#define GTHULHU_STATS_H

#include <stdbool.h>

#include "object/object.h"
#include "output/json.h"

struct labels;

/* Whether the scheduler counts anything at all. */
bool stats_are_kept(const struct object *object);

/*
 * The counters of each class, summed over the CPUs: an array `classes`, each with whose it
 * is. Where only rules with `monitor` are counted, the others have no counters.
 */
int stats_write(const struct object *object, struct json *json);

/*
 * An array `classes`, whose they are, and `tasks`, with their classes: tid alone, or all for 0.
 * Of a policy that asks for labels, each has the number of its `label_set`, too: label_report.h.
 */
int stats_write_tasks(const struct object *object, const struct labels *labels, int tid,
		      struct json *json);

#endif /* GTHULHU_STATS_H */
