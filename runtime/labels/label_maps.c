// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "labels/answers.h"
#include "labels/label_maps.h"
#include "machine/processes.h"
#include "object/iterate.h"
#include "object/object.h"
#include "output/log.h"

/* For more processes one pass over all tasks is faster. */
#define MAX_SINGLE_ITERATIONS 64

struct bpf_map *label_map(const struct object *object, const char *name)
{
	return bpf_object__find_map_by_name(object->bpf, name);
}

struct bpf_program *relabel_program(const struct object *object)
{
	return bpf_object__find_program_by_name(object->bpf, "gthulhu_relabel");
}

int label_map_answer(const struct object *object, const char *name, const void *key,
		     const struct label_set *set)
{
	struct label_answers answers = label_answers(object, set);
	struct bpf_map *map = label_map(object, name);

	if (!map)
		return 0;
	if (bpf_map_update_elem(bpf_map__fd(map), key, &answers, BPF_ANY))
		return log_error(errno, NULL, "%s: cannot write to %s: %s", object->policy.name,
				 name, strerror(errno));
	return 0;
}

void label_map_erase(const struct object *object, const char *name, const void *key)
{
	struct bpf_map *map = label_map(object, name);

	if (map)
		bpf_map_delete_elem(bpf_map__fd(map), key);
}

int relabel(const struct object *object, const struct pids *processes)
{
	int err = 0;

	if (!relabel_program(object))
		return 0;
	if (processes->nr > MAX_SINGLE_ITERATIONS) {
		err = iterate_tasks(relabel_program(object), NULL);
	} else {
		for (size_t i = 0; i < processes->nr && !err; i++) {
			union bpf_iter_link_info info = { .task.pid = processes->all[i] };

			err = iterate_tasks(relabel_program(object), &info);
		}
	}
	if (err)
		return log_error(-err, NULL, "%s: cannot reclassify tasks: %s", object->policy.name,
				 strerror(-err));
	return 0;
}
