/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The numbers of queues. Each CPU has a queue of its own, whose number is the CPU's, for tasks
 * that can run nowhere else, or stay there by choice. In each cell of the machine, each domain has a
 * wide queue for tasks that any of its CPUs may take, and a narrow one for tasks that may not use all
 * of them. All wide queues of a domain share a rescue queue, for tasks that wait for too long; so do
 * all narrow ones.
 */
#ifndef GTHULHU_QUEUES_BPF_H
#define GTHULHU_QUEUES_BPF_H

#include "abi.h"
#include "kernel.bpf.h"

enum queue {
	/* + 2 * a domain: its wide one, + 1: its narrow one. A multiple of all queues of all cells. */
	FIRST_DOMAIN_QUEUE = 1 << 16,
	QUEUES_OF_CELL = 2 * DOMAIN_SLOTS,
	NR_PARTS = GTHULHU_CELLS_MAX * DOMAIN_SLOTS, /* of domains, in all cells */
	FIRST_RESCUE_QUEUE = 1 << 17, /* + a queue: its tasks that have waited too long */
};

/* No queue. */
#define NO_QUEUE (~0ULL)

/* The loader sets them: the number of cells, the cell of each CPU, and the NUMA node of each cell. */
const volatile u32 nr_cells = 1;
const volatile u8 cpu_cells[GTHULHU_CPUS_MAX];
const volatile u16 cell_nodes[GTHULHU_CELLS_MAX];
/* The cells of the same NUMA node as each one, as bits. */
const volatile u64 near_cells[GTHULHU_CELLS_MAX];

/*
 * The verifier knows it, and skips what a machine with one cell does not need. It analyses each
 * function, called or not, so those of machines with several cells begin with this, too.
 */
static __always_inline bool has_cells(void)
{
	return nr_cells > 1;
}

static __always_inline u64 wide_queue(u32 domain, u32 cell)
{
	return FIRST_DOMAIN_QUEUE + QUEUES_OF_CELL * (u64)cell + 2ULL * domain;
}

static __always_inline u64 narrow_queue(u32 domain, u32 cell)
{
	return wide_queue(domain, cell) + 1;
}

static __always_inline u32 domain_of(u64 queue)
{
	return queue % QUEUES_OF_CELL / 2;
}

static __always_inline u32 cell_of_queue(u64 queue)
{
	return queue / QUEUES_OF_CELL % GTHULHU_CELLS_MAX;
}

static __always_inline bool is_narrow(u64 queue)
{
	return queue >= FIRST_DOMAIN_QUEUE && queue & 1;
}

static __always_inline bool is_wide(u64 queue)
{
	return queue >= FIRST_DOMAIN_QUEUE && !(queue & 1);
}

/* The first cell of a set, which is not empty, from a number on; then from 0 on. */
static __always_inline u32 next_cell(u64 cells, u32 from)
{
	u64 later = cells & ~0ULL << from % GTHULHU_CELLS_MAX;
	u64 below;

	cells = later ?: cells;
	/* Counts the bits below the lowest one; without branches, which the verifier would follow. */
	below = (cells & -cells) - 1;
	below -= below >> 1 & 0x5555555555555555;
	below = (below & 0x3333333333333333) + (below >> 2 & 0x3333333333333333);
	below = (below + (below >> 4)) & 0x0f0f0f0f0f0f0f0f;
	below = below * 0x0101010101010101 >> 56;
	/* The compiler knows that it is below 64; the verifier does not, and is told by its users. */
	asm volatile("" : "+r"(below));
	return below;
}

/* Adds a cell to a set that all CPUs read: it is written only where that changes it. */
static __always_inline void add_cell(u64 *cells, u32 cell)
{
	u64 bit = 1ULL << cell % GTHULHU_CELLS_MAX;

	if (!(*cells & bit))
		__sync_fetch_and_or(cells, bit);
}

/* The queue among whose overdue tasks those of a queue are. */
static __always_inline u64 rescue_of(u64 queue)
{
	return queue < FIRST_DOMAIN_QUEUE ? queue : FIRST_DOMAIN_QUEUE + queue % QUEUES_OF_CELL;
}

#endif /* GTHULHU_QUEUES_BPF_H */
