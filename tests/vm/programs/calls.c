// SPDX-License-Identifier: GPL-2.0-only
/*
 * calls OBJECT STEP...: calls kernel functions that calls.gpl asks about, and prints the number
 * of its own class after each step, as `class NAME NUMBER`; times and counts as `count NAME NUMBER`.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>

#include "task_class.h"

enum { MS = 1000 };

static long long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ll + now.tv_nsec;
}

static int own_class(void)
{
	return class_of_task(syscall(SYS_gettid));
}

static void show(const char *name)
{
	printf("class %s %d\n", name, own_class());
}

static void count(const char *name, long long number)
{
	printf("count %s %lld\n", name, number);
}

static long switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

static void call(void)
{
	getpriority(PRIO_PROCESS, 0);
}

/* A datagram: over lo it is received in a soft interrupt of ours, dummy0 drops it. */
static void send_to(const char *address)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET,
		.sin_port = htons(9),
		.sin_addr.s_addr = inet_addr(address),
	};
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	if (fd < 0 || sendto(fd, "", 1, 0, (void *)&to, sizeof(to)) < 0)
		perror(address);
	close(fd);
}

/*
 * Looks until the class is this one, or is it no longer; without a system call but the look. Returns
 * when the last look began that saw it otherwise: a look takes time, too.
 */
static long long spin_until(int class, bool is)
{
	long long begin = now_ns(), now = begin, last = begin;

	while ((own_class() == class) != is && now - begin < 2000000000ll) {
		last = now;
		now = now_ns();
	}
	return last - begin;
}

/* A call has its effect with the next dispatch, and for the time that the policy gives it. */
static void step_itself(void)
{
	long before;
	int class;

	usleep(1 * MS);
	show("itself-before");
	before = switches();
	call();
	usleep(1);
	count("itself-switches", switches() - before);
	show("itself");
	for (int i = 0; i < 10; i++) {
		usleep(60 * MS);
		call();
	}
	show("itself-renewed");
	usleep(250 * MS);
	show("itself-slept");
	/* The same without ever going to sleep. */
	call();
	usleep(1);
	class = own_class();
	usleep(250 * MS);
	call();
	count("itself-in-us", spin_until(class, true) / 1000);
	count("itself-for-ms", spin_until(class, false) / 1000000);
	show("itself-ran");
}

static void step_softirq(void)
{
	send_to("127.0.0.1");
	usleep(1);
	show("softirq");
	/* A comparison of the task's own calls does not count it. */
	usleep(250 * MS);
	show("softirq-slept");
}

static void step_module(const char *name)
{
	send_to("10.9.9.2");
	usleep(1);
	show(name);
	usleep(250 * MS);
}

/* The time of a system call: getpriority() is traced, getpgid() is not. */
static void step_cost(const char *name)
{
	enum { CALLS = 20000 };
	long long begin = now_ns(), middle;

	for (int i = 0; i < CALLS; i++)
		syscall(SYS_getpgid, 0);
	middle = now_ns();
	for (int i = 0; i < CALLS; i++)
		call();
	count(name, (now_ns() - middle) / CALLS);
	printf("count %s-untraced %lld\n", name, (middle - begin) / CALLS);
}

static void take(const char *step)
{
	if (!strcmp(step, "itself"))
		step_itself();
	else if (!strcmp(step, "softirq"))
		step_softirq();
	else if (!strncmp(step, "module", 6))
		step_module(step);
	else
		step_cost(step);
}

int main(int argc, char **argv)
{
	bool in_force = argc > 1 && strcmp(argv[1], "-");

	if (argc < 3 || (in_force && find_classes(argv[1])))
		return 1;
	for (int i = 2; i < argc; i++)
		take(argv[i]);
	return 0;
}
