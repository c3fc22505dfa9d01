// SPDX-License-Identifier: GPL-2.0-only
/*
 * failing-forks: computes for 2 s, and tries to fork every 20 ms, which its limit of
 * processes forbids. Prints how many tries failed, and the CPU time that it has had in ms;
 * then sleeps for ever.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static long now_ms(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int main(void)
{
	struct rlimit none = { 0, 0 };
	long begin_ms = now_ms(CLOCK_MONOTONIC), failed = 0;

	/* Root has no such limit. */
	if (setrlimit(RLIMIT_NPROC, &none) || setuid(1000))
		return 1;
	for (long next_ms = 20; next_ms <= 2000; next_ms += 20) {
		pid_t child;

		while (now_ms(CLOCK_MONOTONIC) - begin_ms < next_ms)
			;
		child = fork();
		if (!child)
			_exit(0);
		failed += child < 0;
	}
	printf("%ld %ld\n", failed, now_ms(CLOCK_PROCESS_CPUTIME_ID));
	fflush(stdout);
	/* Its class is found when it gets the CPU. */
	for (;;)
		usleep(20000);
}
