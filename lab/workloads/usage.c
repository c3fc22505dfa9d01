/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The CPU time that the tasks of cgroups use.
 *
 *   usage SETTLE_MS MS OUT CGROUP...
 *
 * Waits for SETTLE_MS, and then for MS. Writes a line for each cgroup (a folder) to OUT, and a
 * first one: in us, how long the second time was, and what each used in it. It is a real-time task,
 * so that it waits for none of them.
 */
#include "workload.h"

enum { MAX_GROUPS = 64 };

static unsigned long long usage_us(const char *folder)
{
	char path[4096];
	unsigned long long us;
	FILE *file;

	snprintf(path, sizeof(path), "%s/cpu.stat", folder);
	file = fopen(path, "r");
	if (!file || fscanf(file, "usage_usec %llu", &us) != 1)
		errx(2, "cannot read %s", path);
	fclose(file);
	return us;
}

int main(int argc, char **argv)
{
	struct sched_param param = { .sched_priority = 1 };
	unsigned long long before[MAX_GROUPS], after[MAX_GROUPS];
	uint64_t start, end, settle, length;
	FILE *out;

	if (argc < 5 || argc - 4 > MAX_GROUPS)
		errx(2, "usage: usage SETTLE_MS MS OUT CGROUP...");
	settle = number("SETTLE_MS", argv[1], 0, 1000000) * 1000000;
	length = number("MS", argv[2], 1, 1000000) * 1000000;
	if (sched_setscheduler(0, SCHED_FIFO, &param))
		err(2, "sched_setscheduler");
	sleep_until_ns(now_ns() + settle);
	start = now_ns();
	for (int i = 4; i < argc; i++)
		before[i - 4] = usage_us(argv[i]);
	sleep_until_ns(start + length);
	end = now_ns();
	for (int i = 4; i < argc; i++)
		after[i - 4] = usage_us(argv[i]);
	out = open_output(argv[3]);
	fprintf(out, "%llu\n", (unsigned long long)(end - start) / 1000);
	for (int i = 0; i < argc - 4; i++)
		fprintf(out, "%llu\n", after[i] - before[i]);
	if (ferror(out) || fclose(out))
		errx(2, "cannot write %s", argv[3]);
	return 0;
}
