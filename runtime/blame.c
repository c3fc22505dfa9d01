// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's messages name a task by name and number. Its class is in the
 * task's storage, which stays when the scheduler has gone: so nothing has to be
 * noted while it is in force.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "blame.h"

#ifndef PIDFD_THREAD
#define PIDFD_THREAD O_EXCL
#endif

/* The last "[number]": what stands in brackets before may be in the task's name. 0: none. */
static int task_in(const char *msg)
{
	int found = 0;

	for (const char *at = strchr(msg, '['); at; at = strchr(at + 1, '[')) {
		char *end;
		long pid = strtol(at + 1, &end, 10);

		if (end > at + 1 && *end == ']' && pid > 0 && pid <= INT32_MAX)
			found = (int)pid;
	}
	return found;
}

/* Where the class is in a task's storage; negative: not there. */
static int class_offset(const struct object *object)
{
	const struct btf *btf = bpf_object__btf(object->bpf);
	const struct btf_type *type;
	int id = btf__find_by_name_kind(btf, "task_ctx", BTF_KIND_STRUCT);

	if (id < 0)
		return -1;
	type = btf__type_by_id(btf, (unsigned int)id);
	for (unsigned int i = 0; i < btf_vlen(type); i++)
		if (!strcmp(btf__name_by_offset(btf, btf_members(type)[i].name_off), "class"))
			return (int)(btf_member_bit_offset(type, i) / 8);
	return -1;
}

static bool read_class(const struct object *object, int pid, uint32_t *class)
{
	struct bpf_map *map = bpf_object__find_map_by_name(object->bpf, "task_ctxs");
	int offset = class_offset(object);
	char *value;
	int pidfd;
	bool found;

	if (!map || offset < 0 || offset + sizeof(*class) > bpf_map__value_size(map))
		return false;
	pidfd = (int)syscall(SYS_pidfd_open, pid, PIDFD_THREAD);
	if (pidfd < 0)
		return false;
	value = malloc(bpf_map__value_size(map));
	found = value && !bpf_map_lookup_elem(bpf_map__fd(map), &pidfd, value);
	if (found)
		memcpy(class, value + offset, sizeof(*class));
	free(value);
	close(pidfd);
	return found;
}

bool blame_find(const struct object *object, const char *msg, char *text, unsigned long size)
{
	struct variable names;
	const char *name, *end;
	uint32_t class;
	int pid = task_in(msg);

	if (!pid || !read_class(object, pid, &class) ||
	    !object_find(object, object->rodata, "policy_classes", &names))
		return false;
	name = names.data;
	end = name + names.size;
	for (uint32_t i = 0; i < class && name < end; i++)
		name += strnlen(name, (size_t)(end - name)) + 1;
	if (name >= end || !*name)
		return false;
	snprintf(text, size, "%.*s", (int)(end - name), name);
	return true;
}
