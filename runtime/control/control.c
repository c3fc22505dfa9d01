// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "control/control.h"
#include "machine/clock.h"
#include "output/log.h"

/* How long the last clients have to read their answers. */
#define CLOSE_TIMEOUT_MS 500
/* How long to accept no clients after file descriptors ran out. */
#define ACCEPT_PAUSE_MS 100

static int fail(struct control *control)
{
	int err = errno;

	if (control->fd >= 0)
		close(control->fd);
	control->fd = -1;
	free(control->clients);
	control->clients = NULL;
	return log_error(err, NULL, "cannot create the control socket %s: %s", control->path,
			 strerror(err));
}

int control_open(struct control *control, const char *directory)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	*control = (struct control){ .fd = -1 };
	if (snprintf(control->path, sizeof(control->path), "%s/control", directory) >=
	    (int)sizeof(control->path))
		return log_error(ENAMETOOLONG, "pass a shorter path to --state",
				 "%s: path too long for a control socket", directory);
	memcpy(address.sun_path, control->path, sizeof(address.sun_path));
	control->clients = calloc(CONTROL_CLIENTS, sizeof(*control->clients));
	control->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (!control->clients || control->fd < 0)
		return fail(control);
	unlink(control->path);
	/* No client can connect before listen(), so the mode is set in time. */
	if (bind(control->fd, (struct sockaddr *)&address, sizeof(address)) < 0 ||
	    chmod(control->path, 0600) < 0 || listen(control->fd, CONTROL_CLIENTS) < 0)
		return fail(control);
	return 0;
}

static void hang_up(struct client *client)
{
	close(client->fd);
	if (client->file_fd)
		close(client->file_fd);
	free(client->answer);
	memset(client, 0, offsetof(struct client, line));
}

void control_answer(struct client *client, char *text)
{
	if (!text) {
		hang_up(client);
		return;
	}
	client->asked = false;
	client->answer = text;
	client->answer_len = strlen(text);
	client->deadline_ms = clock_ms() + CONTROL_DEADLINE_MS;
}

int control_take(struct client *client)
{
	int fd = client->fd;

	if (client->file_fd)
		close(client->file_fd);
	memset(client, 0, offsetof(struct client, line));
	return fd;
}

static void refuse(struct client *client, const char *text)
{
	control_answer(client, strdup(text));
}

/* Sends what fits into the socket buffer. */
static void send_answer(struct client *client)
{
	ssize_t n = send(client->fd, client->answer + client->sent,
			 client->answer_len - client->sent, MSG_NOSIGNAL | MSG_DONTWAIT);

	if (n > 0)
		client->sent += n;
	else if (n == 0 || (errno != EAGAIN && errno != EINTR))
		client->sent = client->answer_len; /* the client has disconnected */
	if (client->sent == client->answer_len)
		hang_up(client);
}

static void refuse_long(struct client *client)
{
	char text[128];

	snprintf(text, sizeof(text),
		 "{\"ok\": false, \"error\": \"request too long: %d bytes at most\", "
		 "\"help\": \"split it into several requests\"}\n",
		 CONTROL_LINE - 1);
	refuse(client, text);
}

/* Reads a line that is too long to its end: a client that still sends would not read the answer. */
static void skip_rest(struct client *client)
{
	ssize_t n = recv(client->fd, client->line, CONTROL_LINE, MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0 || memchr(client->line, '\n', n))
		refuse_long(client);
}

/* Receives data, and keeps the last file that is passed with it. */
static ssize_t receive(struct client *client)
{
	struct iovec rest = {
		.iov_base = client->line + client->len,
		.iov_len = CONTROL_LINE - client->len,
	};
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(int))];
	} along = {};
	struct msghdr message = {
		.msg_iov = &rest,
		.msg_iovlen = 1,
		.msg_control = &along,
		/* CMSG_SPACE() would have room for two. The kernel closes those that do not fit. */
		.msg_controllen = CMSG_LEN(sizeof(int)),
	};
	ssize_t n = recvmsg(client->fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	const struct cmsghdr *header = n < 0 ? NULL : CMSG_FIRSTHDR(&message);

	if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
	    header->cmsg_len == CMSG_LEN(sizeof(int))) {
		if (client->file_fd)
			close(client->file_fd);
		memcpy(&client->file_fd, CMSG_DATA(header), sizeof(int));
	}
	return n;
}

