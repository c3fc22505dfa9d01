/* SPDX-License-Identifier: GPL-2.0-only */
/* The conditions of an object, and the numbers of classes that they change. */
#ifndef GTHULHU_WHENS_H
#define GTHULHU_WHENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "object/object.h"

/* The conditions of an object. All pointers belong to the object. */
struct whens {
	const struct gthulhu_when *whens;
	const struct gthulhu_state *states;
	const struct gthulhu_change *changes;
	unsigned int nr_whens, nr_states, nr_changes;
};

/* Finds the conditions of an object. */
void whens_find(const struct object *object, struct whens *whens);

/* Checks the conditions of an object that was just opened. Returns 0 or -errno. */
int whens_check(const struct object *object, const char *path);

/* The answer to a condition. */
enum answer {
	ANSWER_NO,
	ANSWER_UNKNOWN,
	ANSWER_YES,
};

/* Answers a step that asks about the machine. */
typedef enum answer when_ask(void *machine, unsigned int state);

/* Evaluates a condition; what is unknown stays so, with or without `not`. */
enum answer when_evaluate(const struct whens *whens, unsigned int when, when_ask *ask,
			  void *machine);

/*
 * Writes the values of all changes to the loaded object: those that always hold, and those of each
 * `when` that holds. The scheduler may run meanwhile. `numbers` is scratch space of whens_room().
 */
void whens_apply(struct object *object, const bool *holds, uint64_t *numbers);

/* Returns how many numbers whens_apply() needs room for: one at each byte of the parameters. */
size_t whens_room(const struct object *object);

#endif /* GTHULHU_WHENS_H */
