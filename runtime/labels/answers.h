/* SPDX-License-Identifier: GPL-2.0-only */
/* What a set of labels answers to the questions of a policy. */
#ifndef GTHULHU_ANSWERS_H
#define GTHULHU_ANSWERS_H

#include <stdint.h>

struct label_set;
struct object;

/* Bits of the questions whose answers are known. */
struct label_answers {
	uint64_t known_true;
	uint64_t known_false;
};

struct label_answers label_answers(const struct object *object, const struct label_set *set);

#endif /* GTHULHU_ANSWERS_H */
