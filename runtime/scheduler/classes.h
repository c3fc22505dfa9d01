/* SPDX-License-Identifier: GPL-2.0-only */
/* The class of a task, from its task storage, and the rule that owns a class. */
#ifndef GTHULHU_CLASSES_H
#define GTHULHU_CLASSES_H

#include <stdbool.h>
#include <stdint.h>

#include "object/object.h"

/* Reads the classes of tasks from a loaded object, which must outlive it. */
struct class_reader {
	int map_fd; /* owned by the object */
	unsigned int offset; /* of the class in a value */
	char *value; /* owned */
};

/*
 * Returns false if the object does not store classes, or on lack of memory; then nothing needs to be
 * closed.
 */
bool class_reader_open(struct class_reader *reader, const struct object *object);

/* Frees what class_reader_open() took; the reader cannot be used any longer. */
void class_reader_close(struct class_reader *reader);

/*
 * Writes the class of a task, main thread or not. Returns false if there is no such task or the
 * scheduler has not seen it; `*class` is unchanged then.
 */
bool class_of_task(const struct class_reader *reader, int tid, uint32_t *class);

/* Iterates over the owners of the classes, as in "rule `job` (shop.gpl:12)". */
struct class_owners {
	const char *next, *end; /* owned by the object */
};

/* Begins with the object's first owner. An object without a list of classes has no owners. */
void class_owners_begin(struct class_owners *owners, const struct object *object);

/* Writes the next owner to text, which has size bytes. Returns false if there are no more. */
bool class_owners_next(struct class_owners *owners, char *text, unsigned long size);

/* Writes the owner of one class to text. Returns false if there is no such class. */
bool class_owner(const struct object *object, uint32_t class, char *text, unsigned long size);

#endif /* GTHULHU_CLASSES_H */
