/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_EXCERPT_H
#define GTHULHU_EXCERPT_H

#include <stddef.h>

struct btf;
struct kbtf;

/*
 * A file in memory for an excerpt of the kernel's types, and its path, for
 * libbpf. A file descriptor, the caller's to close, or -errno: do without.
 */
int excerpt_open(char *path, size_t size);

/* Puts into it what libbpf needs to relocate the object; 0 or -errno, silently. */
int excerpt_write(int fd, const struct kbtf *kernel, const struct btf *object);

#endif /* GTHULHU_EXCERPT_H */
