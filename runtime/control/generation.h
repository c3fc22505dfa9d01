/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A generation is one time that an operator put a policy in force. It has a number and a copy of
 * its object, from which the loader loads it again.
 *
 * The first four functions open an object into session, check that this machine can run it and
 * return 0 or -errno. The caller must end with session_retire(), also after a failure.
 */
#ifndef GTHULHU_GENERATION_H
#define GTHULHU_GENERATION_H

#include <stdbool.h>

struct context;
struct json;
struct session;
struct settings;

/*
 * Opens the object at path as a new generation, with these settings. `called` is its name in
 * messages; NULL: its path. The first call also takes the state's lock and opens the socket. On
 * failure `session->generation` is 0 and no copy is kept. `force`: also an object that was taken out
 * by itself, see refused.h.
 */
int generation_open(struct context *ctx, struct session *session, const char *path,
		    const char *called, const struct settings *settings, bool force);

/*
 * Opens the first generation of this loader: the object of the options, by generation_open(). With
 * `take_over`, waits until another loader has ended, and prefers a copy of the generation that
 * state_last() returns, with its tunables.
 */
int generation_first(struct context *ctx, struct session *session);

/*
 * Opens a generation again under its own number, with the tunables that it had. On failure
 * `session->generation` is that number and the copy is kept.
 */
int generation_reopen(const struct context *ctx, struct session *session, unsigned int generation);

/*
 * Opens a copy of an earlier generation as a new one; `force` as above. On failure
 * `session->generation` is 0, no new copy is kept and the earlier one stays.
 */
int generation_repeat(const struct context *ctx, struct session *session, unsigned int generation,
		      bool force);

/*
 * Records that the session's generation is in force, in the state and for the service manager. A
 * failure is logged, and the policy stays in force.
 */
void generation_publish(struct context *ctx);

/* Writes the members of `status` and of state.json that describe a session. */
void generation_describe(const struct session *session, struct json *json);

#endif /* GTHULHU_GENERATION_H */
