/* SPDX-License-Identifier: GPL-2.0-only */
/* Pressure stall information (PSI) of the whole machine. Nothing here logs. */
#ifndef GTHULHU_PRESSURE_H
#define GTHULHU_PRESSURE_H

#include <stdint.h>

#include "abi.h"

/*
 * Reads for how many us since boot some task could not go on for lack of a resource. Returns 0 or
 * -errno: the kernel may lack these files.
 */
int pressure_total(enum gthulhu_resource resource, uint64_t *total_us);

/* Returns the file with the pressure on a resource. */
const char *pressure_file(enum gthulhu_resource resource);

enum { PRESSURE_SAMPLES = 34 };

/* The mean pressure over the last `over_us`, from samples of the total. */
struct pressure {
	enum gthulhu_resource resource;
	int64_t over_us;
	struct {
		int64_t at_us;
		uint64_t total_us;
	} samples[PRESSURE_SAMPLES]; /* a ring */
	unsigned int nr; /* of samples since the beginning */
};

/* Adds a sample, unless the last one is younger than a thirty-second of the time. */
void pressure_sample(struct pressure *pressure, int64_t now_us, uint64_t total_us);

/*
 * Returns the mean in thousandths at the last sample; -1: the samples do not reach back far enough.
 */
int pressure_mean(const struct pressure *pressure);

#endif /* GTHULHU_PRESSURE_H */
