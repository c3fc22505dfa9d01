/* SPDX-License-Identifier: GPL-2.0-only */
/* Opens an object and checks it against the ABI. */
#ifndef GTHULHU_OPEN_H
#define GTHULHU_OPEN_H

#include "object/object.h"

/*
 * Opens the object at path and checks it, without asking the kernel for anything. Returns 0 or
 * -errno. On success the caller must object_close() it. On failure the reason is logged and `*object`
 * is closed, so that nothing needs to be freed.
 */
int object_open(struct object *object, const char *path);

/*
 * The same for the content of a file, which stays the caller's, also on failure; path is only for
 * messages.
 */
int object_open_image(struct object *object, const char *path, const void *image, size_t size);

#endif /* GTHULHU_OPEN_H */
