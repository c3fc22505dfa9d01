// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>

#include "fill/perf.h"
#include "machine/frequency.h"
#include "machine/topology.h"
#include "object/object.h"
#include "output/log.h"

int perf_fill(struct object *object)
{
	bool follows = frequency_follows_scheduler(SYSTEM_DIR);

	if (follows)
		log_verbose("schedutil: CPUs are asked for what their load needs");
	return object_set(object, "follows_load", &follows, sizeof(follows));
}
