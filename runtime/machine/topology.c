// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "machine/kernel.h"
#include "machine/topology.h"

#define CACHES_MAX 16

static int read_cpus(const char *path, struct cpu_list *cpus)
{
	char text[4096];
	int err;

	err = kernel_read_line(path, text, sizeof(text));
	if (err)
		return err;
	return cpu_list_parse(text, cpus) ? 0 : -EINVAL;
}

int topology_online(const char *system, struct cpu_list *online)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/cpu/online", system);
	return read_cpus(path, online);
}

int topology_nodes(const char *system, struct cpu_list *nodes)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/node/has_cpu", system);
	return read_cpus(path, nodes);
}

static int find_node(const char *system, unsigned int number, struct cpu_list *cpus, char *have,
		     size_t size)
{
	char path[256];
	char nodes[128];

	snprintf(path, sizeof(path), "%s/node/node%u/cpulist", system, number);
	if (!read_cpus(path, cpus) && cpus->nr_cpus)
		return 0;
	/* A node may have memory and no CPU. */
	snprintf(path, sizeof(path), "%s/node/has_cpu", system);
	if (kernel_read_line(path, nodes, sizeof(nodes)))
		snprintf(have, size, "no nodes");
	else
		snprintf(have, size, "node %s", nodes);
	return -ENOENT;
}

void topology_llc(const char *system, unsigned int cpu, struct cpu_list *cpus)
{
	char path[256];

	for (int index = CACHES_MAX - 1; index >= 0; index--) {
		snprintf(path, sizeof(path), "%s/cpu/cpu%u/cache/index%d/shared_cpu_list", system,
			 cpu, index);
		if (!read_cpus(path, cpus) && cpus->nr_cpus)
			return;
	}
	memset(cpus, 0, sizeof(*cpus));
	cpu_list_add(cpus, cpu);
}

static int find_llc(const char *system, const struct cpu_list *online, unsigned int number,
		    struct cpu_list *cpus, char *have, size_t size)
{
	struct cpu_list seen = {};
	unsigned int nr = 0;

	for (unsigned int cpu = 0; cpu < sizeof(seen.words) * 8; cpu++) {
		if (!cpu_list_has(online, cpu) || cpu_list_has(&seen, cpu))
			continue;
		topology_llc(system, cpu, cpus);
		if (nr++ == number)
			return 0;
		for (size_t word = 0; word < sizeof(seen.words) / sizeof(seen.words[0]); word++)
			seen.words[word] |= cpus->words[word];
	}
	snprintf(have, size, nr > 1 ? "llc 0-%u" : "llc %u", nr - 1);
	return -ENOENT;
}

/* Reads a number that the kernel has for each CPU; false if not for this one. */
static bool read_speed(const char *system, const char *file, unsigned int cpu, unsigned long *speed)
{
	char path[256];
	char text[32];

	snprintf(path, sizeof(path), "%s/cpu/cpu%u/%s", system, cpu, file);
	if (kernel_read_line(path, text, sizeof(text)))
		return false;
	*speed = strtoul(text, NULL, 10);
	return *speed > 0;
}

/* The extremes of that number; false if not all CPUs have it. */
static bool find_speeds(const char *system, const char *file, const struct cpu_list *online,
			unsigned long *least, unsigned long *most)
{
	*least = ~0UL;
	*most = 0;
	for (unsigned int cpu = 0; cpu < sizeof(online->words) * 8; cpu++) {
		unsigned long speed;

		if (!cpu_list_has(online, cpu))
			continue;
		if (!read_speed(system, file, cpu, &speed))
			return false;
		*least = speed < *least ? speed : *least;
		*most = speed > *most ? speed : *most;
	}
	return true;
}

/*
 * Cores of one kind may differ by a few per cent (favoured cores): those within a tenth of the
 * extreme are of its kind.
 */
static void find_by_speed(const char *system, const struct cpu_list *online, bool fast,
			  struct cpu_list *cpus)
{
	const char *file = "cpu_capacity";
	unsigned long least, most;
	bool known;

	known = find_speeds(system, file, online, &least, &most);
	if (!known) {
		file = "cpufreq/cpuinfo_max_freq";
		known = find_speeds(system, file, online, &least, &most);
	}
	memset(cpus, 0, sizeof(*cpus));
	for (unsigned int cpu = 0; cpu < sizeof(online->words) * 8; cpu++) {
		unsigned long speed;

		if (!cpu_list_has(online, cpu))
			continue;
		if (!known || !read_speed(system, file, cpu, &speed) ||
		    (fast ? speed >= most - most / 10 : speed <= least + least / 10))
			cpu_list_add(cpus, cpu);
	}
}

