// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "machine/processes.h"
#include "output/log.h"
#include "scheduler/limits.h"

static struct bpf_map *uses_map(const struct object *object)
{
	static const char *const names[] = { ".bss.limit_uses", ".bss.cgroup_limit_uses" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct bpf_map *map = bpf_object__find_map_by_name(object->bpf, names[i]);

		if (map && bpf_map__is_internal(map) && bpf_map__autocreate(map))
			return map;
	}
	return NULL;
}

bool limits_are_kept(const struct object *object)
{
	return uses_map(object);
}

/* The cgroups with a limit, by their ids, and where they are described. */
struct uses {
	struct gthulhu_limit_use *all;
	size_t nr;
	struct json *json;
};

static int compare_ids(const void *one, const void *other)
{
	const struct gthulhu_limit_use *a = one, *b = other;

	return (a->cgroup > b->cgroup) - (a->cgroup < b->cgroup);
}

static void write_use(const char *path, uint64_t id, void *data)
{
	const struct gthulhu_limit_use wanted = { .cgroup = id }, *use;
	const struct uses *uses = data;
	struct json *json = uses->json;

	use = bsearch(&wanted, uses->all, uses->nr, sizeof(*use), compare_ids);
	if (!use)
		return;
	json_element_begin(json);
	json_string(json, "cgroup", path);
	json_number(json, "quota_ns", use->quota_ns);
	json_number(json, "period_ns", use->period_ns);
	json_number(json, "periods", use->periods);
	json_number(json, "throttled_periods", use->throttled_periods);
	json_number(json, "throttled_ns", use->throttled_ns);
	json_number(json, "bursts", use->bursts);
	json_number(json, "burst_ns", use->burst_ns);
	json_element_end(json);
}

/* Moves cgroups with a limit to the front; returns their number. A class may have a limit, too. */
static size_t keep_limited(struct gthulhu_limit_use *uses, size_t nr)
{
	size_t limited = 0;

	for (size_t i = 0; i < nr; i++) {
		if (uses[i].quota_ns && uses[i].cgroup)
			uses[limited++] = uses[i];
	}
	return limited;
}

int limits_write(const struct object *object, struct json *json)
{
	struct bpf_map *map = uses_map(object);
	size_t size = bpf_map__value_size(map), limited;
	struct uses uses = { .json = json };
	uint32_t key = 0;
	int err;

	uses.all = malloc(size);
	if (!uses.all)
		return log_error(ENOMEM, NULL, "out of memory");
	if (bpf_map_lookup_elem(bpf_map__fd(map), &key, uses.all)) {
		err = log_error(errno, NULL, "cannot read the cgroups' counters: %s",
				strerror(errno));
		goto out;
	}
	limited = keep_limited(uses.all, size / sizeof(*uses.all));
	uses.nr = limited < GTHULHU_SHOWN_LIMITS ? limited : GTHULHU_SHOWN_LIMITS;
	qsort(uses.all, uses.nr, sizeof(*uses.all), compare_ids);
	json_array_begin(json, "limits");
	err = uses.nr ? cgroup_walk(write_use, &uses) : 0;
	json_array_end(json);
	json_number(json, "limits_left_out", limited - uses.nr);
	if (err)
		log_error(-err, NULL, "cannot list the cgroups: %s", strerror(-err));
out:
	free(uses.all);
	return err;
}
