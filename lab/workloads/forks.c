/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A storm of short processes: fork, exec, exit, wait, over and over, as in a
 * shell script, a build's many small steps, or CGI. lmbench's "lat_proc exec" is
 * similar.
 *
 *   forks SPAWNERS SECONDS RESULTS
 *
 * Each of SPAWNERS starts one process after the other for SECONDS. "rate" is
 * the number of processes that ended each second.
 */
#include "run.h"

#define CHILD "child"

static void do_nothing(void *argument)
{
	(void)argument;
}

static void spawn(void *argument)
{
	struct counter *done = argument;

	for (;;) {
		pid_t pid = fork_tied();
		int status;

		if (!pid) {
			execl("/proc/self/exe", "forks", CHILD, NULL);
			err(2, "exec");
		}
		if (waitpid(pid, &status, 0) != pid || status)
			errx(2, "a process failed");
		done->count++;
	}
}

int main(int argc, char **argv)
{
	uint64_t nr, seconds;
	struct counter *done;

	if (argc == 2 && !strcmp(argv[1], CHILD)) {
		as_task("forks", do_nothing, NULL);
		return 0;
	}
	if (argc != 4)
		errx(2, "usage: forks SPAWNERS SECONDS RESULTS");
	nr = number("SPAWNERS", argv[1], 1, MAX_UNITS);
	seconds = number("SECONDS", argv[2], 1, MAX_SECONDS);

	begin("forks");
	done = share(nr * sizeof(*done));
	for (uint64_t i = 0; i < nr; i++)
		start_worker("forks", spawn, &done[i]);
	run(seconds, done, nr, argv[3]);
	return 0;
}
