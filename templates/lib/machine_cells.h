/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Divides a machine into cells: CPUs that share a last-level cache, at most 16 of them, share one
 * queue for each domain. The loader and the model of the machine use it.
 */
#ifndef GTHULHU_MACHINE_CELLS_H
#define GTHULHU_MACHINE_CELLS_H

#include "abi.h"

#ifndef CELL_CPUS
#define CELL_CPUS 16
#endif

enum {
	GTHULHU_CELL_CPUS = CELL_CPUS, /* limit */
	/* Caches of fewer CPUs share a cell: one queue serves them all without contention. */
	GTHULHU_LEAST_CELL_CPUS = 4,
};

/* Where a CPU is. The numbers may have gaps; `core` is any of its hardware threads. */
struct gthulhu_cpu_place {
	int node;
	int llc;
	int core;
	int online;
};

/* The division, as an object gets it. Offline CPUs are in cell 0. */
struct gthulhu_cells {
	unsigned int nr;
	unsigned char of_cpu[GTHULHU_CPUS_MAX];
	unsigned short nodes[GTHULHU_CELLS_MAX];
	unsigned long long near[GTHULHU_CELLS_MAX]; /* the cells of the same node, as bits */
	/* The next thread of each CPU's core, in a circle; itself if it is the only one. */
	unsigned short siblings[GTHULHU_CPUS_MAX];
	unsigned char has_siblings; /* some core has several threads, and there are several cells */
};

/* The cells while they are made: there may be one for each CPU. */
struct gthulhu_cell_draft {
	unsigned int nr;
	unsigned int size; /* CPUs in the last one */
	int is_small; /* the last one has caches of few CPUs */
	int nodes[GTHULHU_CPUS_MAX];
	short of_cpu[GTHULHU_CPUS_MAX]; /* -1: none yet */
};

static inline int gthulhu_share_llc(const struct gthulhu_cpu_place *a,
				    const struct gthulhu_cpu_place *b)
{
	return b->online && a->node == b->node && a->llc == b->llc;
}

static inline void gthulhu_begin_cell(struct gthulhu_cell_draft *draft, int node, int is_small)
{
	draft->nodes[draft->nr++] = node;
	draft->size = 0;
	draft->is_small = is_small;
}

/* The CPUs that share a cache, of which `first` is the lowest, get cells. Cores stay whole. */
static inline void gthulhu_divide_llc(struct gthulhu_cell_draft *draft,
				      const struct gthulhu_cpu_place *cpus, unsigned int nr,
				      unsigned int first)
{
	const struct gthulhu_cpu_place *place = &cpus[first];
	unsigned int size = 0, part;
	int is_small;

	for (unsigned int cpu = first; cpu < nr; cpu++)
		size += gthulhu_share_llc(place, &cpus[cpu]);
	is_small = size < GTHULHU_LEAST_CELL_CPUS;
	part = (size + GTHULHU_CELL_CPUS - 1) / GTHULHU_CELL_CPUS;
	part = (size + part - 1) / part;
	if (!is_small || !draft->nr || !draft->is_small ||
	    draft->nodes[draft->nr - 1] != place->node || draft->size + size > GTHULHU_CELL_CPUS)
		gthulhu_begin_cell(draft, place->node, is_small);
	for (unsigned int cpu = first; cpu < nr; cpu++) {
		if (!gthulhu_share_llc(place, &cpus[cpu]) || draft->of_cpu[cpu] >= 0)
			continue;
		if (!is_small && draft->size >= part)
			gthulhu_begin_cell(draft, place->node, is_small);
		for (unsigned int thread = cpu; thread < nr; thread++) {
			if (gthulhu_share_llc(place, &cpus[thread]) &&
			    cpus[thread].core == cpus[cpu].core) {
				draft->of_cpu[thread] = (short)(draft->nr - 1);
				draft->size++;
			}
		}
	}
}

/* The lowest node above another one; -1: there is none. */
static inline int gthulhu_next_node(const struct gthulhu_cpu_place *cpus, unsigned int nr, int node)
{
	int next = -1;

	for (unsigned int cpu = 0; cpu < nr; cpu++) {
		if (cpus[cpu].online && cpus[cpu].node > node &&
		    (next < 0 || cpus[cpu].node < next))
			next = cpus[cpu].node;
	}
	return next;
}

/* The next thread of a CPU's core that is online, in a circle. */
static inline unsigned int gthulhu_sibling(const struct gthulhu_cpu_place *cpus, unsigned int nr,
					   unsigned int cpu)
{
	for (unsigned int i = 1; i < nr; i++) {
		const struct gthulhu_cpu_place *other = &cpus[(cpu + i) % nr];

		if (gthulhu_share_llc(&cpus[cpu], other) && other->core == cpus[cpu].core)
			return (cpu + i) % nr;
	}
	return cpu;
}

/* Divides the online ones of nr CPUs; numbers of nodes, caches and cores are not negative. */
static inline void gthulhu_divide(const struct gthulhu_cpu_place *cpus, unsigned int nr,
				  struct gthulhu_cells *cells)
{
	struct gthulhu_cell_draft draft = {};
	unsigned int shift = 0;

	if (nr > GTHULHU_CPUS_MAX)
		nr = GTHULHU_CPUS_MAX;
	for (unsigned int cpu = 0; cpu < GTHULHU_CPUS_MAX; cpu++)
		draft.of_cpu[cpu] = -1;
	for (int node = gthulhu_next_node(cpus, nr, -1); node >= 0;
	     node = gthulhu_next_node(cpus, nr, node)) {
		for (unsigned int cpu = 0; cpu < nr; cpu++) {
			if (cpus[cpu].online && cpus[cpu].node == node && draft.of_cpu[cpu] < 0)
				gthulhu_divide_llc(&draft, cpus, nr, cpu);
		}
	}
	/* Neighbours share a cell if there are too many. */
	while (draft.nr && (draft.nr - 1) >> shift >= GTHULHU_CELLS_MAX)
		shift++;
	*cells = (struct gthulhu_cells){ .nr = draft.nr ? ((draft.nr - 1) >> shift) + 1 : 1 };
	for (unsigned int cpu = 0; cpu < nr; cpu++) {
		if (draft.of_cpu[cpu] < 0)
			continue;
		cells->of_cpu[cpu] = (unsigned char)(draft.of_cpu[cpu] >> shift);
		cells->siblings[cpu] = (unsigned short)gthulhu_sibling(cpus, nr, cpu);
		if (cells->siblings[cpu] != cpu && cells->nr > 1)
			cells->has_siblings = 1;
	}
	for (unsigned int cell = 0; cell < cells->nr; cell++) {
		cells->nodes[cell] = (unsigned short)draft.nodes[cell << shift];
		for (unsigned int other = 0; other < cells->nr; other++) {
			if (draft.nodes[cell << shift] == draft.nodes[other << shift])
				cells->near[cell] |= 1ULL << other;
		}
	}
}

#endif /* GTHULHU_MACHINE_CELLS_H */
