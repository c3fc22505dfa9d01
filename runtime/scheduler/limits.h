/* SPDX-License-Identifier: GPL-2.0-only */
/* Counters of the cgroups whose limits a policy keeps, as members of an answer. */
#ifndef GTHULHU_LIMITS_H
#define GTHULHU_LIMITS_H

#include <stdbool.h>

#include "object/object.h"
#include "output/json.h"

/* Returns true if the object keeps cgroups' limits. */
bool limits_are_kept(const struct object *object);

/*
 * Writes an array `limits`: the path and the counters of each cgroup that has a limit now, at most
 * GTHULHU_SHOWN_LIMITS of them; and `limits_left_out`, the number of the others. Requires
 * limits_are_kept() and a loaded object. Returns 0 or -errno; on failure the answer is incomplete
 * and must be discarded.
 */
int limits_write(const struct object *object, struct json *json);

#endif /* GTHULHU_LIMITS_H */
