/* SPDX-License-Identifier: GPL-2.0-only */
/* Groups of the machine's CPUs, by what the kernel shows below SYSTEM_DIR. Nothing here logs. */
#ifndef GTHULHU_TOPOLOGY_H
#define GTHULHU_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>

#define SYSTEM_DIR "/sys/devices/system"

struct cpu_list;
struct gthulhu_group;

/*
 * Reads the online CPUs of a group. Returns 0, or -ENOENT if the machine has no such group; `*cpus` is
 * unspecified then, and have, of size bytes, lists the existing groups ("node 0-1"). system is
 * SYSTEM_DIR except in tests.
 */
int topology_group(const char *system, const struct gthulhu_group *group, struct cpu_list *cpus,
		   char *have, size_t size);

/* Whether the loader chooses the CPUs of a group. */
bool topology_is_choice(const struct gthulhu_group *group);

/*
 * Chooses as many of the free CPUs as group asks for: of one last-level cache if one has enough, else
 * of one node, else of all, as far as group allows that; whole cores first, from the last one down. The
 * same machine and free CPUs give the same choice. Returns 0; or -ENOENT if there are too few, and
 * `*cpus` is unspecified then.
 */
int topology_choose(const char *system, const struct gthulhu_group *group,
		    const struct cpu_list *free, struct cpu_list *cpus);

/* Reads the CPUs that are online. Returns 0 or -errno; on failure `*cpus` is unspecified. */
int topology_online(const char *system, struct cpu_list *cpus);

/* Reads the numbers of the nodes that have CPUs, as topology_online does. */
int topology_nodes(const char *system, struct cpu_list *nodes);

/* Reads the CPUs that share a CPU's last-level cache; only the CPU if no cache is shown. */
void topology_llc(const char *system, unsigned int cpu, struct cpu_list *cpus);

/* Reads the online CPUs of a CPU's core; only the CPU if the kernel does not show it. */
void topology_core(const char *system, unsigned int cpu, struct cpu_list *core);

/* Writes a group as in the language, "node 1", "fast" or "4 of llc", to text. */
void topology_format(const struct gthulhu_group *group, char *text, size_t size);

#endif /* GTHULHU_TOPOLOGY_H */
