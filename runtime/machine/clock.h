/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_CLOCK_H
#define GTHULHU_CLOCK_H

#include <stdint.h>

/* Returns the time since an arbitrary start in us, which only grows (CLOCK_MONOTONIC). */
int64_t clock_us(void);

/* The same in ms. */
int64_t clock_ms(void);

/* Returns the minute of the local day, 0 to 1439, by the clock as it is set now. */
unsigned int clock_minute(void);

#endif /* GTHULHU_CLOCK_H */
