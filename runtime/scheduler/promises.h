/* SPDX-License-Identifier: GPL-2.0-only */
/* Judges the promises of the scheduler in force, window by window. */
#ifndef GTHULHU_PROMISES_H
#define GTHULHU_PROMISES_H

#include <stdbool.h>
#include <stdint.h>

#include "object/object.h"
#include "object/promised.h"
#include "output/json.h"
#include "scheduler/judge.h"

/* A claim as it is judged. */
struct judged_claim {
	struct tally before; /* at the beginning of the window */
	struct finding last; /* of the last window */
};

/* A promise as it is judged. */
struct judged_promise {
	int64_t since_us; /* the beginning of the window, as clock_us() */
	struct history history;
	enum verdict last; /* of the last window */
	unsigned int windows[3]; /* how many there were, by verdict */
};

/* All promises of an object, which must outlive it. */
struct promises {
	struct promised promised;
	struct judged_promise *promises; /* promised.nr_promises; owned; NULL: not judged */
	struct judged_claim *claims; /* promised.nr_claims; owned */
};

/* Begins the first windows of a loaded object. Returns 0 or -errno; then none is judged. */
int promises_begin(struct promises *promises, const struct object *object);

/*
 * Judges the windows that are over. Returns the number of a promise that broke or recovered. Call it
 * again until it returns a negative number, for no promise.
 */
int promises_follow(struct promises *promises, const struct object *object);

/* Returns true if a promise is not broken, and more windows kept it than broke it. */
bool promise_held(const struct promises *promises, unsigned int number);

/* Returns true if the object has promises and every one was held. */
bool promises_held(const struct promises *promises);

/* Returns true if one is broken. */
bool promises_any_broken(const struct promises *promises);

/*
 * Writes "promise `ran` (upf.gpl:12) STATE: p99(wakeup ran) < 300us: 1.2ms", printable, with each
 * broken claim of the last window, or with each claim if none is broken.
 */
void promises_describe(const struct promises *promises, const struct object *object,
		       unsigned int number, const char *state, char *text, unsigned long size);

/* Writes how many windows of a promise there were, by what they said. */
void promise_write_windows(const struct promises *promises, unsigned int number, struct json *json);

/* Writes the array `promises`, which may be empty, each with its claims. */
void promises_write(const struct promises *promises, struct json *json);

/* Frees everything. May be called again. */
void promises_end(struct promises *promises);

#endif /* GTHULHU_PROMISES_H */
