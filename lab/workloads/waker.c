/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A periodic task: sleeps until the next multiple of a period, many times, and
 * notes how late it runs. It shows how long the handler of packets or frames, or
 * a control loop, waits for its turn.
 *
 *   waker NAME PERIOD_US COUNT WARMUP OUTPUT [PHASE_US [CPU fifo]]
 *
 * OUTPUT gets COUNT samples in ns, one a line, after WARMUP that are not
 * written. PHASE_US shifts all wake-ups. With a CPU, or "any", and "fifo" it runs
 * there at real-time priority.
 */
#include "workload.h"

static void be_realtime(const char *cpu)
{
	struct sched_param param = { .sched_priority = 50 };

	if (strcmp(cpu, "any"))
		pin_to_cpu((int)number("CPU", cpu, 0, CPU_SETSIZE - 1));
	if (sched_setscheduler(0, SCHED_FIFO, &param))
		err(2, "sched_setscheduler(SCHED_FIFO)");
}

/* Sleep until the first multiple of @period that lies ahead, return the lateness in ns. */
static uint64_t sleep_once(uint64_t period, uint64_t phase)
{
	uint64_t due = (now_ns() / period + 1) * period + phase;

	sleep_until_ns(due);
	return now_ns() - due;
}

int main(int argc, char **argv)
{
	uint64_t period, phase = 0, *samples;
	size_t count, warmup;
	FILE *output;

	if (argc != 6 && argc != 7 && argc != 9)
		errx(2, "usage: waker NAME PERIOD_US COUNT WARMUP OUTPUT [PHASE_US [CPU fifo]]");
	period = number("PERIOD_US", argv[2], 1, 10000000) * 1000;
	count = number("COUNT", argv[3], 1, 10000000);
	warmup = number("WARMUP", argv[4], 0, 10000000);
	output = open_output(argv[5]);
	if (argc > 6)
		phase = number("PHASE_US", argv[6], 0, period / 1000 - 1) * 1000;
	if (argc > 7)
		be_realtime(argv[7]);
	set_name(argv[1]);

	samples = calloc(count, sizeof(*samples));
	if (!samples)
		err(2, "calloc");
	/* Touch it now, so that no sample contains a page fault. */
	memset(samples, 0xff, count * sizeof(*samples));

	for (size_t i = 0; i < warmup; i++)
		sleep_once(period, phase);
	for (size_t i = 0; i < count; i++)
		samples[i] = sleep_once(period, phase);

	write_samples(output, samples, count);
	free(samples);
	return 0;
}
