// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "control/answer.h"
#include "control/context.h"
#include "control/events.h"
#include "control/fallback.h"
#include "control/generation.h"
#include "control/labelling.h"
#include "control/requests.h"
#include "control/swap.h"
#include "control/trial.h"
#include "fill/pins.h"
#include "machine/kernel.h"
#include "machine/power.h"
#include "output/json.h"
#include "output/log.h"
#include "scheduler/limits.h"
#include "scheduler/stats.h"

static char *status(const struct context *ctx)
{
	char text[128];
	struct json json;

	json_begin(&json);
	json_bool(&json, "ok", true);
	generation_describe(&ctx->session, &json);
	json_bool(&json, "in_force", session_in_force(&ctx->session));
	if (kernel_read_line(SCHED_EXT_DIR "/state", text, sizeof(text)))
		text[0] = '\0';
	json_string(&json, "state", text);
	kernel_active_scheduler(text, sizeof(text));
	json_string(&json, "scheduler", text);
	json_number(&json, "restarts", ctx->nr_ejected);
	tunables_write(&ctx->session.object, &json);
	calls_write(&ctx->session.calls, &json);
	pins_write(&ctx->session.object, &json);
	promises_write(&ctx->session.promises, &json);
	conditions_write(&ctx->session.conditions, &json);
	trial_write(ctx, &json);
	fallback_write(ctx, &json);
	return json_end(&json);
}

static char *set(struct context *ctx, const char *setting)
{
	const struct settings settings = { .texts = &setting, .nr = 1 };
	struct session *session = &ctx->session;
	char before[48], after[48], name[64];
	struct log_capture said;
	struct json json;
	int err;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(setting, "="), setting);
	tunables_value(&session->object, setting, before, sizeof(before));
	log_capture(&said);
	err = tunables_set(&session->object, &settings);
	conditions_apply(&session->conditions, &session->object);
	if (!err)
		err = state_save_settings(&ctx->state, session->generation, session->called,
					  &session->object);
	log_capture(NULL);
	tunables_value(&session->object, setting, after, sizeof(after));
	if (err)
		return answer_failure(&said,
				      strcmp(before, after)
					      ? "the new value holds until the policy is reloaded"
					      : NULL);
	log_info("%s: tunable `%s` is %s, was %s", policy_name(session), name, after, before);
	json_begin(&json);
	json_bool(&json, "ok", true);
	json_string(&json, "name", name);
	json_string(&json, "value", after);
	json_string(&json, "before", before);
	return json_end(&json);
}

/* The command line of a process, for a reader. */
static void read_command(pid_t pid, char *text, size_t size)
{
	char path[64];
	size_t len = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)pid);
	file = fopen(path, "re");
	if (file) {
		len = fread(text, 1, size - 1, file);
		fclose(file);
	}
	/* Each argument ends with a null byte, the last one too. */
	while (len && !text[len - 1])
		len--;
	for (size_t i = 0; i < len; i++) {
		if (!text[i])
			text[i] = ' ';
	}
	text[len] = '\0';
	log_printable(text);
}

/* An event: another generation is in force, on behalf of this client. */
static void note_swap(const struct context *ctx, const struct client *client, unsigned int from,
		      const char *event)
{
	struct ucred peer = {};
	socklen_t size = sizeof(peer);
	char command[256];
	struct json json;

	event_begin(&json, event, policy_name(&ctx->session), ctx->session.generation);
	json_number(&json, "from", from);
	if (!getsockopt(client->fd, SOL_SOCKET, SO_PEERCRED, &peer, &size)) {
		read_command(peer.pid, command, sizeof(command));
		json_number(&json, "uid", peer.uid);
		json_number(&json, "pid", (uint64_t)peer.pid);
		json_string(&json, "command", command);
	}
	event_end(&ctx->state, &json);
}

/* Reads how many ms a trial lasts. Returns false if it is not in 1..TRIAL_MOST_MS. */
static bool read_trial(const char *text, int64_t *ms)
{
	char *end;

	*ms = strtoll(text, &end, 10);
	return !*end && *ms > 0 && *ms <= TRIAL_MOST_MS;
}

