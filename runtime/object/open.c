// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "btf/excerpt.h"
#include "object/image.h"
#include "object/open.h"
#include "object/promised.h"
#include "object/questions.h"
#include "object/tunables.h"
#include "object/whens.h"
#include "output/log.h"

static const char remedy_foreign[] =
	"give it the file that `gthulhuc POLICY.gpl -o POLICY.bpf.o` wrote";
static const char remedy_again[] = "compile the policy again, with a gthulhuc of this release";

static void make_printable(char *text, size_t size)
{
	text[size - 1] = '\0';
	log_printable(text);
}

static int read_policy(struct object *object, const char *path)
{
	struct gthulhu_policy *policy = &object->policy;
	struct variable var;

	if (!object->rodata || !object_find(object, object->rodata, "policy", &var) ||
	    var.size < sizeof(policy->abi_version))
		return log_error(EINVAL, remedy_foreign,
				 "%s: a BPF object, but not a policy: gthulhuc did not write it",
				 path);
	memcpy(&policy->abi_version, var.data, sizeof(policy->abi_version));
	if (policy->abi_version > GTHULHU_ABI_VERSION)
		return log_error(EINVAL, "use the gthulhu-loader that came with that gthulhuc",
				 "%s: compiled by a newer gthulhuc: ABI %u, this loader has %d",
				 path, policy->abi_version, GTHULHU_ABI_VERSION);
	if (policy->abi_version != GTHULHU_ABI_VERSION)
		return log_error(EINVAL, remedy_again,
				 "%s: compiled for ABI %u, this loader has %d", path,
				 policy->abi_version, GTHULHU_ABI_VERSION);
	if (var.size != sizeof(*policy))
		return log_error(EINVAL, remedy_again,
				 "%s: corrupt object: `policy` has %zu bytes, not %zu", path,
				 var.size, sizeof(*policy));
	memcpy(policy, var.data, sizeof(*policy));
	make_printable(policy->name, sizeof(policy->name));
	make_printable(policy->file, sizeof(policy->file));
	if (!policy->name[0])
		return log_error(EINVAL, remedy_again, "%s: corrupt object: the policy has no name",
				 path);
	return 0;
}

/* The names of interrupts in groups of CPUs. */
static int read_interrupts(struct object *object, const char *path)
{
	struct variable var;

	if (!object_find(object, object->rodata, "policy_interrupts", &var))
		return 0;
	object->nr_interrupts = var.size / sizeof(*object->interrupts);
	object->interrupts = calloc(object->nr_interrupts + 1, sizeof(*object->interrupts));
	if (!object->interrupts)
		return log_error(ENOMEM, NULL, "%s: out of memory", path);
	memcpy(object->interrupts, var.data, object->nr_interrupts * sizeof(*object->interrupts));
	for (unsigned int i = 0; i < object->nr_interrupts; i++)
		make_printable(object->interrupts[i], sizeof(object->interrupts[i]));
	return 0;
}

static bool has_sound_groups(const struct object *object, const struct gthulhu_pin *pin)
{
	if (pin->nr_words > GTHULHU_PIN_WORDS || pin->nr_groups > GTHULHU_PIN_GROUPS)
		return false;
	for (unsigned int i = 0; i < pin->nr_groups; i++) {
		const struct gthulhu_group *group = &pin->groups[i];

		if ((group->kind == GTHULHU_GROUP_IRQ || group->kind == GTHULHU_GROUP_NOT_IRQ) &&
		    group->number >= object->nr_interrupts)
			return false;
		if (group->kind == GTHULHU_GROUP_SIBLINGS &&
		    (group->number >= object->policy.nr_pins || pin->nr_groups > 1))
			return false;
	}
	return true;
}

