/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_CLOCK_H
#define GTHULHU_CLOCK_H

#include <stdint.h>

/* Return the time since an arbitrary start, in us and ms, which only grows (CLOCK_MONOTONIC). */
int64_t clock_us(void);
int64_t clock_ms(void);

/* Returns the minute of the local day, 0 to 1439, by the clock as it is set now. */
unsigned int clock_minute(void);

#endif /* GTHULHU_CLOCK_H */
