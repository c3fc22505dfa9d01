/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Histograms of how long tasks wait for a CPU. Callers hold the lock of a run queue or of a task
 * that wakes up, with interrupts off: nobody else writes to this CPU's counters meanwhile.
 */
#ifndef GTHULHU_COUNT_BPF_H
#define GTHULHU_COUNT_BPF_H

#include "abi.h"
#include "match.bpf.h"

/* The bucket of a histogram for a time: the highest bit of what is left of it, from 1. */
static __always_inline u32 bucket_of(u64 ns)
{
	u64 rest = ns >> GTHULHU_FIRST_BUCKET_BITS;
	u32 bucket = 0;

	if (rest >> 8) {
		if (rest >> (GTHULHU_BUCKETS - 2))
			return GTHULHU_BUCKETS - 1;
		bucket = rest >> 16 ? 16 : 8;
		rest >>= bucket;
	}
	for (u32 bits = 4; bits; bits /= 2) {
		if (rest >> bits) {
			rest >>= bits;
			bucket += bits;
		}
	}
	return bucket + rest;
}

static __always_inline void count_wait(struct gthulhu_class_counters *counters, u64 ns, bool woken)
{
	struct gthulhu_waits *waits = woken ? &counters->woken : &counters->put_off;

	waits->ns += ns;
	waits->buckets[bounded(bucket_of(ns), GTHULHU_BUCKETS)]++;
}

#endif /* GTHULHU_COUNT_BPF_H */
