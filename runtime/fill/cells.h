/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes the machine's cells into an object. */
#ifndef GTHULHU_FILL_CELLS_H
#define GTHULHU_FILL_CELLS_H

#include <stdbool.h>

struct object;

/*
 * Sets nr_cells, cpu_cells, cell_nodes, near_cells, cpu_siblings and has_siblings, as far as the
 * object has them. Returns 0 or -errno, and logs what is wrong.
 */
int cells_fill(struct object *object);

/* After cells_fill: whether the machine has one cell, for this object. */
bool cells_has_one(const struct object *object);

#endif /* GTHULHU_FILL_CELLS_H */
