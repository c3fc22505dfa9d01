/* SPDX-License-Identifier: GPL-2.0-only */
/* The arithmetic of promises: what a window says about a claim, and what windows say together. */
#ifndef GTHULHU_JUDGE_H
#define GTHULHU_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "abi.h"

enum verdict {
	VERDICT_SILENT, /* the window has too few events */
	VERDICT_KEPT,
	VERDICT_BROKEN,
};

/* Counters for a claim: since the scheduler was loaded, or in a window. */
struct tally {
	struct gthulhu_class_counters counters; /* of its class */
	uint64_t beyond; /* waits beyond the bound of a GTHULHU_QUANTILE */
};

/* The result of a claim in a window. */
struct finding {
	enum verdict verdict;
	uint64_t value; /* ns, or thousandths of all CPU time */
	uint64_t bound; /* the same */
	uint64_t waits; /* how many the value is of; 0 for GTHULHU_SHARE */
};

/* The last windows of a promise, and whether they break it. */
struct history {
	unsigned int broken, kept; /* a bit for each window, the last one is bit 0 */
	bool is_broken;
};

enum judge_limits {
	JUDGE_WINDOWS = 5, /* that count */
	JUDGE_ENOUGH = 3, /* of them break a promise, or mend it */
};

/* Subtracts what was counted before from the tally. */
void tally_subtract(struct tally *tally, const struct tally *before);

/*
 * Judges a claim by what was counted in a window; `bound` is that of the claim now, and cpu_ns the
 * CPU time of the window, idle time included.
 */
struct finding judge_claim(const struct gthulhu_claim *claim, uint64_t bound,
			   const struct tally *window, uint64_t cpu_ns);

/* Returns what claims say together, given what the others said: one that is broken breaks all. */
enum verdict judge_together(enum verdict others, enum verdict one);

/* Adds a window. Returns true if the promise is broken now and was not, or the other way round. */
bool judge_window(struct history *history, enum verdict verdict);

#endif /* GTHULHU_JUDGE_H */
