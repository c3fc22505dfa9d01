/* SPDX-License-Identifier: GPL-2.0-only */
/* Interrupts by name, and the CPUs that serve them. Nothing here logs. */
#ifndef GTHULHU_INTERRUPTS_H
#define GTHULHU_INTERRUPTS_H

#include <stddef.h>

struct cpu_list;

/*
 * Adds to `*cpus` the CPUs that serve the interrupts with a name that a glob matches as a whole. root
 * is "" except in tests. Returns 0. If the glob matches no name, it returns -ENOENT, `*cpus` is
 * unchanged, and have, of size bytes, lists the names that this machine has: similar ones, or else
 * all.
 */
int interrupts_cpus(const char *root, const char *glob, struct cpu_list *cpus, char *have,
		    size_t size);

#endif /* GTHULHU_INTERRUPTS_H */
