/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Periodic tasks: each sleeps until its next due time, again and again, like the
 * handler of packets or frames, or a control loop. cyclictest does the same. The
 * kernel's trace tells how late they run (waker.c measures it by itself).
 *
 *   periodic COUNT PERIOD_US PHASE_US SECONDS
 *
 * COUNT processes run for SECONDS. Their due times are spread over the period;
 * those of the first are PHASE_US after its multiples.
 */
#include "run.h"

static uint64_t period;

static void wake_up(void *argument)
{
	uint64_t phase = *(uint64_t *)argument;

	for (;;)
		sleep_until_ns((now_ns() / period + 1) * period + phase);
}

int main(int argc, char **argv)
{
	uint64_t count, phase, seconds;

	if (argc != 5)
		errx(2, "usage: periodic COUNT PERIOD_US PHASE_US SECONDS");
	count = number("COUNT", argv[1], 1, MAX_UNITS);
	period = number("PERIOD_US", argv[2], 1, 10000000) * 1000;
	phase = number("PHASE_US", argv[3], 0, 10000000) * 1000;
	seconds = number("SECONDS", argv[4], 1, MAX_SECONDS);

	begin("waker");
	for (uint64_t i = 0; i < count; i++) {
		uint64_t own_phase = (phase + i * period / count) % period;

		start_worker("waker", wake_up, &own_phase);
	}
	wait_ns(seconds * NSEC_PER_SEC);
	end_workers();
	return 0;
}
