// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "object/object.h"
#include "object/tunables.h"
#include "output/json.h"
#include "output/log.h"

static const char remedy_again[] = "compile the policy again, with a gthulhuc of this release";

static const struct {
	const char *name;
	uint64_t ns;
} units[] = { { "s", 1000000000 }, { "ms", 1000000 }, { "us", 1000 } };

#define NR_UNITS (sizeof(units) / sizeof(units[0]))

/* More digits than any value needs, few enough for 64 bits with any unit. */
#define MOST_DIGITS 9

/* The factor of a suffix: nanoseconds, 10 for percent, 1 for a plain number, 0 for an invalid one. */
static uint64_t scale_of(const char *suffix, enum gthulhu_unit unit)
{
	if (unit == GTHULHU_NUMBER)
		return !*suffix;
	if (unit == GTHULHU_PERMILLE)
		return strcmp(suffix, "%") ? 0 : 10;
	for (size_t i = 0; i < NR_UNITS; i++) {
		if (!strcmp(suffix, units[i].name))
			return units[i].ns;
	}
	return 0;
}

bool tunable_parse(const char *text, enum gthulhu_unit unit, uint64_t *value)
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
	scale = scale_of(at, unit);
	if (!scale || part * scale % divisor)
		return false;
	*value = whole * scale + part * scale / divisor;
	return true;
}

static void format_value(uint64_t value, enum gthulhu_unit unit, char *text, size_t size)
{
	for (size_t i = 0; unit == GTHULHU_NS && i < NR_UNITS; i++) {
		if (value % units[i].ns)
			continue;
		snprintf(text, size, "%llu%s", (unsigned long long)(value / units[i].ns),
			 units[i].name);
		return;
	}
	if (unit == GTHULHU_NS)
		snprintf(text, size, "%llu.%03lluus", (unsigned long long)value / 1000,
			 (unsigned long long)value % 1000);
	else if (unit == GTHULHU_PERMILLE && value % 10)
		snprintf(text, size, "%llu.%llu%%", (unsigned long long)value / 10,
			 (unsigned long long)value % 10);
	else if (unit == GTHULHU_PERMILLE)
		snprintf(text, size, "%llu%%", (unsigned long long)value / 10);
	else
		snprintf(text, size, "%llu", (unsigned long long)value);
}

/* "500us..20ms" */
static void format_range(const struct gthulhu_tunable *tunable, char *text, size_t size)
{
	char low[32], high[32];

	format_value(tunable->low, tunable->unit, low, sizeof(low));
	format_value(tunable->high, tunable->unit, high, sizeof(high));
	snprintf(text, size, "%s..%s", low, high);
}

/* An array of .rodata with nr elements; NULL: it is missing, shorter or misaligned. */
static void *find_array(const struct object *object, const char *name, unsigned int nr, size_t size,
			size_t alignment)
{
	struct variable var;

	if (!nr || !object_find(object, object->rodata, name, &var) || nr > var.size / size ||
	    (uintptr_t)var.data % alignment)
		return NULL;
	return var.data;
}

static struct gthulhu_tunable *find_tunables(const struct object *object)
{
	return find_array(object, "policy_tunables", object->policy.nr_tunables,
			  sizeof(struct gthulhu_tunable), _Alignof(struct gthulhu_tunable));
}

static const struct gthulhu_place *find_places(const struct object *object)
{
	return find_array(object, "policy_places", object->policy.nr_places,
			  sizeof(struct gthulhu_place), _Alignof(struct gthulhu_place));
}

static bool place_is_valid(const struct object *object, const struct gthulhu_place *place)
{
	struct variable var;

	return place->tunable < object->policy.nr_tunables &&
		(place->size == sizeof(uint32_t) || place->size == sizeof(uint64_t)) &&
		memchr(place->variable, '\0', sizeof(place->variable)) && object->params &&
		object_find(object, object->params, place->variable, &var) &&
		place->offset <= var.size && place->size <= var.size - place->offset &&
		((uintptr_t)var.data + place->offset) % place->size == 0;
}

