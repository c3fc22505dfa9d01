/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Groups of tasks that send messages to each other as fast as they can, as rt-tests' hackbench does:
 * in a group each sender writes to each receiver in turn, through a socket with room for some.
 *
 *   messages GROUPS PEERS SECONDS RESULTS
 *
 * A group has PEERS senders and as many receivers; "rate" is how many messages
 * arrived each second. On the deterministic clock one of its tasks is always at
 * work, so that is how many instructions a message takes.
 */
#include "run.h"

#include <sys/socket.h>

enum { MAX_PEERS = 20, BYTES = 100 };

struct peer {
	const int *sockets; /* a sender's: of all receivers; a receiver's: its own */
	uint64_t nr;
	struct counter *done;
};

static void send_all(void *argument)
{
	const struct peer *peer = argument;
	char message[BYTES] = { 0 };

	for (;;)
		for (uint64_t i = 0; i < peer->nr; i++)
			if (write(peer->sockets[i], message, sizeof(message)) != sizeof(message))
				err(2, "write");
}

static void receive_all(void *argument)
{
	const struct peer *peer = argument;
	char message[BYTES];

	for (;;) {
		size_t got = 0;

		while (got < sizeof(message)) {
			ssize_t bytes = read(*peer->sockets, message, sizeof(message) - got);

			if (bytes <= 0)
				err(2, "read");
			got += (size_t)bytes;
		}
		peer->done->count++;
	}
}

static void start_group(uint64_t nr, struct counter *done)
{
	int to[MAX_PEERS], from[MAX_PEERS];

	for (uint64_t i = 0; i < nr; i++) {
		int pair[2];

		if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
			err(2, "socketpair");
		from[i] = pair[0];
		to[i] = pair[1];
	}
	for (uint64_t i = 0; i < nr; i++) {
		struct peer receiver = { &from[i], 1, &done[i] }, sender = { to, nr, NULL };

		start_worker("messages", receive_all, &receiver);
		start_worker("messages", send_all, &sender);
	}
	for (uint64_t i = 0; i < nr; i++) {
		close(from[i]);
		close(to[i]);
	}
}

int main(int argc, char **argv)
{
	uint64_t groups, nr, seconds;
	struct counter *done;

	if (argc != 5)
		errx(2, "usage: messages GROUPS PEERS SECONDS RESULTS");
	groups = number("GROUPS", argv[1], 1, MAX_UNITS / MAX_PEERS);
	nr = number("PEERS", argv[2], 1, MAX_PEERS);
	seconds = number("SECONDS", argv[3], 1, MAX_SECONDS);

	begin("messages");
	done = share(groups * nr * sizeof(*done));
	for (uint64_t i = 0; i < groups; i++)
		start_group(nr, &done[i * nr]);
	run(seconds, done, groups * nr, argv[4]);
	return 0;
}
