/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A generation on trial: it stays if its time passes and every promise held. The client that began
 * the trial stays connected. It receives a line when the generation is in force and one at the end;
 * if it shuts its side down or ends, the loader goes back.
 */
#ifndef GTHULHU_TRIAL_H
#define GTHULHU_TRIAL_H

#include <stdint.h>

struct client;
struct context;
struct json;

enum trial_limits {
	TRIAL_MOST_MS = 7 * 24 * 3600 * 1000,
};

/*
 * Puts the generation in force, which replaced `from`, on trial for ms. Takes the client from the
 * control socket and sends it `answer`, of which it takes ownership.
 */
void trial_begin(struct context *ctx, struct client *client, unsigned int from, int64_t ms,
		 char *answer);

/* Ends the trial if it is over, and goes back unless the policy is to stay. */
void trial_follow(struct context *ctx);

/* Returns the generation to load after the one on trial was ejected; 0: there is no trial. */
unsigned int trial_after_ejection(struct context *ctx, const char *reason);

/* Tells the client of a trial, if there is one, that the loader ends. */
void trial_close(struct context *ctx, const char *why);

/* Writes the member `trial`, how many ms are left, if there is a trial. */
void trial_write(const struct context *ctx, struct json *json);

#endif /* GTHULHU_TRIAL_H */