int tunables_check(struct object *object, const char *path)
{
	const struct gthulhu_place *places = find_places(object);
	struct gthulhu_tunable *tunables = find_tunables(object);

	if (!object->policy.nr_tunables && !object->policy.nr_places)
		return 0;
	if (!tunables || (!places && object->policy.nr_places))
		return log_error(EINVAL, remedy_again,
				 "%s: corrupt object: it lacks some of its tunables", path);
	object->values = calloc(object->policy.nr_tunables + 1, sizeof(*object->values));
	if (!object->values)
		return log_error(ENOMEM, NULL, "%s: out of memory", path);
	for (unsigned int i = 0; i < object->policy.nr_tunables; i++) {
		tunables[i].name[sizeof(tunables[i].name) - 1] = '\0';
		object->values[i] = tunables[i].initial;
		log_printable(tunables[i].name);
		if (tunables[i].unit >= GTHULHU_NR_UNITS)
			return log_error(EINVAL, remedy_again,
					 "%s: corrupt object: invalid policy_tunables[%u]", path,
					 i);
	}
	for (unsigned int i = 0; i < object->policy.nr_places; i++) {
		if (!place_is_valid(object, &places[i]))
			return log_error(EINVAL, remedy_again,
					 "%s: corrupt object: invalid policy_places[%u]", path, i);
	}
	return 0;
}

int tunables_map(struct object *object)
{
	size_t page = sysconf(_SC_PAGESIZE);
	void *memory;

	if (!object->params)
		return 0;
	object->params_size = (bpf_map__value_size(object->params) + page - 1) / page * page;
	memory = mmap(NULL, object->params_size, PROT_READ | PROT_WRITE, MAP_SHARED,
		      bpf_map__fd(object->params), 0);
	if (memory == MAP_FAILED)
		return log_error(errno, NULL, "%s: cannot map .data.params: %s",
				 object->policy.name, strerror(errno));
	object->params_live = memory;
	return 0;
}

static void write_places(struct object *object, unsigned int tunable, uint64_t value)
{
	const struct gthulhu_place *places = find_places(object);

	object->values[tunable] = value;
	for (unsigned int i = 0; i < object->policy.nr_places; i++) {
		char *data;

		if (places[i].tunable != tunable)
			continue;
		data = object_params(object, places[i].variable, places[i].offset);
		/* In one store: the scheduler may read it meanwhile. */
		if (places[i].size == sizeof(uint32_t))
			__atomic_store_n((uint32_t *)data, (uint32_t)value, __ATOMIC_RELAXED);
		else
			__atomic_store_n((uint64_t *)data, value, __ATOMIC_RELAXED);
	}
}

static size_t smallest(size_t a, size_t b, size_t c)
{
	size_t least = a < b ? a : b;

	return least < c ? least : c;
}

/* The edit distance of two names, in characters. */
static size_t distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t row[GTHULHU_NAME_LEN + 1];

	if (a_len > GTHULHU_NAME_LEN || b_len > GTHULHU_NAME_LEN)
		return SIZE_MAX;
	for (size_t j = 0; j <= b_len; j++)
		row[j] = j;
	for (size_t i = 1; i <= a_len; i++) {
		size_t before = row[0];

		row[0] = i;
		for (size_t j = 1; j <= b_len; j++) {
			size_t above = row[j];

			row[j] = smallest(above + 1, row[j - 1] + 1,
					  before + (a[i - 1] != b[j - 1]));
			before = above;
		}
	}
	return row[b_len];
}

/* The tunable with the most similar name; NULL: none is similar. */
static const char *nearest(const struct object *object, const char *text, size_t len)
{
	const struct gthulhu_tunable *tunables = find_tunables(object);
	const char *found = NULL;
	size_t least = len / 3 + 2;

	for (unsigned int i = 0; i < object->policy.nr_tunables; i++) {
		size_t far = distance(text, len, tunables[i].name, strlen(tunables[i].name));

		if (far < least) {
			least = far;
			found = tunables[i].name;
		}
	}
	return found;
}

static int no_such_tunable(const struct object *object, const char *text, int len)
{
	const struct gthulhu_tunable *tunables = find_tunables(object);
	const char *meant = nearest(object, text, len);
	char names[512] = "", hint[128];
	size_t used = 0;

	for (unsigned int i = 0; i < object->policy.nr_tunables && used < sizeof(names); i++)
		used += snprintf(names + used, sizeof(names) - used, "%s%s", i ? ", " : "",
				 tunables[i].name);
	if (meant)
		snprintf(hint, sizeof(hint), "did you mean `%s`?", meant);
	else
		snprintf(hint, sizeof(hint), "--tunables OBJECT lists them with their ranges");
	return log_error(EINVAL, used ? hint : NULL, "policy %s has no tunable `%.*s`; it has %s",
			 object->policy.name, len, text, used ? names : "none");
}

