/* SPDX-License-Identifier: GPL-2.0-only */
/* The life of a loader; for run.c, generation.c and requests.c alone. */
#ifndef GTHULHU_LIFE_H
#define GTHULHU_LIFE_H

#include <stdbool.h>
#include <stdint.h>

#include "control.h"
#include "labels.h"
#include "loader.h"
#include "session.h"
#include "state.h"

struct json;

struct life {
	const struct run_options *options;
	int signal_fd;
	struct state state;
	struct control control;
	struct session session; /* the policy in force, or about to be */
	struct attic attic;
	struct labels labels;
	struct client *stopper; /* has asked for the end; NULL: nobody has */
	unsigned int published; /* the last generation that was in force */
	bool lost; /* an exchange has left nothing in force */
	int64_t ejected_ms[RESTARTS_MOST]; /* when it was loaded again for that, a ring */
	unsigned int nr_ejected; /* how often */
};

static inline const char *policy_name(const struct session *session)
{
	return session->object.policy.name;
}

/*
 * generation.c: what was put in force for an operator is a generation. It has a
 * number, and a copy from which it is loaded again. These open its object.
 */

/* A new one, with an object at path. */
int generation_open(struct life *life, struct session *session, const char *path,
		    const char *called, const struct settings *settings);

/* The same one again, with the tunables that it had. */
int generation_reopen(const struct life *life, struct session *session, unsigned int generation);

/* A new one, like an earlier one. */
int generation_repeat(const struct life *life, struct session *session, unsigned int generation);

/* It is in force: says so in the folder. */
void generation_publish(struct life *life);

/* What is in force, as members of an answer or a file. */
void generation_describe(const struct session *session, struct json *json);

/*
 * requests.c: does what a client asks for. Whether something else is in force
 * then, or nothing.
 */
bool request_serve(struct life *life, struct client *client);

#endif /* GTHULHU_LIFE_H */
