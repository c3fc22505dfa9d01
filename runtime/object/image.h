/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_IMAGE_H
#define GTHULHU_IMAGE_H

#include <stddef.h>

/*
 * Reads the file at path, which messages call by its name, into memory and makes
 * sure that it is a whole BPF object of this machine's byte order: every section
 * lies within the file.
 * On success *image is the caller's to free().
 */
int image_read(const char *path, const char *name, void **image, size_t *size);

#endif /* GTHULHU_IMAGE_H */
