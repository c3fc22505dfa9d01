/* SPDX-License-Identifier: GPL-2.0-only */
/* How the machine's CPUs are grouped, by what the kernel shows below SYSTEM_DIR. */
#ifndef GTHULHU_TOPOLOGY_H
#define GTHULHU_TOPOLOGY_H

#include <stddef.h>

#define SYSTEM_DIR "/sys/devices/system"

struct cpu_list;
struct gthulhu_group;

/*
 * The online CPUs of a group. 0, or -ENOENT where the machine has no such group;
 * have then says which there are ("node 0-1"). system is SYSTEM_DIR, but for tests.
 */
int topology_group(const char *system, const struct gthulhu_group *group, struct cpu_list *cpus,
		   char *have, size_t size);

/* The group as the language writes it: "node 1", "fast". */
void topology_format(const struct gthulhu_group *group, char *text, size_t size);

#endif /* GTHULHU_TOPOLOGY_H */
