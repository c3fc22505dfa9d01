// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "control/answer.h"
#include "control/context.h"
#include "control/events.h"
#include "control/labelling.h"
#include "labels/label_report.h"
#include "object/questions.h"
#include "output/json.h"
#include "output/log.h"

/* Writes the labels that the policy in force does not ask for. */
static void note_unused(const struct object *object, char *const *changes, size_t nr,
			struct json *json)
{
	char note[256] = "";
	size_t used = 0;

	for (size_t i = 0; i < nr && used < sizeof(note); i++) {
		size_t len = strcspn(changes[i], "=");

		if (changes[i][len] && !questions_about(object, changes[i], len))
			used += snprintf(note + used, sizeof(note) - used, "%s`%.*s`",
					 used ? ", " : "", (int)len, changes[i]);
	}
	if (used)
		json_string(json, "unused", log_printable(note));
}

/* An event, for debugging: an agent reports many. */
static void note_labels(const struct context *ctx, const char *of, char *const *facts, size_t nr)
{
	char text[1024] = "";
	size_t used = 0;
	struct json json;

	if (log_get_level() < LOG_DEBUG)
		return;
	for (size_t i = 0; i < nr && used < sizeof(text); i++)
		used += snprintf(text + used, sizeof(text) - used, "%s%s", used ? " " : "",
				 facts[i]);
	event_begin(&json, "labelled", policy_name(&ctx->session), ctx->session.generation);
	json_string(&json, "of", of);
	json_string(&json, "facts", log_printable(text));
	event_end(&ctx->state, &json);
}

char *label_process(struct context *ctx, char *const *fields, size_t nr)
{
	const struct object *object = &ctx->session.object;
	struct log_capture said;
	struct json json;
	char *end;
	long pid = strtol(fields[0], &end, 10);
	int err;

	if (end == fields[0] || *end || pid <= 0 || pid > INT_MAX)
		return answer_refusal("give its number, as `ps` shows it", "invalid process ID");
	json_begin(&json);
	json_bool(&json, "ok", true);
	log_capture(&said);
	err = nr > 1 ? labels_change(&ctx->labels, object, (pid_t)pid, fields + 1, nr - 1)
		     : label_report(&ctx->labels, (pid_t)pid, &json);
	log_capture(NULL);
	if (err < 0) {
		free(json_end(&json));
		return answer_failure(&said, NULL);
	}
	if (nr > 1) {
		note_labels(ctx, fields[0], fields + 1, nr - 1);
		json_number(&json, "processes", err);
		note_unused(object, fields + 1, nr - 1, &json);
	}
	return json_end(&json);
}

char *label_cgroup(struct context *ctx, char *const *fields, size_t nr)
{
	const struct object *object = &ctx->session.object;
	bool all = !strcmp(fields[1], "all");
	struct containers *containers = &ctx->labels.containers;
	struct log_capture said;
	struct json json;
	int err;

	log_capture(&said);
	if (!strcmp(fields[1], "none") && nr == 2)
		err = containers_forget(containers, object, fields[0]);
	else if (all || !strcmp(fields[1], "some"))
		err = containers_set(containers, object, fields[0], all, fields + 2, nr - 2);
	else
		err = log_error(EINVAL, "use the gthulhu of this release",
				"the facts about a cgroup must be `all`, `some` or `none`");
	log_capture(NULL);
	if (err < 0)
		return answer_failure(&said, NULL);
	note_labels(ctx, fields[0], fields + 1, nr - 1);
	json_begin(&json);
	json_bool(&json, "ok", true);
	json_number(&json, "processes", err);
	return json_end(&json);
}
