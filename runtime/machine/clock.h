/* SPDX-License-Identifier: GPL-2.0-only */
/* A clock that nobody sets. */
#ifndef GTHULHU_CLOCK_H
#define GTHULHU_CLOCK_H

#include <stdint.h>

/* Time since an arbitrary start, which only grows (CLOCK_MONOTONIC). */
int64_t clock_us(void);
int64_t clock_ms(void);

#endif /* GTHULHU_CLOCK_H */
