/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How often a task goes to sleep of its own accord: a mean over one second that
 * decays. Time is cut into sixteenths of a second; with each of them, a
 * sixteenth of the mean is forgotten, and each sleep adds one. A task that
 * sleeps N times a second thus has a mean of N.
 */
#ifndef GTHULHU_SLEEPS_BPF_H
#define GTHULHU_SLEEPS_BPF_H

#include "kernel.bpf.h"

enum {
	SLEEP_ONE = 1 << 16, /* one sleep */
	SLEEPS_OFTEN = 10 * SLEEP_ONE, /* with more, a task becomes interactive */
	SLEEPS_SELDOM = 5 * SLEEP_ONE, /* with less, it ceases to be */
	SLEEPS_MEMORY = 256, /* after so many periods nothing is left */
};

struct sleeps {
	u64 mean; /* sleeps per second, times SLEEP_ONE */
	u64 period; /* to which it has decayed */
	bool often; /* what was concluded from it */
};

/* The part of a mean that is left after 1, 2, 4, .. periods: (15/16)^n, times 2^16. */
static const u32 sleeps_left[] = { 61440, 57600, 50625, 39107, 23336, 8309, 1054, 17 };

/* The number of a sixteenth of a second: nanoseconds / 62500000, without a division. */
static __always_inline u64 sleeps_period(u64 now_ns)
{
	return (now_ns >> 20) * 17592 >> 20;
}

static __always_inline void decay_sleeps(struct sleeps *sleeps, u64 now_ns)
{
	u64 period = sleeps_period(now_ns);
	u64 elapsed = period - sleeps->period;

	/* The clocks of two CPUs may differ a little. */
	if (period <= sleeps->period)
		return;
	sleeps->period = period;
	if (elapsed >= SLEEPS_MEMORY) {
		sleeps->mean = 0;
		return;
	}
	for (u32 i = 0; i < sizeof(sleeps_left) / sizeof(sleeps_left[0]); i++) {
		if (elapsed >> i & 1)
			sleeps->mean = sleeps->mean * sleeps_left[i] >> 16;
	}
}

static __always_inline void count_sleep(struct sleeps *sleeps, u64 now_ns)
{
	decay_sleeps(sleeps, now_ns);
	sleeps->mean += SLEEP_ONE;
}

/* A new thread does as the one that started it, for all that is known: until it shows otherwise. */
static __always_inline void start_sleeps(struct sleeps *sleeps, const struct sleeps *from)
{
	*sleeps = *from;
	if (sleeps->mean > SLEEPS_OFTEN)
		sleeps->mean = SLEEPS_OFTEN;
}

/* Whether a task is interactive; in between it stays what it was. */
static __always_inline bool are_often(const struct sleeps *sleeps)
{
	return sleeps->mean > SLEEPS_OFTEN || (sleeps->often && sleeps->mean >= SLEEPS_SELDOM);
}

#endif /* GTHULHU_SLEEPS_BPF_H */
