/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether cgroups count under a policy that leaves it to the machine: counts_cgroups in abi.h. */
#ifndef GTHULHU_FILL_CGROUPS_H
#define GTHULHU_FILL_CGROUPS_H

#include <stdbool.h>

struct kbtf;
struct object;

/* Returns true if an open object leaves it to the machine whether cgroups count. */
bool cgroups_are_optional(const struct object *object);

/* Returns true if cgroups do not count under an object that was filled in. */
bool cgroups_are_ignored(const struct object *object);

/*
 * Decides whether cgroups count under an open object, unless `object->cgroups` says so already. Where
 * they do not, it leaves out the maps and programs that are for cgroups alone. Warns if they should
 * count, but this kernel does not report them to schedulers. Returns 0 or -errno.
 */
int cgroups_fill(struct object *object, const struct kbtf *kernel);

/* Returns true if a loaded object would count cgroups if it were loaded now, and does not. */
bool cgroups_came(const struct object *object);

#endif /* GTHULHU_FILL_CGROUPS_H */
