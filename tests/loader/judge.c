// SPDX-License-Identifier: GPL-2.0-only
/* The arithmetic of promises: which windows keep them, and when they are broken. */
#include <string.h>

#include "scheduler/judge.h"
#include "unit.h"

#define US 1000ULL
#define SECOND 1000000000ULL

static const struct gthulhu_claim p90 = { .statistic = GTHULHU_QUANTILE, .part = 900 };
static const struct gthulhu_claim p90_above = {
	.statistic = GTHULHU_QUANTILE,
	.part = 900,
	.is_above = true,
};
static const struct gthulhu_claim longest = { .statistic = GTHULHU_QUANTILE, .part = 1000 };
static const struct gthulhu_claim mean = { .statistic = GTHULHU_MEAN };
static const struct gthulhu_claim at_least = {
	.statistic = GTHULHU_SHARE,
	.is_above = true,
	.is_equal = true,
};
static const struct gthulhu_claim at_most = { .statistic = GTHULHU_SHARE, .is_equal = true };

static unsigned int bucket_of(uint64_t ns)
{
	unsigned int bucket = 0;

	while (bucket < GTHULHU_BUCKETS - 1 && ns >> (GTHULHU_FIRST_BUCKET_BITS + bucket))
		bucket++;
	return bucket;
}

/* A window with nr waits of ns each, of which those are counted that are not below the bound. */
static void add(struct tally *tally, unsigned int nr, uint64_t ns, uint64_t bound)
{
	tally->counters.put_off.buckets[bucket_of(ns)] += nr;
	tally->counters.put_off.ns += nr * ns;
	if (ns >= bound)
		tally->beyond += nr;
}

static struct finding judge(const struct gthulhu_claim *claim, uint64_t bound, unsigned int fast,
			    unsigned int slow)
{
	struct tally tally = {};

	add(&tally, fast, 100 * US, bound);
	add(&tally, slow, 400 * US, bound);
	return judge_claim(claim, bound, &tally, SECOND);
}

static void test_quantiles(void)
{
	struct finding found = judge(&p90, 300 * US, 900, 100);

	EXPECT(found.verdict == VERDICT_KEPT);
	EXPECT(found.waits == 1000);
	EXPECT(found.value > 65 * US && found.value <= 132 * US);
	found = judge(&p90, 300 * US, 899, 101);
	EXPECT(found.verdict == VERDICT_BROKEN);
	/* In the bucket of the bound, and on the right side of it. */
	EXPECT(found.value >= 300 * US && found.value < 525 * US);
	EXPECT(judge(&p90, 401 * US, 0, 1000).value < 401 * US);
	EXPECT(judge(&p90_above, 300 * US, 899, 101).verdict == VERDICT_KEPT);
	EXPECT(judge(&p90_above, 300 * US, 900, 100).verdict == VERDICT_BROKEN);
	EXPECT(judge(&longest, 300 * US, 1, 0).verdict == VERDICT_KEPT);
	EXPECT(judge(&longest, 300 * US, 5000, 1).verdict == VERDICT_BROKEN);
	EXPECT(judge(&mean, 250 * US, 11, 9).verdict == VERDICT_KEPT);
	EXPECT(judge(&mean, 250 * US, 9, 11).verdict == VERDICT_BROKEN);
}

static void test_too_few_say_nothing(void)
{
	EXPECT(judge(&p90, 300 * US, 99, 0).verdict == VERDICT_SILENT);
	EXPECT(judge(&p90, 300 * US, 0, 10).verdict == VERDICT_SILENT);
	/* With 89 short waits more it would still be broken. */
	EXPECT(judge(&p90, 300 * US, 0, 11).verdict == VERDICT_BROKEN);
	EXPECT(judge(&p90_above, 300 * US, 0, 99).verdict == VERDICT_SILENT);
	EXPECT(judge(&longest, 300 * US, 0, 0).verdict == VERDICT_SILENT);
	EXPECT(judge(&mean, 250 * US, 19, 0).verdict == VERDICT_SILENT);
	EXPECT(judge(&mean, 250 * US, 0, 12).verdict == VERDICT_SILENT);
	EXPECT(judge(&mean, 250 * US, 0, 13).verdict == VERDICT_BROKEN);
	EXPECT(judge(&mean, 0, 0, 0).verdict == VERDICT_SILENT);
}

static struct finding share(const struct gthulhu_claim *claim, uint64_t ran_ms, uint64_t waited_ms)
{
	struct tally tally = {
		.counters.tasks.ran_ns = ran_ms * 1000 * US,
		.counters.put_off.ns = waited_ms * 1000 * US,
	};

	return judge_claim(claim, 200, &tally, 4 * SECOND);
}

static void test_shares(void)
{
	EXPECT(share(&at_least, 800, 0).verdict == VERDICT_KEPT);
	EXPECT(share(&at_least, 790, 10).verdict == VERDICT_BROKEN);
	EXPECT(share(&at_least, 790, 10).value == 197);
	/* They did not want as much. */
	EXPECT(share(&at_least, 790, 9).verdict == VERDICT_SILENT);
	EXPECT(share(&at_most, 800, 5000).verdict == VERDICT_KEPT);
	EXPECT(share(&at_most, 810, 0).verdict == VERDICT_BROKEN);
	EXPECT(share(&at_most, 0, 0).verdict == VERDICT_KEPT);
}

static bool broken_after(const char *windows)
{
	struct history history = {};
	bool is_broken = false;

	for (const char *at = windows; *at; at++) {
		enum verdict verdict = *at == 'b' ? VERDICT_BROKEN
			: *at == 'k'		  ? VERDICT_KEPT
						  : VERDICT_SILENT;

		EXPECT(judge_window(&history, verdict) == (history.is_broken != is_broken));
		is_broken = history.is_broken;
	}
	return is_broken;
}

static void test_three_of_five(void)
{
	EXPECT(!broken_after("bb"));
	EXPECT(broken_after("bbb"));
	EXPECT(broken_after("bkbkb"));
	EXPECT(broken_after("b-b-b"));
	EXPECT(!broken_after("bkkbkb"));
	EXPECT(!broken_after("b--b-b"));
	EXPECT(broken_after("bbbkk"));
	EXPECT(!broken_after("bbbkkk"));
	EXPECT(broken_after("bbb------"));
	EXPECT(!broken_after("bbb------kkk"));
}

static void test_together(void)
{
	EXPECT(judge_together(VERDICT_KEPT, VERDICT_BROKEN) == VERDICT_BROKEN);
	EXPECT(judge_together(VERDICT_BROKEN, VERDICT_KEPT) == VERDICT_BROKEN);
	EXPECT(judge_together(VERDICT_SILENT, VERDICT_KEPT) == VERDICT_KEPT);
	EXPECT(judge_together(VERDICT_SILENT, VERDICT_SILENT) == VERDICT_SILENT);
}

static void test_a_window_is_what_came_since(void)
{
	struct tally before = {}, now;

	add(&before, 5, 100 * US, 300 * US);
	now = before;
	add(&now, 7, 400 * US, 300 * US);
	tally_subtract(&now, &before);
	EXPECT(now.beyond == 7);
	EXPECT(now.counters.put_off.ns == 7 * 400 * US);
	EXPECT(now.counters.put_off.buckets[bucket_of(100 * US)] == 0);
}

void test_judge(void)
{
	test_quantiles();
	test_too_few_say_nothing();
	test_shares();
	test_three_of_five();
	test_together();
	test_a_window_is_what_came_since();
}
