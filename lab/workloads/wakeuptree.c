/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A wake-up tree: few threads hand out work by waking many at once, which think,
 * compute, and ask for more, like a server that spreads requests over its
 * workers. Chris Mason's schbench has this shape.
 *
 *   wakeuptree MESSENGERS WORKERS SLEEP_US WORK_US SECONDS RESULTS
 *
 * Each of the WORKERS, all threads of one process, sleeps SLEEP_US, computes
 * WORK_US, and waits to be woken by its messenger, for SECONDS. "rate" counts
 * these rounds of all workers, per second.
 */
#include "run.h"

struct event {
	volatile uint32_t happened;
};

struct worker {
	struct messenger *messenger;
	struct worker *next; /* the next worker that waits */
	struct event go;
	struct counter *done;
};

struct messenger {
	struct worker *waiting;
	struct event asked;
};

static uint64_t sleep_ns, work_ns;

static void happen(struct event *event)
{
	__atomic_store_n(&event->happened, 1, __ATOMIC_RELEASE);
	futex(&event->happened, FUTEX_WAKE_PRIVATE, 1);
}

static void await(struct event *event)
{
	while (!__atomic_exchange_n(&event->happened, 0, __ATOMIC_ACQUIRE))
		futex(&event->happened, FUTEX_WAIT_PRIVATE, 0);
}

static void hand_out(void *argument)
{
	struct messenger *messenger = argument;

	for (;;) {
		struct worker *worker;

		await(&messenger->asked);
		worker = __atomic_exchange_n(&messenger->waiting, NULL, __ATOMIC_ACQUIRE);
		while (worker) {
			/* Once woken it may be in the list again. */
			struct worker *next = worker->next;

			happen(&worker->go);
			worker = next;
		}
	}
}

static void work(void *argument)
{
	struct worker *worker = argument;
	struct messenger *messenger = worker->messenger;

	for (;;) {
		sleep_until_ns(now_ns() + sleep_ns);
		compute(work_ns);
		worker->done->count++;
		worker->next = __atomic_load_n(&messenger->waiting, __ATOMIC_RELAXED);
		while (!__atomic_compare_exchange_n(&messenger->waiting, &worker->next, worker, 1,
						    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
			;
		happen(&messenger->asked);
		await(&worker->go);
	}
}

int main(int argc, char **argv)
{
	static struct messenger messengers[MAX_UNITS];
	static struct worker workers_of_all[MAX_UNITS];
	uint64_t nr_messengers, nr, seconds;
	struct counter *done;

	if (argc != 7)
		errx(2, "usage: wakeuptree MESSENGERS WORKERS SLEEP_US WORK_US SECONDS RESULTS");
	nr_messengers = number("MESSENGERS", argv[1], 1, MAX_UNITS);
	nr = number("WORKERS", argv[2], 1, MAX_UNITS);
	sleep_ns = number("SLEEP_US", argv[3], 0, 10000000) * 1000;
	work_ns = number("WORK_US", argv[4], 0, 10000000) * 1000;
	seconds = number("SECONDS", argv[5], 1, MAX_SECONDS);

	begin("wakeup-tree");
	done = share(nr * sizeof(*done));
	for (uint64_t i = 0; i < nr_messengers; i++)
		start_thread("wakeup-tree", hand_out, &messengers[i]);
	for (uint64_t i = 0; i < nr; i++) {
		workers_of_all[i].messenger = &messengers[i % nr_messengers];
		workers_of_all[i].done = &done[i];
		start_thread("wakeup-tree", work, &workers_of_all[i]);
	}
	run(seconds, done, nr, argv[6]);
	return 0;
}