/* The number of the tunable that a setting names; policy.nr_tunables: none. */
static unsigned int find_tunable(const struct object *object, const char *setting)
{
	const struct gthulhu_tunable *tunables = find_tunables(object);
	size_t len = strcspn(setting, "=");
	unsigned int number = 0;

	while (number < object->policy.nr_tunables &&
	       (strlen(tunables[number].name) != len ||
		strncmp(tunables[number].name, setting, len)))
		number++;
	return number;
}

static const char *const remedies[] = {
	[GTHULHU_NUMBER] = "write a number without a unit",
	[GTHULHU_NS] = "write a duration such as `500us` or `2ms`",
	[GTHULHU_PERMILLE] = "write a percentage such as `20%` or `0.5%`",
};

static int set_one(struct object *object, const char *text)
{
	const struct gthulhu_tunable *tunables = find_tunables(object);
	unsigned int number = find_tunable(object, text);
	int len = (int)strcspn(text, "=");
	const struct gthulhu_tunable *tunable;
	char range[80];
	uint64_t value;

	if (number == object->policy.nr_tunables)
		return no_such_tunable(object, text, len);
	tunable = &tunables[number];
	format_range(tunable, range, sizeof(range));
	if (!text[len] || !tunable_parse(text + len + 1, tunable->unit, &value))
		return log_error(EINVAL, remedies[tunable->unit],
				 "tunable `%s` (%s:%u) expects a value within %s, found `%s`",
				 tunable->name, object->policy.file, tunable->line, range,
				 text[len] ? text + len + 1 : "");
	if (value < tunable->low || value > tunable->high)
		return log_error(
			ERANGE, "choose a value in this range, or widen the range in the policy",
			"tunable `%s` (%s:%u) must be within %s, found `%s`", tunable->name,
			object->policy.file, tunable->line, range, text + len + 1);
	write_places(object, number, value);
	log_verbose("tunable `%s` is %s", tunable->name, text + len + 1);
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

		format_value(tunables[i].initial, tunables[i].unit, initial, sizeof(initial));
		format_range(&tunables[i], range, sizeof(range));
		printf("%s = %s in %s\n", tunables[i].name, initial, range);
	}
}

bool tunables_changed(const struct object *object, unsigned int *number, char *text, size_t size)
{
	const struct gthulhu_tunable *tunables = find_tunables(object);
	char value[48];

	while (*number < object->policy.nr_tunables &&
	       object->values[*number] == tunables[*number].initial)
		(*number)++;
	if (*number >= object->policy.nr_tunables)
		return false;
	format_value(object->values[*number], tunables[*number].unit, value, sizeof(value));
	snprintf(text, size, "%s=%s", tunables[*number].name, value);
	(*number)++;
	return true;
}

void tunables_value(const struct object *object, const char *setting, char *text, size_t size)
{
	unsigned int number = find_tunable(object, setting);

	text[0] = '\0';
	if (number < object->policy.nr_tunables)
		format_value(object->values[number], find_tunables(object)[number].unit, text,
			     size);
}

void tunables_write(const struct object *object, struct json *json)
{
	const struct gthulhu_tunable *tunables = find_tunables(object);

	json_array_begin(json, "tunables");
	for (unsigned int i = 0; i < object->policy.nr_tunables; i++) {
		const struct gthulhu_tunable *tunable = &tunables[i];
		const struct {
			const char *key;
			uint64_t value;
		} members[] = {
			{ "value", object->values[i] },
			{ "initial", tunable->initial },
			{ "low", tunable->low },
			{ "high", tunable->high },
		};

		json_element_begin(json);
		json_string(json, "name", tunable->name);
		for (size_t j = 0; j < sizeof(members) / sizeof(members[0]); j++) {
			char text[48];

			format_value(members[j].value, tunable->unit, text, sizeof(text));
			json_string(json, members[j].key, text);
		}
		json_element_end(json);
	}
	json_array_end(json);
}
