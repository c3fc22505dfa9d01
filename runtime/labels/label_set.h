/* SPDX-License-Identifier: GPL-2.0-only */
/* A set of facts about a process or a container. */
#ifndef GTHULHU_LABEL_SET_H
#define GTHULHU_LABEL_SET_H

#include <stdbool.h>
#include <stddef.h>

/* Facts are texts, see label_answers.h. A zeroed set is empty. */
struct label_set {
	char **facts; /* sorted, one of each kind; the array and the texts are owned */
	size_t nr;
	bool complete; /* other facts are false; otherwise they are unknown */
};

/* Frees everything and zeroes `*set`. */
void label_set_clear(struct label_set *set);

/*
 * Initializes `*set` as a copy of from. Returns 0 or -ENOMEM, silently; on failure `*set` is empty.
 */
int label_set_copy(struct label_set *set, const struct label_set *from);

/*
 * Adds a copy of a fact, or replaces the fact of its kind. Returns 0, -EINVAL (not a fact) or -ENOMEM,
 * silently; on failure `*set` is unchanged.
 */
int label_set_put(struct label_set *set, const char *fact);

/* Removes the fact of a kind, `label:key` or `pod`, of len bytes; none: does nothing. */
void label_set_remove(struct label_set *set, const char *kind, size_t len);

/* Returns true if both have the same facts and are equally complete. */
bool label_set_equal(const struct label_set *a, const struct label_set *b);

#endif /* GTHULHU_LABEL_SET_H */
