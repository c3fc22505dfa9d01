// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "control/events.h"
#include "control/state.h"
#include "output/log.h"
#include "scheduler/session.h"

#define JOURNAL "/run/systemd/journal/socket"

void event_begin(struct json *json, const char *event, const char *policy, unsigned int generation)
{
	json_begin(json);
	json_string(json, "event", event);
	json_time(json, "at", time(NULL));
	json_string(json, "policy", policy);
	json_number(json, "generation", generation);
}

/* Returns the file, open for a line; the one before is kept. */
static int open_file(const struct state *state)
{
	char path[PATH_MAX], old[PATH_MAX];
	struct stat st;

	state_path(state, "events", path);
	state_path(state, "events.1", old);
	if (!stat(path, &st) && st.st_size >= EVENTS_BYTES && rename(path, old) < 0)
		return -1;
	return open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
}

/* The journal's own protocol: a datagram of fields. No one needs to read it. */
static void tell_journal(const char *line, size_t len)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = JOURNAL };
	static const char head[] = "SYSLOG_IDENTIFIER=gthulhu-events\nPRIORITY=5\nMESSAGE=";
	struct iovec parts[] = {
		{ .iov_base = (void *)head, .iov_len = sizeof(head) - 1 },
		{ .iov_base = (void *)line, .iov_len = len },
	};
	struct msghdr message = {
		.msg_name = &address,
		.msg_namelen = sizeof(address),
		.msg_iov = parts,
		.msg_iovlen = 2,
	};
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return;
	if (sendmsg(fd, &message, MSG_NOSIGNAL) < 0)
		log_verbose("cannot write to the journal: %s", strerror(errno));
	close(fd);
}

void event_end(const struct state *state, struct json *json)
{
	static bool has_failed;
	char *line = json_end(json);
	size_t len = line ? strlen(line) : 0;
	int fd = line ? open_file(state) : -1;

	if ((fd < 0 || write(fd, line, len) != (ssize_t)len) && !has_failed) {
		has_failed = true;
		log_error(errno, NULL, "cannot write to %s/events: %s", state->directory,
			  strerror(errno));
	}
	if (fd >= 0)
		close(fd);
	if (line)
		tell_journal(line, len);
	free(line);
}

void event_write(const struct state *state, const char *event, const struct session *session,
		 const char *reason)
{
	struct json json;

	event_begin(&json, event, policy_name(session), session->generation);
	if (reason)
		json_string(&json, "reason", reason);
	event_end(state, &json);
}
