/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_TUNABLES_H
#define GTHULHU_TUNABLES_H

#include <stdbool.h>
#include <stdint.h>

struct object;

/* What the command line wants tunables to be: `NAME=VALUE` each. */
struct settings {
	const char *const *texts;
	unsigned int nr;
};

/* Are the object's tunables as abi.h has them? Says so where not. */
int tunables_check(struct object *object, const char *path);

/* Sets them in an object that is not loaded yet; refuses what is out of range. */
int tunables_set(struct object *object, const struct settings *settings);

/* Prints them, a line for each. */
void tunables_print(const struct object *object);

/*
 * A value as the language writes it, in ns or as it is. False: it is none; it
 * has to have a unit if it is a duration, and none otherwise.
 */
bool tunable_parse(const char *text, bool is_duration, uint64_t *value);

#endif /* GTHULHU_TUNABLES_H */
