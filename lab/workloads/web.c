/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A web server and its clients on one machine: short TCP connections over the
 * loopback device, with one request and response each. The server either waits
 * for events of all connections in one thread, as nginx does, or starts a thread
 * for each connection, which blocks, as Apache does. The two perform differently
 * under a scheduler that takes blocking for a sign of being interactive.
 *
 *   web events|threads CLIENTS WORK_US SECONDS RESULTS
 *
 * The server computes WORK_US for each response. Each of the CLIENTS, which are
 * processes like the server, opens one connection after the other for SECONDS.
 * "rate" counts the served ones per second, "time" has the time that each took.
 */
#include "run.h"

#include <arpa/inet.h>
#include <sys/epoll.h>
#include <sys/socket.h>

enum { REQUEST = 128, RESPONSE = 4096, BACKLOG = 4096 };

static struct sockaddr_in address;
static uint64_t work_ns;
static const char *own;

/* Returns 0 when the other side has closed. */
static int read_all(int fd, char *buffer, size_t size)
{
	for (size_t had = 0; had < size;) {
		ssize_t got = read(fd, buffer + had, size - had);

		if (got < 0)
			err(2, "read");
		if (!got)
			return 0;
		had += (size_t)got;
	}
	return 1;
}

/* One request and its response, which always fits into the socket's buffer. */
static int serve(int fd)
{
	char request[REQUEST];
	static const char response[RESPONSE];

	if (!read_all(fd, request, sizeof(request)))
		return 0;
	compute(work_ns);
	if (write(fd, response, sizeof(response)) != sizeof(response))
		err(2, "write");
	return 1;
}

static void serve_events(void *argument)
{
	int listener = *(int *)argument, epoll = epoll_create1(0);
	struct epoll_event event = { .events = EPOLLIN, .data.fd = listener }, events[64];

	if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event))
		err(2, "epoll");
	for (;;) {
		int nr = epoll_wait(epoll, events, 64, -1);

		for (int i = 0; i < nr; i++) {
			int fd = events[i].data.fd;

			if (fd != listener) {
				if (!serve(fd))
					close(fd);
				continue;
			}
			fd = accept(listener, NULL, NULL);
			event = (struct epoll_event){ .events = EPOLLIN, .data.fd = fd };
			if (fd < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event))
				err(2, "accept");
		}
	}
}

static void serve_connection(void *argument)
{
	int fd = (int)(intptr_t)argument;

	while (serve(fd))
		;
	close(fd);
}

static void serve_threads(void *argument)
{
	int listener = *(int *)argument;

	for (;;) {
		int fd = accept(listener, NULL, NULL);

		if (fd < 0)
			err(2, "accept");
		pthread_detach(start_thread(own, serve_connection, (void *)(intptr_t)fd));
	}
}

static void request(void *argument)
{
	struct times *times = argument;
	static const char message[REQUEST];
	char response[RESPONSE];

	for (;;) {
		uint64_t start = now_ns();
		int fd = socket(AF_INET, SOCK_STREAM, 0);

		if (fd < 0 || connect(fd, (void *)&address, sizeof(address)))
			err(2, "connect");
		if (write(fd, message, sizeof(message)) != sizeof(message))
			err(2, "write");
		if (!read_all(fd, response, sizeof(response)))
			errx(2, "the server has closed too early");
		/* Close before the client does: the first side keeps the port for a while. */
		close(fd);
		note_time(times, now_ns() - start);
	}
}

static int listen_somewhere(void)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	socklen_t size = sizeof(address);

	address.sin_family = AF_INET;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0 || bind(fd, (void *)&address, size) || listen(fd, BACKLOG) ||
	    getsockname(fd, (void *)&address, &size))
		err(2, "cannot listen");
	return fd;
}

int main(int argc, char **argv)
{
	static struct times times[MAX_UNITS];
	struct counter *done;
	uint64_t clients, seconds;
	int listener;

	if (argc != 6 || (strcmp(argv[1], "events") && strcmp(argv[1], "threads")))
		errx(2, "usage: web events|threads CLIENTS WORK_US SECONDS RESULTS");
	own = strcmp(argv[1], "events") ? "web-threads" : "web-events";
	clients = number("CLIENTS", argv[2], 1, MAX_UNITS);
	work_ns = number("WORK_US", argv[3], 0, 10000000) * 1000;
	seconds = number("SECONDS", argv[4], 1, MAX_SECONDS);

	begin(own);
	listener = listen_somewhere();
	done = share(clients * sizeof(*done));
	start_worker(own, strcmp(argv[1], "events") ? serve_threads : serve_events, &listener);
	for (uint64_t i = 0; i < clients; i++) {
		times[i] = share_times(&done[i]);
		start_worker(own, request, &times[i]);
	}
	run(seconds, done, clients, argv[5]);
	write_times(times, clients, argv[5]);
	return 0;
}
