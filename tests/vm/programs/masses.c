// SPDX-License-Identifier: GPL-2.0-only
/*
 * More tasks than anybody has:
 *
 *	masses forks COUNT	so many processes one after the other, by two at a time,
 *				as fast as can be; prints how many there were in a second
 *	masses tasks COUNT	so many threads at once; each waits, and then has to run
 */
#include <err.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FORKERS = 2, THREADS = 1000 /* of a process */, PATIENCE_S = 360 };

static struct shared {
	int go; /* a futex */
	int waiting;
	int done;
} *shared;

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static void fork_many(int count)
{
	double began = now_s();

	for (int i = 0; i < FORKERS; i++) {
		if (fork())
			continue;
		for (int j = 0; j < count / FORKERS; j++) {
			pid_t pid = fork();

			if (!pid)
				_exit(0);
			if (pid < 0 || waitpid(pid, NULL, 0) != pid)
				err(1, "fork");
		}
		_exit(0);
	}
	for (int i = 0; i < FORKERS; i++) {
		int status;

		if (wait(&status) < 0 || status)
			errx(1, "a process that forks has failed");
	}
	printf("%.0f forks per second\n", count / (now_s() - began));
}

static void *live(void *unused)
{
	(void)unused;
	__atomic_add_fetch(&shared->waiting, 1, __ATOMIC_RELAXED);
	while (!__atomic_load_n(&shared->go, __ATOMIC_ACQUIRE))
		syscall(SYS_futex, &shared->go, FUTEX_WAIT, 0, NULL, NULL, 0);
	__atomic_add_fetch(&shared->done, 1, __ATOMIC_RELAXED);
	return NULL;
}

static void start_threads(int count)
{
	pthread_attr_t attributes;
	pthread_t thread[THREADS];

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN);
	for (int i = 0; i < count; i++) {
		int error = pthread_create(&thread[i], &attributes, live, NULL);

		if (error)
			errx(1, "thread %d: %s", i, strerror(error));
	}
	for (int i = 0; i < count; i++)
		pthread_join(thread[i], NULL);
	_exit(0);
}

static void await(const char *what, const int *number, int count)
{
	double end = now_s() + PATIENCE_S;

	while (__atomic_load_n(number, __ATOMIC_RELAXED) < count) {
		if (now_s() > end)
			errx(1, "%d of %d %s", *number, count, what);
		usleep(10000);
	}
	printf("%d %s\n", *number, what);
	fflush(stdout);
}

static void start_tasks(int count)
{
	for (int left = count; left > 0; left -= THREADS) {
		pid_t pid = fork();

		if (pid < 0)
			err(1, "fork");
		if (!pid)
			start_threads(left < THREADS ? left : THREADS);
	}
	await("wait", &shared->waiting, count);
	/* The script does something to them meanwhile, and says when it is done. */
	if (getchar() == EOF)
		errx(1, "nobody says when");
	__atomic_store_n(&shared->go, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &shared->go, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
	await("have run", &shared->done, count);
	while (wait(NULL) > 0)
		;
}

int main(int argc, char **argv)
{
	int count = argc == 3 ? atoi(argv[2]) : 0;

	if (count < 1)
		errx(2, "usage: masses forks|tasks COUNT");
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED)
		err(1, "mmap");
	if (!strcmp(argv[1], "forks"))
		fork_many(count);
	else
		start_tasks(count);
	return 0;
}