/* Sets asked when the line is complete. */
static void read_request(struct client *client)
{
	ssize_t n = receive(client);
	char *end;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		hang_up(client);
		return;
	}
	end = memchr(client->line + client->len, '\n', n);
	client->len += n;
	if (end && memchr(client->line, '\0', end - client->line)) {
		refuse(client,
		       "{\"ok\": false, \"error\": \"a request must not contain NUL bytes\"}\n");
	} else if (end) {
		*end = '\0';
		client->asked = true;
	} else if (client->len == CONTROL_LINE) {
		client->too_long = true;
	}
}

static void accept_client(struct control *control, struct client *client)
{
	int fd = accept4(control->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

	if (fd < 0) {
		/* The client stays in the backlog, so poll() would return at once, for ever. */
		if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED) {
			if (!control->paused_until_ms)
				log_error(errno, NULL, "%s: cannot accept clients for now: %s",
					  control->path, strerror(errno));
			control->paused_until_ms = clock_ms() + ACCEPT_PAUSE_MS;
		}
		return;
	}
	control->paused_until_ms = 0;
	client->fd = fd;
	client->deadline_ms = clock_ms() + CONTROL_DEADLINE_MS;
}

static struct client *free_slot(struct control *control)
{
	for (unsigned int i = 0; i < CONTROL_CLIENTS; i++) {
		if (!control->clients[i].fd)
			return &control->clients[i];
	}
	return NULL;
}

static void serve_client(struct client *client, short events)
{
	if (!client->fd || client->asked)
		return;
	if (events && client->answer)
		send_answer(client);
	else if (events && client->too_long)
		skip_rest(client);
	else if (events)
		read_request(client);
	if (!client->fd || client->asked || clock_ms() <= client->deadline_ms)
		return;
	if (client->too_long && !client->answer)
		refuse_long(client);
	else
		hang_up(client);
}

struct client *control_wait(struct control *control, int signal_fd, int events_fd, int timeout_ms)
{
	struct pollfd polls[CONTROL_CLIENTS + 3];
	bool paused = clock_ms() < control->paused_until_ms;
	struct client *slot = paused ? NULL : free_slot(control);

	polls[0] = (struct pollfd){ .fd = signal_fd, .events = POLLIN };
	polls[1] = (struct pollfd){ .fd = slot ? control->fd : -1, .events = POLLIN };
	polls[2] = (struct pollfd){ .fd = events_fd, .events = POLLIN };
	for (unsigned int i = 0; i < CONTROL_CLIENTS; i++) {
		const struct client *client = &control->clients[i];

		polls[i + 3] = (struct pollfd){
			.fd = client->fd && !client->asked ? client->fd : -1,
			.events = client->answer ? POLLOUT : POLLIN,
		};
	}
	if (poll(polls, CONTROL_CLIENTS + 3, timeout_ms) < 0)
		return NULL;
	for (unsigned int i = 0; i < CONTROL_CLIENTS; i++)
		serve_client(&control->clients[i], polls[i + 3].revents);
	if (slot && polls[1].revents)
		accept_client(control, slot);
	for (unsigned int i = 0; i < CONTROL_CLIENTS; i++) {
		if (control->clients[i].asked)
			return &control->clients[i];
	}
	return NULL;
}

void control_unlink(struct control *control)
{
	if (control->fd < 0)
		return;
	unlink(control->path);
	close(control->fd);
	control->fd = -1;
}

/* Whether a client has not read its answer yet. */
static bool has_pending_answers(const struct control *control)
{
	for (unsigned int i = 0; i < CONTROL_CLIENTS; i++) {
		if (control->clients[i].answer)
			return true;
	}
	return false;
}

void control_close(struct control *control)
{
	int64_t end = clock_ms() + CLOSE_TIMEOUT_MS;

	control_unlink(control);
	if (!control->clients)
		return;
	while (has_pending_answers(control) && clock_ms() < end)
		control_wait(control, -1, -1, CLOSE_TIMEOUT_MS / 10);
	for (unsigned int i = 0; i < CONTROL_CLIENTS; i++) {
		if (control->clients[i].fd)
			hang_up(&control->clients[i]);
	}
	free(control->clients);
	control->clients = NULL;
}
