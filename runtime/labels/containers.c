// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "labels/containers.h"
#include "labels/label_maps.h"
#include "machine/processes.h"
#include "object/object.h"
#include "output/log.h"

static int out_of_memory(void)
{
	return log_error(ENOMEM, NULL, "out of memory");
}

static void remove_container(struct containers *containers, struct container *container)
{
	free(container->path);
	label_set_clear(&container->set);
	*container = containers->all[--containers->nr];
}

void containers_clear(struct containers *containers)
{
	while (containers->nr)
		remove_container(containers, containers->all);
	free(containers->all);
	containers->all = NULL;
}

int containers_fill(const struct containers *containers, const struct object *object)
{
	int err = 0;

	for (size_t i = 0; i < containers->nr && !err; i++)
		err = label_map_answer(object, "cgroup_labels", &containers->all[i].id,
				       &containers->all[i].set);
	return err;
}

static int relabel_cgroup(const struct object *object, const char *path)
{
	struct pids processes = {};
	int err;

	err = cgroup_processes(path, &processes);
	if (err)
		log_error(-err, NULL, "cannot list the processes in %s: %s", path, strerror(-err));
	else
		err = relabel(object, &processes);
	if (!err)
		err = (int)processes.nr;
	free(processes.all);
	return err;
}

static struct container *find_container(const struct containers *containers, const char *path)
{
	for (size_t i = 0; i < containers->nr; i++) {
		if (!strcmp(containers->all[i].path, path))
			return &containers->all[i];
	}
	return NULL;
}

/* Removes cgroups that no longer exist. */
static void prune_removed(struct containers *containers, const struct object *object)
{
	for (size_t i = containers->nr; i-- > 0;) {
		struct container *container = &containers->all[i];

		if (cgroup_id(container->path) == container->id)
			continue;
		label_map_erase(object, "cgroup_labels", &container->id);
		remove_container(containers, container);
	}
}

/* Adds a cgroup without facts; NULL: logged. */
static struct container *add_container(struct containers *containers, const struct object *object,
				       const char *path)
{
	struct container *all;
	char *copy;

	if (containers->nr == GTHULHU_LABELLED_CGROUPS)
		prune_removed(containers, object);
	if (containers->nr == GTHULHU_LABELLED_CGROUPS) {
		log_error(ENOSPC, NULL, "more than %d cgroups have labels",
			  GTHULHU_LABELLED_CGROUPS);
		return NULL;
	}
	copy = strdup(path);
	all = realloc(containers->all, (containers->nr + 1) * sizeof(*all));
	if (all)
		containers->all = all;
	if (!copy || !all) {
		free(copy);
		out_of_memory();
		return NULL;
	}
	all += containers->nr++;
	*all = (struct container){ .path = copy };
	return all;
}

int containers_set(struct containers *containers, const struct object *object, char *path,
		   bool complete, char *const *facts, size_t nr_facts)
{
	struct label_set set = { .complete = complete };
	struct container *container;
	uint64_t id;
	int err = 0;

	cgroup_tidy(path);
	for (size_t i = 0; i < nr_facts && !err; i++) {
		err = label_set_put(&set, facts[i]);
		if (err == -EINVAL)
			log_error(EINVAL, NULL, "invalid fact about a container: `%s`", facts[i]);
		else if (err)
			out_of_memory();
	}
	id = cgroup_id(path);
	if (!err && !id)
		err = log_error(ENOENT, NULL, "there is no cgroup %s", path);
	container = err ? NULL : find_container(containers, path);
	if (!err && !container)
		container = add_container(containers, object, path);
	if (!container) {
		label_set_clear(&set);
		return err ? err : -ENOSPC;
	}
	if (container->id != id) /* the path belonged to another cgroup before */
		label_map_erase(object, "cgroup_labels", &container->id);
	label_set_clear(&container->set);
	container->id = id;
	container->set = set;
	err = label_map_answer(object, "cgroup_labels", &id, &container->set);
	return err ? err : relabel_cgroup(object, path);
}

int containers_forget(struct containers *containers, const struct object *object, char *path)
{
	struct container *container;

	cgroup_tidy(path);
	container = find_container(containers, path);
	if (!container)
		return 0;
	label_map_erase(object, "cgroup_labels", &container->id);
	remove_container(containers, container);
	return cgroup_id(path) ? relabel_cgroup(object, path) : 0;
}

/* The innermost cgroup with facts, at the path or above it; NULL: none. Changes path. */
static const struct container *container_of_path(const struct containers *containers, char *path)
{
	for (;;) {
		const struct container *found = find_container(containers, *path ? path : "/");
		char *slash = strrchr(path, '/');

		if (found && found->id == cgroup_id(found->path))
			return found;
		if (!slash || !strcmp(path, "/"))
			return NULL;
		*(slash == path ? slash + 1 : slash) = '\0';
	}
}

const struct container *container_of_task(const struct containers *containers, pid_t tid)
{
	char path[PATH_MAX];

	return cgroup_of(tid, path, sizeof(path)) ? container_of_path(containers, path) : NULL;
}
