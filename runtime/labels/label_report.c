// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "labels/label_report.h"
#include "labels/labels.h"
#include "machine/family.h"
#include "machine/processes.h"
#include "output/json.h"
#include "output/log.h"

uint32_t label_set_of_task(const struct labels *labels, pid_t tid)
{
	uint32_t number = 0;
	int fd;

	if (labels->processes_fd < 0)
		return 0;
	fd = thread_fd(tid);
	if (fd < 0)
		return 0;
	bpf_map_lookup_elem(labels->processes_fd, &fd, &number);
	close(fd);
	return number < labels->nr_sets ? number : 0;
}

static bool has(const struct labels *labels, pid_t tid, const char *fact)
{
	uint32_t number = label_set_of_task(labels, tid);
	const struct label_set *set = number ? &labels->sets[number] : NULL;

	for (size_t i = 0; set && i < set->nr; i++) {
		if (!strcmp(set->facts[i], fact))
			return true;
	}
	return false;
}

/*
 * Returns the process that a task inherited a label from: the oldest ancestor in an unbroken chain
 * of processes with this label. 0: the task's own process was labelled.
 */
static pid_t origin(const struct labels *labels, pid_t tid, const char *fact)
{
	struct process process;
	pid_t found = 0;

	for (pid_t pid = process_of(tid);
	     process_read(pid, &process) && process.parent && has(labels, process.parent, fact);
	     pid = found)
		found = process.parent;
	return found;
}

static void write_facts(struct json *json, const char *key, const struct label_set *set)
{
	json_array_begin(json, key);
	for (size_t i = 0; set && i < set->nr; i++) {
		json_element_begin(json);
		json_string(json, "fact", set->facts[i]);
		json_element_end(json);
	}
	json_array_end(json);
}

static void write_own(const struct labels *labels, pid_t tid, uint32_t number, const char *key,
		      struct json *json)
{
	const struct label_set *set = number ? &labels->sets[number] : NULL;

	json_array_begin(json, key);
	for (size_t i = 0; set && i < set->nr; i++) {
		pid_t from = origin(labels, tid, set->facts[i]);

		json_element_begin(json);
		json_string(json, "fact", set->facts[i]);
		if (from)
			json_number(json, "from", (uint64_t)from);
		json_element_end(json);
	}
	json_array_end(json);
}

static void write_container(const struct container *container, struct json *json)
{
	json_element_begin(json);
	json_string(json, "cgroup", container->path);
	write_facts(json, "facts", &container->set);
	json_bool(json, "complete", container->set.complete);
	json_element_end(json);
}

int label_report(const struct labels *labels, pid_t tid, struct json *json)
{
	const struct container *container;

	if (!process_of(tid))
		return log_error(ESRCH, NULL, "there is no process %d", tid);
	container = container_of_task(&labels->containers, tid);
	write_own(labels, tid, label_set_of_task(labels, tid), "own", json);
	json_string(json, "cgroup", container ? container->path : "");
	write_facts(json, "container", container ? &container->set : NULL);
	json_bool(json, "complete", container && container->set.complete);
	return 0;
}

void label_report_all(const struct labels *labels, struct json *json)
{
	json_array_begin(json, "label_sets");
	for (size_t i = 1; i < labels->nr_sets; i++) {
		json_element_begin(json);
		json_number(json, "number", i);
		write_facts(json, "facts", &labels->sets[i]);
		json_element_end(json);
	}
	json_array_end(json);
	json_array_begin(json, "containers");
	for (size_t i = 0; i < labels->containers.nr; i++) {
		const struct container *container = &labels->containers.all[i];

		/* The path may belong to another cgroup by now, without facts. */
		if (cgroup_id(container->path) == container->id)
			write_container(container, json);
	}
	json_array_end(json);
}

void label_report_task(const struct labels *labels, pid_t tid, struct json *json)
{
	const struct container *container = container_of_task(&labels->containers, tid);
	uint32_t number = label_set_of_task(labels, tid);

	json_array_begin(json, "label_sets");
	if (number) {
		json_element_begin(json);
		json_number(json, "number", number);
		write_own(labels, tid, number, "facts", json);
		json_element_end(json);
	}
	json_array_end(json);
	json_array_begin(json, "containers");
	if (container)
		write_container(container, json);
	json_array_end(json);
}
