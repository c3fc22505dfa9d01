// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/family.h"
#include "machine/processes.h"

bool process_read(pid_t pid, struct process *process)
{
	char path[64], text[1024];
	const char *rest;
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	len = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[len > 0 ? len : 0] = '\0';
	rest = strrchr(text, ')'); /* the name may contain some, too */
	process->pid = pid;
	/* The state, the parent, 17 other fields, the start. */
	return rest &&
		sscanf(rest,
		       ") %*c %d %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
		       "%*s %*s %*s %" SCNu64,
		       &process->parent, &process->started) == 2;
}

bool process_is_alive(const struct process *process)
{
	struct process now;

	return process_read(process->pid, &now) && now.started == process->started;
}

bool process_has_thread(const struct process *process, pid_t tid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d", process->pid, tid);
	/* In this order: then the threads were those of this process. */
	return (tid == process->pid || !access(path, F_OK)) && process_is_alive(process);
}

int family_add(struct family *family, const struct process *process)
{
	if (family->nr == family->capacity) {
		size_t capacity = family->capacity ? 2 * family->capacity : 64;
		struct process *all = realloc(family->all, capacity * sizeof(*all));

		if (!all)
			return -ENOMEM;
		family->all = all;
		family->capacity = capacity;
	}
	family->all[family->nr++] = *process;
	return 0;
}

static int by_number(const void *a, const void *b)
{
	const struct process *one = a, *other = b;

	return (one->pid > other->pid) - (one->pid < other->pid);
}

static int by_parent(const void *a, const void *b)
{
	const struct process *one = a, *other = b;

	return (one->parent > other->parent) - (one->parent < other->parent);
}

/* The index of the first child, in processes sorted by parent. */
static size_t first_child(const struct family *processes, pid_t parent)
{
	size_t low = 0, high = processes->nr;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (processes->all[middle].parent < parent)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool has_children(const struct family *processes, size_t first, pid_t parent)
{
	return first < processes->nr && processes->all[first].parent == parent;
}

static void sort(struct family *processes, int (*order)(const void *, const void *))
{
	if (processes->nr)
		qsort(processes->all, processes->nr, sizeof(*processes->all), order);
}

int family_update_from(struct family *family, struct family *processes,
		       bool (*is_alive)(const struct process *))
{
	bool *taken = calloc(processes->nr + 1, sizeof(*taken));
	struct family found = {};
	int err = taken ? 0 : -ENOMEM;

	sort(family, by_number);
	sort(processes, by_parent);
	for (size_t i = 0; i < processes->nr && family->nr && !err; i++) {
		const struct process *process = &processes->all[i], *before;

		before = bsearch(process, family->all, family->nr, sizeof(*before), by_number);
		taken[i] = before && before->started == process->started;
		if (taken[i])
			err = family_add(&found, process);
	}
	for (size_t i = 0; i < found.nr && !err; i++) {
		const struct process parent = found.all[i];
		size_t child = first_child(processes, parent.pid);

		/* No other process had its number when its children were read. */
		if (!has_children(processes, child, parent.pid) || !is_alive(&parent))
			continue;
		for (; has_children(processes, child, parent.pid) && !err; child++) {
			/* A child cannot be older: its parent was an earlier process of that number. */
			if (taken[child] || processes->all[child].started < parent.started)
				continue;
			taken[child] = true;
			err = family_add(&found, &processes->all[child]);
		}
	}
	free(taken);
	free(family->all);
	*family = found;
	return err;
}

int family_update(struct family *family)
{
	struct family processes = {};
	struct process process;
	struct pids numbers = {};
	int err;

	err = list_numbers("/proc", &numbers);
	for (size_t i = 0; i < numbers.nr && !err; i++) {
		if (process_read(numbers.all[i], &process))
			err = family_add(&processes, &process);
	}
	if (!err)
		err = family_update_from(family, &processes, process_is_alive);
	free(numbers.all);
	free(processes.all);
	return err;
}
