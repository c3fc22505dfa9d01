// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "control/context.h"
#include "control/events.h"
#include "control/fallback.h"
#include "control/refused.h"
#include "control/swap.h"
#include "object/promised.h"
#include "output/json.h"
#include "output/log.h"

void fallback_record(struct context *ctx, const char *policy, unsigned int from, unsigned int to,
		     const char *reason)
{
	struct fallback *last = &ctx->fallback;
	struct json json;

	last->from = from;
	last->to = to;
	last->at = time(NULL);
	last->times++;
	snprintf(last->policy, sizeof(last->policy), "%s", policy);
	snprintf(last->reason, sizeof(last->reason), "%s", reason);
	event_begin(&json, "went-back", policy, from);
	json_string(&json, "reason", reason);
	if (to)
		json_number(&json, "to", to);
	event_end(&ctx->state, &json);
}

void fallback_go(struct context *ctx, unsigned int to, const char *reason)
{
	const struct swap_request back = { .generation = to, .force = true };
	unsigned int from = ctx->session.generation;
	char policy[GTHULHU_NAME_LEN];

	snprintf(policy, sizeof(policy), "%s", policy_name(&ctx->session));
	log_error(ECANCELED, NULL, "%s: generation %u is taken out: %s", policy, from, reason);
	state_mark(&ctx->state, from, true);
	if (to)
		free(swap_policy(ctx, &back));
	ctx->given_back = ctx->session.generation == from;
	fallback_record(ctx, policy, from, ctx->given_back ? 0 : to, reason);
	if (!ctx->given_back)
		event_write(&ctx->state, "loaded", &ctx->session, NULL);
}

unsigned int fallback_after_ejection(const struct context *ctx)
{
	const struct promises *promises = &ctx->session.promises;
	unsigned int generation = ctx->session.generation, sound;

	if (!promises->promises || promises_held(promises))
		return generation;
	sound = state_sound(&ctx->state, generation);
	return sound ? sound : generation;
}

/* Reports a promise that broke or recovered. */
static void announce(struct context *ctx, unsigned int number, char *text, size_t size)
{
	const struct session *session = &ctx->session;
	bool is_broken = session->promises.promises[number].history.is_broken;
	struct json json;

	promises_describe(&session->promises, &session->object, number,
			  is_broken ? "is broken" : "is kept again", text, size);
	if (is_broken)
		log_error(EIO, NULL, "%s: %s", policy_name(session), text);
	else
		log_info("%s: %s", policy_name(session), text);
	event_begin(&json, is_broken ? "promise-broken" : "promise-recovered", policy_name(session),
		    session->generation);
	json_string(&json, "reason", text);
	promise_write_windows(&session->promises, number, &json);
	event_end(&ctx->state, &json);
	state_mark(&ctx->state, session->generation, promises_any_broken(&session->promises));
}

/* Does what a broken promise says. Under --monitor there is nothing to go back from. */
static void react(struct context *ctx, unsigned int number, const char *reason)
{
	const struct gthulhu_promise *promise = &ctx->session.promises.promised.promises[number];
	unsigned int to = 0;

	if (promise->otherwise == GTHULHU_ELSE_LOG || object_monitors(&ctx->session.object))
		return;
	refused_add(&ctx->state, ctx->session.generation, reason);
	if (promise->otherwise == GTHULHU_ELSE_ROLLBACK)
		to = state_sound(&ctx->state, ctx->session.generation);
	fallback_go(ctx, to, reason);
}

void fallback_follow(struct context *ctx)
{
	struct session *session = &ctx->session;
	char text[FALLBACK_REASON];
	unsigned int generation = session->generation;
	int number;

	while (generation == session->generation && !ctx->given_back) {
		number = promises_follow(&session->promises, &session->object);
		if (number < 0)
			return;
		announce(ctx, number, text, sizeof(text));
		if (session->promises.promises[number].history.is_broken && !ctx->trial.generation)
			react(ctx, number, text);
	}
}

void fallback_write(const struct context *ctx, struct json *json)
{
	const struct fallback *last = &ctx->fallback;

	json_number(json, "fallbacks", last->times);
	if (!last->from)
		return;
	json_array_begin(json, "fallback");
	json_element_begin(json);
	json_string(json, "policy", last->policy);
	json_number(json, "from", last->from);
	json_number(json, "to", last->to);
	json_time(json, "at", last->at);
	json_string(json, "reason", last->reason);
	json_element_end(json);
	json_array_end(json);
}
