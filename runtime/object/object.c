// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "object/object.h"
#include "output/log.h"

bool object_variable(const struct object *object, struct bpf_map *map, unsigned int i,
		     struct variable *variable)
{
	const struct btf *btf = bpf_object__btf(object->bpf);
	const struct btf_var_secinfo *info;
	const struct btf_type *section;
	const struct btf_type *var;
	char *data;
	size_t size;

	section = btf__type_by_id(btf, bpf_map__btf_value_type_id(map));
	data = bpf_map__initial_value(map, &size);
	if (!section || !btf_is_datasec(section) || !data || i >= btf_vlen(section))
		return false;
	info = btf_var_secinfos(section) + i;
	var = btf__type_by_id(btf, info->type);
	if (!var || !btf_is_var(var) || info->offset > size || info->size > size - info->offset)
		return false;
	variable->name = btf__name_by_offset(btf, var->name_off);
	variable->type = btf__type_by_id(btf, btf__resolve_type(btf, var->type));
	variable->data = data + info->offset;
	variable->size = info->size;
	return variable->name && variable->type;
}

bool object_find(const struct object *object, struct bpf_map *map, const char *name,
		 struct variable *variable)
{
	for (unsigned int i = 0; object_variable(object, map, i, variable); i++) {
		if (!strcmp(variable->name, name))
			return true;
	}
	return false;
}

int object_set(struct object *object, const char *name, const void *value, size_t size)
{
	struct variable var;

	if (!object_find(object, object->rodata, name, &var))
		return 0;
	if (var.size != size)
		return log_error(EINVAL,
				 "compile the policy again, with a gthulhuc of this release",
				 "%s: `%s` has %zu bytes, not %zu", object->policy.name, name,
				 var.size, size);
	memcpy(var.data, value, size);
	return 0;
}

char *object_params(struct object *object, const char *name, size_t offset)
{
	struct variable var;
	char *image, *data;
	size_t size;

	object_find(object, object->params, name, &var);
	data = (char *)var.data + offset;
	if (!object->params_live)
		return data;
	image = bpf_map__initial_value(object->params, &size);
	return object->params_live + (data - image);
}

void object_close(struct object *object)
{
	bpf_object__close(object->bpf);
	if (object->excerpt_fd >= 0)
		close(object->excerpt_fd);
	free(object->listed);
	free(object->pins);
	free(object->interrupts);
	free(object->values);
	if (object->params_live)
		munmap(object->params_live, object->params_size);
	memset(object, 0, sizeof(*object));
	object->excerpt_fd = -1;
}
