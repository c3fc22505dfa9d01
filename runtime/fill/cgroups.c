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

static bool starts_with(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

/* Their callbacks go with the members of sched_ext_ops. */
static int leave_out(const struct object *object)
{
	struct bpf_program *program;
	struct bpf_map *map;
	int err = 0;

	bpf_object__for_each_program(program, object->bpf) {
		if (starts_with(bpf_program__name(program), program_prefix))
			bpf_program__set_autoload(program, false);
	}
	bpf_object__for_each_map(map, object->bpf) {
		if (!err && starts_with(bpf_map__name(map), map_prefix))
			err = bpf_map__set_autocreate(map, false);
	}
	if (err)
		log_error(-err, NULL, "%s: cannot leave out a map: %s", object->policy.name,
			  strerror(-err));
	return err;
}

int cgroups_fill(struct object *object, const struct kbtf *kernel)
{
	struct variable var;
	bool told;

	object->cgroups = CGROUPS_AS_COMPILED;
	if (!object_find(object, object->rodata, "counts_cgroups", &var))
		return 0;
	if (var.size != sizeof(bool))
		return log_error(
			EINVAL, "compile the policy again, with a gthulhuc of this release",
			"%s: `counts_cgroups` has %zu bytes, not 1", object->policy.name, var.size);
	told = kbtf_has_member(kernel, kbtf_find_struct(kernel, "sched_ext_ops"), "cgroup_init");
	object->cgroups = CGROUPS_IMPOSSIBLE;
	if (told)
		object->cgroups = cgroups_have_cpu() ? CGROUPS_COUNT : CGROUPS_ABSENT;
	else if (cgroups_have_cpu())
		log_warning(
			"%s: cpu.weight and cpu.max of cgroups do not count: kernel %s does not "
			"tell a scheduler of cgroups (CONFIG_EXT_GROUP_SCHED)",
			object->policy.name, kernel_release());
	*(bool *)var.data = object->cgroups == CGROUPS_COUNT;
	return object->cgroups == CGROUPS_COUNT ? 0 : leave_out(object);
}

bool cgroups_came(const struct object *object)
{
	return object->cgroups == CGROUPS_ABSENT && cgroups_have_cpu();
}
