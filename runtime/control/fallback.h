/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Goes back without being asked: from a policy that broke a promise, failed its trial or was
 * ejected.
 */
#ifndef GTHULHU_FALLBACK_H
#define GTHULHU_FALLBACK_H

#include <stdbool.h>

struct context;
struct json;

/* Judges the promises of the policy in force, reports what changed and does what they say. */
void fallback_follow(struct context *ctx);

/*
 * Replaces the policy in force by generation `to`; with 0, or if that fails, by the kernel's own
 * scheduler: then `ctx->given_back` is set.
 */
void fallback_go(struct context *ctx, unsigned int to, const char *reason);

/*
 * Returns the generation to load after an ejection: the one that was ejected if it keeps its
 * promises, otherwise the last one before it that broke none, if there is one.
 */
unsigned int fallback_after_ejection(const struct context *ctx);

/* Records that the policy of generation `from` was taken out and `to` is loaded in its place. */
void fallback_record(struct context *ctx, const char *policy, unsigned int from, unsigned int to,
		     const char *reason);

/* Writes the member `fallback`, the last time that the loader went back by itself, if it did. */
void fallback_write(const struct context *ctx, struct json *json);

#endif /* GTHULHU_FALLBACK_H */
