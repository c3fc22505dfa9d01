/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Requests and responses: a client that sleeps, asks, and waits for a server
 * that works and answers. It models a service that is called now and then, such
 * as a network function's control plane or a microservice. netperf's TCP_RR and
 * UDP_RR do the same without sleep and work.
 *
 *   rpc unix|udp PAIRS SLEEP_US WORK_US PHASE_US SECONDS RESULTS
 *
 * PAIRS of processes do so for SECONDS, over a socketpair or over UDP on the
 * loopback device. "rate" counts all answers, "time" has the client's wait for
 * each. PHASE_US is added to the first sleep.
 */
#include "run.h"

#include <arpa/inet.h>
#include <sys/socket.h>

struct side {
	struct times times; /* of the client */
	int socket;
};

static uint64_t sleep_ns, work_ns, phase_ns;

static void ask(void *argument)
{
	struct side *side = argument;
	char message[64] = "";

	sleep_until_ns(now_ns() + phase_ns);
	for (;;) {
		uint64_t start;

		sleep_until_ns(now_ns() + sleep_ns);
		start = now_ns();
		if (send(side->socket, message, sizeof(message), 0) != sizeof(message))
			err(2, "send");
		if (recv(side->socket, message, sizeof(message), 0) != sizeof(message))
			err(2, "recv");
		note_time(&side->times, now_ns() - start);
	}
}

static void answer(void *argument)
{
	struct side *side = argument;
	char message[64];

	for (;;) {
		if (recv(side->socket, message, sizeof(message), 0) != sizeof(message))
			err(2, "recv");
		compute(work_ns);
		if (send(side->socket, message, sizeof(message), 0) != sizeof(message))
			err(2, "send");
	}
}

static void connect_udp(int sockets[2])
{
	struct sockaddr_in address[2];
	socklen_t size = sizeof(address[0]);

	for (int i = 0; i < 2; i++) {
		address[i] = (struct sockaddr_in){
			.sin_family = AF_INET,
			.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
		};
		sockets[i] = socket(AF_INET, SOCK_DGRAM, 0);
		if (sockets[i] < 0 || bind(sockets[i], (void *)&address[i], size) ||
		    getsockname(sockets[i], (void *)&address[i], &size))
			err(2, "cannot open a UDP socket");
	}
	for (int i = 0; i < 2; i++)
		if (connect(sockets[i], (void *)&address[!i], size))
			err(2, "connect");
}

static void start_pair(int udp, struct times times)
{
	int sockets[2];

	if (udp)
		connect_udp(sockets);
	else if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets))
		err(2, "socketpair");
	start_worker("rpc", answer, &(struct side){ .socket = sockets[0] });
	start_worker("rpc", ask, &(struct side){ times, sockets[1] });
	close(sockets[0]);
	close(sockets[1]);
}

int main(int argc, char **argv)
{
	static struct times times[MAX_UNITS];
	struct counter *done;
	uint64_t pairs, seconds;

	if (argc != 8 || (strcmp(argv[1], "unix") && strcmp(argv[1], "udp")))
		errx(2, "usage: rpc unix|udp PAIRS SLEEP_US WORK_US PHASE_US SECONDS RESULTS");
	pairs = number("PAIRS", argv[2], 1, MAX_UNITS);
	sleep_ns = number("SLEEP_US", argv[3], 0, 10000000) * 1000;
	work_ns = number("WORK_US", argv[4], 0, 10000000) * 1000;
	phase_ns = number("PHASE_US", argv[5], 0, 10000000) * 1000;
	seconds = number("SECONDS", argv[6], 1, MAX_SECONDS);

	begin("rpc");
	done = share(pairs * sizeof(*done));
	for (uint64_t i = 0; i < pairs; i++) {
		times[i] = share_times(&done[i]);
		start_pair(!strcmp(argv[1], "udp"), times[i]);
	}
	run(seconds, done, pairs, argv[7]);
	write_times(times, pairs, argv[7]);
	return 0;
}
