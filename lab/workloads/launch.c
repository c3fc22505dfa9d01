/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Starts a scheduler, and notes the time until the kernel has enabled it.
 *
 *   launch OUTPUT COMMAND [ARGUMENT]...
 *
 * This process becomes COMMAND. A child looks every millisecond whether
 * sched_ext is enabled, and then writes the time since the start, in ns, to
 * OUTPUT. It gives up when COMMAND has ended.
 */
#include "workload.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#define STATE "/sys/kernel/sched_ext/state"
#define POLL_NS 1000000ULL

static int enabled(void)
{
	char state[16] = "";
	int fd = open(STATE, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		err(2, STATE);
	if (read(fd, state, sizeof(state) - 1) < 0)
		err(2, STATE);
	close(fd);
	return !strncmp(state, "enabled", strlen("enabled"));
}

int main(int argc, char **argv)
{
	uint64_t start = now_ns(), took;
	pid_t scheduler = getpid(), pid;

	if (argc < 3)
		errx(2, "usage: launch OUTPUT COMMAND [ARGUMENT]...");
	pid = fork();
	if (pid < 0)
		err(2, "fork");
	if (pid) {
		execvp(argv[2], argv + 2);
		err(127, "%s", argv[2]);
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != scheduler)
		return 1;
	while (!enabled())
		sleep_until_ns(now_ns() + POLL_NS);
	took = now_ns() - start;
	write_samples(open_output(argv[1]), &took, 1);
	return 0;
}
