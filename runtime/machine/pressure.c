// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "machine/kernel.h"
#include "machine/pressure.h"

/* One sample more than steps, and one for the rest of a step. */
#define STEPS (PRESSURE_SAMPLES - 2)

static const char *const files[] = {
	[GTHULHU_CPU] = "/proc/pressure/cpu",
	[GTHULHU_MEMORY] = "/proc/pressure/memory",
	[GTHULHU_IO] = "/proc/pressure/io",
};

const char *pressure_file(enum gthulhu_resource resource)
{
	return files[resource];
}

int pressure_total(enum gthulhu_resource resource, uint64_t *total_us)
{
	unsigned long long total;
	char line[128];
	const char *at;
	int err;

	/* some avg10=0.00 avg60=0.00 avg300=0.00 total=123 */
	err = kernel_read_line(files[resource], line, sizeof(line));
	if (err)
		return err;
	at = strstr(line, "total=");
	if (strncmp(line, "some ", 5) || !at || sscanf(at, "total=%llu", &total) != 1)
		return -EPROTO;
	*total_us = total;
	return 0;
}

void pressure_sample(struct pressure *pressure, int64_t now_us, uint64_t total_us)
{
	unsigned int next = pressure->nr % PRESSURE_SAMPLES;
	unsigned int last = (pressure->nr + PRESSURE_SAMPLES - 1) % PRESSURE_SAMPLES;

	if (pressure->nr && now_us - pressure->samples[last].at_us < pressure->over_us / STEPS)
		return;
	pressure->samples[next].at_us = now_us;
	pressure->samples[next].total_us = total_us;
	pressure->nr++;
}

int pressure_mean(const struct pressure *pressure)
{
	unsigned int kept = pressure->nr < PRESSURE_SAMPLES ? pressure->nr : PRESSURE_SAMPLES;
	unsigned int last = (pressure->nr + PRESSURE_SAMPLES - 1) % PRESSURE_SAMPLES;

	for (unsigned int back = 1; back < kept; back++) {
		unsigned int i = (last + PRESSURE_SAMPLES - back) % PRESSURE_SAMPLES;
		int64_t length_us = pressure->samples[last].at_us - pressure->samples[i].at_us;
		uint64_t stalled_us =
			pressure->samples[last].total_us - pressure->samples[i].total_us;

		if (length_us >= pressure->over_us)
			return (int)(stalled_us * 1000 / (uint64_t)length_us);
	}
	return -1;
}
