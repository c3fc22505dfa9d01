/* SPDX-License-Identifier: GPL-2.0-only */
/* Evaluates the questions of a policy on a set of facts. */
#ifndef GTHULHU_ANSWERS_H
#define GTHULHU_ANSWERS_H

#include "label_answers.h"

struct label_set;
struct object;

/* Returns the answers that set gives to the questions of a checked object. */
struct label_answers label_answers(const struct object *object, const struct label_set *set);

#endif /* GTHULHU_ANSWERS_H */
