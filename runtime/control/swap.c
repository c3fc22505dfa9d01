// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "control/answer.h"
#include "control/context.h"
#include "control/events.h"
#include "control/generation.h"
#include "control/swap.h"
#include "machine/clock.h"
#include "object/promised.h"
#include "output/json.h"
#include "output/log.h"
#include "scheduler/judge.h"

static void describe_unchanged(const struct session *session, char *then, size_t size)
{
	snprintf(then, size, "%s, generation %u, %s", policy_name(session), session->generation,
		 session_in_force(session) ? "is still in force" : "has ended");
}

/* Opens, loads and attaches the generation in force again. */
static int load_again(struct context *ctx, struct session *again, enum cgroups cgroups)
{
	int err = generation_reopen(ctx, again, ctx->session.generation);

	again->object.cgroups = cgroups;
	if (!err)
		err = session_load(again, &ctx->labels);
	if (!err)
		err = session_attach(again);
	return err;
}

/* The swap failed after the old scheduler was disabled: loads that one again. */
static void reload_previous(struct context *ctx, int64_t began_us, char *then, size_t size)
{
	struct session again;
	int err;

	err = load_again(ctx, &again, ctx->session.object.cgroups);
	if (!err)
		err = session_enable(&again);
	/* After CPU hotplug run.c reloads it. */
	ctx->lost = err || (!again.enabled && session_ending(&again) != ENDING_RESTART);
	if (ctx->lost)
		snprintf(then, size, "%s could not be reloaded: no policy is in force",
			 policy_name(&ctx->session));
	else
		snprintf(then, size,
			 "%s, generation %u, is in force again; the kernel's own scheduler ran for "
			 "%.1f ms",
			 policy_name(&again), again.generation, (clock_us() - began_us) / 1e3);
	log_info("%s", then);
	session_retire(&ctx->retired, &ctx->session);
	ctx->session = again;
}

/* The last step of a swap: disables the old scheduler and enables the new one, which is loaded. */
static char *replace(struct context *ctx, struct session *next, struct log_capture *said)
{
	struct session *old = &ctx->session;
	enum ending ended = session_ending(old);
	unsigned int from = old->generation;
	char then[256], gap[128] = "";
	int64_t began_us = clock_us(), gap_us;
	struct json json;
	int err;

	session_disable(old);
	err = session_enable(next);
	gap_us = clock_us() - began_us;
	if (err || !next->enabled || session_ending(next) >= ENDING_DISABLED) {
		if (!err) {
			session_disable(next);
			session_conclude(next, session_ending(next));
		}
		reload_previous(ctx, began_us, then, sizeof(then));
		return answer_failure(said, then);
	}
	if (ended == ENDING_NONE)
		snprintf(gap, sizeof(gap), "; the kernel's own scheduler ran for %.1f ms",
			 gap_us / 1e3);
	else if (ended >= ENDING_DISABLED)
		session_conclude(old, ended);
	if (next->generation == from)
		log_info("%s: generation %u is loaded again%s", policy_name(next), from, gap);
	else
		log_info("%s: generation %u in place of %u%s", policy_name(next), next->generation,
			 from, gap);
	session_retire(&ctx->retired, old);
	ctx->session = *next;
	generation_publish(ctx);
	state_prune(&ctx->state, next->generation);

	json_begin(&json);
	json_bool(&json, "ok", true);
	json_string(&json, "policy", policy_name(next));
	json_number(&json, "generation", next->generation);
	json_number(&json, "from", from);
	if (ended == ENDING_NONE)
		json_number(&json, "gap_us", gap_us);
	return json_end(&json);
}

/* A trial shows that a policy is good only if a promise can break meanwhile. */
static int check_trial(const struct session *next, int64_t ms)
{
	struct promised promised;

	if (!ms)
		return 0;
	if (object_monitors(&next->object))
		return log_error(EINVAL, "compile it without --monitor",
				 "%s: it only counts, so no trial can show that it is good",
				 policy_name(next));
	promised_find(&next->object, &promised);
	for (unsigned int i = 0; i < promised.nr_promises; i++) {
		const struct gthulhu_promise *promise = &promised.promises[i];
		unsigned long long needed_ms = JUDGE_ENOUGH * (promise->window_ns / 1000000);

		if ((unsigned long long)ms <= needed_ms)
			return log_error(
				EINVAL, "give it five windows or more",
				"%s: the trial has to be longer than %llu s: the promise in "
				"line %u breaks after %d windows",
				policy_name(next), needed_ms / 1000, promise->line, JUDGE_ENOUGH);
	}
	return 0;
}

static char *loads(const struct session *next)
{
	struct json json;

	json_begin(&json);
	json_bool(&json, "ok", true);
	json_string(&json, "policy", policy_name(next));
	return json_end(&json);
}

/* Opens and loads the policy, which the kernel verifies. */
static int load(struct context *ctx, const struct swap_request *request, struct session *next)
{
	const struct settings none = {};
	int err;

	err = request->path
		? generation_open(ctx, next, request->path, request->called, &none, request->force)
		: generation_repeat(ctx, next, request->generation, request->force);
	if (!err)
		err = check_trial(next, request->trial_ms);
	if (!err)
		err = session_load(next, &ctx->labels);
	return err;
}

char *swap_policy(struct context *ctx, const struct swap_request *request)
{
	struct log_capture said;
	struct session next;
	char then[256];
	char *answer;
	int err;

	log_capture(&said);
	err = load(ctx, request, &next);
	if (!err && !request->dry_run)
		err = session_attach(&next);
	if (err) {
		describe_unchanged(&ctx->session, then, sizeof(then));
		answer = answer_failure(&said, then);
	} else if (request->dry_run) {
		answer = loads(&next);
	} else {
		answer = replace(ctx, &next, &said);
	}
	log_capture(NULL);
	if (ctx->session.generation != next.generation) {
		if (next.generation)
			state_remove(&ctx->state, next.generation);
		session_retire(&ctx->retired, &next);
	}
	return answer;
}

void swap_for_cgroups(struct context *ctx)
{
	struct log_capture said;
	struct session next;
	int err;

	log_info("%s: cgroups have the cpu controller now", policy_name(&ctx->session));
	log_capture(&said);
	err = load_again(ctx, &next, CGROUPS_UNDECIDED);
	if (!err)
		free(replace(ctx, &next, &said));
	log_capture(NULL);
	if (ctx->session.object.bpf == next.object.bpf) {
		event_write(&ctx->state, "cgroups-count", &ctx->session, NULL);
		return;
	}
	log_warning("%s: cpu.weight and cpu.max do not count: %s", policy_name(&ctx->session),
		    said.error);
	session_retire(&ctx->retired, &next);
	ctx->session.object.cgroups = CGROUPS_IMPOSSIBLE;
}