/* Reads the options of `swap`. Returns false for an unknown or invalid one. */
static bool read_options(struct swap_request *request, char *const *options, size_t nr)
{
	static const char trial[] = "trial=";

	for (size_t i = 0; i < nr; i++) {
		if (!strcmp(options[i], "force"))
			request->force = true;
		else if (!strcmp(options[i], "dry-run"))
			request->dry_run = true;
		else if (strncmp(options[i], trial, strlen(trial)) ||
			 !read_trial(options[i] + strlen(trial), &request->trial_ms))
			return false;
	}
	return true;
}

/* swap PATH [CALLED OPTION...]; returns NULL if a trial keeps the client. */
static char *swap_file(struct context *ctx, struct client *client, char *const *fields, size_t nr)
{
	unsigned int from = ctx->session.generation;
	struct swap_request request = { .path = fields[0], .called = fields[1] };
	char passed[32];
	char *answer;

	if (nr > 2 && !read_options(&request, fields + 2, nr - 2))
		return answer_refusal("use the gthulhu of this release",
				      "`swap` has an unknown or invalid option");
	if (!strcmp(request.path, "-")) {
		if (!client->file_fd)
			return answer_refusal("use the gthulhu of this release",
					      "the request carries no file");
		/* The path is valid only in this process, and only now. */
		snprintf(passed, sizeof(passed), "/proc/self/fd/%d", client->file_fd);
		request.path = passed;
		if (!request.called)
			request.called = "(unnamed file)";
	}
	answer = swap_policy(ctx, &request);
	if (ctx->session.generation == from)
		return answer;
	note_swap(ctx, client, from, "swapped");
	if (!request.trial_ms)
		return answer;
	trial_begin(ctx, client, from, request.trial_ms, answer);
	return NULL;
}

static char *rollback(struct context *ctx, const struct client *client, bool force)
{
	unsigned int from = ctx->session.generation;
	unsigned int before = state_previous(&ctx->state, from);
	const struct swap_request back = { .generation = before, .force = force };
	char text[128];
	char *answer;

	if (before) {
		answer = swap_policy(ctx, &back);
		if (ctx->session.generation != from)
			note_swap(ctx, client, from, "rolled-back");
		return answer;
	}
	snprintf(text, sizeof(text), "there is no generation before %u, which is in force",
		 ctx->session.generation);
	return answer_refusal("`gthulhu swap` puts another policy in force", text);
}

/* The index of a word in a list; -1 for `unknown`, and for another word `*err` is -EINVAL. */
static int word_index(const char *word, const char *const *words, size_t nr, int *err)
{
	for (size_t i = 0; i < nr; i++) {
		if (!strcmp(word, words[i]))
			return (int)i;
	}
	if (strcmp(word, "unknown"))
		*err = -EINVAL;
	return -1;
}

/* condition power saver|balanced|performance, condition battery N%, condition on-battery yes|no */
static char *condition(const char *name, const char *value)
{
	static const char *const profiles[] = {
		[GTHULHU_SAVER] = "saver",
		[GTHULHU_BALANCED] = "balanced",
		[GTHULHU_PERFORMANCE] = "performance",
	};
	static const char *const answers[] = { "no", "yes" };
	struct power told = *power_told();
	uint64_t permille;
	struct json json;
	int err = 0;

	if (!strcmp(name, "power"))
		told.profile = word_index(value, profiles, GTHULHU_NR_PROFILES, &err);
	else if (!strcmp(name, "on-battery"))
		told.on_battery = word_index(value, answers, 2, &err);
	else if (strcmp(name, "battery"))
		err = -EINVAL;
	else if (tunable_parse(value, GTHULHU_PERMILLE, &permille) && permille <= 1000)
		told.battery = (int)permille;
	else
		told.battery = word_index(value, NULL, 0, &err);
	if (err)
		return answer_refusal("use the gthulhu of this release",
				      "`condition` has an unknown name or an invalid value");
	*power_told() = told;
	json_begin(&json);
	json_bool(&json, "ok", true);
	return json_end(&json);
}

