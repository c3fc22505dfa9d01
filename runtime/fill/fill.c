// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "btf/kbtf.h"
#include "fill/cells.h"
#include "fill/cgroups.h"
#include "fill/fill.h"
#include "fill/ids.h"
#include "fill/perf.h"
#include "fill/pins.h"
#include "object/object.h"
#include "output/log.h"

static const char constant_prefix[] = "kernel_";
static const char flag_prefix[] = "ops_flag_";
static const char cgroup_flag_prefix[] = "cgroup_flag_";
static const char cell_flag_prefix[] = "cell_flag_";
static const char percpu_prefix[] = "percpu_";

static const char remedy_again[] = "compile the policy again, with a gthulhuc of this release";

static bool starts_with(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

/* The name of the kernel constant that the variable receives, or NULL. */
static const char *constant_name(const struct variable *var)
{
	if (starts_with(var->name, constant_prefix))
		return var->name + strlen(constant_prefix);
	if (starts_with(var->name, flag_prefix))
		return var->name + strlen(flag_prefix);
	if (starts_with(var->name, cgroup_flag_prefix))
		return var->name + strlen(cgroup_flag_prefix);
	if (starts_with(var->name, cell_flag_prefix))
		return var->name + strlen(cell_flag_prefix);
	return NULL;
}

static unsigned int count_variables(const struct object *object)
{
	struct variable var;
	unsigned int nr = 0;

	while (object_variable(object, object->rodata, nr, &var))
		nr++;
	return nr;
}

static bool is_flag(const struct object *object, const char *name)
{
	if (starts_with(name, cgroup_flag_prefix))
		return !cgroups_are_ignored(object);
	if (starts_with(name, cell_flag_prefix))
		return cells_has_one(object);
	return starts_with(name, flag_prefix);
}

/* Sets kernel_* and *_flag_*; `*flags` becomes the bitwise or of the flags that count. */
static int fill_constants(struct object *object, const struct kbtf *kernel, uint64_t *flags)
{
	struct kbtf_constant *constants;
	struct variable var;
	size_t nr = 0;
	int err = 0;

	*flags = 0;
	constants = calloc(count_variables(object) + 1, sizeof(*constants));
	if (!constants)
		return log_error(ENOMEM, NULL, "out of memory");
	for (unsigned int i = 0; object_variable(object, object->rodata, i, &var); i++) {
		if (constant_name(&var))
			constants[nr++].name = constant_name(&var);
	}
	kbtf_find_constants(kernel, constants, nr);

	nr = 0;
	for (unsigned int i = 0; object_variable(object, object->rodata, i, &var); i++) {
		const struct kbtf_constant *constant;

		if (!constant_name(&var))
			continue;
		constant = &constants[nr++];
		if (var.size != sizeof(constant->value)) {
			err = log_error(EINVAL, remedy_again, "%s: `%s` has %zu bytes, not 8",
					object->policy.name, var.name, var.size);
			break;
		}
		memcpy(var.data, &constant->value, sizeof(constant->value));
		if (is_flag(object, var.name))
			*flags |= constant->value;
		log_verbose("%s = %#llx%s", constant->name, (unsigned long long)constant->value,
			    constant->found ? "" : " (this kernel does not have it)");
	}
	free(constants);
	return err;
}

/*
 * Clears a member that this kernel's sched_ext_ops lacks (libbpf requires zero), or that it has and
 * warns about.
 */
static void clear_member(const char *name, const struct btf_type *type, char *data, size_t size)
{
	struct bpf_program *program;
	bool is_set = false;

	for (size_t i = 0; i < size; i++)
		is_set |= data[i] != 0;
	if (!is_set)
		return;
	log_verbose("ops.%s: not in this kernel, left out", name);
	if (btf_is_ptr(type) && size == sizeof(program)) {
		/* A program of this object: object_open() checked it. */
		memcpy(&program, data, sizeof(program));
		bpf_program__set_autoload(program, false);
	}
	memset(data, 0, size);
}

static void fill_member(const char *name, char *data, size_t size, uint64_t flags,
			uint64_t hotplug_seq)
{
	uint64_t value;

	if (size != sizeof(value))
		return;
	memcpy(&value, data, sizeof(value));
	if (!strcmp(name, "flags"))
		value |= flags;
	else if (!strcmp(name, "hotplug_seq"))
		value = hotplug_seq;
	else
		return;
	memcpy(data, &value, sizeof(value));
}

/*
 * 6.19 can requeue the tasks of a local queue at any time, and deprecates the callback that did so
 * before. Its new structures distinguish it from older kernels.
 */
static bool is_deprecated(const struct kbtf *kernel, const char *member)
{
	return !strcmp(member, "cpu_release") &&
		kbtf_find_struct(kernel, "scx_bpf_dsq_insert_vtime_args");
}

/* object_open() checked that all members lie within the structure. */
static int fill_ops(struct object *object, const struct kbtf *kernel, uint64_t flags,
		    uint64_t hotplug_seq)
{
	const struct btf_type *kernel_ops = kbtf_find_struct(kernel, "sched_ext_ops");
	const struct btf *btf = bpf_object__btf(object->bpf);
	const struct btf_member *members;
	const struct btf_type *ops;
	size_t ops_size;
	char *data;

	if (!kernel_ops)
		return log_error(ENOSYS, NULL, "the kernel's BTF does not describe sched_ext_ops");
	ops = btf__type_by_id(btf, btf__find_by_name_kind(btf, "sched_ext_ops", BTF_KIND_STRUCT));
	data = bpf_map__initial_value(object->ops, &ops_size);
	members = btf_members(ops);
	for (unsigned int i = 0; i < btf_vlen(ops); i++) {
		const char *name = btf__name_by_offset(btf, members[i].name_off);
		const struct btf_type *type =
			btf__type_by_id(btf, btf__resolve_type(btf, members[i].type));
		int64_t size = btf__resolve_size(btf, members[i].type);
		size_t offset = btf_member_bit_offset(ops, i) / 8;

		if (kbtf_has_member(kernel, kernel_ops, name) && !is_deprecated(kernel, name) &&
		    !(starts_with(name, "cgroup_") && cgroups_are_ignored(object)))
			fill_member(name, data + offset, size, flags, hotplug_seq);
		else
			clear_member(name, type, data + offset, size);
	}
	return 0;
}

static int fill_nr_cpus(struct object *object, unsigned int nr_cpus)
{
	struct variable var;

	if (!object_find(object, object->rodata, "nr_cpus", &var))
		return 0;
	if (var.size != sizeof(nr_cpus))
		return log_error(EINVAL, remedy_again, "%s: `nr_cpus` has %zu bytes, not 4",
				 object->policy.name, var.size);
	memcpy(var.data, &nr_cpus, sizeof(nr_cpus));
	return 0;
}

static int resize_cpus(struct object *object, unsigned int nr_cpus)
{
	struct variable var;
	int err;

	if (!object->cpus)
		return 0;
	/* libbpf can resize only an array that is alone in its section. */
	if (!object_variable(object, object->cpus, 0, &var) || !btf_is_array(var.type) ||
	    btf_array(var.type)->nelems != 1 || var.size != bpf_map__value_size(object->cpus))
		return log_error(EINVAL, remedy_again,
				 "%s: corrupt object: .data.cpus is not an array of one element",
				 object->policy.name);
	err = bpf_map__set_value_size(object->cpus, var.size * nr_cpus);
	if (err)
		return log_error(-err, NULL, "%s: cannot resize .data.cpus for %u CPUs: %s",
				 object->policy.name, nr_cpus, strerror(-err));
	return 0;
}

static int resize_maps(struct object *object, unsigned int nr_cpus)
{
	struct bpf_map *map;
	int err;

	bpf_object__for_each_map(map, object->bpf) {
		if (!starts_with(bpf_map__name(map), percpu_prefix))
			continue;
		err = bpf_map__set_max_entries(map, nr_cpus);
		if (err)
			return log_error(-err, remedy_again, "%s: cannot resize map %s: %s",
					 object->policy.name, bpf_map__name(map), strerror(-err));
	}
	return 0;
}

int fill_object(struct object *object, const struct kbtf *kernel, uint64_t hotplug_seq)
{
	int nr_cpus = libbpf_num_possible_cpus();
	uint64_t flags;
	int err;

	if (nr_cpus < 0)
		return log_error(-nr_cpus, "mount sysfs on /sys",
				 "cannot read the number of possible CPUs");
	err = cgroups_fill(object, kernel);
	if (!err)
		err = cells_fill(object);
	if (!err)
		err = perf_fill(object);
	if (!err)
		err = fill_constants(object, kernel, &flags);
	if (!err)
		err = fill_ops(object, kernel, flags, hotplug_seq);
	if (!err)
		err = fill_nr_cpus(object, nr_cpus);
	if (!err)
		err = ids_fill(object);
	if (!err)
		pins_fill(object);
	if (!err)
		err = resize_cpus(object, nr_cpus);
	if (!err)
		err = resize_maps(object, nr_cpus);
	return err;
}
