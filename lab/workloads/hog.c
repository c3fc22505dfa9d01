/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Busy loops that never sleep, as a build or a batch job has them.
 *
 *   hog COUNT [CPU]
 *
 * COUNT processes compute, on one CPU if it is given, until SIGTERM or SIGINT.
 * Then the program prints each loop's number of turns, one a line, and the time
 * that they had, in ns. Their name is "hog", or the one in the environment.
 */
#include "workload.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_HOGS = 4096 };

/* One cache line each, so that neighbours do not slow each other down. */
struct counter {
	volatile uint64_t turns;
	char pad[64 - sizeof(uint64_t)];
};

static volatile sig_atomic_t stopped;

static void stop(int signal_number)
{
	(void)signal_number;
	stopped = 1;
}

static void turn(void *argument)
{
	struct counter *counter = argument;

	for (;;) {
		counter->turns++;
		spin();
	}
}

static pid_t start_hog(struct counter *counter, const sigset_t *usual, int cpu)
{
	pid_t parent = getpid(), pid = fork();

	if (pid < 0)
		err(2, "fork");
	if (pid)
		return pid;
	signal(SIGTERM, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	sigprocmask(SIG_SETMASK, usual, NULL);
	/* No hog outlives the process that counts. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	if (cpu >= 0)
		pin_to_cpu(cpu);
	as_task("hog", turn, counter);
	_exit(0);
}

int main(int argc, char **argv)
{
	int count, cpu = -1;
	struct counter *counters;
	struct sigaction action = { .sa_handler = stop };
	sigset_t wanted, usual;
	pid_t pids[MAX_HOGS];
	static uint64_t turns[MAX_HOGS];
	uint64_t start, took;

	if (argc != 2 && argc != 3)
		errx(2, "usage: hog COUNT [CPU]");
	count = (int)number("COUNT", argv[1], 1, MAX_HOGS);
	if (argc == 3)
		cpu = (int)number("CPU", argv[2], 0, CPU_SETSIZE - 1);

	counters = mmap(NULL, (size_t)count * sizeof(*counters), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (counters == MAP_FAILED)
		err(2, "mmap");

	/* Blocked except while waiting: a signal between test and wait would be lost. */
	sigemptyset(&wanted);
	sigaddset(&wanted, SIGTERM);
	sigaddset(&wanted, SIGINT);
	sigprocmask(SIG_BLOCK, &wanted, &usual);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);

	name_process("hog");
	start = now_ns();
	for (int i = 0; i < count; i++)
		pids[i] = start_hog(&counters[i], &usual, cpu);
	while (!stopped)
		sigsuspend(&usual);

	/* All at one moment: their work after it must not count. */
	took = now_ns() - start;
	for (int i = 0; i < count; i++)
		turns[i] = counters[i].turns;
	for (int i = 0; i < count; i++) {
		kill(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
		printf("%llu\n", (unsigned long long)turns[i]);
	}
	printf("%llu\n", (unsigned long long)took);
	return 0;
}
