// SPDX-License-Identifier: GPL-2.0-only
/*
 * Changes the affinity of processes, as fast as it can.
 *
 *   shove MS PID...
 *
 * For MS, each of them in turn gets one or two CPUs that are drawn by lot; then all CPUs. Prints the
 * number of changes.
 */
#define _GNU_SOURCE
#include <err.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static long long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000LL + ts.tv_nsec / 1000000;
}

static void allow(const char *pid, const cpu_set_t *set)
{
	if (sched_setaffinity(atoi(pid), sizeof(*set), set))
		err(2, "sched_setaffinity of %s", pid);
}

int main(int argc, char **argv)
{
	long nr_cpus = sysconf(_SC_NPROCESSORS_ONLN), nr = 0;
	long long end_ms;
	cpu_set_t set;

	if (argc < 3)
		errx(2, "usage: shove MS PID...");
	end_ms = now_ms() + atoi(argv[1]);
	while (now_ms() < end_ms) {
		CPU_ZERO(&set);
		CPU_SET(rand() % nr_cpus, &set);
		CPU_SET(rand() % nr_cpus, &set);
		allow(argv[2 + nr++ % (argc - 2)], &set);
	}
	for (long cpu = 0; cpu < nr_cpus; cpu++)
		CPU_SET(cpu, &set);
	for (int i = 2; i < argc; i++)
		allow(argv[i], &set);
	printf("%ld\n", nr);
	return 0;
}
