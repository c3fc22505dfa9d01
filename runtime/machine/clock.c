// SPDX-License-Identifier: GPL-2.0-only
#include <time.h>

#include "machine/clock.h"

int64_t clock_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t clock_ms(void)
{
	return clock_us() / 1000;
}
