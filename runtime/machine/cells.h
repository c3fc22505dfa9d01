/* SPDX-License-Identifier: GPL-2.0-only */
/* How the machine's CPUs are divided into cells, which have queues of their own. Nothing here logs. */
#ifndef GTHULHU_CELLS_READ_H
#define GTHULHU_CELLS_READ_H

#include "machine_cells.h"

/*
 * Divides the CPUs that are online: those that share a last-level cache, at most 16 of them, are a
 * cell. system is SYSTEM_DIR except in tests. If the kernel shows no nodes, there is one; caches and
 * cores that it does not show are of one CPU. Without a list of CPUs there is one cell.
 */
void cells_read(const char *system, struct gthulhu_cells *cells);

#endif /* GTHULHU_CELLS_READ_H */
