// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "machine/processes.h"
#include "output/log.h"
#include "scheduler/classes.h"

/* Returns the offset of the class in a task's storage, in bytes; negative: not there. */
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
	int pidfd = thread_fd(tid);
	bool found;

	if (pidfd < 0)
		return false;
	found = !bpf_map_lookup_elem(reader->map_fd, &pidfd, reader->value);
	if (found)
		memcpy(class, reader->value + reader->offset, sizeof(*class));
	close(pidfd);
	return found;
}

void class_owners_begin(struct class_owners *owners, const struct object *object)
{
	struct variable names;

	memset(owners, 0, sizeof(*owners));
	if (object_find(object, object->rodata, "policy_classes", &names)) {
		owners->next = names.data;
		owners->end = owners->next + names.size;
	}
}

/* The next text, which may lack its terminator; false if there are no more. */
static bool next_name(struct class_owners *owners, const char **name, size_t *len)
{
	if (owners->next == owners->end || !*owners->next)
		return false;
	*name = owners->next;
	*len = strnlen(*name, (size_t)(owners->end - *name));
	owners->next += *len;
	if (owners->next < owners->end)
		owners->next++;
	return true;
}

bool class_owners_next(struct class_owners *owners, char *text, unsigned long size)
{
	const char *name;
	size_t len;

	if (!next_name(owners, &name, &len))
		return false;
	snprintf(text, size, "%.*s", (int)len, name);
	log_printable(text);
	return true;
}

bool class_owner(const struct object *object, uint32_t class, char *text, unsigned long size)
{
	struct class_owners owners;
	const char *name;
	size_t len;

	class_owners_begin(&owners, object);
	while (class --) {
		if (!next_name(&owners, &name, &len))
			return false;
	}
	return class_owners_next(&owners, text, size);
}
