/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sends one byte back and forth over two pipes: a round trip is two switches and
 * four system calls. Shows the cost of a scheduler's own code.
 *
 *   pipe CPU_A CPU_B WARMUP BATCHES TRIPS OUTPUT
 *
 * OUTPUT gets the time of each of BATCHES batches of TRIPS round trips in ns,
 * one a line, after WARMUP round trips.
 */
#include "workload.h"

#include <sys/wait.h>
#include <unistd.h>

static void send_byte(int fd)
{
	char byte = 0;

	if (write(fd, &byte, 1) != 1)
		err(2, "write");
}

/* Returns 0 when the other end was closed. */
static int receive_byte(int fd)
{
	char byte;
	ssize_t got = read(fd, &byte, 1);

	if (got < 0)
		err(2, "read");
	return got == 1;
}

static void echo(int cpu, int in, int out)
{
	pin_to_cpu(cpu);
	while (receive_byte(in))
		send_byte(out);
	_exit(0);
}

static void round_trips(size_t count, int out, int in)
{
	for (size_t i = 0; i < count; i++) {
		send_byte(out);
		if (!receive_byte(in))
			errx(2, "the other end is gone");
	}
}

int main(int argc, char **argv)
{
	int there[2], back[2], status;
	size_t warmup, batches, trips;
	uint64_t *samples;
	FILE *output;
	pid_t pid;

	if (argc != 7)
		errx(2, "usage: pipe CPU_A CPU_B WARMUP BATCHES TRIPS OUTPUT");
	warmup = number("WARMUP", argv[3], 0, 10000000);
	batches = number("BATCHES", argv[4], 1, 1000000);
	trips = number("TRIPS", argv[5], 1, 10000000);
	output = open_output(argv[6]);
	samples = calloc(batches, sizeof(*samples));
	if (!samples || pipe(there) || pipe(back))
		err(2, "cannot set up");

	pid = fork();
	if (pid < 0)
		err(2, "fork");
	if (!pid) {
		close(there[1]);
		close(back[0]);
		echo((int)number("CPU_B", argv[2], 0, CPU_SETSIZE - 1), there[0], back[1]);
	}
	close(there[0]);
	close(back[1]);
	pin_to_cpu((int)number("CPU_A", argv[1], 0, CPU_SETSIZE - 1));

	round_trips(warmup, there[1], back[0]);
	for (size_t i = 0; i < batches; i++) {
		uint64_t start = now_ns();

		round_trips(trips, there[1], back[0]);
		samples[i] = now_ns() - start;
	}
	close(there[1]);
	if (waitpid(pid, &status, 0) < 0 || status)
		errx(2, "the other end failed");

	write_samples(output, samples, batches);
	free(samples);
	return 0;
}
