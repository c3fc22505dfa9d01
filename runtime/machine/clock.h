/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_CLOCK_H
#define GTHULHU_CLOCK_H

#include <stdint.h>

/* Return the time since an arbitrary start, in us and ms, which only grows (CLOCK_MONOTONIC). */
int64_t clock_us(void);
int64_t clock_ms(void);

#endif /* GTHULHU_CLOCK_H */
