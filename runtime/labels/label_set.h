/* SPDX-License-Identifier: GPL-2.0-only */
/* What is known of a process or a container. */
#ifndef GTHULHU_LABEL_SET_H
#define GTHULHU_LABEL_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "abi.h"

/* Facts are texts: `label:key=value`, `namespace=name`, `pod=name` and `container=name`. */
struct label_set {
	char **facts; /* sorted, one of a kind; owned, and so are they */
	size_t nr;
	bool complete; /* what is not in it is not there; else it is not known */
};

void label_set_clear(struct label_set *set);

/* A set with the facts of another one. */
int label_set_copy(struct label_set *set, const struct label_set *from);

/* Adds a fact, in the place of one of its kind. -EINVAL: it is none. */
int label_set_put(struct label_set *set, const char *fact);

/* Takes the fact of this kind away, `label:key` or `pod`. */
void label_set_remove(struct label_set *set, const char *kind, size_t len);

bool label_set_equal(const struct label_set *a, const struct label_set *b);

/* The value of a label, or of another subject (its key is empty); NULL: not in the set. */
const char *label_set_value(const struct label_set *set, enum gthulhu_subject subject,
			    const char *key);

#endif /* GTHULHU_LABEL_SET_H */
