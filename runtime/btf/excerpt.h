/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_EXCERPT_H
#define GTHULHU_EXCERPT_H

#include <stddef.h>

struct btf;
struct kbtf;

/*
 * Creates a file in memory for an excerpt of the kernel's types and writes its path, for libbpf, to
 * path, which has size bytes. Returns a file descriptor, which the caller must close, or -errno,
 * silently: the object then loads without an excerpt.
 */
int excerpt_open(char *path, size_t size);

/* Writes the types to it that libbpf needs to relocate the object. Returns 0 or -errno, silently. */
int excerpt_write(int fd, const struct kbtf *kernel, const struct btf *object);

#endif /* GTHULHU_EXCERPT_H */
