/* SPDX-License-Identifier: GPL-2.0-only */
/* The questions of a policy about labels, which labels/answers.h answers. */
#ifndef GTHULHU_QUESTIONS_H
#define GTHULHU_QUESTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "label_answers.h"

struct object;

/* Checks the questions of an object that was just opened. Returns 0 or -EINVAL. */
int questions_check(const struct object *object, const char *path);

/* Returns true if the policy asks for labels at all. */
bool questions_any(const struct object *object);

/* Returns true if the policy asks for the label with this key (of len bytes). */
bool questions_about(const struct object *object, const char *key, size_t len);

/* Finds the questions of a checked object; `*questions` is zeroed if it has none. */
void questions_find(const struct object *object, struct questions *questions);

#endif /* GTHULHU_QUESTIONS_H */
