// SPDX-License-Identifier: Apache-2.0
/*
 * retitle ARGUMENT...: forks a process that writes another title over its arguments, as
 * setproctitle() does, and its number to the file $CHILD_FILE; does so itself at SIGUSR1.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void retitle(int argc, char **argv, const char *title)
{
	size_t size = argv[argc - 1] + strlen(argv[argc - 1]) + 1 - argv[0];

	memset(argv[0], 0, size);
	strncpy(argv[0], title, size - 1);
}

int main(int argc, char **argv)
{
	const char *path = getenv("CHILD_FILE");
	sigset_t set;
	pid_t child;
	int number;
	FILE *file;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	child = fork();
	if (!child) {
		retitle(argc, argv, "postgres: writer");
		file = fopen(path, "w");
		fprintf(file, "%d\n", getpid());
		fclose(file);
		pause();
	}
	sigwait(&set, &number);
	retitle(argc, argv, "postgres: main");
	for (;;)
		pause();
}
