// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "classes.h"
#include "log.h"

#ifndef PIDFD_THREAD
#define PIDFD_THREAD O_EXCL
#endif

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

bool class_reader_open(struct class_reader *reader, const struct object *object)
{
	struct bpf_map *map = bpf_object__find_map_by_name(object->bpf, "task_ctxs");
	int offset = class_offset(object);

	if (!map || offset < 0 || offset + sizeof(uint32_t) > bpf_map__value_size(map))
		return false;
	reader->map_fd = bpf_map__fd(map);
	reader->offset = (unsigned int)offset;
	reader->value = malloc(bpf_map__value_size(map));
	return reader->value;
}

void class_reader_close(struct class_reader *reader)
{
	free(reader->value);
}

bool class_of_task(const struct class_reader *reader, int tid, uint32_t *class)
{
	int pidfd = (int)syscall(SYS_pidfd_open, tid, PIDFD_THREAD);
	bool found;

	if (pidfd < 0)
		return false;
	found = !bpf_map_lookup_elem(reader->map_fd, &pidfd, reader->value);
	if (found)
		memcpy(class, reader->value + reader->offset, sizeof(*class));
	close(pidfd);
	return found;
}

bool class_owner(const struct object *object, uint32_t class, char *text, unsigned long size)
{
	struct variable names;
	const char *name, *end;

	if (!object_find(object, object->rodata, "policy_classes", &names))
		return false;
	name = names.data;
	end = name + names.size;
	for (uint32_t i = 0; i < class && name < end; i++)
		name += strnlen(name, (size_t)(end - name)) + 1;
	if (name >= end || !*name)
		return false;
	snprintf(text, size, "%.*s", (int)(end - name), name);
	log_printable(text);
	return true;
}
