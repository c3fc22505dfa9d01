/* SPDX-License-Identifier: GPL-2.0-only */
/* Puts another policy in force in place of the one that is, and loads that one again on failure. */
#ifndef GTHULHU_SWAP_H
#define GTHULHU_SWAP_H

#include <stdbool.h>
#include <stdint.h>

struct context;

/* The policy to put in force. */
struct swap_request {
	const char *path; /* of an object; NULL: an earlier generation */
	const char *called; /* the object's name in messages */
	unsigned int generation;
	bool force; /* also an object that was taken out by itself, see refused.h */
	bool dry_run; /* load it, and never enable it */
	int64_t trial_ms; /* 0: no trial. The caller begins it */
};

/* Replaces the policy in force. Returns the answer for a client. */
char *swap_policy(struct context *ctx, const struct swap_request *request);

/*
 * Loads the generation in force again, because cgroups have got the cpu controller, and replaces it.
 * If the kernel refuses that, it stays as it is, and is not loaded again for that reason.
 */
void swap_for_cgroups(struct context *ctx);

#endif /* GTHULHU_SWAP_H */
