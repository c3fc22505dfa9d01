/* SPDX-License-Identifier: GPL-2.0-only */
/* What a policy asks about labels; labels/answers.h answers it. */
#ifndef GTHULHU_QUESTIONS_H
#define GTHULHU_QUESTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi.h"

struct object;

/* The questions of an object, which owns all of it. */
struct questions {
	const struct gthulhu_question *all; /* nr of them */
	size_t nr;
	const char *texts;
	size_t texts_size;
	const uint16_t *tables;
	size_t nr_cells;
};

/* Whether the questions of an object that has just been opened are sound. */
int questions_check(const struct object *object, const char *path);

/* Whether the policy asks for labels at all; and for this label. */
bool questions_any(const struct object *object);
bool questions_about(const struct object *object, const char *key, size_t len);

/* The questions of a checked object. */
void questions_find(const struct object *object, struct questions *questions);

/* The key of the label that a question asks about; empty where it asks about something else. */
const char *question_key(const struct questions *questions,
			 const struct gthulhu_question *question);

/* Whether this value answers the question with yes. */
bool question_accepts(const struct questions *questions, const struct gthulhu_question *question,
		      const char *value);

#endif /* GTHULHU_QUESTIONS_H */
