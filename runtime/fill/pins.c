// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "fill/pins.h"
#include "machine/interrupts.h"
#include "machine/kernel.h"
#include "machine/topology.h"
#include "object/object.h"
#include "output/json.h"
#include "output/log.h"

/* A group as in the language. */
#define GROUP_LEN (GTHULHU_NAME_LEN + 16)

static bool is_by_interrupt(const struct gthulhu_group *group)
{
	return group->kind == GTHULHU_GROUP_IRQ || group->kind == GTHULHU_GROUP_NOT_IRQ;
}

/* Whether a pin has the siblings of another one's CPUs, and nothing else. */
static bool is_of_siblings(const struct gthulhu_pin *pin)
{
	return pin->nr_groups && pin->groups[0].kind == GTHULHU_GROUP_SIBLINGS;
}

static void format_group(const struct object *object, const struct gthulhu_group *group, char *text,
			 size_t size)
{
	if (is_by_interrupt(group))
		snprintf(text, size, "%sirq \"%s\"", group->kind == GTHULHU_GROUP_IRQ ? "" : "not ",
			 object->interrupts[group->number]);
	else if (group->kind == GTHULHU_GROUP_SIBLINGS)
		snprintf(text, size, "exclusive core");
	else
		topology_format(group, text, size);
}

/* The pin's bitmap has words of another type. */
static void format_cpus(const struct gthulhu_pin *pin, char *text, size_t size)
{
	struct cpu_list cpus = {};

	for (unsigned int word = 0; word < GTHULHU_PIN_WORDS; word++)
		cpus.words[word] = pin->cpus[word];
	cpu_list_format(cpus.words, GTHULHU_PIN_WORDS, text, size);
}

static void add_cpus(struct gthulhu_pin *pin, const struct cpu_list *cpus)
{
	for (unsigned int word = 0; word < GTHULHU_PIN_WORDS; word++)
		pin->cpus[word] |= cpus->words[word];
}

/* Adds the CPUs that serve an interrupt to those of the pin, or to `without`. */
static int add_interrupt(const struct object *object, struct gthulhu_pin *pin,
			 const struct gthulhu_group *group, struct cpu_list *without)
{
	const char *name = object->interrupts[group->number];
	struct cpu_list cpus = {};
	char wanted[GROUP_LEN], text[512];

	format_group(object, group, wanted, sizeof(wanted));
	if (interrupts_cpus("", name, &cpus, text, sizeof(text)))
		return log_error(
			ENODEV,
			"change `cpus` in that rule: a name matches as a whole, and `*` stands for "
			"any part of it",
			"rule `%s` (%s:%u) names `%s`; this machine has the interrupts %s",
			pin->rule, object->policy.file, pin->line, wanted, log_printable(text));
	if (group->kind == GTHULHU_GROUP_IRQ)
		add_cpus(pin, &cpus);
	else
		cpu_list_join(without, &cpus);
	return 0;
}

static int add_group(const struct object *object, struct gthulhu_pin *pin,
		     const struct gthulhu_group *group)
{
	struct cpu_list cpus;
	char wanted[GROUP_LEN];
	char text[256];

	format_group(object, group, wanted, sizeof(wanted));
	if (topology_group(SYSTEM_DIR, group, &cpus, text, sizeof(text)))
		return log_error(ENODEV, "change `cpus` in that rule",
				 "rule `%s` (%s:%u) names `%s`; this machine has %s", pin->rule,
				 object->policy.file, pin->line, wanted, text);
	add_cpus(pin, &cpus);
	return 0;
}

/* All groups of a pin but the choices. */
static int add_known_groups(const struct object *object, struct gthulhu_pin *pin,
			    const struct cpu_list *online)
{
	struct cpu_list without = {}, others = {};
	int err = 0;

	for (unsigned int i = 0; i < pin->nr_groups && !err; i++) {
		const struct gthulhu_group *group = &pin->groups[i];

		if (is_by_interrupt(group))
			err = add_interrupt(object, pin, group, &without);
		else if (!topology_is_choice(group) && !is_of_siblings(pin))
			err = add_group(object, pin, group);
	}
	if (err || !without.nr_cpus)
		return err;
	for (unsigned int cpu = 0; cpu < sizeof(online->words) * 8; cpu++) {
		if (cpu_list_has(online, cpu) && !cpu_list_has(&without, cpu))
			cpu_list_add(&others, cpu);
	}
	if (!others.nr_cpus)
		return log_error(
			ENODEV,
			"change `cpus` in that rule, or move the interrupts: /proc/irq/*/smp_affinity",
			"rule `%s` (%s:%u) asks for CPUs that do not serve an interrupt; all that "
			"are online do",
			pin->rule, object->policy.file, pin->line);
	add_cpus(pin, &others);
	return 0;
}

