// SPDX-License-Identifier: GPL-2.0-only
#include "control/context.h"
#include "control/events.h"
#include "control/switching.h"
#include "output/log.h"

static void announce(const struct context *ctx, unsigned int number)
{
	const struct session *session = &ctx->session;
	const struct conditions *conditions = &session->conditions;
	char text[GTHULHU_WHEN_LEN + 160];
	struct json json;

	conditions_describe(conditions, &session->object, number, text, sizeof(text));
	log_info("%s: %s %s", policy_name(session), text,
		 conditions->holds[number] ? "holds" : "holds no longer");
	event_begin(&json, conditions->holds[number] ? "condition-began" : "condition-ended",
		    policy_name(session), session->generation);
	json_string(&json, "reason", text);
	event_end(&ctx->state, &json);
}

void switching_follow(struct context *ctx)
{
	struct conditions *conditions = &ctx->session.conditions;

	if (!conditions_follow(conditions, &ctx->session.object))
		return;
	for (unsigned int i = 0; i < conditions->of.nr_whens; i++) {
		if (conditions->conditions[i].has_changed)
			announce(ctx, i);
	}
}
