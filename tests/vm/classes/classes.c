/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Does what gives a task another class, and prints the class's number after each step:
 *
 *	classes OBJECT LOADER KINDS
 *
 * KINDS are letters of the steps to take: e for events, i for what is inherited,
 * m for rules that only count, s for how often a task sleeps. With r a task runs again before
 * it is looked at.
 */
#define _GNU_SOURCE
#include "task.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* A process, its child and its grandchild, there before the scheduler is. */
static void start_tree(volatile pid_t *child, volatile pid_t *grandchild)
{
	if (!fork()) {
		call_me("vm-parent");
		pid_t pid = fork();

		if (pid) {
			*child = pid;
		} else {
			call_me("vm-child");
			pid = fork();
			if (pid)
				*grandchild = pid;
		}
		for (;;)
			pause();
	}
	while (!*child || !*grandchild)
		usleep(1000);
}

static bool is_enabled(void)
{
	char state[32] = "";
	int fd = open("/sys/kernel/sched_ext/state", O_RDONLY);

	if (fd < 0 || read(fd, state, sizeof(state)) < 0)
		fail("state");
	close(fd);
	return !strncmp(state, "enabled", 7);
}

static pid_t start_loader(const char *loader, const char *object)
{
	pid_t pid = fork();

	if (!pid) {
		dup2(STDERR_FILENO, STDOUT_FILENO);
		execl(loader, loader, object, NULL);
		fail(loader);
	}
	while (!is_enabled()) {
		usleep(100000);
		if (waitpid(pid, NULL, WNOHANG))
			fail("the loader has ended");
	}
	return pid;
}

int main(int argc, char **argv)
{
	volatile pid_t *tree;
	pid_t loader;

	if (argc != 4)
		return 2;
	tree = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (tree == MAP_FAILED)
		fail("mmap");
	start_tree(&tree[0], &tree[1]);
	start_family();
	loader = start_loader(argv[2], argv[1]);
	find_scheduler(argv[1]);
	if (strchr(argv[3], 'r'))
		let_tasks_run();

	show("loaded-child", tree[0]);
	show("loaded-grandchild", tree[1]);
	show_loaded_family();
	show("kthreadd", 2);
	show("kthread", 3);
	if (strchr(argv[3], 'e'))
		event_steps();
	if (strchr(argv[3], 'i'))
		in_child(inherit_steps);
	if (strchr(argv[3], 'm'))
		in_child(monitor_steps);
	if (strchr(argv[3], 's'))
		in_child(sleep_steps);
	if (!is_enabled())
		fail("the scheduler is gone");
	kill(loader, SIGTERM);
	waitpid(loader, NULL, 0);
	return 0;
}
