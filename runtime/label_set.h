/* SPDX-License-Identifier: GPL-2.0-only */
/* What is known of a process or a container, and what it answers to a policy's questions. */
#ifndef GTHULHU_LABEL_SET_H
#define GTHULHU_LABEL_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct object;

/* Facts are texts: `label:key=value`, `namespace=name`, `pod=name` and `container=name`. */
struct label_set {
	char **facts; /* sorted, one of a kind; owned, and so are they */
	size_t nr;
	bool complete; /* what is not in it is not there; else it is not known */
};

/* Bits of the questions whose answers are known. */
struct label_answers {
	uint64_t known_true;
	uint64_t known_false;
};

void label_set_clear(struct label_set *set);

/* A set with the facts of another one. */
int label_set_copy(struct label_set *set, const struct label_set *from);

/* Adds a fact, in the place of one of its kind. -EINVAL: it is none. */
int label_set_put(struct label_set *set, const char *fact);

/* Takes the fact of this kind away, `label:key` or `pod`. */
void label_set_remove(struct label_set *set, const char *kind, size_t len);

bool label_set_equal(const struct label_set *a, const struct label_set *b);

/* Whether the questions of an object that has just been opened are sound. */
int questions_check(const struct object *object, const char *path);

/* Whether the policy asks for labels at all; and for this label. */
bool questions_any(const struct object *object);
bool questions_about(const struct object *object, const char *key, size_t len);

struct label_answers questions_answer(const struct object *object, const struct label_set *set);

#endif /* GTHULHU_LABEL_SET_H */
