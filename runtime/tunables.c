// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "log.h"
#include "object.h"
#include "tunables.h"

static const char remedy_again[] = "compile the policy again, with a gthulhuc of this release";

static const struct {
	const char *name;
	uint64_t ns;
} units[] = { { "s", 1000000000 }, { "ms", 1000000 }, { "us", 1000 } };

#define NR_UNITS (sizeof(units) / sizeof(units[0]))

/* More digits than any value has, few enough for 64 bits with any unit. */
#define MOST_DIGITS 9

/* What one counts in: the unit's ns, 1 without, 0: it is not known. */
static uint64_t unit_scale(const char *unit, bool is_duration)
{
	if (!is_duration)
		return !*unit;
	for (size_t i = 0; i < NR_UNITS; i++) {
		if (!strcmp(unit, units[i].name))
			return units[i].ns;
	}
	return 0;
}

bool tunable_parse(const char *text, bool is_duration, uint64_t *value)
{
	uint64_t whole = 0, part = 0, divisor = 1, scale;
	const char *at = text;

	for (; isdigit((unsigned char)*at) && at - text <= MOST_DIGITS; at++)
		whole = whole * 10 + (*at - '0');
	if (at == text || at - text > MOST_DIGITS)
		return false;
	if (*at == '.') {
		const char *point = at++;

		for (; isdigit((unsigned char)*at) && at - point <= MOST_DIGITS; at++) {
			part = part * 10 + (*at - '0');
			divisor *= 10;
		}
		if (at == point + 1)
			return false;
	}
	scale = unit_scale(at, is_duration);
	if (!scale || part * scale % divisor)
		return false;
	*value = whole * scale + part * scale / divisor;
	return true;
}

static void format_value(uint64_t value, bool is_duration, char *text, size_t size)
{
	for (size_t i = 0; is_duration && i < NR_UNITS; i++) {
		if (value % units[i].ns)
			continue;
		snprintf(text, size, "%llu%s", (unsigned long long)(value / units[i].ns),
			 units[i].name);
		return;
	}
	if (is_duration)
		snprintf(text, size, "%llu.%03lluus", (unsigned long long)value / 1000,
			 (unsigned long long)value % 1000);
	else
		snprintf(text, size, "%llu", (unsigned long long)value);
}

/* "2ms in 500us..20ms" */
static void format_range(const struct gthulhu_tunable *tunable, char *text, size_t size)
{
	char low[32], high[32];

	format_value(tunable->low, tunable->is_duration, low, sizeof(low));
	format_value(tunable->high, tunable->is_duration, high, sizeof(high));
	snprintf(text, size, "%s..%s", low, high);
}

/* An array of .rodata with nr elements; NULL: it is not there, or shorter. */
static void *find_array(const struct object *object, const char *name, unsigned int nr, size_t size)
{
	struct variable var;

	if (!object_find(object, object->rodata, name, &var) || nr > var.size / size)
		return NULL;
	return var.data;
}

static struct gthulhu_tunable *find_tunables(const struct object *object)
{
	return find_array(object, "policy_tunables", object->policy.nr_tunables,
			  sizeof(struct gthulhu_tunable));
}

static const struct gthulhu_place *find_places(const struct object *object)
{
	return find_array(object, "policy_places", object->policy.nr_places,
			  sizeof(struct gthulhu_place));
}

static bool place_is_sound(const struct object *object, const struct gthulhu_place *place)
{
	struct variable var;

	return place->tunable < object->policy.nr_tunables &&
		(place->size == sizeof(uint32_t) || place->size == sizeof(uint64_t)) &&
		memchr(place->variable, '\0', sizeof(place->variable)) && object->params &&
		object_find(object, object->params, place->variable, &var) &&
		place->offset <= var.size && place->size <= var.size - place->offset;
}

