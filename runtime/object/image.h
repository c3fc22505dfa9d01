/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_IMAGE_H
#define GTHULHU_IMAGE_H

#include <stddef.h>

/*
 * Reads the file at path into memory and checks that it is a whole BPF object of this machine's byte
 * order: every section lies within the file. name is for messages. Returns 0 or -errno. On success
 * the caller must free() `*image`, of `*size` bytes; on failure there is nothing to free.
 */
int image_read(const char *path, const char *name, void **image, size_t *size);

#endif /* GTHULHU_IMAGE_H */
