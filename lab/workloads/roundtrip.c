/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Two processes that only wake each other. Shows the cost of a scheduler's own
 * code, and whether it keeps such a pair together. "perf bench sched pipe" does
 * the same (pipe); futex is the variant for locks and condition variables.
 *
 *   roundtrip pipe|futex PAIRS SECONDS RESULTS
 *
 * Each of PAIRS goes back and forth for SECONDS. "rate" counts all round trips.
 */
#include "run.h"

/* The process whose turn it is, in its own cache line. */
struct ball {
	volatile uint32_t turn;
	char pad[64 - sizeof(uint32_t)];
};

struct player {
	struct ball *ball;
	struct counter *trips; /* of the server, else NULL */
	int in, out;
};

static void play_pipe(void *argument)
{
	struct player *player = argument;
	char byte = 0;

	for (;;) {
		if (player->trips && write(player->out, &byte, 1) != 1)
			err(2, "write");
		if (read(player->in, &byte, 1) != 1)
			err(2, "read");
		if (player->trips)
			player->trips->count++;
		else if (write(player->out, &byte, 1) != 1)
			err(2, "write");
	}
}

static void play_futex(void *argument)
{
	struct player *player = argument;
	volatile uint32_t *turn = &player->ball->turn;
	uint32_t mine = player->trips ? 0 : 1;

	for (;;) {
		while (__atomic_load_n(turn, __ATOMIC_ACQUIRE) != mine)
			if (futex(turn, FUTEX_WAIT, !mine) && errno != EAGAIN && errno != EINTR)
				err(2, "futex");
		if (player->trips)
			player->trips->count++;
		__atomic_store_n(turn, !mine, __ATOMIC_RELEASE);
		futex(turn, FUTEX_WAKE, 1);
	}
}

static void start_pair(const char *kind, struct ball *ball, struct counter *trips)
{
	void (*play)(void *argument) = strcmp(kind, "pipe") ? play_futex : play_pipe;
	struct player one = { .ball = ball, .trips = trips }, other = { .ball = ball };
	int there[2], back[2];

	if (pipe(there) || pipe(back))
		err(2, "pipe");
	one.out = there[1], one.in = back[0];
	other.out = back[1], other.in = there[0];
	start_worker(kind, play, &one);
	start_worker(kind, play, &other);
	for (int i = 0; i < 2; i++) {
		close(there[i]);
		close(back[i]);
	}
}

int main(int argc, char **argv)
{
	struct counter *trips;
	struct ball *balls;
	uint64_t pairs, seconds;

	if (argc != 5 || (strcmp(argv[1], "pipe") && strcmp(argv[1], "futex")))
		errx(2, "usage: roundtrip pipe|futex PAIRS SECONDS RESULTS");
	pairs = number("PAIRS", argv[2], 1, MAX_UNITS);
	seconds = number("SECONDS", argv[3], 1, MAX_SECONDS);

	begin(argv[1]);
	trips = share(pairs * sizeof(*trips));
	balls = share(pairs * sizeof(*balls));
	for (uint64_t i = 0; i < pairs; i++)
		start_pair(argv[1], &balls[i], &trips[i]);
	run(seconds, trips, pairs, argv[4]);
	return 0;
}
