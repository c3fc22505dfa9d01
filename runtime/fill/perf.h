/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_PERF_H
#define GTHULHU_PERF_H

struct object;

/*
 * Tells an open object whether CPUs run at what it asks for. Returns 0 or -errno; on failure the object
 * is unchanged.
 */
int perf_fill(struct object *object);

#endif /* GTHULHU_PERF_H */
