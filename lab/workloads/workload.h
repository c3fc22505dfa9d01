/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the lab's workloads share: time, arguments, names, CPUs.
 * A workload that cannot do its work says why and exits with 2.
 */
#ifndef GTHULHU_WORKLOAD_H
#define GTHULHU_WORKLOAD_H

#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
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
