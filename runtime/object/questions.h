/* SPDX-License-Identifier: GPL-2.0-only */
/* The questions of a policy about labels, which labels/answers.h answers. */
#ifndef GTHULHU_QUESTIONS_H
#define GTHULHU_QUESTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi.h"

struct object;

/* The questions of an object, which owns everything that this points to. */
struct questions {
	const struct gthulhu_question *all; /* nr of them; NULL: none */
	size_t nr;
	const char *texts;
	size_t texts_size;
	const uint16_t *tables;
	size_t nr_cells;
};

/* Checks the questions of an object that was just opened. Returns 0 or -EINVAL. */
int questions_check(const struct object *object, const char *path);

/* Returns true if the policy asks for labels at all. */
bool questions_any(const struct object *object);

/* Returns true if the policy asks for the label with this key (of len bytes). */
bool questions_about(const struct object *object, const char *key, size_t len);

/* Finds the questions of a checked object; `*questions` is zeroed if it has none. */
void questions_find(const struct object *object, struct questions *questions);

/* Returns the key of the label that a question is about; empty if it is about something else. */
const char *question_key(const struct questions *questions,
			 const struct gthulhu_question *question);

/* Returns true if this value answers the question with yes. */
bool question_accepts(const struct questions *questions, const struct gthulhu_question *question,
		      const char *value);

#endif /* GTHULHU_QUESTIONS_H */
