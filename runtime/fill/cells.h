/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes the machine's cells and nodes into an object. */
#ifndef GTHULHU_FILL_CELLS_H
#define GTHULHU_FILL_CELLS_H

#include <stdbool.h>

struct object;

/*
 * Sets nr_cells, cpu_cells, near_cells and cpu_nodes, as far as the object has them. Returns 0 or
 * -errno, and logs what is wrong.
 */
int cells_fill(struct object *object);

/* Whether cells_fill found several NUMA nodes. */
bool cells_have_nodes(const struct object *object);

#endif /* GTHULHU_FILL_CELLS_H */
