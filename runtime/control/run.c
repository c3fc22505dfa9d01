// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life cycle of a loader: it puts a policy in force, watches it, carries out requests, and
 * reloads the policy after CPU hotplug and, with --restart, after ejections.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "control/context.h"
#include "control/events.h"
#include "control/fallback.h"
#include "control/generation.h"
#include "control/refused.h"
#include "control/requests.h"
#include "control/run.h"
#include "control/service.h"
#include "control/swap.h"
#include "control/switching.h"
#include "control/trial.h"
#include "fill/cgroups.h"
#include "machine/clock.h"
#include "output/json.h"
#include "output/log.h"
#include "output/log_file.h"
#include "scheduler/follow.h"
#include "scheduler/preflight.h"

/* Intervals of checking the exit report in memory, and /sys. */
#define WATCH_MS 100
#define WATCH_SYSFS_MS 2000
/* CPU hotplug that is faster than a load must not keep the loader busy for ever. */
#define MAX_FAILED_RESTARTS 16

/* Whether a signal asks to stop. It stays pending for the next check. */
static bool signal_pending(const struct context *ctx)
{
	struct pollfd poll_fd = { .fd = ctx->signal_fd, .events = POLLIN };

	return poll(&poll_fd, 1, 0) > 0;
}

static bool stop_wanted(const struct context *ctx)
{
	return ctx->stop_client || signal_pending(ctx);
}

/* Serves requests until a stop is wanted or no policy is in force. */
static void watch(struct context *ctx)
{
	int64_t look_ms = clock_ms() + WATCH_SYSFS_MS;
	unsigned int generation;

	while (!ctx->lost && !ctx->given_back && !stop_wanted(ctx) &&
	       !session_has_ended(&ctx->session)) {
		struct calls *calls = &ctx->session.calls;
		struct client *client =
			control_wait(&ctx->control, ctx->signal_fd, calls_fd(calls), WATCH_MS);

		service_notify_alive();
		calls_follow(calls, &ctx->session.object);
		generation = ctx->session.generation;
		if (client)
			request_serve(ctx, client);
		switching_follow(ctx);
		fallback_follow(ctx);
		trial_follow(ctx);
		if (ctx->session.generation != generation)
			look_ms = clock_ms() + WATCH_SYSFS_MS;
		if (ctx->lost || ctx->given_back || clock_ms() < look_ms)
			continue;
		if (!session_in_force(&ctx->session))
			return;
		if (session_cpus_changed(&ctx->session)) {
			log_warning("%s: the kernel did not report that a CPU came or went",
				    policy_name(&ctx->session));
			return;
		}
		if (cgroups_came(&ctx->session.object))
			swap_for_cgroups(ctx);
		follow_interrupts(&ctx->session.follow, &ctx->session.object);
		log_file_rotate();
		retired_clear(&ctx->retired); /* no hotplug: that would have ended the session */
		look_ms = clock_ms() + WATCH_SYSFS_MS;
	}
}

/* With --detach: redirects the output to the log and releases the process that waits. */
static void detach(const struct context *ctx)
{
	static char path[PATH_MAX + 8];

	if (ctx->options->ready_fd < 0 || path[0])
		return;
	snprintf(path, sizeof(path), "%s/log", ctx->state.directory);
	log_file_open(path);
	if (chdir("/") < 0)
		log_verbose("cannot change to /");
	if (write(ctx->options->ready_fd, "", 1) != 1)
		log_verbose("the process that started it no longer waits");
	close(ctx->options->ready_fd);
}

static enum exit_status stopped_early(const struct session *session)
{
	log_info("%s: stopped before it was enabled", policy_name(session));
	return STATUS_STOPPED;
}

