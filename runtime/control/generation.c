// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "control/context.h"
#include "control/generation.h"
#include "control/refused.h"
#include "control/rehearsal.h"
#include "control/service.h"
#include "machine/kernel.h"
#include "object/image.h"
#include "object/open.h"
#include "object/promised.h"
#include "output/json.h"
#include "output/log.h"
#include "scheduler/preflight.h"

void generation_describe(const struct session *session, struct json *json)
{
	json_string(json, "policy", policy_name(session));
	json_number(json, "generation", session->generation);
	json_number(json, "pid", getpid());
	json_string(json, "object", session->called);
	json_string(json, "source", session->object.policy.file);
	json_time(json, "since", session->since);
	json_string(json, "kernel", kernel_release());
	json_bool(json, "monitor", object_monitors(&session->object));
}

void generation_publish(struct context *ctx)
{
	struct json json;

	ctx->published = ctx->session.generation;
	service_notify_ready(policy_name(&ctx->session), ctx->session.generation);
	json_begin(&json);
	generation_describe(&ctx->session, &json);
	/* A failure is logged; the policy stays in force. */
	state_publish(&ctx->state, policy_name(&ctx->session), ctx->session.generation,
		      json_end(&json));
}

int generation_reopen(const struct context *ctx, struct session *session, unsigned int generation)
{
	char path[PATH_MAX];
	int err;

	session_init(session);
	session->generation = generation;
	state_object(&ctx->state, generation, path);
	err = object_open(&session->object, path);
	if (!err)
		err = state_load_settings(&ctx->state, generation, session->called,
					  sizeof(session->called), &session->object);
	if (!err)
		err = preflight_check(&session->object);
	return err;
}

/* Stores the opened object under the next free number. */
static int keep_new(const struct context *ctx, struct session *session, const void *image,
		    size_t size)
{
	unsigned int number = state_previous(&ctx->state, UINT_MAX) + 1;
	int err;

	err = state_add(&ctx->state, number, image, size);
	if (!err)
		err = state_save_settings(&ctx->state, number, session->called, &session->object);
	if (err)
		state_remove(&ctx->state, number);
	else
		session->generation = number;
	return err;
}

/* Takes the lock and opens the socket, the first time. */
static int open_state(struct context *ctx, const char *called)
{
	const struct run_options *options = ctx->options;
	int err;

	if (ctx->state.lock_fd >= 0)
		return 0;
	err = state_open(&ctx->state, options->directory, called,
			 options->take_over ? ctx->signal_fd : -1);
	if (!err)
		err = control_open(&ctx->control, ctx->state.directory);
	return err;
}

static void set_called(struct session *session, const char *path, const char *called)
{
	char whole[PATH_MAX];

	if (!called)
		called = realpath(path, whole) ? whole : path;
	snprintf(session->called, sizeof(session->called), "%s", called);
	log_printable(session->called);
}

int generation_open(struct context *ctx, struct session *session, const char *path,
		    const char *called, const struct settings *settings, bool force)
{
	void *image;
	size_t size;
	int err;

	session_init(session);
	err = image_read(path, called ? called : path, &image, &size);
	if (err)
		return err;
	set_called(session, path, called);
	/* The first one has no policy that it could end. */
	if (ctx->published)
		err = rehearse(called ? called : path, image, size, settings, &ctx->labels);
	if (!err)
		err = object_open_image(&session->object, called ? called : path, image, size);
	if (!err)
		err = tunables_set(&session->object, settings);
	if (!err)
		err = preflight_check(&session->object);
	if (!err)
		err = open_state(ctx, session->called);
	if (!err && !force)
		err = refused_check(&ctx->state, session->called, image, size);
	if (!err)
		err = keep_new(ctx, session, image, size);
	free(image);
	return err;
}

int generation_repeat(const struct context *ctx, struct session *session, unsigned int generation,
		      bool force)
{
	char path[PATH_MAX];
	const struct settings none = {};
	void *image;
	size_t size;
	int err;

	session_init(session);
	state_object(&ctx->state, generation, path);
	err = image_read(path, path, &image, &size);
	if (err)
		return err;
	err = force ? 0 : refused_check(&ctx->state, path, image, size);
	if (!err)
		err = rehearse(path, image, size, &none, &ctx->labels);
	if (!err)
		err = generation_reopen(ctx, session, generation);
	session->generation = 0;
	if (!err)
		err = keep_new(ctx, session, image, size);
	free(image);
	return err;
}

int generation_first(struct context *ctx, struct session *session)
{
	const struct run_options *options = ctx->options;
	unsigned int last = 0;

	session_init(session);
	if (options->take_over) {
		int err = open_state(ctx, options->path);

		if (err)
			return err;
		last = state_last(&ctx->state);
	}
	if (last && !generation_repeat(ctx, session, last, false)) {
		log_info("%s: goes on with generation %u", policy_name(session), last);
		return 0;
	}
	session_retire(&ctx->retired, session);
	return generation_open(ctx, session, options->path, options->called, &options->settings,
			       options->force);
}
