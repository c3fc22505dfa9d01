/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tasks that compute, always or in bursts, under a name that a rule takes.
 *
 *   crowd NAME COUNT MS [BUSY_US SLEEP_US [CPUS [NICE]]]
 *
 * COUNT processes of that name run for MS: each computes for BUSY_US of its own
 * CPU time, then sleeps for SLEEP_US, or not at all if that is 0. CPUS ("0",
 * "1,3", "all") is their affinity.
 */
#include "workload.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_TASKS = 4096 };

static uint64_t used_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

static void run_on(char *cpus)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (char *word = strtok(cpus, ","); word; word = strtok(NULL, ","))
		CPU_SET(number("CPUS", word, 0, CPU_SETSIZE - 1), &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(2, "sched_setaffinity");
}

static void compute_until(uint64_t end)
{
	while (now_ns() < end)
		spin();
}

static void burst(uint64_t busy, uint64_t end)
{
	uint64_t stop = used_ns() + busy;

	while (used_ns() < stop && now_ns() < end)
		spin();
}

/* Wait until the one that starts all of them has closed the pipe. */
static void await_all(const int pipe[2])
{
	char none;

	close(pipe[1]);
	if (read(pipe[0], &none, 1))
		err(2, "read");
}

int main(int argc, char **argv)
{
	uint64_t end, busy = 0, pause = 0;
	int count, all_started[2];

	if (argc != 4 && (argc < 6 || argc > 8))
		errx(2, "usage: crowd NAME COUNT MS [BUSY_US SLEEP_US [CPUS [NICE]]]");
	count = (int)number("COUNT", argv[2], 1, MAX_TASKS);
	end = now_ns() + number("MS", argv[3], 1, 1000000) * 1000000;
	if (argc > 5) {
		busy = number("BUSY_US", argv[4], 0, 1000000) * 1000;
		pause = number("SLEEP_US", argv[5], 0, 1000000) * 1000;
	}

	if (pipe(all_started))
		err(2, "pipe");
	for (int i = 0; i < count; i++) {
		pid_t pid = fork();

		if (pid < 0)
			err(2, "fork");
		if (pid)
			continue;
		/* Only now: the process that starts them does not belong to them. */
		set_name(argv[1]);
		if (argc > 6 && strcmp(argv[6], "all"))
			run_on(argv[6]);
		if (argc > 7 && setpriority(PRIO_PROCESS, 0, atoi(argv[7])))
			err(2, "setpriority");
		await_all(all_started);
		if (!pause)
			compute_until(end);
		while (now_ns() < end) {
			burst(busy, end);
			sleep_until_ns(now_ns() + pause);
		}
		_exit(0);
	}
	close(all_started[1]);
	while (wait(NULL) > 0)
		;
	return 0;
}
