// SPDX-License-Identifier: GPL-2.0-only
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "fill/pins.h"
#include "machine/processes.h"
#include "object/object.h"
#include "output/log.h"
#include "scheduler/classes.h"
#include "scheduler/guarantees.h"

/*
 * Returns the tightest limit on the way from a cgroup to the root, in thousandths of a CPU, and cuts
 * the path to that of its cgroup. Returns UINT64_MAX if none has a limit.
 */
static uint64_t find_tightest(char *path)
{
	uint64_t limit, tightest = UINT64_MAX;
	char above[GTHULHU_CGROUP_LEN];

	snprintf(above, sizeof(above), "%s", path);
	for (char *end; (end = strrchr(above, '/')); *end = '\0') {
		if (!cgroup_limit(above, &limit) || limit >= tightest)
			continue;
		tightest = limit;
		path[strlen(above)] = '\0';
	}
	return tightest;
}

static void check(const struct object *object, const struct gthulhu_guarantee *guarantee)
{
	uint64_t least = (uint64_t)guarantee->low * pins_room(object, guarantee->pin), most;
	char path[GTHULHU_CGROUP_LEN], rule[256];

	snprintf(path, sizeof(path), "%.*s", GTHULHU_CGROUP_LEN - 1, guarantee->cgroup);
	most = find_tightest(path);
	if (most >= least || !class_owner(object, guarantee->class, rule, sizeof(rule)))
		return;
	log_warning("%s: %s guarantees its tasks %.3g CPUs, but they have at most %.3g by the "
		    "cpu.max of %s: raise that limit, or lower the `share`",
		    object->policy.name, rule, (double)least / 1000, (double)most / 1000,
		    log_printable(path));
}

void guarantees_check(const struct object *object)
{
	const struct gthulhu_guarantee *guarantees;
	struct variable var;

	if (!object_find(object, object->rodata, "policy_guarantees", &var) ||
	    !variable_holds(&var, struct gthulhu_guarantee))
		return;
	guarantees = var.data;
	for (size_t i = 0; i < var.size / sizeof(*guarantees); i++)
		check(object, &guarantees[i]);
}
