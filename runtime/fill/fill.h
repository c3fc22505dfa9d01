/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_FILL_H
#define GTHULHU_FILL_H

#include <stdint.h>

struct kbtf;
struct object;

/*
 * Gives an open object what only the running kernel knows, as abi.h has it.
 * hotplug_seq makes the kernel refuse it if a CPU came or went since.
 */
int fill_object(struct object *object, const struct kbtf *kernel, uint64_t hotplug_seq);

#endif /* GTHULHU_FILL_H */
