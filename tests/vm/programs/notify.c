// SPDX-License-Identifier: GPL-2.0-only
/*
 * A task that sends messages, and computes on after each one.
 *
 *   notify pipe|udp ROUNDS MS
 *
 * It computes for MS after each message. Both ends let the kernel say that the sender is about to sleep:
 * a pipe in the sender's own system call, UDP in the interrupt that delivers the packet. Prints how many
 * us each message has waited for its receiver.
 */
#include "workload.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* The ends to read from, and to write to. */
static void open_udp(int *ends)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	socklen_t size = sizeof(address);

	for (int i = 0; i < 2; i++) {
		ends[i] = socket(AF_INET, SOCK_DGRAM, 0);
		if (ends[i] < 0)
			err(2, "socket");
	}
	if (bind(ends[0], (struct sockaddr *)&address, size) ||
	    getsockname(ends[0], (struct sockaddr *)&address, &size) ||
	    connect(ends[1], (struct sockaddr *)&address, size))
		err(2, "UDP");
}

static void compute(uint64_t for_ns)
{
	uint64_t end_ns = now_ns() + for_ns;

	while (now_ns() < end_ns)
		;
}

static void receive(int end, uint64_t rounds)
{
	uint64_t sent_ns;

	for (uint64_t i = 0; i < rounds; i++) {
		if (read(end, &sent_ns, sizeof(sent_ns)) != sizeof(sent_ns))
			err(2, "read");
		printf("%llu\n", (unsigned long long)(now_ns() - sent_ns) / 1000);
		compute(200000);
	}
}

static void send_all(int end, uint64_t rounds, uint64_t compute_ns)
{
	for (uint64_t i = 0; i < rounds; i++) {
		uint64_t now = now_ns();

		if (write(end, &now, sizeof(now)) != sizeof(now))
			err(2, "write");
		compute(compute_ns);
		usleep(300);
	}
}

int main(int argc, char **argv)
{
	uint64_t rounds, ms;
	int ends[2], status;
	pid_t receiver;

	if (argc != 4)
		errx(2, "usage: notify pipe|udp ROUNDS MS");
	rounds = number("ROUNDS", argv[2], 1, 1000000);
	ms = number("MS", argv[3], 1, 1000);
	if (!strcmp(argv[1], "udp"))
		open_udp(ends);
	else if (pipe(ends))
		err(2, "pipe");
	receiver = fork();
	if (receiver < 0)
		err(2, "fork");
	if (!receiver) {
		receive(ends[0], rounds);
		return 0;
	}
	usleep(20000);
	send_all(ends[1], rounds, ms * 1000000);
	if (waitpid(receiver, &status, 0) != receiver || status)
		errx(2, "the receiver failed");
	return 0;
}
