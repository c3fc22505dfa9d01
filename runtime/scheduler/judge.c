// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>
#include <string.h>

#include "scheduler/judge.h"

/*
 * Fewer waits than these keep no promise: so many that a quantile has ENOUGH_BEYOND beyond it. They can
 * break one if they do so whatever the others, which are taken as 0, could be: tasks that starve wait
 * rarely, and for long.
 */
#define ENOUGH_BEYOND 10
#define ENOUGH_FOR_MEAN 20

void tally_subtract(struct tally *tally, const struct tally *before)
{
	unsigned long long *from = (void *)&tally->counters;
	const unsigned long long *of = (const void *)&before->counters;

	for (size_t i = 0; i < sizeof(tally->counters) / sizeof(*from); i++)
		from[i] -= of[i];
	tally->beyond -= before->beyond;
}

static uint64_t count(const struct gthulhu_waits *waits)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < GTHULHU_BUCKETS; i++)
		sum += waits->buckets[i];
	return sum;
}

/* The waits that a claim is about: those after a wake-up, or all. */
static struct gthulhu_waits waits_of(const struct gthulhu_claim *claim,
				     const struct gthulhu_class_counters *counters)
{
	struct gthulhu_waits waits = counters->woken;

	if (claim->is_woken)
		return waits;
	waits.ns += counters->put_off.ns;
	for (unsigned int i = 0; i < GTHULHU_BUCKETS; i++)
		waits.buckets[i] += counters->put_off.buckets[i];
	return waits;
}

/* Walks the waits from the shortest to the longest. */
struct walk {
	uint64_t rank; /* that is looked for */
	uint64_t passed; /* waits so far */
	uint64_t value; /* of the rank; 0: not reached */
};

/* Passes nr waits of low to high ns, taken as evenly spread. */
static void pass(struct walk *walk, uint64_t nr, uint64_t low, uint64_t high)
{
	if (!walk->value && nr && walk->rank <= walk->passed + nr)
		walk->value = low +
			(uint64_t)((double)(high - low) * (double)(walk->rank - walk->passed) /
				   (double)nr);
	walk->passed += nr;
}

/*
 * The wait of a rank. Buckets tell it to a factor of two; that `below` waits are shorter than the
 * bound cuts the bound's bucket in two, so the value is on the right side of the bound.
 */
static uint64_t quantile(const struct gthulhu_waits *waits, uint64_t rank, uint64_t bound,
			 uint64_t below)
{
	struct walk walk = { .rank = rank };

	for (unsigned int i = 0; i < GTHULHU_BUCKETS; i++) {
		uint64_t nr = waits->buckets[i];
		uint64_t low = i ? 1ULL << (GTHULHU_FIRST_BUCKET_BITS + i - 1) : 0;
		uint64_t high = 1ULL << (GTHULHU_FIRST_BUCKET_BITS + i);
		uint64_t first;

		if (bound <= low || bound >= high) {
			pass(&walk, nr, low, high);
			continue;
		}
		first = below > walk.passed ? below - walk.passed : 0;
		if (first > nr)
			first = nr;
		pass(&walk, first, low, bound);
		pass(&walk, nr - first, bound, high);
	}
	return walk.value;
}

static enum verdict verdict_if(bool is_kept)
{
	return is_kept ? VERDICT_KEPT : VERDICT_BROKEN;
}

static bool holds(const struct gthulhu_claim *claim, uint64_t value, uint64_t bound)
{
	if (value == bound)
		return claim->is_equal;
	return claim->is_above == (value > bound);
}

/* A part of all waits is below the bound if at most the rest is beyond it. */
static void judge_quantile(const struct gthulhu_claim *claim, const struct gthulhu_waits *waits,
			   uint64_t beyond, struct finding *finding)
{
	uint64_t nr = finding->waits, rest = 1000 - claim->part;
	uint64_t enough = rest ? 1000 * ENOUGH_BEYOND / rest : 1;
	bool is_below = beyond * 1000 <= rest * (nr > enough ? nr : enough);

	if (nr < enough && (is_below || claim->is_above))
		return;
	finding->verdict = verdict_if(is_below != claim->is_above);
	finding->value = quantile(waits, (claim->part * nr + 999) / 1000, finding->bound,
				  nr > beyond ? nr - beyond : 0);
}

static void judge_mean(const struct gthulhu_claim *claim, const struct gthulhu_waits *waits,
		       struct finding *finding)
{
	uint64_t nr = finding->waits;

	if (!nr ||
	    (nr < ENOUGH_FOR_MEAN &&
	     (claim->is_above || holds(claim, waits->ns / ENOUGH_FOR_MEAN, finding->bound))))
		return;
	finding->value = waits->ns / nr;
	finding->verdict = verdict_if(holds(claim, finding->value, finding->bound));
}

/* A share that is too small says something only about tasks that wanted to run for longer. */
static void judge_share(const struct gthulhu_claim *claim,
			const struct gthulhu_class_counters *counters, uint64_t cpu_ns,
			struct finding *finding)
{
	double ran_ns = (double)counters->tasks.ran_ns;
	double wanted_ns = ran_ns + (double)counters->woken.ns + (double)counters->put_off.ns;

	if (!cpu_ns)
		return;
	finding->value = (uint64_t)(1000 * ran_ns / (double)cpu_ns);
	if (claim->is_above && wanted_ns * 1000 < (double)finding->bound * (double)cpu_ns)
		return;
	finding->verdict = verdict_if(holds(claim, finding->value, finding->bound));
}

struct finding judge_claim(const struct gthulhu_claim *claim, uint64_t bound,
			   const struct tally *window, uint64_t cpu_ns)
{
	struct finding finding = { .verdict = VERDICT_SILENT, .bound = bound };
	struct gthulhu_waits waits = waits_of(claim, &window->counters);

	if (claim->statistic == GTHULHU_SHARE) {
		judge_share(claim, &window->counters, cpu_ns, &finding);
		return finding;
	}
	finding.waits = count(&waits);
	if (claim->statistic == GTHULHU_QUANTILE) {
		judge_quantile(claim, &waits, window->beyond, &finding);
	} else {
		judge_mean(claim, &waits, &finding);
	}
	return finding;
}

enum verdict judge_together(enum verdict others, enum verdict one)
{
	return one > others ? one : others;
}

bool judge_window(struct history *history, enum verdict verdict)
{
	const unsigned int mask = (1U << JUDGE_WINDOWS) - 1;
	bool was_broken = history->is_broken;

	history->broken = (history->broken << 1 | (verdict == VERDICT_BROKEN)) & mask;
	history->kept = (history->kept << 1 | (verdict == VERDICT_KEPT)) & mask;
	if (__builtin_popcount(history->broken) >= JUDGE_ENOUGH)
		history->is_broken = true;
	else if (__builtin_popcount(history->kept) >= JUDGE_ENOUGH)
		history->is_broken = false;
	return history->is_broken != was_broken;
}
