// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "machine/cells.h"
#include "machine/kernel.h"
#include "machine/topology.h"

static int first_cpu(const struct cpu_list *cpus)
{
	for (unsigned int cpu = 0; cpu < GTHULHU_CPUS_MAX; cpu++) {
		if (cpu_list_has(cpus, cpu))
			return (int)cpu;
	}
	return 0;
}

static void read_nodes(const char *system, struct gthulhu_cpu_place *places)
{
	struct gthulhu_group group = { .kind = GTHULHU_GROUP_NODE };
	struct cpu_list numbers;

	if (topology_nodes(system, &numbers))
		return;
	for (; group.number < GTHULHU_CPUS_MAX; group.number++) {
		struct cpu_list cpus;
		char have[256];

		if (!cpu_list_has(&numbers, group.number) ||
		    topology_group(system, &group, &cpus, have, sizeof(have)))
			continue;
		for (unsigned int cpu = 0; cpu < GTHULHU_CPUS_MAX; cpu++) {
			if (cpu_list_has(&cpus, cpu))
				places[cpu].node = (int)group.number;
		}
	}
}

void cells_read(const char *system, struct gthulhu_cells *cells)
{
	struct gthulhu_cpu_place places[GTHULHU_CPUS_MAX] = {};
	struct cpu_list online;

	if (topology_online(system, &online))
		memset(&online, 0, sizeof(online));
	for (unsigned int cpu = 0; cpu < GTHULHU_CPUS_MAX; cpu++) {
		struct cpu_list core, llc;

		if (!cpu_list_has(&online, cpu))
			continue;
		topology_llc(system, cpu, &llc);
		topology_core(system, cpu, &core);
		places[cpu] = (struct gthulhu_cpu_place){ .llc = first_cpu(&llc),
							  .core = first_cpu(&core),
							  .online = 1 };
	}
	read_nodes(system, places);
	gthulhu_divide(places, GTHULHU_CPUS_MAX, cells);
}
