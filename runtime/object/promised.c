// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>

#include <bpf/libbpf.h>

#include "object/promised.h"
#include "output/log.h"

static const char remedy_again[] = "compile the policy again, with a gthulhuc of this release";

#define SHORTEST_WINDOW_NS 1000000000ULL
#define MOST_CLAIMS 64
#define LONGEST_WINDOW_NS (3600 * SHORTEST_WINDOW_NS)

void promised_find(const struct object *object, struct promised *promised)
{
	struct variable var;

	memset(promised, 0, sizeof(*promised));
	if (object_find(object, object->rodata, "policy_promises", &var) &&
	    variable_holds(&var, struct gthulhu_promise)) {
		promised->promises = var.data;
		promised->nr_promises = var.size / sizeof(*promised->promises);
	}
	if (object_find(object, object->rodata, "policy_claims", &var) &&
	    variable_holds(&var, struct gthulhu_claim)) {
		promised->claims = var.data;
		promised->nr_claims = var.size / sizeof(*promised->claims);
	}
}

static bool is_text(const char *text, size_t size)
{
	return memchr(text, '\0', size) && *text;
}

static bool promise_is_valid(const struct gthulhu_promise *promise)
{
	return promise->window_ns >= SHORTEST_WINDOW_NS &&
		promise->window_ns <= LONGEST_WINDOW_NS &&
		promise->otherwise <= GTHULHU_ELSE_EEVDF &&
		is_text(promise->rule, sizeof(promise->rule));
}

static bool claim_is_valid(const struct object *object, const struct promised *promised,
			   unsigned int number, unsigned int nr_classes)
{
	const struct gthulhu_claim *claim = &promised->claims[number];
	unsigned int before = number ? promised->claims[number - 1].promise : 0;

	return claim->promise < promised->nr_promises && claim->promise >= before &&
		claim->class < nr_classes && claim->tunable <= object->policy.nr_tunables &&
		claim->statistic <= GTHULHU_SHARE && claim->part <= 1000 &&
		(claim->statistic != GTHULHU_QUANTILE || claim->part) &&
		(claim->statistic == GTHULHU_SHARE ? claim->bound <= 1000
						   : claim->bound || claim->tunable) &&
		is_text(claim->text, sizeof(claim->text));
}

/* Whether a per-CPU array has as many values of this size. */
static bool has_map(const struct object *object, const char *name, unsigned int nr, size_t size)
{
	const struct bpf_map *map = bpf_object__find_map_by_name(object->bpf, name);

	return map && bpf_map__type(map) == BPF_MAP_TYPE_PERCPU_ARRAY &&
		bpf_map__value_size(map) == size && bpf_map__max_entries(map) >= nr;
}

int promised_check(const struct object *object, const char *path)
{
	const struct bpf_map *counters = bpf_object__find_map_by_name(object->bpf, "class_stats");
	unsigned int nr_classes = counters ? bpf_map__max_entries(counters) : 0;
	struct promised promised;
	bool is_timed = false;

	promised_find(object, &promised);
	if (promised.nr_promises > MOST_CLAIMS || promised.nr_claims > MOST_CLAIMS)
		return log_error(EINVAL, remedy_again, "%s: corrupt object: too many promises",
				 path);
	for (unsigned int i = 0; i < promised.nr_promises; i++) {
		if (!promise_is_valid(&promised.promises[i]))
			return log_error(EINVAL, remedy_again,
					 "%s: corrupt object: policy_promises[%u] is invalid", path,
					 i);
	}
	for (unsigned int i = 0; i < promised.nr_claims; i++) {
		if (!claim_is_valid(object, &promised, i, nr_classes))
			return log_error(EINVAL, remedy_again,
					 "%s: corrupt object: policy_claims[%u] is invalid", path,
					 i);
		is_timed |= promised.claims[i].statistic == GTHULHU_QUANTILE;
	}
	if ((promised.nr_claims &&
	     !has_map(object, "class_stats", nr_classes, sizeof(struct gthulhu_class_counters))) ||
	    (is_timed && !has_map(object, "claim_waits", promised.nr_claims, sizeof(uint64_t))))
		return log_error(EINVAL, remedy_again,
				 "%s: corrupt object: it lacks counters for its promises", path);
	return 0;
}

uint64_t claim_bound(const struct object *object, const struct gthulhu_claim *claim)
{
	return claim->tunable ? object->values[claim->tunable - 1] : claim->bound;
}

bool object_monitors(const struct object *object)
{
	struct variable partial;

	return object_find(object, object->rodata, "ops_flag_SCX_OPS_SWITCH_PARTIAL", &partial);
}