/* Whether --restart allows a reload after this ejection, which it counts. */
static bool may_restart(struct context *ctx)
{
	unsigned int most = ctx->options->max_restarts;
	int64_t now_ms = clock_ms();
	unsigned int place;

	if (!most)
		return false;
	place = ctx->nr_ejected % most;
	if (ctx->nr_ejected >= most && now_ms - ctx->ejected_ms[place] < RESTART_PERIOD_MS) {
		log_error(EAGAIN, "find out why it was ejected, then start it again",
			  "%s: not reloaded: already reloaded %u time%s within %d minutes",
			  policy_name(&ctx->session), most, most == 1 ? "" : "s",
			  RESTART_PERIOD_MS / 60000);
		return false;
	}
	ctx->ejected_ms[place] = now_ms;
	ctx->nr_ejected++;
	log_warning("%s: reloading after an ejection (at most %u time%s within %d minutes)",
		    policy_name(&ctx->session), most, most == 1 ? "" : "s",
		    RESTART_PERIOD_MS / 60000);
	return true;
}

static enum exit_status give_back(const struct context *ctx)
{
	log_info("%s: ended: the kernel's own scheduler runs the machine",
		 policy_name(&ctx->session));
	return STATUS_GIVEN_BACK;
}

/* Concludes an ejection, as an event, too. Sets *again if a policy must be loaded in its place. */
static enum exit_status conclude(struct context *ctx, enum ending ending, bool *again)
{
	struct log_capture said;
	enum exit_status status;

	log_capture(&said);
	status = session_conclude(&ctx->session, ending);
	log_capture(NULL);
	if (status != STATUS_EJECTED && status != STATUS_DISABLED)
		return status;
	event_write(&ctx->state, status == STATUS_EJECTED ? "ejected" : "disabled", &ctx->session,
		    said.error);
	if (stop_wanted(ctx) || status != STATUS_EJECTED)
		return status;
	ctx->next = trial_after_ejection(ctx, said.error);
	if (!ctx->next && may_restart(ctx))
		ctx->next = fallback_after_ejection(ctx);
	*again = ctx->next;
	if (*again && ctx->next != ctx->session.generation) {
		state_mark(&ctx->state, ctx->session.generation, true);
		refused_add(&ctx->state, ctx->session.generation, said.error);
		fallback_record(ctx, policy_name(&ctx->session), ctx->session.generation, ctx->next,
				said.error);
	}
	return status;
}

/* Returns how the session ended, also where the kernel's report does not say why. */
static enum ending find_ending(const struct context *ctx)
{
	enum ending ending = session_ending(&ctx->session);

	if (ending != ENDING_NONE && ending != ENDING_STOPPED)
		return ending;
	if (stop_wanted(ctx))
		return ENDING_STOPPED;
	return session_cpus_changed(&ctx->session) ? ENDING_RESTART : ENDING_ERROR;
}

/*
 * Loads the policy and watches it until it, or the one swapped in for it, has ended.
 * Sets *again if that one must be loaded again; the status means nothing then.
 */
static enum exit_status run_once(struct context *ctx, bool *again)
{
	struct session *session = &ctx->session;
	enum ending ending;

	if (!ctx->options->dry_run && preflight_check_alone())
		return STATUS_REFUSED;
	if (stop_wanted(ctx))
		return stopped_early(session);
	if (session_load(session, &ctx->labels))
		return STATUS_REFUSED;
	if (stop_wanted(ctx))
		return stopped_early(session);
	if (ctx->options->dry_run) {
		log_info("%s: the kernel accepts it; it was not put in force",
			 policy_name(session));
		return STATUS_STOPPED;
	}
	if (session_attach(session))
		return STATUS_REFUSED;
	if (stop_wanted(ctx))
		return stopped_early(session);
	if (session_enable(session))
		return STATUS_REFUSED;
	if (session->enabled) {
		if (ctx->published != session->generation)
			event_write(&ctx->state, "loaded", session, NULL);
		generation_publish(ctx);
		/* The windows of its promises begin anew. */
		state_mark(&ctx->state, session->generation, false);
		state_prune(&ctx->state, session->generation);
		detach(ctx);
		watch(ctx);
		if (ctx->lost)
			return STATUS_REFUSED;
	}

