// SPDX-License-Identifier: GPL-2.0-only
#include <time.h>

#include "machine/clock.h"

int64_t clock_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

unsigned int clock_minute(void)
{
	static time_t second = -1;
	static unsigned int minute;
	time_t now = time(NULL);
	const struct tm *local;

	/* Each second anew: someone may set the clock, or the time zone, and a zone has its days. */
	if (now == second)
		return minute;
	local = localtime(&now); /* unlike localtime_r(), it sees a new time zone */
	second = now;
	minute = local ? (unsigned int)(local->tm_hour * 60 + local->tm_min) : 0;
	return minute;
}

int64_t clock_ms(void)
{
	return clock_us() / 1000;
}
