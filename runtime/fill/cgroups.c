// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>

#include <bpf/libbpf.h>

#include "btf/kbtf.h"
#include "fill/cgroups.h"
#include "machine/kernel.h"
#include "machine/processes.h"
#include "object/object.h"
#include "output/log.h"

static const char map_prefix[] = ".bss.cgroup_";
static const char program_prefix[] = "gthulhu_cgroup_";

static bool find_choice(const struct object *object, struct variable *var)
{
	return object_find(object, object->rodata, "counts_cgroups", var);
}

bool cgroups_are_optional(const struct object *object)
{
	struct variable var;

	return find_choice(object, &var);
}

bool cgroups_are_ignored(const struct object *object)
{
	return object->cgroups == CGROUPS_ABSENT || object->cgroups == CGROUPS_IMPOSSIBLE;
}

/* Their callbacks go with the members of sched_ext_ops. */
static int leave_out(const struct object *object)
{
	struct bpf_program *program;
	struct bpf_map *map;
	int err = 0;

	bpf_object__for_each_program(program, object->bpf) {
		if (!strncmp(bpf_program__name(program), program_prefix, strlen(program_prefix)))
			bpf_program__set_autoload(program, false);
	}
	bpf_object__for_each_map(map, object->bpf) {
		if (!err && !strncmp(bpf_map__name(map), map_prefix, strlen(map_prefix)))
			err = bpf_map__set_autocreate(map, false);
	}
	if (err)
		log_error(-err, NULL, "%s: cannot leave out a map: %s", object->policy.name,
			  strerror(-err));
	return err;
}

static enum cgroups decide(const struct object *object, const struct kbtf *kernel)
{
	if (kbtf_has_member(kernel, kbtf_find_struct(kernel, "sched_ext_ops"), "cgroup_init"))
		return cgroups_have_cpu() ? CGROUPS_COUNT : CGROUPS_ABSENT;
	if (cgroups_have_cpu())
		log_warning(
			"%s: cpu.weight and cpu.max of cgroups do not count: kernel %s does not "
			"report cgroups to schedulers (CONFIG_EXT_GROUP_SCHED)",
			object->policy.name, kernel_release());
	return CGROUPS_IMPOSSIBLE;
}

int cgroups_fill(struct object *object, const struct kbtf *kernel)
{
	struct variable var;

	if (!find_choice(object, &var))
		return 0;
	if (var.size != sizeof(bool))
		return log_error(
			EINVAL, "compile the policy again, with a gthulhuc of this release",
			"%s: `counts_cgroups` has %zu bytes, not 1", object->policy.name, var.size);
	if (object->cgroups == CGROUPS_UNDECIDED)
		object->cgroups = decide(object, kernel);
	*(bool *)var.data = object->cgroups == CGROUPS_COUNT;
	return cgroups_are_ignored(object) ? leave_out(object) : 0;
}

bool cgroups_came(const struct object *object)
{
	return object->cgroups == CGROUPS_ABSENT && cgroups_have_cpu();
}
