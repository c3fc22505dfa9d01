/* SPDX-License-Identifier: GPL-2.0-only */
/* Puts another policy in force in place of the one that is, and loads that one again on failure. */
#ifndef GTHULHU_SWAP_H
#define GTHULHU_SWAP_H

struct context;

/*
 * Replaces the policy in force by the object at path, which messages call `called`, or by an earlier
 * generation if path is NULL. Returns the answer for the client.
 */
char *swap_policy(struct context *ctx, const char *path, const char *called,
		  unsigned int generation);

#endif /* GTHULHU_SWAP_H */