int tunables_check(struct object *object, const char *path)
{
	const struct gthulhu_place *places = find_places(object);
	struct gthulhu_tunable *tunables = find_tunables(object);

	if (!object->policy.nr_tunables && !object->policy.nr_places)
		return 0;
	if (!tunables || (!places && object->policy.nr_places))
		return log_error(EINVAL, remedy_again, "%s: damaged: it lacks some of its tunables",
				 path);
	for (unsigned int i = 0; i < object->policy.nr_tunables; i++) {
		tunables[i].name[sizeof(tunables[i].name) - 1] = '\0';
		log_printable(tunables[i].name);
	}
	for (unsigned int i = 0; i < object->policy.nr_places; i++) {
		if (!place_is_sound(object, &places[i]))
			return log_error(EINVAL, remedy_again,
					 "%s: damaged: policy_places[%u] is nowhere", path, i);
	}
	return 0;
}

static void write_places(struct object *object, unsigned int tunable, uint64_t value)
{
	const struct gthulhu_place *places = find_places(object);

	for (unsigned int i = 0; i < object->policy.nr_places; i++) {
		struct variable var;

		if (places[i].tunable != tunable)
			continue;
		object_find(object, object->params, places[i].variable, &var);
		/* The lower half comes first: the image's byte order is the machine's. */
		if (places[i].size == sizeof(uint32_t)) {
			uint32_t half = value;

			memcpy((char *)var.data + places[i].offset, &half, sizeof(half));
		} else {
			memcpy((char *)var.data + places[i].offset, &value, sizeof(value));
		}
	}
}

static int no_such_tunable(const struct object *object, const char *text, int len)
{
	const struct gthulhu_tunable *tunables = find_tunables(object);
	char names[512] = "";
	size_t used = 0;

	for (unsigned int i = 0; i < object->policy.nr_tunables && used < sizeof(names); i++)
		used += snprintf(names + used, sizeof(names) - used, "%s%s", i ? ", " : "",
				 tunables[i].name);
	return log_error(EINVAL, used ? "--tunables OBJECT lists them with their ranges" : NULL,
			 "policy %s has no tunable `%.*s`; it has %s", object->policy.name, len,
			 text, used ? names : "none");
}

static int set_one(struct object *object, const char *text)
{
	const struct gthulhu_tunable *tunables = find_tunables(object);
	int len = (int)strcspn(text, "=");
	const struct gthulhu_tunable *tunable;
	unsigned int number = 0;
	char range[80];
	uint64_t value;

	while (number < object->policy.nr_tunables &&
	       ((int)strlen(tunables[number].name) != len ||
		strncmp(tunables[number].name, text, len)))
		number++;
	if (number == object->policy.nr_tunables)
		return no_such_tunable(object, text, len);
	tunable = &tunables[number];
	format_range(tunable, range, sizeof(range));
	if (!text[len] || !tunable_parse(text + len + 1, tunable->is_duration, &value))
		return log_error(EINVAL,
				 tunable->is_duration ? "write a duration such as `500us` or `2ms`"
						      : "write a number without a unit",
				 "tunable `%s` (%s:%u) within %s: `%s` is no value for it",
				 tunable->name, object->policy.file, tunable->line, range,
				 text[len] ? text + len + 1 : "");
	if (value < tunable->low || value > tunable->high)
		return log_error(ERANGE, "give it a value within, or widen its range in the policy",
				 "tunable `%s` (%s:%u) is within %s, not `%s`", tunable->name,
				 object->policy.file, tunable->line, range, text + len + 1);
	write_places(object, number, value);
	log_detail("tunable `%s` is %s", tunable->name, text + len + 1);
	return 0;
}

int tunables_set(struct object *object, const struct settings *settings)
{
	int err = 0;

	for (unsigned int i = 0; i < settings->nr && !err; i++)
		err = set_one(object, settings->texts[i]);
	return err;
}

void tunables_print(const struct object *object)
{
	const struct gthulhu_tunable *tunables = find_tunables(object);

	for (unsigned int i = 0; i < object->policy.nr_tunables; i++) {
		char initial[32], range[80];

		format_value(tunables[i].initial, tunables[i].is_duration, initial,
			     sizeof(initial));
		format_range(&tunables[i], range, sizeof(range));
		printf("%s = %s in %s\n", tunables[i].name, initial, range);
	}
}
