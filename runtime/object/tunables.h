/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_TUNABLES_H
#define GTHULHU_TUNABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi.h"

struct json;
struct object;

/* New values of tunables, `NAME=VALUE` each; the texts are not owned. */
struct settings {
	const char *const *texts;
	unsigned int nr;
};

/* Checks the tunables of an object that was just opened. Returns 0 or -errno. */
int tunables_check(struct object *object, const char *path);

/*
 * Sets tunables before the object is loaded, or after tunables_map(). Returns 0, or -errno for the
 * first invalid setting; that tunable and those after it are unchanged.
 */
int tunables_set(struct object *object, const struct settings *settings);

/*
 * Maps the parameters of a loaded object, so that tunables_set() changes the running scheduler.
 * Returns 0 or -errno.
 */
int tunables_map(struct object *object);

/* Prints each tunable with its value and range in a line. */
void tunables_print(const struct object *object);

/*
 * Writes the next tunable that differs from its initial value, as `NAME=VALUE`, to text. `*number` is
 * the position, 0 at first. Returns false if there are no more.
 */
bool tunables_changed(const struct object *object, unsigned int *number, char *text, size_t size);

/* Writes the value of the tunable that a setting names to text; empty: no such tunable. */
void tunables_value(const struct object *object, const char *setting, char *text, size_t size);

/* Writes an array `tunables` with their values and ranges. */
void tunables_write(const struct object *object, struct json *json);

/*
 * Parses a value of the language: a duration with its unit, to nanoseconds, a percentage, to
 * 1/1000, or a plain number. Returns false if text is invalid; `*value` is unchanged then.
 */
bool tunable_parse(const char *text, enum gthulhu_unit unit, uint64_t *value);

#endif /* GTHULHU_TUNABLES_H */