static int read_pins(struct object *object, const char *path)
{
	unsigned int nr = object->policy.nr_pins;
	struct variable var;

	if (!nr)
		return 0;
	if (!object_find(object, object->followed ? object->followed : object->rodata,
			 "policy_pins", &var) ||
	    nr > var.size / sizeof(*object->pins))
		return log_error(EINVAL, remedy_again,
				 "%s: corrupt object: it lacks some of its %u `policy_pins`", path,
				 nr);
	object->listed = calloc(nr, sizeof(*object->listed));
	object->pins = calloc(nr, sizeof(*object->pins));
	if (!object->listed || !object->pins)
		return log_error(ENOMEM, NULL, "%s: out of memory", path);
	memcpy(object->listed, var.data, nr * sizeof(*object->listed));
	for (unsigned int i = 0; i < nr; i++) {
		struct gthulhu_pin *pin = &object->listed[i];

		make_printable(pin->rule, sizeof(pin->rule));
		if (!has_sound_groups(object, pin))
			return log_error(
				EINVAL, remedy_again,
				"%s: corrupt object: policy_pins[%u] has %u words and %u groups, "
				"or one of them is unsound",
				path, i, pin->nr_words, pin->nr_groups);
	}
	memcpy(object->pins, object->listed, nr * sizeof(*object->pins));
	return 0;
}

/* The names are printed and looked up, so they must be terminated. */
static int check_ids(struct object *object, const char *path)
{
	unsigned int nr = object->policy.nr_ids;
	struct variable names, ids;

	if (!nr)
		return 0;
	if (!object_find(object, object->rodata, "policy_id_names", &names) ||
	    !object_find(object, object->rodata, "policy_ids", &ids) ||
	    nr > names.size / sizeof(struct gthulhu_id) || nr > ids.size / sizeof(uint32_t) ||
	    !variable_holds(&names, struct gthulhu_id) || !variable_holds(&ids, uint32_t))
		return log_error(EINVAL, remedy_again,
				 "%s: corrupt object: it lacks some of its %u `policy_ids`", path,
				 nr);
	for (unsigned int i = 0; i < nr; i++) {
		struct gthulhu_id *id = (struct gthulhu_id *)names.data + i;

		make_printable(id->name, sizeof(id->name));
	}
	return 0;
}

static int find_exit_report(struct object *object, const char *path)
{
	struct variable var;
	size_t size;

	if (!object->exit || !object_find(object, object->exit, "exit_report", &var) ||
	    var.size != sizeof(struct gthulhu_exit))
		return log_error(EINVAL, remedy_again,
				 "%s: corrupt object: no `exit_report` of %zu bytes in .data.exit",
				 path, sizeof(struct gthulhu_exit));
	object->exit_offset =
		(char *)var.data - (char *)bpf_map__initial_value(object->exit, &size);
	return 0;
}

static bool is_callback(const struct object *object, const void *address)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, object->bpf) {
		if (program == address)
			return bpf_program__type(program) == BPF_PROG_TYPE_STRUCT_OPS;
	}
	return false;
}

/*
 * In libbpf's copy of the struct_ops, a callback is a pointer to a program of the object. libbpf
 * writes it there for each relocation; without one, the bytes of the file stand there.
 */
static int check_callbacks(const struct object *object, const char *path)
{
	const struct btf *btf = bpf_object__btf(object->bpf);
	const struct btf_type *ops =
		btf__type_by_id(btf, btf__find_by_name_kind(btf, "sched_ext_ops", BTF_KIND_STRUCT));
	const struct btf_member *members = btf_members(ops);
	const char *data;
	size_t ops_size;

	data = bpf_map__initial_value(object->ops, &ops_size);
	for (unsigned int i = 0; i < btf_vlen(ops); i++) {
		const char *name = btf__name_by_offset(btf, members[i].name_off);
		const struct btf_type *type =
			btf__type_by_id(btf, btf__resolve_type(btf, members[i].type));
		int64_t size = btf__resolve_size(btf, members[i].type);
		size_t offset = btf_member_bit_offset(ops, i) / 8;
		const void *address;

		if (!name || !type || size < 0 || offset > ops_size ||
		    (size_t)size > ops_size - offset ||
		    (btf_is_ptr(type) && size != sizeof(address)))
			return log_error(EINVAL, remedy_again,
					 "%s: corrupt object: invalid sched_ext_ops", path);
		if (!btf_is_ptr(type))
			continue;
		memcpy(&address, data + offset, sizeof(address));
		if (address && !is_callback(object, address))
			return log_error(EINVAL, remedy_again,
					 "%s: corrupt object: sched_ext_ops.%s is not a program of "
					 "this object",
					 path, name);
	}
	return 0;
}

