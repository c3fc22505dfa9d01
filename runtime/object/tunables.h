/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_TUNABLES_H
#define GTHULHU_TUNABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json;
struct object;

/* What the command line wants tunables to be: `NAME=VALUE` each. */
struct settings {
	const char *const *texts;
	unsigned int nr;
};

/* Are the object's tunables as abi.h has them? Says so where not. */
int tunables_check(struct object *object, const char *path);

/* Sets them before the object is loaded, or after tunables_map(); refuses what is out of range. */
int tunables_set(struct object *object, const struct settings *settings);

/* Once the object is loaded: from now on they are set in the scheduler itself. */
int tunables_map(struct object *object);

/* Prints them, a line for each. */
void tunables_print(const struct object *object);

/* Those that have another value than at first, as `NAME=VALUE`; false past the last one. */
bool tunables_changed(const struct object *object, unsigned int *number, char *text, size_t size);

/* The value of the one that a setting names. */
void tunables_value(const struct object *object, const char *setting, char *text, size_t size);

/* An array `tunables` with their values and ranges. */
void tunables_write(const struct object *object, struct json *json);

/*
 * A value as the language writes it, in ns or as it is. False: it is none; it
 * has to have a unit if it is a duration, and none otherwise.
 */
bool tunable_parse(const char *text, bool is_duration, uint64_t *value);

#endif /* GTHULHU_TUNABLES_H */
