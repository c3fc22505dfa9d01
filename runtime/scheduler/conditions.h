/* SPDX-License-Identifier: GPL-2.0-only */
/* Evaluates the conditions of the scheduler in force, and changes the numbers of its classes. */
#ifndef GTHULHU_CONDITIONS_H
#define GTHULHU_CONDITIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "machine/pressure.h"
#include "object/object.h"
#include "object/whens.h"
#include "output/json.h"

/* A condition as it is now. */
struct condition {
	enum answer now;
	time_t since; /* when it began or ceased to hold; 0: as it was at the start */
	unsigned int switches; /* how often it did */
	bool has_changed; /* at the last conditions_follow() */
};

/* All conditions of an object, which must outlive it. */
struct conditions {
	struct whens of;
	struct condition *conditions; /* of.nr_whens; owned; NULL: none */
	bool *holds; /* of.nr_whens; owned */
	struct pressure *pressures; /* of.nr_states; only those that ask for it are used; owned */
	uint64_t *numbers; /* scratch space of whens_apply(); owned */
};

/* Evaluates the conditions of a loaded object, before it is enabled. Returns 0 or -errno. */
int conditions_begin(struct conditions *conditions, struct object *object);

/*
 * Evaluates all conditions, and applies them together if any has changed. Returns true then; each
 * of those has `has_changed`.
 */
bool conditions_follow(struct conditions *conditions, struct object *object);

/* Writes the numbers of the classes again, after a tunable has changed. */
void conditions_apply(const struct conditions *conditions, struct object *object);

/* Writes "when pressure cpu > 20% for 5s (web.gpl:12)", printable. */
void conditions_describe(const struct conditions *conditions, const struct object *object,
			 unsigned int number, char *text, size_t size);

/* Writes the array `conditions`, which may be empty. */
void conditions_write(const struct conditions *conditions, struct json *json);

/* Frees everything. May be called again. */
void conditions_end(struct conditions *conditions);

#endif /* GTHULHU_CONDITIONS_H */
