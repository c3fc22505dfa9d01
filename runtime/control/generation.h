/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was put in force for an operator is a generation. It has a number, and a copy from which
 * it is loaded again. These open its object.
 */
#ifndef GTHULHU_GENERATION_H
#define GTHULHU_GENERATION_H

struct context;
struct json;
struct session;
struct settings;

/* A new one, with an object at path. */
int generation_open(struct context *ctx, struct session *session, const char *path,
		    const char *called, const struct settings *settings);

/* The same one again, with the tunables that it had. */
int generation_reopen(const struct context *ctx, struct session *session, unsigned int generation);

/* A new one, like an earlier one. */
int generation_repeat(const struct context *ctx, struct session *session, unsigned int generation);

/* It is in force: says so in the folder. */
void generation_publish(struct context *ctx);

/* What is in force, as members of an answer or a file. */
void generation_describe(const struct session *session, struct json *json);

#endif /* GTHULHU_GENERATION_H */
