// SPDX-License-Identifier: GPL-2.0-only
/* Conditions on the machine: their answers, pressure over a time, and the time of day. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "machine/clock.h"
#include "machine/pressure.h"
#include "object/whens.h"
#include "unit.h"

/* Answers the steps of a condition, by their numbers. */
static enum answer ask(void *machine, unsigned int state)
{
	const enum answer *answers = machine;

	return answers[state];
}

static enum answer evaluate(const struct gthulhu_state *states, unsigned int nr, enum answer one,
			    enum answer other)
{
	const struct gthulhu_when when = { .nr_states = nr };
	const struct whens whens = {
		.whens = &when,
		.states = states,
		.nr_whens = 1,
		.nr_states = nr,
	};
	enum answer answers[] = { one, other };

	return when_evaluate(&whens, 0, ask, answers);
}

static void test_what_is_unknown(void)
{
	static const struct gthulhu_state not[] = { { .asks = GTHULHU_TIME },
						    { .asks = GTHULHU_NOT } };
	static const struct gthulhu_state and[] = { { .asks = GTHULHU_TIME },
						    { .asks = GTHULHU_TIME },
						    { .asks = GTHULHU_AND } };
	static const struct gthulhu_state or
		[] = { { .asks = GTHULHU_TIME }, { .asks = GTHULHU_TIME }, { .asks = GTHULHU_OR } };

	EXPECT(evaluate(not, 2, ANSWER_YES, 0) == ANSWER_NO);
	EXPECT(evaluate(not, 2, ANSWER_NO, 0) == ANSWER_YES);
	EXPECT(evaluate(not, 2, ANSWER_UNKNOWN, 0) == ANSWER_UNKNOWN);
	EXPECT(evaluate(and, 3, ANSWER_YES, ANSWER_YES) == ANSWER_YES);
	EXPECT(evaluate(and, 3, ANSWER_YES, ANSWER_UNKNOWN) == ANSWER_UNKNOWN);
	EXPECT(evaluate(and, 3, ANSWER_NO, ANSWER_UNKNOWN) == ANSWER_NO);
	EXPECT(evaluate(or, 3, ANSWER_NO, ANSWER_UNKNOWN) == ANSWER_UNKNOWN);
	EXPECT(evaluate(or, 3, ANSWER_YES, ANSWER_UNKNOWN) == ANSWER_YES);
	EXPECT(evaluate(or, 3, ANSWER_NO, ANSWER_NO) == ANSWER_NO);
}

/* A window of 3.2 s, so a step is 100 ms; the pressure is a fifth of the time, then none. */
static void test_pressure_over_a_time(void)
{
	struct pressure pressure = { .over_us = 3200000 };
	int64_t now_us = 1000000;
	uint64_t total_us = 77;

	for (int i = 0; i < 32; i++, now_us += 100000, total_us += 20000)
		pressure_sample(&pressure, now_us, total_us);
	EXPECT(pressure_mean(&pressure) == -1); /* 3.1 s are not enough */
	pressure_sample(&pressure, now_us, total_us);
	EXPECT(pressure_mean(&pressure) == 200);

	/* A sample within a step does not count, nor does it move the window. */
	pressure_sample(&pressure, now_us + 50000, total_us + 50000);
	EXPECT(pressure_mean(&pressure) == 200);

	for (int i = 0; i < 16; i++)
		pressure_sample(&pressure, now_us += 100000, total_us);
	EXPECT(pressure_mean(&pressure) == 100);
	for (int i = 0; i < 16; i++)
		pressure_sample(&pressure, now_us += 100000, total_us);
	EXPECT(pressure_mean(&pressure) == 0);

	/* A loader that did not run for a while: the mean is that of the whole time. */
	pressure_sample(&pressure, now_us + 32000000, total_us + 16000000);
	EXPECT(pressure_mean(&pressure) == 500);
}

/* Sets the time zone, whose file the loader would read. */
static unsigned int minute_at(const char *zone)
{
	setenv("TZ", zone, 1);
	tzset();
	return clock_minute();
}

static void test_the_time_is_local(void)
{
	time_t now;
	struct tm local;
	unsigned int minute;

	/* The minute is kept for a second, so begin with a fresh one. */
	for (now = time(NULL); time(NULL) == now;)
		;
	minute = minute_at("TEST-5:30");
	now = time(NULL);
	localtime_r(&now, &local);
	EXPECT(minute == (unsigned int)(local.tm_hour * 60 + local.tm_min));
	gmtime_r(&now, &local);
	EXPECT((minute + 1440 - (unsigned int)(local.tm_hour * 60 + local.tm_min)) % 1440 == 330);
	unsetenv("TZ");
	tzset();
}

void test_conditions(void)
{
	test_what_is_unknown();
	test_pressure_over_a_time();
	test_the_time_is_local();
}