static bool pin_has(const struct gthulhu_pin *pin, unsigned int cpu)
{
	return pin->cpus[cpu / 64] >> cpu % 64 & 1;
}

/* Finds all siblings, also again when the CPUs of their pins are others. */
static void find_siblings(struct object *object)
{
	for (unsigned int i = 0; i < object->policy.nr_pins; i++) {
		struct gthulhu_pin *pin = &object->pins[i];
		const struct gthulhu_pin *of;

		if (!is_of_siblings(pin))
			continue;
		of = &object->pins[pin->groups[0].number];
		memset(pin->cpus, 0, sizeof(pin->cpus));
		for (unsigned int cpu = 0; cpu < sizeof(pin->cpus) * 8; cpu++) {
			struct cpu_list core;

			if (!pin_has(of, cpu))
				continue;
			topology_core(SYSTEM_DIR, cpu, &core);
			add_cpus(pin, &core);
		}
		for (unsigned int word = 0; word < GTHULHU_PIN_WORDS; word++)
			pin->cpus[word] &= ~of->cpus[word];
	}
}

/* The pin of the siblings of a pin's CPUs; NULL: these are not kept free. */
static const struct gthulhu_pin *siblings_of(const struct object *object,
					     const struct gthulhu_pin *pin)
{
	for (unsigned int i = 0; i < object->policy.nr_pins; i++) {
		if (is_of_siblings(&object->pins[i]) &&
		    &object->pins[object->pins[i].groups[0].number] == pin)
			return &object->pins[i];
	}
	return NULL;
}

/* Leaves those CPUs whose siblings are free, too, or the pin's own. */
static void keep_whole_cores(const struct gthulhu_pin *pin, struct cpu_list *free)
{
	const struct cpu_list before = *free;

	for (unsigned int cpu = 0; cpu < sizeof(free->words) * 8; cpu++) {
		struct cpu_list core;

		if (!cpu_list_has(&before, cpu))
			continue;
		topology_core(SYSTEM_DIR, cpu, &core);
		for (unsigned int word = 0; word < GTHULHU_PIN_WORDS; word++) {
			if (core.words[word] & ~(before.words[word] | pin->cpus[word]))
				free->words[cpu / 64] &= ~(1ULL << cpu % 64);
		}
	}
}

/*
 * Finds the CPUs that a choice of a rule may take: all but those of other rules. With exclusive_only
 * it leaves out only those that are exclusive to another rule.
 */
static void find_free(const struct object *object, const struct gthulhu_pin *pin,
		      const struct cpu_list *online, bool exclusive_only, struct cpu_list *free)
{
	const struct gthulhu_pin *siblings = siblings_of(object, pin);

	*free = *online;
	for (unsigned int i = 0; i < object->policy.nr_pins; i++) {
		const struct gthulhu_pin *other = &object->pins[i];

		if (other == siblings)
			continue;
		if (other != pin &&
		    (other->is_preference || (exclusive_only && !other->is_exclusive)))
			continue;
		for (unsigned int word = 0; word < GTHULHU_PIN_WORDS; word++)
			free->words[word] &= ~other->cpus[word];
	}
	if (siblings)
		keep_whole_cores(pin, free);
}

