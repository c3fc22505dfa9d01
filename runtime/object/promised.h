/* SPDX-License-Identifier: GPL-2.0-only */
/* The promises of an object about the running machine. */
#ifndef GTHULHU_PROMISED_H
#define GTHULHU_PROMISED_H

#include <stdint.h>

#include "object/object.h"

/* The promises of an object and their claims. All pointers belong to the object. */
struct promised {
	const struct gthulhu_promise *promises;
	const struct gthulhu_claim *claims; /* those of a promise follow each other */
	unsigned int nr_promises, nr_claims;
};

/* Finds the promises of an object. */
void promised_find(const struct object *object, struct promised *promised);

/* Checks the promises of an object that was just opened. Returns 0 or -errno. */
int promised_check(const struct object *object, const char *path);

/* Returns the bound of a claim: for a tunable, its value now. */
uint64_t claim_bound(const struct object *object, const struct gthulhu_claim *claim);

/* Returns true if the object only counts, and the kernel's own scheduler runs the tasks. */
bool object_monitors(const struct object *object);

#endif /* GTHULHU_PROMISED_H */
