// SPDX-License-Identifier: GPL-2.0-only
/* Families of processes, reused numbers, and paths of cgroups. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "machine/family.h"
#include "machine/processes.h"
#include "unit.h"

enum { MANY = 100000, GONE = 40 };

static bool is_alive(const struct process *process)
{
	return process->pid != GONE;
}

static void add(struct family *family, pid_t pid, pid_t parent, uint64_t started)
{
	EXPECT(!family_add(family, &(struct process){ pid, parent, started }));
}

static bool has(const struct family *family, pid_t pid)
{
	for (size_t i = 0; i < family->nr; i++) {
		if (family->all[i].pid == pid)
			return true;
	}
	return false;
}

static void test_numbers_come_round(void)
{
	struct family family = {}, processes = {};

	add(&family, 10, 1, 5);
	add(&family, 20, 10, 6); /* ended; another process has its number now */
	add(&family, 30, 10, 7); /* ended */
	add(&family, 35, 10, 7); /* its parent has ended */
	add(&processes, 35, 1, 7);
	add(&processes, 9, 10, 8); /* a child may have a lower number */
	add(&processes, 10, 1, 5);
	add(&processes, 8, 9, 9);
	add(&processes, 20, 1, 50);
	add(&processes, 21, 20, 51);
	add(&processes, 36, 35, 52);
	add(&processes, GONE, 10, 53); /* ends before the end */
	add(&processes, 41, GONE, 54);
	add(&processes, 11, 9, 4); /* older than 9: its parent was another process */
	add(&processes, 12, 11, 60);
	add(&processes, 1, 0, 0);
	EXPECT(!family_update_from(&family, &processes, is_alive));
	EXPECT(family.nr == 6 && has(&family, 10) && has(&family, 9) && has(&family, 8) &&
	       has(&family, 35) && has(&family, 36) && has(&family, GONE));
	free(family.all);
	free(processes.all);
}

/* Each started one with the number below its own: no order of the list helps. */
static void test_many(void)
{
	struct family family = {}, processes = {};
	clock_t began = clock();

	for (pid_t pid = 1; pid <= MANY; pid++)
		add(&processes, pid, pid + 1, MANY - pid);
	add(&family, MANY, MANY + 1, 0);
	EXPECT(!family_update_from(&family, &processes, is_alive));
	EXPECT(family.nr == MANY - GONE + 1);
	EXPECT(clock() - began < 5 * CLOCKS_PER_SEC);
	free(family.all);
	free(processes.all);
}

static void *tell_number(void *where)
{
	int *pipes = where;
	pid_t tid = gettid();
	char byte;

	EXPECT(write(pipes[3], &tid, sizeof(tid)) == sizeof(tid));
	EXPECT(read(pipes[0], &byte, 1) <= 0); /* until the other end is closed */
	return NULL;
}

static void test_threads(void)
{
	struct process process, later;
	pthread_t thread;
	int pipes[4];
	pid_t tid;

	EXPECT(!pipe(pipes) && !pipe(pipes + 2));
	EXPECT(!pthread_create(&thread, NULL, tell_number, pipes));
	EXPECT(read(pipes[2], &tid, sizeof(tid)) == sizeof(tid));
	EXPECT(process_read(getpid(), &process) && process_of(tid) == getpid());
	EXPECT(process_has_thread(&process, getpid()) && process_has_thread(&process, tid));
	EXPECT(!process_has_thread(&process, getppid()));
	/* A process that had the number before, or has it afterwards. */
	later = process;
	later.started++;
	EXPECT(!process_has_thread(&later, getpid()) && !process_has_thread(&later, tid));
	close(pipes[1]);
	EXPECT(!pthread_join(thread, NULL));
	/* The join returns a moment before the kernel removes the thread. */
	for (int i = 0; i < 1000 && process_has_thread(&process, tid); i++)
		usleep(1000);
	EXPECT(!process_has_thread(&process, tid));
	close(pipes[0]);
	close(pipes[2]);
	close(pipes[3]);
}

/* A child with a child, and a name that looks like the fields after a name. */
static void test_real_family(void)
{
	struct family family = {};
	struct process child;
	int pipes[2];
	pid_t pid, grandchild;

	EXPECT(!pipe(pipes));
	pid = fork();
	if (!pid) {
		prctl(PR_SET_NAME, "a) R 1 (b");
		grandchild = fork();
		if (grandchild && write(pipes[1], &grandchild, sizeof(grandchild)) < 0)
			_exit(1);
		for (;;)
			pause();
	}
	EXPECT(read(pipes[0], &grandchild, sizeof(grandchild)) == sizeof(grandchild));
	EXPECT(process_read(pid, &child) && child.parent == getpid() && child.started);
	EXPECT(!family_add(&family, &child) && !family_update(&family));
	EXPECT(family.nr == 2 && has(&family, pid) && has(&family, grandchild));
	/* The grandchild has another parent then, and stays. */
	EXPECT(process_is_alive(&child));
	EXPECT(!kill(pid, SIGKILL) && waitpid(pid, NULL, 0) == pid);
	EXPECT(!process_is_alive(&child) && !process_has_thread(&child, pid));
	EXPECT(!family_update(&family));
	EXPECT(family.nr == 1 && has(&family, grandchild));
	EXPECT(!kill(grandchild, SIGKILL));
	free(family.all);
	close(pipes[0]);
	close(pipes[1]);
}

static void test_cgroup_names(void)
{
	static const char *const names[][2] = {
		{ "/", "/" },
		{ "//", "/" },
		{ "/.", "/" },
		{ "/a", "/a" },
		{ "/a/", "/a" },
		{ "/a//", "/a" },
		{ "//a//b", "/a/b" },
		{ "/a/./b/.", "/a/b" },
		{ "/./a/.b/c./", "/a/.b/c." },
		{ "/a/..", "/a/.." },
		{ "/a/../b", "/a/../b" },
		{ "a//b", "a//b" },
		{ "", "" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char path[32];

		strcpy(path, names[i][0]);
		cgroup_tidy(path);
		EXPECT(!strcmp(path, names[i][1]));
	}
}

void test_family(void)
{
	test_numbers_come_round();
	test_many();
	test_threads();
	test_real_family();
	test_cgroup_names();
}