static int find_ops(struct object *object, const char *path)
{
	const struct btf *btf = bpf_object__btf(object->bpf);
	size_t size;

	object->ops = bpf_object__find_map_by_name(object->bpf, "gthulhu");
	if (!object->ops || bpf_map__type(object->ops) != BPF_MAP_TYPE_STRUCT_OPS ||
	    btf__find_by_name_kind(btf, "sched_ext_ops", BTF_KIND_STRUCT) < 0 ||
	    !bpf_map__initial_value(object->ops, &size))
		return log_error(EINVAL, remedy_again,
				 "%s: corrupt object: no sched_ext_ops `gthulhu`", path);
	return check_callbacks(object, path);
}

/* libbpf names a map of its own after the section. */
static struct bpf_map *find_section(const struct object *object, const char *name)
{
	struct bpf_map *map = bpf_object__find_map_by_name(object->bpf, name);

	return map && bpf_map__is_internal(map) ? map : NULL;
}

static int open_image(struct object *object, const char *path, const void *image, size_t size)
{
	const char *slash = strrchr(path, '/');
	char excerpt[64];
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = slash ? slash + 1 : path);
	int err;

	object->excerpt_fd = excerpt_open(excerpt, sizeof(excerpt));
	if (object->excerpt_fd >= 0)
		opts.btf_custom_path = excerpt;
	/* libbpf copies what it needs of the image. */
	object->bpf = bpf_object__open_mem(image, size, &opts);
	err = object->bpf ? 0 : errno;
	if (!err)
		return 0;
	object_close(object);
	err = log_error(err, remedy_foreign, "%s: corrupt, or not a policy: libbpf cannot open it",
			path);
	log_libbpf_tail();
	return err;
}

int object_open(struct object *object, const char *path)
{
	void *image;
	size_t size;
	int err;

	memset(object, 0, sizeof(*object));
	object->excerpt_fd = -1;
	err = image_read(path, path, &image, &size);
	if (err)
		return err;
	err = object_open_image(object, path, image, size);
	free(image);
	return err;
}

int object_open_image(struct object *object, const char *path, const void *image, size_t size)
{
	int err;

	memset(object, 0, sizeof(*object));
	object->excerpt_fd = -1;
	err = open_image(object, path, image, size);
	if (err)
		return err;
	if (!bpf_object__btf(object->bpf)) {
		err = log_error(EINVAL, remedy_foreign,
				"%s: a BPF object, but not a policy: it has no type information",
				path);
		goto fail;
	}
	object->rodata = find_section(object, ".rodata");
	object->cpus = find_section(object, ".data.cpus");
	object->followed = find_section(object, ".data.pins");
	object->params = find_section(object, ".data.params");
	object->exit = find_section(object, ".data.exit");
	err = read_policy(object, path);
	if (!err)
		err = read_interrupts(object, path);
	if (!err)
		err = read_pins(object, path);
	if (!err)
		err = check_ids(object, path);
	if (!err)
		err = tunables_check(object, path);
	if (!err)
		err = questions_check(object, path);
	if (!err)
		err = promised_check(object, path);
	if (!err)
		err = whens_check(object, path);
	if (!err)
		err = find_exit_report(object, path);
	if (!err)
		err = find_ops(object, path);
	if (!err)
		return 0;
fail:
	object_close(object);
	return err;
}
