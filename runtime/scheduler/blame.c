// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's messages name a task by name and number. Its class is in the task's storage, which
 * outlives the scheduler, so nothing needs to be recorded while the scheduler is in force.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "scheduler/blame.h"
#include "scheduler/classes.h"

/* Returns the last "[number]", 0 if there is none: an earlier one may be in the task's name. */
static int task_in(const char *msg)
{
	int found = 0;

	for (const char *at = strchr(msg, '['); at; at = strchr(at + 1, '[')) {
		char *end;
		long pid = strtol(at + 1, &end, 10);

		if (end > at + 1 && *end == ']' && pid > 0 && pid <= INT32_MAX)
			found = (int)pid;
	}
	return found;
}

bool blame_find(const struct object *object, const char *msg, char *text, unsigned long size)
{
	struct class_reader reader;
	uint32_t class;
	int pid = task_in(msg);
	bool found;

	if (!pid || !class_reader_open(&reader, object))
		return false;
	found = class_of_task(&reader, pid, &class) && class_owner(object, class, text, size);
	class_reader_close(&reader);
	return found;
}
