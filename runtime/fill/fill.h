/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_FILL_H
#define GTHULHU_FILL_H

#include <stdint.h>

struct kbtf;
struct object;

/*
 * Writes what only the running machine knows into an open object, see abi.h. With hotplug_seq the
 * kernel refuses the object if a CPU came online or went offline since that was read. Returns 0 or
 * -errno; on failure the object is partly filled in and must not be loaded.
 */
int fill_object(struct object *object, const struct kbtf *kernel, uint64_t hotplug_seq);

#endif /* GTHULHU_FILL_H */
