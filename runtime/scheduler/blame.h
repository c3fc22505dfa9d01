/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_BLAME_H
#define GTHULHU_BLAME_H

#include "object/object.h"

/*
 * Writes which rule took the task that the kernel's message names, as in "rule `job`
 * (shop.gpl:12)", to text, which has size bytes. The object must still be loaded. Returns false if
 * the message names no task, or one that has ended; text is unspecified then.
 */
bool blame_find(const struct object *object, const char *msg, char *text, unsigned long size);

#endif /* GTHULHU_BLAME_H */