	session_disable(session);
	if (ctx->given_back)
		return give_back(ctx);
	ending = find_ending(ctx);
	if (ending == ENDING_RESTART) {
		*again = !stop_wanted(ctx);
		ending = ENDING_STOPPED;
	}
	if (*again)
		return STATUS_STOPPED;
	return conclude(ctx, ending, again);
}

static bool settled(const struct context *ctx, unsigned int failed_restarts)
{
	if (failed_restarts <= MAX_FAILED_RESTARTS)
		return true;
	log_error(EAGAIN, "start it again when CPU hotplug is over",
		  "%s: CPU hotplug keeps interrupting the load", policy_name(&ctx->session));
	return false;
}

/* Runs and reloads the policy, whose object is open, until its end. */
static enum exit_status run_until_end(struct context *ctx)
{
	unsigned int failed_restarts = 0;
	enum exit_status status;
	unsigned int generation;
	bool again;

	for (;;) {
		again = false;
		status = run_once(ctx, &again);
		if (status == STATUS_EJECTED)
			state_count_ejection(&ctx->state);
		if (!again)
			return status;
		failed_restarts = ctx->session.enabled ? 0 : failed_restarts + 1;
		if (!settled(ctx, failed_restarts))
			return STATUS_REFUSED;
		if (status == STATUS_STOPPED) {
			log_info("%s: reloading after CPU hotplug", policy_name(&ctx->session));
			event_write(&ctx->state, "cpus-changed", &ctx->session, NULL);
			ctx->next = ctx->session.generation;
		}
		generation = ctx->session.generation;
		session_retire(&ctx->retired, &ctx->session);
		if (ctx->next == generation
			    ? generation_reopen(ctx, &ctx->session, generation)
			    : generation_repeat(ctx, &ctx->session, ctx->next, true))
			return STATUS_REFUSED;
	}
}

/* Cleans up, then answers the client that sent `stop`. */
static void end(struct context *ctx, enum exit_status status)
{
	struct json json;

	/* `rollback` goes back only to generations that were in force. */
	if (ctx->session.generation != ctx->published)
		state_remove(&ctx->state, ctx->session.generation);
	trial_close(ctx, "the loader ended");
	if (ctx->published) {
		event_write(&ctx->state, "ended", &ctx->session, NULL);
		if (status != STATUS_STOPPED || ctx->stop_client)
			state_note_taken_out(&ctx->state);
	}
	json_begin(&json);
	json_bool(&json, "ok", true);
	json_string(&json, "policy", policy_name(&ctx->session));
	json_number(&json, "generation", ctx->session.generation);
	session_retire(&ctx->retired, &ctx->session);
	retired_clear(&ctx->retired);
	labels_close(&ctx->labels);
	control_unlink(&ctx->control);
	state_close(&ctx->state);
	if (ctx->published)
		service_notify_stopped();
	if (ctx->stop_client)
		control_answer(ctx->stop_client, json_end(&json));
	else
		free(json_end(&json));
	control_close(&ctx->control);
}

enum exit_status run_policy(const struct run_options *options, int signal_fd)
{
	enum exit_status status = STATUS_REFUSED;
	struct context *ctx = calloc(1, sizeof(*ctx));

	if (!ctx) {
		log_error(ENOMEM, NULL, "out of memory");
		return STATUS_REFUSED;
	}
	ctx->options = options;
	ctx->signal_fd = signal_fd;
	ctx->state.lock_fd = -1;
	labels_init(&ctx->labels);
	ctx->control.fd = -1;
	if (!generation_first(ctx, &ctx->session))
		status = run_until_end(ctx);
	else if (signal_pending(ctx))
		status = STATUS_STOPPED;
	end(ctx, status);
	free(ctx);
	return status;
}