static int add_choice(const struct object *object, struct gthulhu_pin *pin,
		      const struct gthulhu_group *group, const struct cpu_list *online)
{
	struct cpu_list free, cpus;
	char wanted[GROUP_LEN];
	char text[256];
	int err;

	format_group(object, group, wanted, sizeof(wanted));
	find_free(object, pin, online, false, &free);
	err = topology_choose(SYSTEM_DIR, group, &free, &cpus);
	if (err) {
		find_free(object, pin, online, true, &free);
		err = topology_choose(SYSTEM_DIR, group, &free, &cpus);
	}
	cpu_list_format(free.words, GTHULHU_PIN_WORDS, text, sizeof(text));
	if (err && !text[0])
		return log_error(ENODEV, "leave it a CPU that no other rule has `exclusive`",
				 "rule `%s` (%s:%u) asks for `%s`; other rules have all CPUs",
				 pin->rule, object->policy.file, pin->line, wanted);
	if (err)
		return log_error(ENODEV, "ask for fewer CPUs, or for `any`",
				 "rule `%s` (%s:%u) asks for `%s`; of the CPUs that are free, %s, "
				 "too few are near each other",
				 pin->rule, object->policy.file, pin->line, wanted, text);
	add_cpus(pin, &cpus);
	return 0;
}

/* Choices of exclusive rules come first, because choices of other rules may overlap. */
static int add_choices(struct object *object, const struct cpu_list *online, bool exclusive)
{
	int err = 0;

	for (unsigned int i = 0; i < object->policy.nr_pins; i++) {
		struct gthulhu_pin *pin = &object->pins[i];

		for (unsigned int group = 0; group < pin->nr_groups && !err; group++) {
			if (topology_is_choice(&pin->groups[group]) &&
			    pin->is_exclusive == exclusive)
				err = add_choice(object, pin, &pin->groups[group], online);
			find_siblings(object);
		}
	}
	return err;
}

/* Named groups come first, because a choice avoids the CPUs that are taken. */
static int add_groups(struct object *object, const struct cpu_list *online)
{
	int err = 0;

	for (unsigned int i = 0; i < object->policy.nr_pins && !err; i++)
		err = add_known_groups(object, &object->pins[i], online);
	find_siblings(object);
	if (!err)
		err = add_choices(object, online, true);
	return err ? err : add_choices(object, online, false);
}

static int check_online(const struct object *object, const struct gthulhu_pin *pin,
			const struct cpu_list *online)
{
	char wanted[256];
	char have[256];

	for (unsigned int word = 0; word < GTHULHU_PIN_WORDS; word++) {
		if (pin->cpus[word] & online->words[word])
			return 0;
	}
	format_cpus(pin, wanted, sizeof(wanted));
	cpu_list_format(online->words, GTHULHU_PIN_WORDS, have, sizeof(have));
	return log_error(ENODEV, "change `cpus` in that rule, or bring the CPU online",
			 "rule `%s` (%s:%u) needs CPU %s; this machine has %s online", pin->rule,
			 object->policy.file, pin->line, wanted, have);
}

/* Removes a rule's exclusive CPUs from those left for other rules; at least one must be left. */
static int take_exclusive(const struct object *object, const struct gthulhu_pin *pin,
			  struct cpu_list *left)
{
	bool some = false;

	for (unsigned int word = 0; word < GTHULHU_PIN_WORDS; word++) {
		left->words[word] &= ~pin->cpus[word];
		some |= left->words[word];
	}
	if (some)
		return 0;
	return log_error(
		ENODEV, "leave one CPU out, or drop `exclusive`",
		"rule `%s` (%s:%u) takes the last CPU that is online: none is left for the "
		"tasks of other rules",
		pin->rule, object->policy.file, pin->line);
}

/* Removes the CPUs that are exclusive to other rules from those of a rule; at least one must be left. */
static int check_shared(const struct object *object, const struct gthulhu_pin *pin,
			const struct cpu_list *online)
{
	struct cpu_list left;
	char text[256];

	for (unsigned int word = 0; word < GTHULHU_PIN_WORDS; word++)
		left.words[word] = pin->cpus[word] & online->words[word];
	for (unsigned int i = 0; i < object->policy.nr_pins; i++) {
		const struct gthulhu_pin *owner = &object->pins[i];
		struct cpu_list taken = {};
		bool some_taken = false, some_left = false;

		if (owner == pin || !owner->is_exclusive)
			continue;
		for (unsigned int word = 0; word < GTHULHU_PIN_WORDS; word++) {
			taken.words[word] = left.words[word] & owner->cpus[word];
			left.words[word] &= ~owner->cpus[word];
			some_taken |= taken.words[word];
			some_left |= left.words[word];
		}
		if (!some_taken || (some_left && !pin->is_exclusive))
			continue;
		cpu_list_format(taken.words, GTHULHU_PIN_WORDS, text, sizeof(text));
		return log_error(ENODEV, "change `cpus` in one of them, or drop `exclusive`",
				 "rule `%s` (%s:%u) needs CPU %s, which rule `%s` (line %u) %s",
				 pin->rule, object->policy.file, pin->line, text, owner->rule,
				 owner->line,
				 is_of_siblings(owner) ? "keeps free: it is of an exclusive core"
						       : "has for itself");
	}
	return 0;
}

