/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Virtual time: what a task has used of the CPU, divided by its weight. It is on
 * one scale for the whole machine; each CPU has a clock, the virtual time of what
 * it serves.
 */
#ifndef GTHULHU_FAIR_BPF_H
#define GTHULHU_FAIR_BPF_H

#include "kernel.bpf.h"

enum {
	/* A task that slept lags the clock by this at most: the credit for its sleep. */
	SLEEP_CREDIT_NS = 40000000,
	/* A CPU counts others as lagging the tasks that it serves by this at most. */
	DEBT_LIMIT_NS = 100000000,
	/* By so much at once what all CPUs share moves, so that few of them write it. */
	MACHINE_STEP_NS = 4000000,
	/* A CPU takes a task of another cell if that lags by so much: of the node, or of another. */
	MOVE_NEAR_NS = 5000000,
	MOVE_FAR_NS = 20000000,
	/* A new task begins at most so far from those that its queue serves. */
	BEGIN_LIMIT_NS = 40000000,
	/* A task that is as entitled as others is not interrupted before it has run for this. */
	SHORTEST_RUN_NS = 100000,
	/* A waker that is about to sleep has this time for it before it is interrupted, */
	MAKE_WAY_NS = 300000,
	/* and by those that are as entitled only if they lag it by more than this. */
	MAKE_WAY_LAG_NS = 5000000,
	/* Weight at which virtual time is as fast as time; nice 0 has the same scale. */
	WEIGHT_ONE = 100,
};

/* Clocks wrap, so order is the sign of a difference. */
static __always_inline bool time_before(u64 a, u64 b)
{
	return (s64)(a - b) < 0;
}

static __always_inline u64 later_of(u64 a, u64 b)
{
	return time_before(a, b) ? b : a;
}

static __always_inline u64 earlier_of(u64 a, u64 b)
{
	return time_before(a, b) ? a : b;
}

/* Virtual time for a run of a task with that product of weights. */
static __always_inline u64 virtual_of(u64 ran_ns, u64 weight)
{
	const u64 one = (u64)WEIGHT_ONE * WEIGHT_ONE;

	/* Most tasks; a division takes longer. */
	if (weight == one)
		return ran_ns;
	return ran_ns * one / (weight ?: 1);
}

/* Virtual time for a run: class weight times the weight that the task's nice value gives it. */
static __always_inline u64 virtual_ns(u64 ran_ns, u32 class_weight, u32 nice_weight)
{
	return virtual_of(ran_ns, (u64)class_weight * nice_weight);
}

#endif /* GTHULHU_FAIR_BPF_H */
