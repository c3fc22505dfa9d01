// SPDX-License-Identifier: GPL-2.0-only
/*
 * scope OBJECT CLASS FOLDER: waits for the next container's cgroup in a folder of cgroups;
 * prints its name, and when a process in it has the class with that number, in microseconds
 * of the monotonic clock. OBJECT is of the scheduler.
 */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

#include "task_class.h"

static long long now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

/* The cgroup in which conmon looks after the container is there before the container's. */
static int is_container(const char *name)
{
	static const char *const managers[] = { "libpod-", "nerdctl-", "cri-containerd-" };

	if (!strncmp(name, "libpod-conmon-", 14))
		return 0;
	for (unsigned int i = 0; i < sizeof(managers) / sizeof(managers[0]); i++)
		if (!strncmp(name, managers[i], strlen(managers[i])))
			return 1;
	return 0;
}

static void await_container(const char *folder, char *name, size_t size)
{
	int fd = inotify_init1(IN_CLOEXEC);
	char events[4096] __attribute__((aligned(__alignof__(struct inotify_event))));

	if (fd < 0 || inotify_add_watch(fd, folder, IN_CREATE) < 0)
		exit(1);
	puts("ready");
	fflush(stdout);
	for (;;) {
		ssize_t len = read(fd, events, sizeof(events));

		for (char *at = events; at < events + len;) {
			struct inotify_event *event = (struct inotify_event *)at;

			if (event->len && is_container(event->name)) {
				snprintf(name, size, "%s", event->name);
				return;
			}
			at += sizeof(*event) + event->len;
		}
	}
}

/* Whether a process of a cgroup has the class. crun puts it into `container` below. */
static int has_class(const char *folder, const char *name, const char *below, int wanted)
{
	char path[1024];
	int pid, found = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s%s/cgroup.procs", folder, name, below);
	file = fopen(path, "re");
	while (file && fscanf(file, "%d", &pid) == 1)
		found |= class_of_task(pid) == wanted;
	if (file)
		fclose(file);
	return found;
}

int main(int argc, char **argv)
{
	int wanted = argc == 4 ? atoi(argv[2]) : -1;
	long long until_us;
	char name[512];

	if (wanted < 0 || find_classes(argv[1]))
		return 2;
	/* It polls, and must not wait for its turn: its cgroup has a share like any other. */
	if (sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ .sched_priority = 1 }))
		return 2;
	await_container(argv[3], name, sizeof(name));
	until_us = now_us() + 5000000;
	while (now_us() < until_us) {
		if (has_class(argv[3], name, "", wanted) ||
		    has_class(argv[3], name, "/container", wanted)) {
			printf("%s %lld\n", name, now_us());
			return 0;
		}
		usleep(300);
	}
	return 1;
}