int pins_resolve(struct object *object)
{
	struct cpu_list online, left;
	int err;

	if (kernel_online_cpus(&online))
		return log_error(ENOENT, "mount -t sysfs sysfs /sys",
				 "cannot read which CPUs are online");
	left = online;
	if (object->policy.nr_pins)
		memcpy(object->pins, object->listed,
		       object->policy.nr_pins * sizeof(*object->pins));
	err = add_groups(object, &online);
	for (unsigned int i = 0; i < object->policy.nr_pins && !err; i++) {
		struct gthulhu_pin *pin = &object->pins[i];

		if (!pin->is_preference && !is_of_siblings(pin))
			err = check_online(object, pin, &online);
		if (!err && pin->is_exclusive)
			err = take_exclusive(object, pin, &left);
	}
	for (unsigned int i = 0; i < object->policy.nr_pins && !err; i++)
		if (!object->pins[i].is_preference && !is_of_siblings(&object->pins[i]))
			err = check_shared(object, &object->pins[i], &online);
	return err;
}

void pins_cpus(const struct object *object, unsigned int number, struct cpu_list *cpus)
{
	const struct gthulhu_pin *own;

	if (number > object->policy.nr_pins || kernel_online_cpus(cpus)) {
		memset(cpus, 0, sizeof(*cpus));
		return;
	}
	own = number ? &object->pins[number - 1] : NULL;
	cpus->nr_cpus = 0;
	for (unsigned int word = 0; word < GTHULHU_PIN_WORDS; word++) {
		if (own)
			cpus->words[word] &= own->cpus[word];
		for (unsigned int i = 0; i < object->policy.nr_pins; i++) {
			const struct gthulhu_pin *pin = &object->pins[i];

			if (pin != own && pin->is_exclusive)
				cpus->words[word] &= ~pin->cpus[word];
		}
		cpus->nr_cpus += (unsigned int)__builtin_popcountll(cpus->words[word]);
	}
}

bool pins_next(const struct object *object, unsigned int *number, struct pin_text *text)
{
	const struct gthulhu_pin *listed;
	size_t len;

	do {
		if (*number >= object->policy.nr_pins)
			return false;
		listed = &object->listed[*number];
		text->pin = &object->pins[(*number)++];
		format_cpus(text->pin, text->cpus, sizeof(text->cpus));
		/* A rule may only prefer CPUs that are offline, and a core may have one thread. */
	} while (!listed->nr_groups || !text->cpus[0]);
	format_cpus(listed, text->asked, sizeof(text->cpus));
	for (unsigned int i = 0; i < listed->nr_groups; i++) {
		len = strlen(text->asked);
		if (len)
			len += snprintf(text->asked + len, sizeof(text->asked) - len, ", ");
		format_group(object, &listed->groups[i], text->asked + len,
			     sizeof(text->asked) - len);
	}
	return true;
}

void pins_write(const struct object *object, struct json *json)
{
	unsigned int number = 0;
	struct pin_text text;
	bool some = false;

	while (pins_next(object, &number, &text)) {
		if (!some)
			json_array_begin(json, "cpus");
		some = true;
		json_element_begin(json);
		json_string(json, "rule", text.pin->rule);
		json_number(json, "line", text.pin->line);
		json_string(json, "asked", text.asked);
		json_string(json, "cpus", text.cpus);
		json_element_end(json);
	}
	if (some)
		json_array_end(json);
}

void pins_fill(struct object *object)
{
	struct variable var;

	/* object_open() checked that it is long enough. */
	if (object->policy.nr_pins &&
	    object_find(object, object->followed ? object->followed : object->rodata, "policy_pins",
			&var))
		memcpy(var.data, object->pins, object->policy.nr_pins * sizeof(*object->pins));
}
