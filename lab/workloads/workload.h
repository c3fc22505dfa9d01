/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Code that the lab's workloads share: time, arguments, names, CPUs.
 * A workload that cannot do its work prints the reason and exits with 2.
 */
#ifndef GTHULHU_WORKLOAD_H
#define GTHULHU_WORKLOAD_H

#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#define NSEC_PER_SEC 1000000000ULL

static inline uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

/*
 * Be busy with instructions that do nothing. An emulator runs them for nearly nothing, while each
 * turn of a short loop is work for it: busy guests on the deterministic clock then take a quarter of
 * the host's time.
 */
static inline void spin(void)
{
	__asm__ volatile(".rept 200\n\tnop\n\t.endr");
}

/* Sleep until @when of CLOCK_MONOTONIC, through signals. */
static inline void sleep_until_ns(uint64_t when)
{
	struct timespec ts = {
		.tv_sec = (time_t)(when / NSEC_PER_SEC),
		.tv_nsec = (long)(when % NSEC_PER_SEC),
	};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
		;
}

/* The number in @text; exits unless it is one from @min to @max. */
static inline uint64_t number(const char *name, const char *text, uint64_t min, uint64_t max)
{
	char *end;
	uint64_t value;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno || end == text || *end || value < min || value > max)
		errx(2, "%s: %s is not a number from %llu to %llu", name, text,
		     (unsigned long long)min, (unsigned long long)max);
	return value;
}

/* Rename the calling thread; the kernel cuts the name at 15 bytes. */
static inline void set_name(const char *name)
{
	if (prctl(PR_SET_NAME, name))
		err(2, "prctl(PR_SET_NAME)");
}

/* Returns the value of an environment variable, NULL if it is unset or empty. */
static inline const char *wanted_name(const char *variable)
{
	const char *name = getenv(variable);

	return name && *name ? name : NULL;
}

/* Name the main thread of a process with more threads: $TASK_PROCESS, else @own. */
static inline void name_process(const char *own)
{
	const char *process = wanted_name("TASK_PROCESS");

	set_name(process ? process : own);
}

/* Name a further thread: $TASK_COMM, else @own. */
static inline void name_thread(const char *own)
{
	const char *comm = wanted_name("TASK_COMM");

	set_name(comm ? comm : own);
}

struct task {
	const char *own;
	void (*work)(void *argument);
	void *argument;
};

static inline void *run_task(void *argument)
{
	struct task task = *(struct task *)argument;

	free(argument);
	name_thread(task.own);
	task.work(task.argument);
	return NULL;
}

/* Start a further thread that does @work under the wanted name. */
static inline pthread_t start_thread(const char *own, void (*work)(void *argument), void *argument)
{
	struct task *task = malloc(sizeof(*task));
	pthread_t thread;

	if (!task)
		err(2, "malloc");
	*task = (struct task){ own, work, argument };
	errno = pthread_create(&thread, NULL, run_task, task);
	if (errno)
		err(2, "pthread_create");
	return thread;
}

/*
 * Do @work in a process that needs one thread only, under the wanted name. If the process and the
 * thread must have different names, a second thread does it.
 */
static inline void as_task(const char *own, void (*work)(void *argument), void *argument)
{
	const char *process = wanted_name("TASK_PROCESS"), *comm = wanted_name("TASK_COMM");

	set_name(process ? process : comm ? comm : own);
	if (process && comm && strcmp(process, comm))
		pthread_join(start_thread(own, work, argument), NULL);
	else
		work(argument);
}

/* Let the calling thread run on @cpu only. */
static inline void pin_to_cpu(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(2, "cannot run on CPU %d", cpu);
}

/* Open @path for the samples; "-" is the standard output. */
static inline FILE *open_output(const char *path)
{
	FILE *file = strcmp(path, "-") ? fopen(path, "w") : stdout;

	if (!file)
		err(2, "%s", path);
	return file;
}

/* Write @count samples, one a line, and close; exits if not all arrived. */
static inline void write_samples(FILE *file, const uint64_t *samples, size_t count)
{
	for (size_t i = 0; i < count; i++)
		fprintf(file, "%llu\n", (unsigned long long)samples[i]);
	if (ferror(file) || fclose(file))
		errx(2, "cannot write the samples");
}

#endif /* GTHULHU_WORKLOAD_H */
