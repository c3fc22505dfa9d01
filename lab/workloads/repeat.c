/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A public tool as a workload: runs it again and again, under the wanted name.
 *
 *   repeat AT_ONCE SECONDS RESULTS TOOL [ARGUMENT]...
 *
 * Starts AT_ONCE copies together, and the next round when all have ended, for
 * SECONDS. "time" has the time that each took. The last round is finished, as
 * slow copies would be missing otherwise; SIGTERM ends it, uncounted. TOOL is a
 * path; its output is thrown away. A copy that aborts is started again, and its
 * time begins anew: User-Mode Linux does so once in hundreds of boots.
 */
#include "run.h"
#include "tool.h"

#include <fcntl.h>
#include <sys/personality.h>

enum { MAX_AT_ONCE = 256, MAX_ABORTS = 3 };

struct copy {
	pid_t pid;
	uint64_t start, took;
};

static unsigned int aborts;

static pid_t start_copy(char **words)
{
	pid_t pid = fork_tied();
	int null;

	if (pid)
		return pid;
	null = open("/dev/null", O_RDWR);
	if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0)
		err(2, "/dev/null");
	sigprocmask(SIG_SETMASK, &usual_signals, NULL);
	/*
	 * The same layout each time: User-Mode Linux takes the gap below its heap for memory of its
	 * own, up to 1 GiB by chance, and is the slower to boot for it, or aborts.
	 */
	personality(ADDR_NO_RANDOMIZE);
	execv(tool_link, words);
	_exit(127);
}

static void start(struct copy *copy, char **words)
{
	*copy = (struct copy){ .start = now_ns() };
	copy->pid = start_copy(words);
}

/* Whether a copy of this status is to be started again. */
static int may_start_again(int status)
{
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT && ++aborts <= MAX_ABORTS;
}

/* Note which of the copies have ended. Returns the number of the others. */
static uint64_t reap(struct copy *copies, uint64_t nr, char **words)
{
	uint64_t left = 0;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		for (uint64_t i = 0; i < nr; i++) {
			if (copies[i].pid != pid)
				continue;
			if (may_start_again(status)) {
				warnx("the tool aborted, and is started again");
				start(&copies[i], words);
				break;
			}
			if (status) {
				end_everything();
				errx(2, "the tool failed with status %#x", status);
			}
			copies[i].took = now_ns() - copies[i].start;
		}
	}
	for (uint64_t i = 0; i < nr; i++)
		left += !copies[i].took;
	return left;
}

/* Returns 0 if a signal came before all had ended. */
static int run_round(struct copy *copies, uint64_t nr, char **words)
{
	uint64_t end = now_ns() + MAX_SECONDS * NSEC_PER_SEC;

	for (uint64_t i = 0; i < nr; i++)
		start(&copies[i], words);
	while (reap(copies, nr, words))
		if (signal_until(end) != SIGCHLD)
			return 0;
	return 1;
}

int main(int argc, char **argv)
{
	struct copy copies[MAX_AT_ONCE];
	uint64_t nr, end;
	FILE *file;

	if (argc < 5)
		errx(2, "usage: repeat AT_ONCE SECONDS RESULTS TOOL [ARGUMENT]...");
	nr = number("AT_ONCE", argv[1], 1, MAX_AT_ONCE);
	end = now_ns() + number("SECONDS", argv[2], 1, MAX_SECONDS) * NSEC_PER_SEC;
	file = open_result(argv[3], "time");

	begin("repeat");
	link_tool(argv[4]);
	atexit(unlink_tool);
	while (now_ns() < end && run_round(copies, nr, argv + 4)) {
		for (uint64_t i = 0; i < nr; i++)
			fprintf(file, "%llu\n", (unsigned long long)copies[i].took);
		/* For a script that waits for the end of a round. */
		fflush(file);
	}
	end_everything();
	close_result(file);
	return 0;
}
