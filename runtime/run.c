// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of a loader: it puts a policy in force, watches it, does what it is
 * asked to, and loads the policy again when the kernel asks for it after CPU
 * hotplug.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "json.h"
#include "life.h"
#include "log.h"
#include "preflight.h"
#include "service.h"

/* How often the report in memory, and how often /sys, is looked at. */
#define WATCH_MS 100
#define WATCH_SYSFS_MS 2000
/* CPUs that come and go faster than we load would keep us here for ever. */
#define MAX_FAILED_RESTARTS 16

/* Whether a signal asks to stop. It stays pending, for the next one who asks. */
static bool signalled(const struct life *life)
{
	struct pollfd poll_fd = { .fd = life->signal_fd, .events = POLLIN };

	return poll(&poll_fd, 1, 0) > 0;
}

static bool stop_wanted(const struct life *life)
{
	return life->stopper || signalled(life);
}

/* Returns when a stop is wanted, or when nothing is in force any more. */
static void watch(struct life *life)
{
	int64_t look_ms = control_now_ms() + WATCH_SYSFS_MS;

	while (!life->lost && !stop_wanted(life) && !session_has_ended(&life->session)) {
		struct calls *calls = &life->session.calls;
		struct client *client =
			control_wait(&life->control, life->signal_fd, calls_fd(calls), WATCH_MS);

		calls_follow(calls, &life->session.object);
		if (client && request_serve(life, client))
			look_ms = control_now_ms() + WATCH_SYSFS_MS;
		if (life->lost || control_now_ms() < look_ms)
			continue;
		if (!session_in_force(&life->session))
			return;
		attic_clear(&life->attic); /* hotplug would have ended it */
		look_ms = control_now_ms() + WATCH_SYSFS_MS;
	}
}

/* Whoever started us in the background need not wait any more. */
static void go_on_alone(const struct life *life)
{
	static bool done;
	char path[PATH_MAX + 8];
	int fd;

	if (life->options->ready_fd < 0 || done)
		return;
	done = true;
	snprintf(path, sizeof(path), "%s/log", life->state.folder);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	fflush(NULL);
	if (fd >= 0 && dup2(fd, STDOUT_FILENO) >= 0 && dup2(fd, STDERR_FILENO) >= 0)
		close(fd);
	if (chdir("/") < 0)
		log_detail("cannot leave the folder that it was started in");
	if (write(life->options->ready_fd, "", 1) != 1)
		log_detail("nobody waits for it any more");
	close(life->options->ready_fd);
}

static enum exit_status stopped_early(const struct session *session)
{
	log_news("%s: stopped before it was enabled", policy_name(session));
	return STATUS_STOPPED;
}

/* Whether --restart has it loaded again after an ejection. */
static bool may_restart(struct life *life)
{
	unsigned int most = life->options->max_restarts;
	int64_t now_ms = control_now_ms();
	unsigned int place;

	if (!most)
		return false;
	place = life->nr_ejected % most;
	if (life->nr_ejected >= most && now_ms - life->ejected_ms[place] < RESTART_PERIOD_MS) {
		log_error(EAGAIN, "see what ejects it, then start it again",
			  "%s: not loaded again: it has been %u time%s within %d minutes",
			  policy_name(&life->session), most, most == 1 ? "" : "s",
			  RESTART_PERIOD_MS / 60000);
		return false;
	}
	life->ejected_ms[place] = now_ms;
	life->nr_ejected++;
	log_news("%s: loading again after its ejection (at most %u time%s within %d minutes)",
		 policy_name(&life->session), most, most == 1 ? "" : "s",
		 RESTART_PERIOD_MS / 60000);
	return true;
}

/*
 * One life of the policy, or of those that take its place. *again: the last one
 * shall have another life; the status says nothing then.
 */
static enum exit_status live(struct life *life, bool *again)
{
	struct session *session = &life->session;
	enum exit_status status;
	enum ending ending;

	if (preflight_check_alone())
		return STATUS_REFUSED;
	if (stop_wanted(life))
		return stopped_early(session);
	if (session_load(session, &life->labels))
		return STATUS_REFUSED;
	if (stop_wanted(life))
		return stopped_early(session);
	if (session_attach(session))
		return STATUS_REFUSED;
	if (stop_wanted(life))
		return stopped_early(session);
	if (session_enable(session))
		return STATUS_REFUSED;
	if (session->enabled) {
		generation_publish(life);
		state_tidy(&life->state, session->generation);
		go_on_alone(life);
		watch(life);
		if (life->lost)
			return STATUS_REFUSED;
	}

	session_disable(session);
	ending = session_ending(session);
	if (ending == ENDING_NONE || ending == ENDING_STOPPED)
		ending = stop_wanted(life) ? ENDING_STOPPED : ENDING_ERROR;
	if (ending == ENDING_RESTART) {
		*again = !stop_wanted(life);
		ending = ENDING_STOPPED;
	}
	if (*again)
		return STATUS_STOPPED;
	status = session_conclude(session, ending);
	if (status == STATUS_EJECTED && !stop_wanted(life))
		*again = may_restart(life);
	return status;
}

static bool settled(const struct life *life, unsigned int failed_restarts)
{
	if (failed_restarts <= MAX_FAILED_RESTARTS)
		return true;
	log_error(EAGAIN, "start it again when the CPUs are settled",
		  "%s: CPUs keep coming and going while it is loaded", policy_name(&life->session));
	return false;
}

/* Lives until the last one; the first one's object is open. */
static enum exit_status live_on(struct life *life)
{
	unsigned int failed_restarts = 0;
	enum exit_status status;
	unsigned int generation;
	bool again;

	for (;;) {
		again = false;
		status = live(life, &again);
		if (!again)
			return status;
		failed_restarts = life->session.enabled ? 0 : failed_restarts + 1;
		if (!settled(life, failed_restarts))
			return STATUS_REFUSED;
		if (status == STATUS_STOPPED)
			log_news("%s: a CPU came or went, loading again",
				 policy_name(&life->session));
		generation = life->session.generation;
		attic_keep(&life->attic, &life->session);
		if (generation_reopen(life, &life->session, generation))
			return STATUS_REFUSED;
	}
}

/* All is cleaned up when whoever asked for the end hears of it. */
static void end(struct life *life)
{
	struct json json;

	/* What never was in force is nothing to go back to. */
	if (life->session.generation != life->published)
		state_drop(&life->state, life->session.generation);
	json_begin(&json);
	json_bool(&json, "ok", true);
	json_string(&json, "policy", policy_name(&life->session));
	json_number(&json, "generation", life->session.generation);
	attic_keep(&life->attic, &life->session);
	attic_clear(&life->attic);
	labels_close(&life->labels);
	control_unlink(&life->control);
	state_close(&life->state);
	if (life->published)
		service_tell_end();
	if (life->stopper)
		control_answer(life->stopper, json_end(&json));
	else
		free(json_end(&json));
	control_close(&life->control);
}

enum exit_status run_policy(const struct run_options *options, int signal_fd)
{
	enum exit_status status = STATUS_REFUSED;
	struct life *life = calloc(1, sizeof(*life));

	if (!life) {
		log_error(ENOMEM, NULL, "out of memory");
		return STATUS_REFUSED;
	}
	life->options = options;
	life->signal_fd = signal_fd;
	life->state.lock_fd = -1;
	labels_init(&life->labels);
	life->control.fd = -1;
	if (!generation_open(life, &life->session, options->path, options->called,
			     &options->settings))
		status = live_on(life);
	end(life);
	free(life);
	return status;
}
