// SPDX-License-Identifier: GPL-2.0-only
/*
 * Execs whose events the kernel drops: one program is put aside in the middle of its own event, and
 * meanwhile another one is executed on the same CPU.
 *
 * execs sharp LEAST MOST OBJECT FILE CLASS: executes FILE at random moments, with real-time priority,
 * until it has done so LEAST times and the kernel has dropped an event, or MOST times. Prints for
 * each how long it ran until it had the class, in microseconds of CPU time; -1: it never had. Then
 * how many events of execs the kernel has dropped so far.
 * execs crowd: executes itself for ever, with so many arguments that their reading takes a while.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "task_class.h"

enum { LONGEST_US = 1000000, ARGUMENTS = 40, ARGUMENT_SIZE = 400 };

static long long cpu_time_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

/* The program that is looked at. */
static int marked(char **argv)
{
	const struct sched_param none = {};
	int class = atoi(argv[3]);

	if (sched_setscheduler(0, SCHED_OTHER, &none) || find_classes(argv[2]))
		return 1;
	while (class_of_task(getpid()) != class && cpu_time_us() < LONGEST_US)
		;
	printf("%lld\n", class_of_task(getpid()) == class ? cpu_time_us() : -1);
	return 0;
}

static unsigned long long dropped(void)
{
	unsigned long long misses = 0;

	for (__u32 id = 0; !bpf_prog_get_next_id(id, &id);) {
		struct bpf_prog_info info = {};
		__u32 len = sizeof(info);
		int fd = bpf_prog_get_fd_by_id(id);

		if (fd >= 0 && !bpf_prog_get_info_by_fd(fd, &info, &len) &&
		    !strcmp(info.name, "gthulhu_exec"))
			misses += info.recursion_misses;
		if (fd >= 0)
			close(fd);
	}
	return misses;
}

static int sharp(char **argv)
{
	const struct sched_param first = { .sched_priority = 1 };

	if (sched_setscheduler(0, SCHED_FIFO, &first))
		return 1;
	for (int i = 0; i < atoi(argv[3]) && (i < atoi(argv[2]) || !dropped()); i++) {
		struct timespec pause = { .tv_nsec = 1000 * (1000 + rand() % 20000) };
		pid_t child;

		nanosleep(&pause, NULL);
		child = fork();
		if (!child) {
			execl(argv[5], argv[5], "marked", argv[4], argv[6], NULL);
			_exit(errno);
		}
		waitpid(child, NULL, 0);
	}
	printf("dropped %llu\n", dropped());
	return 0;
}

static int crowd(char **argv)
{
	static char text[ARGUMENT_SIZE];
	char *arguments[ARGUMENTS + 3] = { argv[0], "again" };

	memset(text, 'x', sizeof(text) - 1);
	for (int i = 0; i < ARGUMENTS; i++)
		arguments[2 + i] = text;
	execv("/proc/self/exe", arguments);
	return 1;
}

int main(int argc, char **argv)
{
	if (argc == 7 && !strcmp(argv[1], "sharp"))
		return sharp(argv);
	if (argc == 4 && !strcmp(argv[1], "marked"))
		return marked(argv);
	return crowd(argv);
}
