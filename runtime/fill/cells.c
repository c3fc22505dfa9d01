// SPDX-License-Identifier: GPL-2.0-only
#include "fill/cells.h"
#include "machine/cells.h"
#include "machine/topology.h"
#include "object/object.h"
#include "output/log.h"

int cells_fill(struct object *object)
{
	struct gthulhu_cells cells;
	int err;

	cells_read(SYSTEM_DIR, &cells);
	if (cells.nr > 1)
		log_verbose("%u cells of CPUs, each with queues of its own", cells.nr);
	err = object_set(object, "nr_cells", &cells.nr, sizeof(cells.nr));
	if (!err)
		err = object_set(object, "cpu_cells", cells.of_cpu, sizeof(cells.of_cpu));
	if (!err)
		err = object_set(object, "cell_nodes", cells.nodes, sizeof(cells.nodes));
	if (!err)
		err = object_set(object, "near_cells", cells.near, sizeof(cells.near));
	if (!err)
		err = object_set(object, "cpu_siblings", cells.siblings, sizeof(cells.siblings));
	if (!err)
		err = object_set(object, "has_siblings", &cells.has_siblings,
				 sizeof(cells.has_siblings));
	return err;
}

bool cells_has_one(const struct object *object)
{
	struct variable var;

	return !object_find(object, object->rodata, "nr_cells", &var) ||
		var.size != sizeof(uint32_t) || *(uint32_t *)var.data == 1;
}
