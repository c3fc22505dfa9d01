/* SPDX-License-Identifier: GPL-2.0-only */
/* Opens an object and checks it against the ABI. */
#ifndef GTHULHU_OPEN_H
#define GTHULHU_OPEN_H

#include "object/object.h"

/*
 * Opens the object at path and checks it, without asking the kernel for
 * anything. On success the caller has to object_close() it.
 */
int object_open(struct object *object, const char *path);

/* The same with what has been read of path, which only messages name. */
int object_open_image(struct object *object, const char *path, const void *image, size_t size);

#endif /* GTHULHU_OPEN_H */