/* Ends an answer, or replaces it by the error. */
static char *end_answer(struct json *json, int err, const struct log_capture *said)
{
	char *text = json_end(json);

	if (!err)
		return text;
	free(text);
	return answer_failure(said, NULL);
}

static char *stats(const struct context *ctx)
{
	const struct object *object = &ctx->session.object;
	const char *called = ctx->session.called;
	const char *suffix = strrchr(called, '.');
	bool is_source = suffix && !strcmp(suffix, ".gpl");
	char remedy[PATH_MAX + 64];
	struct log_capture said;
	struct json json;
	int err;

	if (!stats_are_kept(object) && !limits_are_kept(object)) {
		snprintf(remedy, sizeof(remedy), "`gthulhu swap --stats %s` adds counters",
			 is_source ? called : object->policy.file);
		return answer_refusal(remedy, "the policy in force has no counters");
	}
	log_capture(&said);
	json_begin(&json);
	json_bool(&json, "ok", true);
	generation_describe(&ctx->session, &json);
	err = stats_are_kept(object) ? stats_write(object, &json) : 0;
	if (!err && limits_are_kept(object))
		err = limits_write(object, &json);
	log_capture(NULL);
	return end_answer(&json, err, &said);
}

static char *tasks(const struct context *ctx, const char *which)
{
	int tid = which ? atoi(which) : 0;
	struct log_capture said;
	struct json json;
	int err;

	if (which && tid <= 0)
		return answer_refusal(NULL, "invalid task ID: expected a positive number");
	log_capture(&said);
	json_begin(&json);
	json_bool(&json, "ok", true);
	generation_describe(&ctx->session, &json);
	json_bool(&json, "in_force", session_in_force(&ctx->session));
	err = stats_write_tasks(&ctx->session.object, &ctx->labels, tid, &json);
	log_capture(NULL);
	return end_answer(&json, err, &said);
}

static char *unknown(const char *line)
{
	char text[128];

	snprintf(text, sizeof(text), "unknown request: %.64s", line);
	log_printable(text);
	return answer_refusal("use the gthulhu of this release", text);
}

/* Refused as a whole: the fields that do not fit could matter. */
static char *too_long(void)
{
	char text[64];

	snprintf(text, sizeof(text), "a request has at most %d fields", CONTROL_FIELDS);
	return answer_refusal("split it into several requests", text);
}

void request_serve(struct context *ctx, struct client *client)
{
	char *fields[CONTROL_FIELDS] = {};
	char *line = client->line, *rest = line;
	unsigned int nr = 0;
	char *answer;

	while (rest && nr < CONTROL_FIELDS)
		fields[nr++] = strsep(&rest, "\t");
	if (rest) {
		control_answer(client, too_long());
		return;
	}
	if (!strcmp(fields[0], "stop") && nr == 1) {
		ctx->stop_client = client; /* answered after the cleanup */
		return;
	}
	if (!strcmp(fields[0], "status") && nr == 1)
		answer = status(ctx);
	else if (!strcmp(fields[0], "set") && nr == 2)
		answer = set(ctx, fields[1]);
	else if (!strcmp(fields[0], "label") && nr > 1)
		answer = label_process(ctx, fields + 1, nr - 1);
	else if (!strcmp(fields[0], "cgroup") && nr > 2)
		answer = label_cgroup(ctx, fields + 1, nr - 1);
	else if (!strcmp(fields[0], "condition") && nr == 3)
		answer = condition(fields[1], fields[2]);
	else if (!strcmp(fields[0], "swap") && nr > 1)
		answer = swap_file(ctx, client, fields + 1, nr - 1);
	else if (!strcmp(fields[0], "rollback") && nr == 1)
		answer = rollback(ctx, client, false);
	else if (!strcmp(fields[0], "rollback") && nr == 2 && !strcmp(fields[1], "force"))
		answer = rollback(ctx, client, true);
	else if (!strcmp(fields[0], "stats") && nr == 1)
		answer = stats(ctx);
	else if (!strcmp(fields[0], "tasks") && nr < 3)
		answer = tasks(ctx, fields[1]);
	else
		answer = unknown(line);
	if (client->fd) /* a trial has not taken it */
		control_answer(client, answer);
}
