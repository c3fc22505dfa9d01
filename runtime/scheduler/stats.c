// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "labels/label_report.h"
#include "labels/label_set.h"
#include "object/questions.h"
#include "output/log.h"
#include "scheduler/classes.h"
#include "scheduler/stats.h"

/* An object has one of both structures of the ABI. */
union counters {
	struct gthulhu_class_stats tasks;
	struct gthulhu_class_counters all;
};

static struct bpf_map *stats_map(const struct object *object)
{
	return bpf_object__find_map_by_name(object->bpf, "class_stats");
}

bool stats_are_kept(const struct object *object)
{
	return stats_map(object);
}

/* Sums up the values of all CPUs: both structures consist of numbers of one type only. */
static void add_up(union counters *sum, const char *values, size_t size, int nr_cpus)
{
	unsigned long long *to = (unsigned long long *)sum;

	memset(sum, 0, sizeof(*sum));
	for (int cpu = 0; cpu < nr_cpus; cpu++) {
		const unsigned long long *from = (const void *)(values + cpu * size);

		for (size_t i = 0; i < size / sizeof(*to); i++)
			to[i] += from[i];
	}
}

static void write_counters(const struct gthulhu_class_counters *counters, struct json *json)
{
	json_number(json, "cut_slices", counters->cut_slices);
	json_number(json, "preemptions", counters->preemptions);
	json_number(json, "preempted", counters->preempted);
	json_number(json, "migrations", counters->migrations);
	json_number(json, "conflicts", counters->conflicts);
	json_number(json, "rescues", counters->rescues);
	json_number(json, "woken_ns", counters->woken.ns);
	json_numbers(json, "woken", counters->woken.buckets, GTHULHU_BUCKETS);
	json_number(json, "put_off_ns", counters->put_off.ns);
	json_numbers(json, "put_off", counters->put_off.buckets, GTHULHU_BUCKETS);
}

/* Begins the element of the next class; false if there are no more. */
static bool write_owner(struct class_owners *owners, struct json *json)
{
	char owner[512];

	if (!class_owners_next(owners, owner, sizeof(owner)))
		return false;
	json_element_begin(json);
	json_string(json, "owner", owner);
	return true;
}

/* Whether a class counts: without --stats only those that promises are about do. */
static bool is_counted(const struct object *object, uint32_t class)
{
	struct variable counted;
	const uint32_t *classes;

	if (!object_find(object, object->rodata, "policy_counted", &counted) ||
	    !variable_holds(&counted, uint32_t))
		return true;
	classes = counted.data;
	for (size_t i = 0; i < counted.size / sizeof(*classes); i++) {
		if (classes[i] == class)
			return true;
	}
	return false;
}

int stats_write(const struct object *object, struct json *json)
{
	struct bpf_map *map = stats_map(object);
	size_t size = bpf_map__value_size(map);
	bool counts_all = size == sizeof(struct gthulhu_class_counters);
	int nr_cpus = libbpf_num_possible_cpus(), err = 0;
	struct class_owners owners;
	union counters sum;
	char *values;

	if (!counts_all && size != sizeof(struct gthulhu_class_stats))
		return log_error(EINVAL, "use the loader of the release that compiled it",
				 "the policy's counters are of another release");
	if (nr_cpus < 0)
		return log_error(-nr_cpus, NULL, "cannot count the CPUs: %s", strerror(-nr_cpus));
	values = calloc((size_t)nr_cpus, size);
	if (!values)
		return log_error(ENOMEM, NULL, "out of memory");
	json_number(json, "first_bucket_bits", GTHULHU_FIRST_BUCKET_BITS);
	json_array_begin(json, "classes");
	class_owners_begin(&owners, object);
	for (uint32_t class = 0; !err && class < bpf_map__max_entries(map); class ++) {
		if (!write_owner(&owners, json))
			break;
		if (!is_counted(object, class))
			json_bool(json, "counted", false);
		if (bpf_map_lookup_elem(bpf_map__fd(map), &class, values))
			err = log_error(errno, NULL, "cannot read the counters: %s",
					strerror(errno));
		add_up(&sum, values, size, nr_cpus);
		json_number(json, "entered", sum.tasks.entered);
		json_number(json, "left", sum.tasks.left);
		json_number(json, "ran_ns", sum.tasks.ran_ns);
		if (counts_all)
			write_counters(&sum.all, json);
		json_element_end(json);
	}
	json_array_end(json);
	free(values);
	return err;
}

/* Which properties of tasks to write. */
struct question {
	struct class_reader reader;
	const struct labels *labels; /* NULL: the policy asks for none */
};

static void write_task(const struct question *question, int tid, struct json *json)
{
	uint32_t class;

	/* It may have ended since it was listed. */
	if (!class_of_task(&question->reader, tid, &class))
		return;
	json_element_begin(json);
	json_number(json, "tid", (uint64_t)tid);
	json_number(json, "class", class);
	if (question->labels)
		json_number(json, "label_set", label_set_of_task(question->labels, tid));
	json_element_end(json);
}

/* The number that is the name of a directory of /proc; 0: the name is not a number. */
static int parse_number(const struct dirent *entry)
{
	char *end;
	long number = strtol(entry->d_name, &end, 10);

	return *end || number <= 0 || number > INT32_MAX ? 0 : (int)number;
}

static void write_threads(const struct question *question, int pid, struct json *json)
{
	const struct dirent *entry;
	char path[64];
	DIR *directory;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	directory = opendir(path);
	if (!directory)
		return;
	while ((entry = readdir(directory))) {
		if (parse_number(entry))
			write_task(question, parse_number(entry), json);
	}
	closedir(directory);
}

static int write_all(const struct question *question, struct json *json)
{
	const struct dirent *entry;
	DIR *directory = opendir("/proc");

	if (!directory)
		return log_error(errno, NULL, "cannot read /proc: %s", strerror(errno));
	while ((entry = readdir(directory))) {
		if (parse_number(entry))
			write_threads(question, parse_number(entry), json);
	}
	closedir(directory);
	return 0;
}

int stats_write_tasks(const struct object *object, const struct labels *labels, int tid,
		      struct json *json)
{
	struct question question = { .labels = questions_any(object) ? labels : NULL };
	struct class_owners owners;
	int err = 0;

	if (!class_reader_open(&question.reader, object))
		return log_error(EINVAL, "compile the policy again",
				 "the object does not record a task's class");
	json_array_begin(json, "classes");
	class_owners_begin(&owners, object);
	while (write_owner(&owners, json))
		json_element_end(json);
	json_array_end(json);
	json_array_begin(json, "tasks");
	if (tid)
		write_task(&question, tid, json);
	else
		err = write_all(&question, json);
	json_array_end(json);
	if (question.labels && tid)
		label_report_task(labels, tid, json);
	else if (question.labels)
		label_report_all(labels, json);
	class_reader_close(&question.reader);
	return err;
}