int topology_group(const char *system, const struct gthulhu_group *group, struct cpu_list *cpus,
		   char *have, size_t size)
{
	struct cpu_list online;

	if (topology_online(system, &online)) {
		snprintf(have, size, "no list of CPUs in %s", system);
		return -ENOENT;
	}
	switch (group->kind) {
	case GTHULHU_GROUP_NODE:
		return find_node(system, group->number, cpus, have, size);
	case GTHULHU_GROUP_LLC:
		return find_llc(system, &online, group->number, cpus, have, size);
	case GTHULHU_GROUP_FAST:
	case GTHULHU_GROUP_SLOW:
		find_by_speed(system, &online, group->kind == GTHULHU_GROUP_FAST, cpus);
		return 0;
	}
	snprintf(have, size, "no groups of kind %u", group->kind);
	return -ENOENT;
}

bool topology_is_choice(const struct gthulhu_group *group)
{
	return group->kind == GTHULHU_GROUP_ANY || group->kind == GTHULHU_GROUP_OF_LLC ||
		group->kind == GTHULHU_GROUP_OF_NODE;
}

static unsigned int count_free(const struct cpu_list *cpus, const struct cpu_list *free)
{
	unsigned int nr = 0;

	for (size_t word = 0; word < sizeof(free->words) / sizeof(free->words[0]); word++)
		nr += __builtin_popcountll(cpus->words[word] & free->words[word]);
	return nr;
}

void topology_core(const char *system, unsigned int cpu, struct cpu_list *core)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/cpu/cpu%u/topology/thread_siblings_list", system, cpu);
	if (!read_cpus(path, core))
		return;
	memset(core, 0, sizeof(*core));
	cpu_list_add(core, cpu);
}

/* Takes whole cores, from the last one down, until there are nr CPUs. */
static void take_cores(const char *system, const struct cpu_list *from, const struct cpu_list *free,
		       unsigned int nr, struct cpu_list *cpus)
{
	memset(cpus, 0, sizeof(*cpus));
	for (int cpu = sizeof(free->words) * 8 - 1; cpu >= 0 && cpus->nr_cpus < nr; cpu--) {
		struct cpu_list core;

		if (!cpu_list_has(from, cpu) || !cpu_list_has(free, cpu) || cpu_list_has(cpus, cpu))
			continue;
		topology_core(system, cpu, &core);
		for (unsigned int thread = 0; thread < sizeof(free->words) * 8; thread++) {
			if (cpus->nr_cpus < nr && cpu_list_has(&core, thread) &&
			    cpu_list_has(from, thread) && cpu_list_has(free, thread))
				cpu_list_add(cpus, thread);
		}
	}
}

/* The last of the caches, or of the nodes, that has enough free CPUs; false: none has. */
static bool find_near(const char *system, unsigned int kind, unsigned int nr,
		      const struct cpu_list *free, struct cpu_list *near)
{
	struct gthulhu_group place = { .kind = kind };
	struct cpu_list cpus;
	bool found = false;
	char have[256];

	/* Nodes may have gaps in their numbers; caches have none. */
	for (; place.number < sizeof(free->words) * 8; place.number++) {
		if (topology_group(system, &place, &cpus, have, sizeof(have))) {
			if (kind == GTHULHU_GROUP_LLC)
				break;
			continue;
		}
		if (count_free(&cpus, free) < nr)
			continue;
		*near = cpus;
		found = true;
	}
	return found;
}

int topology_choose(const char *system, const struct gthulhu_group *group,
		    const struct cpu_list *free, struct cpu_list *cpus)
{
	unsigned int nr = group->number;
	struct cpu_list near;
	bool found = false;

	if (group->kind != GTHULHU_GROUP_OF_NODE)
		found = find_near(system, GTHULHU_GROUP_LLC, nr, free, &near);
	if (!found && group->kind != GTHULHU_GROUP_OF_LLC)
		found = find_near(system, GTHULHU_GROUP_NODE, nr, free, &near);
	if (!found && group->kind == GTHULHU_GROUP_ANY) {
		near = *free;
		found = count_free(free, free) >= nr;
	}
	if (!found)
		return -ENOENT;
	take_cores(system, &near, free, nr, cpus);
	return 0;
}

void topology_format(const struct gthulhu_group *group, char *text, size_t size)
{
	if (group->kind == GTHULHU_GROUP_NODE)
		snprintf(text, size, "node %u", group->number);
	else if (group->kind == GTHULHU_GROUP_LLC)
		snprintf(text, size, "llc %u", group->number);
	else if (group->kind == GTHULHU_GROUP_ANY)
		snprintf(text, size, "any %u", group->number);
	else if (topology_is_choice(group))
		snprintf(text, size, "%u of %s", group->number,
			 group->kind == GTHULHU_GROUP_OF_LLC ? "llc" : "node");
	else
		snprintf(text, size, group->kind == GTHULHU_GROUP_FAST ? "fast" : "slow");
}
