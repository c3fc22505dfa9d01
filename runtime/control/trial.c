// SPDX-License-Identifier: GPL-2.0-only
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "control/context.h"
#include "control/events.h"
#include "control/fallback.h"
#include "control/refused.h"
#include "control/trial.h"
#include "machine/clock.h"
#include "output/json.h"
#include "output/log.h"

/* Lines are short and the client reads them, so they fit into the socket's buffer. */
static void tell(const struct trial *trial, char *line)
{
	if (line && send(trial->fd, line, strlen(line), MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		log_verbose("the client of the trial is gone");
	free(line);
}

static const char replaced[] = "another policy replaced it";

/* Tells the client how the trial ended and what is in force now. */
static void conclude(struct context *ctx, bool stays, const char *reason)
{
	struct json json;

	event_begin(&json, stays ? "trial-passed" : "trial-failed", ctx->trial.policy,
		    ctx->trial.generation);
	json_string(&json, "reason", reason);
	event_end(&ctx->state, &json);
	json_begin(&json);
	json_bool(&json, "ok", true);
	json_bool(&json, "stays", stays);
	json_string(&json, "reason", reason);
	json_string(&json, "policy", policy_name(&ctx->session));
	json_number(&json, "generation", ctx->session.generation);
	json_bool(&json, "in_force", !ctx->given_back && !ctx->lost);
	tell(&ctx->trial, json_end(&json));
	close(ctx->trial.fd);
	ctx->trial = (struct trial){};
}

void trial_begin(struct context *ctx, struct client *client, unsigned int from, int64_t ms,
		 char *answer)
{
	struct trial *trial = &ctx->trial;
	struct json json;

	if (trial->generation)
		conclude(ctx, false, replaced);
	*trial = (struct trial){
		.generation = ctx->session.generation,
		.from = from,
		.fd = control_take(client),
		.until_ms = clock_ms() + ms,
	};
	snprintf(trial->policy, sizeof(trial->policy), "%s", policy_name(&ctx->session));
	log_info("%s: generation %u is on trial for %lld s", policy_name(&ctx->session),
		 trial->generation, (long long)ms / 1000);
	event_begin(&json, "trial-began", trial->policy, trial->generation);
	json_number(&json, "ms", ms);
	event_end(&ctx->state, &json);
	tell(trial, answer);
}

static void go_back(struct context *ctx, const char *reason, bool refuse)
{
	if (refuse)
		refused_add(&ctx->state, ctx->session.generation, reason);
	fallback_go(ctx, ctx->trial.from, reason);
	conclude(ctx, false, reason);
}

static bool client_left(const struct trial *trial)
{
	struct pollfd client = { .fd = trial->fd, .events = POLLRDHUP };

	return poll(&client, 1, 0) > 0;
}

/* The first promise that keeps the policy from staying. */
static void why_not(const struct session *session, char *text, size_t size)
{
	const struct promises *promises = &session->promises;

	snprintf(text, size, "it has no promise that could show that it is good");
	for (unsigned int i = 0; promises->promises && i < promises->promised.nr_promises; i++) {
		const struct judged_promise *judged = &promises->promises[i];
		const char *state = "is broken";

		if (promise_held(promises, i))
			continue;
		if (!judged->history.is_broken)
			state = judged->windows[VERDICT_KEPT] ? "was broken too often"
							      : "was not kept in any window";
		promises_describe(promises, &session->object, i, state, text, size);
		break;
	}
}

void trial_follow(struct context *ctx)
{
	const struct trial *trial = &ctx->trial;
	const struct promises *promises = &ctx->session.promises;
	char text[FALLBACK_REASON];

	if (!trial->generation)
		return;
	why_not(&ctx->session, text, sizeof(text));
	if (trial->generation != ctx->session.generation) {
		conclude(ctx, false, trial->ended[0] ? trial->ended : replaced);
	} else if (client_left(trial)) {
		go_back(ctx, "the command that tried it was interrupted", false);
	} else if (promises_any_broken(promises)) {
		go_back(ctx, text, true);
	} else if (clock_ms() < trial->until_ms) {
		return;
	} else if (promises_held(promises)) {
		log_info("%s: generation %u stays: every promise held", policy_name(&ctx->session),
			 trial->generation);
		conclude(ctx, true, "every promise held");
	} else {
		go_back(ctx, text, false);
	}
}

unsigned int trial_after_ejection(struct context *ctx, const char *reason)
{
	struct trial *trial = &ctx->trial;

	if (!trial->generation || trial->generation != ctx->session.generation)
		return 0;
	snprintf(trial->ended, sizeof(trial->ended), "%s", reason);
	return trial->from;
}

void trial_close(struct context *ctx, const char *why)
{
	if (!ctx->trial.generation)
		return;
	ctx->given_back = true;
	conclude(ctx, false, why);
}

void trial_write(const struct context *ctx, struct json *json)
{
	int64_t left_ms = ctx->trial.until_ms - clock_ms();

	if (ctx->trial.generation)
		json_number(json, "trial_ms", left_ms > 0 ? left_ms : 0);
}
