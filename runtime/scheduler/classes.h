/* SPDX-License-Identifier: GPL-2.0-only */
/* Which class a task has, by what the scheduler keeps with it; and whose the class is. */
#ifndef GTHULHU_CLASSES_H
#define GTHULHU_CLASSES_H

#include <stdbool.h>
#include <stdint.h>

#include "object/object.h"

/* Where a loaded object keeps the class of a task. */
struct class_reader {
	int map_fd;
	unsigned int offset; /* of the class in a value */
	char *value; /* owned */
};

/* False: it keeps none, or memory ran out. */
bool class_reader_open(struct class_reader *reader, const struct object *object);

void class_reader_close(struct class_reader *reader);

/* The class of a task, main thread or not. False: it is not there, or not known to the scheduler. */
bool class_of_task(const struct class_reader *reader, int tid, uint32_t *class);

/* Whose the classes are, one after the other, as in "rule `job` (shop.gpl:12)". */
struct class_owners {
	const char *next, *end;
};

void class_owners_begin(struct class_owners *owners, const struct object *object);

/* False: there are no more classes. */
bool class_owners_next(struct class_owners *owners, char *text, unsigned long size);

/* The same for one of them. False: there is no class of that number. */
bool class_owner(const struct object *object, uint32_t class, char *text, unsigned long size);

#endif /* GTHULHU_CLASSES_H */
