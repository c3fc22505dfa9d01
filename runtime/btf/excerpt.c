// SPDX-License-Identifier: GPL-2.0-only
/*
 * To find the offset of a field, libbpf searches all types of the kernel for each structure of the
 * object. This gives it an excerpt instead: the types with names that are in the object, and the
 * types that those contain. It leaves out the types that they point to: no offset depends on them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/btf.h>

#include "btf/excerpt.h"
#include "btf/kbtf.h"

struct excerpt {
	const struct kbtf *kernel;
	struct btf *btf; /* owned */
	uint32_t *ids; /* by type id of the kernel: the id in btf; 0: not there; owned */
	int err; /* the first error, -errno */
};

static uint32_t add_type(struct excerpt *excerpt, uint32_t id);

/* The type in the excerpt, to be changed. Invalid once another type is added. */
static struct btf_type *added(struct excerpt *excerpt, uint32_t id)
{
	return (struct btf_type *)btf__type_by_id(excerpt->btf, id);
}

static void add_members(struct excerpt *excerpt, const struct btf_type *type, uint32_t new_id)
{
	for (unsigned int i = 0; i < btf_vlen(type); i++) {
		uint32_t member = add_type(excerpt, btf_members(type)[i].type);

		btf_members(added(excerpt, new_id))[i].type = member;
	}
}

static void add_contents(struct excerpt *excerpt, const struct btf_type *type, uint32_t new_id)
{
	uint32_t content;

	if (btf_is_composite(type)) {
		add_members(excerpt, type, new_id);
	} else if (btf_is_array(type)) {
		content = add_type(excerpt, btf_array(type)->type);
		btf_array(added(excerpt, new_id))->type = content;
		content = add_type(excerpt, btf_array(type)->index_type);
		btf_array(added(excerpt, new_id))->index_type = content;
	} else if (btf_is_ptr(type)) {
		added(excerpt, new_id)->type = 0;
	} else if (btf_is_mod(type) || btf_is_typedef(type)) {
		content = add_type(excerpt, type->type);
		added(excerpt, new_id)->type = content;
	}
}

static uint32_t add_type(struct excerpt *excerpt, uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(excerpt->kernel->btf, id);
	int new_id;

	if (!id || !type || excerpt->ids[id] || excerpt->err)
		return excerpt->ids[id];
	new_id = btf__add_type(excerpt->btf, excerpt->kernel->btf, type);
	if (new_id < 0) {
		excerpt->err = new_id;
		return 0;
	}
	excerpt->ids[id] = new_id;
	add_contents(excerpt, type, new_id);
	return new_id;
}

/* Adds all types of the kernel that a type of the object may match. */
static void add_counterparts(struct excerpt *excerpt, const char *name, uint32_t kind)
{
	char text[256];

	if (snprintf(text, sizeof(text), "%.*s", (int)kbtf_base_name_len(name), name) >=
	    (int)sizeof(text))
		return;
	for (int id = kbtf_find(excerpt->kernel, text, kind); id > 0;
	     id = kbtf_find_next(excerpt->kernel, id))
		add_type(excerpt, id);
}

static void add_all(struct excerpt *excerpt, const struct btf *object)
{
	for (uint32_t id = 1; id < btf__type_cnt(object); id++) {
		const struct btf_type *type = btf__type_by_id(object, id);
		const char *name = btf__name_by_offset(object, type->name_off);

		if (!name || !*name)
			continue;
		if (btf_is_any_enum(type)) {
			add_counterparts(excerpt, name, BTF_KIND_ENUM);
			add_counterparts(excerpt, name, BTF_KIND_ENUM64);
		} else if (btf_is_composite(type) || btf_is_typedef(type)) {
			add_counterparts(excerpt, name, btf_kind(type));
		}
	}
}

int excerpt_open(char *path, size_t size)
{
	int fd = memfd_create("gthulhu-types", MFD_CLOEXEC);

	if (fd < 0)
		return -errno;
	snprintf(path, size, "/proc/self/fd/%d", fd);
	if (access(path, R_OK)) {
		close(fd);
		return -ENOENT;
	}
	return fd;
}

int excerpt_write(int fd, const struct kbtf *kernel, const struct btf *object)
{
	struct excerpt excerpt = { .kernel = kernel };
	const void *data;
	uint32_t size;

	excerpt.btf = btf__new_empty();
	excerpt.ids = calloc(kernel->nr_types, sizeof(*excerpt.ids));
	if (!excerpt.btf || !excerpt.ids)
		excerpt.err = -ENOMEM;
	else
		add_all(&excerpt, object);
	if (!excerpt.err) {
		data = btf__raw_data(excerpt.btf, &size);
		if (!data || write(fd, data, size) != (ssize_t)size)
			excerpt.err = -ENOMEM;
	}
	btf__free(excerpt.btf);
	free(excerpt.ids);
	return excerpt.err;
}
