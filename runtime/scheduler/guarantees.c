// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fill/pins.h"
#include "machine/kernel.h"
#include "machine/processes.h"
#include "object/object.h"
#include "output/log.h"
#include "scheduler/classes.h"
#include "scheduler/guarantees.h"

/* A class with what it is guaranteed, and the CPUs that are online and that it may use. */
struct guaranteed {
	const struct gthulhu_guarantee *guarantee;
	struct cpu_list cpus;
};

/* The guaranteed part, in thousandths of a CPU. */
static uint64_t need_of(const struct guaranteed *class)
{
	return (uint64_t)class->guarantee->low * class->cpus.nr_cpus;
}

/*
 * Returns the tightest limit on the way from a cgroup to the root, in thousandths of a CPU, and cuts
 * the path to that of its cgroup. Returns UINT64_MAX if none has a limit.
 */
static uint64_t find_tightest(char *path)
{
	uint64_t limit, tightest = UINT64_MAX;
	char above[GTHULHU_CGROUP_LEN];

	snprintf(above, sizeof(above), "%s", path);
	for (char *end; (end = strrchr(above, '/')); *end = '\0') {
		if (!cgroup_limit(above, &limit) || limit >= tightest)
			continue;
		tightest = limit;
		path[strlen(above)] = '\0';
	}
	return tightest;
}

static void check_limit(const struct object *object, const struct guaranteed *class)
{
	char path[GTHULHU_CGROUP_LEN], rule[256];
	uint64_t most;

	snprintf(path, sizeof(path), "%.*s", GTHULHU_CGROUP_LEN - 1, class->guarantee->cgroup);
	most = find_tightest(path);
	if (most >= need_of(class) ||
	    !class_owner(object, class->guarantee->class, rule, sizeof(rule)))
		return;
	log_warning("%s: %s guarantees its tasks %.3g CPUs, but they have at most %.3g by the "
		    "cpu.max of %s: raise that limit, or lower the `share`",
		    object->policy.name, rule, (double)need_of(class) / 1000, (double)most / 1000,
		    log_printable(path));
}

/* Whether all CPUs of a class are in a list. */
static bool is_within(const struct guaranteed *class, const struct cpu_list *cpus)
{
	for (size_t word = 0; word < sizeof(cpus->words) / sizeof(cpus->words[0]); word++)
		if (class->cpus.words[word] & ~cpus->words[word])
			return false;
	return true;
}

/*
 * Checks the classes with no other CPUs than those of one class. The compiler checks all CPUs that
 * policies name by number; nodes, caches and choices are known only here.
 */
static void check_room(const struct object *object, const struct guaranteed *classes, size_t count,
		       const struct guaranteed *widest)
{
	char rules[1024] = "", rule[256], cpus[256];
	unsigned int named = 0, others = 0;
	uint64_t need = 0;
	size_t len = 0;

	for (size_t i = 0; i < count; i++) {
		if (!is_within(&classes[i], &widest->cpus))
			continue;
		/* Once for classes with the same CPUs. */
		if (&classes[i] < widest && is_within(widest, &classes[i].cpus))
			return;
		need += need_of(&classes[i]);
		if (named == 3 ||
		    !class_owner(object, classes[i].guarantee->class, rule, sizeof(rule))) {
			others++;
			continue;
		}
		len += (size_t)snprintf(rules + len, sizeof(rules) - len, "%s%s",
					named++ ? ", " : "", rule);
	}
	if (need <= (uint64_t)widest->cpus.nr_cpus * 1000)
		return;
	if (others)
		snprintf(rules + len, sizeof(rules) - len, " and %u more", others);
	cpu_list_format(widest->cpus.words, GTHULHU_PIN_WORDS, cpus, sizeof(cpus));
	log_warning("%s: %s are guaranteed %.3g CPUs, but on this machine they have only %u (%s): "
		    "lower a `share`, or change `cpus`",
		    object->policy.name, rules, (double)need / 1000, widest->cpus.nr_cpus, cpus);
}

int guarantees_check(const struct object *object)
{
	const struct gthulhu_guarantee *guarantees;
	struct guaranteed *classes;
	struct variable var;
	size_t count;

	if (!object_find(object, object->rodata, "policy_guarantees", &var) ||
	    !variable_holds(&var, struct gthulhu_guarantee))
		return 0;
	guarantees = var.data;
	count = var.size / sizeof(*guarantees);
	classes = calloc(count, sizeof(*classes));
	if (!classes)
		return log_error(ENOMEM, NULL, "out of memory");
	for (size_t i = 0; i < count; i++) {
		classes[i].guarantee = &guarantees[i];
		pins_cpus(object, guarantees[i].pin, &classes[i].cpus);
	}
	for (size_t i = 0; i < count; i++) {
		check_room(object, classes, count, &classes[i]);
		check_limit(object, &classes[i]);
	}
	free(classes);
	return 0;
}
