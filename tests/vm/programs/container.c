// SPDX-License-Identifier: GPL-2.0-only
/*
 * container OBJECT CLASS CGROUP: makes the cgroup, and a process in it, as a container
 * manager does; prints how many microseconds pass from the cgroup until the process has
 * the class with that number, and the process, which stays. OBJECT is of the scheduler.
 */
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "task_class.h"

static long long now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

/* As crun and systemd do: to move a process waits for RCU, ten milliseconds and more. */
static pid_t start_in(const char *cgroup)
{
	struct clone_args args = {
		.flags = CLONE_INTO_CGROUP,
		.exit_signal = SIGCHLD,
		.cgroup = open(cgroup, O_RDONLY | O_DIRECTORY),
	};
	pid_t pid = syscall(SYS_clone3, &args, sizeof(args));

	if (pid)
		return pid;
	/* The shell that waits for the output does not wait for this. */
	close(STDOUT_FILENO);
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	int wanted = argc == 4 ? atoi(argv[2]) : -1;
	char path[512];
	long long began_us, took_us;
	pid_t pid;

	if (wanted < 0 || find_classes(argv[1]))
		return 2;
	snprintf(path, sizeof(path), "/sys/fs/cgroup%s", argv[3]);
	began_us = now_us();
	if (mkdir(path, 0755))
		return 1;
	pid = start_in(path);
	if (pid < 0)
		return 1;
	while (class_of_task(pid) != wanted && now_us() - began_us < 5000000)
		usleep(100);
	took_us = now_us() - began_us;
	printf("%lld %d\n", class_of_task(pid) == wanted ? took_us : -1, pid);
	return 0;
}
