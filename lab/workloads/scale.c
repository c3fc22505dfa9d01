/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The standard loads of the simulator, on a real machine.
 *
 *   scale pairs|wakers|hogs CPUS SECONDS
 *
 * pairs: a pair of threads for each CPU, which wake each other after 5 us of work.
 * wakers: two threads for each CPU, which work for 100 us and sleep for 200 us.
 * hogs: four threads for each CPU that always work, and for every second CPU one
 * that works for 20 us and sleeps for 2 ms.
 *
 * After a second the measurement begins. The program prints lines `NAME NUMBER`:
 * rate (pieces of work of the load's tasks per second), switches (of the whole
 * machine, per second), and for sleepers p50, p99 and max of their lateness in ns.
 */
#include "workload.h"

#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>

enum {
	MAX_CPUS = 4096,
	WARMUP_S = 1,
	MAX_SAMPLES = 1 << 14, /* of each thread; later ones replace the first */
	PAIR_US = 5,
	WAKER_US = 100,
	LIGHT_US = 20,
	LIGHT_SLEEP_US = 2000,
	HOG_US = 100,
};

/* A thread of the load, in lines of memory of its own. */
struct worker {
	_Alignas(128) sem_t turn; /* of one of a pair */
	struct worker *partner;
	uint64_t work; /* turns of a loop for a piece of work */
	uint64_t sleep_ns; /* between pieces; 0: it does not sleep */
	_Atomic uint64_t pieces;
	_Atomic uint64_t nr_samples;
	uint32_t *samples; /* lateness in ns */
};

static atomic_bool is_measured;
static double turns_per_us;

static void work(uint64_t turns)
{
	for (volatile uint64_t i = 0; i < turns; i++)
		;
}

static void calibrate(void)
{
	const uint64_t turns = 2000000;

	/* The fastest of some, for other tasks may have interrupted one. */
	for (int i = 0; i < 10; i++) {
		uint64_t began_ns = now_ns();
		double found;

		work(turns);
		found = (double)turns * 1000 / (double)(now_ns() - began_ns);
		if (found > turns_per_us)
			turns_per_us = found;
	}
}

static void count_piece(struct worker *w)
{
	atomic_store_explicit(&w->pieces,
			      atomic_load_explicit(&w->pieces, memory_order_relaxed) + 1,
			      memory_order_relaxed);
}

static void play_pair(void *argument)
{
	struct worker *w = argument;

	for (;;) {
		while (sem_wait(&w->turn))
			;
		work(w->work);
		count_piece(w);
		sem_post(&w->partner->turn);
	}
}

static void play_sleeper(void *argument)
{
	struct worker *w = argument;
	uint64_t due, late_ns;

	prctl(PR_SET_TIMERSLACK, 1);
	for (;;) {
		due = now_ns() + w->sleep_ns;
		sleep_until_ns(due);
		late_ns = now_ns() - due;
		if (atomic_load_explicit(&is_measured, memory_order_relaxed))
			w->samples[w->nr_samples++ % MAX_SAMPLES] =
				late_ns < UINT32_MAX ? (uint32_t)late_ns : UINT32_MAX;
		work(w->work);
		count_piece(w);
	}
}

static void play_hog(void *argument)
{
	struct worker *w = argument;

	for (;;) {
		work(w->work);
		count_piece(w);
	}
}

static struct worker *new_workers(size_t nr, uint64_t work_us, uint64_t sleep_us)
{
	struct worker *workers = aligned_alloc(128, nr * sizeof(*workers));

	if (!workers)
		err(2, "aligned_alloc");
	memset(workers, 0, nr * sizeof(*workers));
	for (size_t i = 0; i < nr; i++) {
		struct worker *w = &workers[i];

		w->work = (uint64_t)(turns_per_us * (double)work_us);
		w->sleep_ns = sleep_us * 1000;
		if (sem_init(&w->turn, 0, 0))
			err(2, "sem_init");
		if (!sleep_us)
			continue;
		w->samples = calloc(MAX_SAMPLES, sizeof(*w->samples));
		if (!w->samples)
			err(2, "calloc");
		/* Touch it now, so that no sample contains a page fault. */
		memset(w->samples, 0xff, MAX_SAMPLES * sizeof(*w->samples));
	}
	return workers;
}

static void start(const char *name, void (*play)(void *argument), struct worker *workers, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		start_thread(name, play, &workers[i]);
}

static uint64_t pieces_of(const struct worker *workers, size_t nr)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += atomic_load_explicit(&workers[i].pieces, memory_order_relaxed);
	return sum;
}

static uint64_t switches(void)
{
	FILE *file = fopen("/proc/stat", "r");
	unsigned long long found = 0;
	char line[8192];

	if (!file)
		err(2, "/proc/stat");
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "ctxt %llu", &found) == 1)
			break;
	}
	fclose(file);
	return found;
}

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void print_lateness(const struct worker *sleepers, size_t nr)
{
	uint32_t *all = calloc(nr * MAX_SAMPLES, sizeof(*all));
	size_t count = 0;

	if (!all)
		err(2, "calloc");
	for (size_t i = 0; i < nr; i++) {
		uint64_t had = sleepers[i].nr_samples;

		had = had < MAX_SAMPLES ? had : MAX_SAMPLES;
		memcpy(all + count, sleepers[i].samples, had * sizeof(*all));
		count += had;
	}
	if (!count)
		errx(2, "no task woke up in time");
	qsort(all, count, sizeof(*all), compare);
	printf("p50 %u\np99 %u\nmax %u\n", all[count / 2], all[count * 99 / 100], all[count - 1]);
	free(all);
}

/* A load: the workers whose pieces count, and those whose lateness does. */
struct load {
	struct worker *counted, *sleepers;
	size_t nr_counted, nr_sleepers;
};

static struct load start_pairs(size_t cpus)
{
	struct load load = { .nr_counted = 2 * cpus };

	load.counted = new_workers(load.nr_counted, PAIR_US, 0);
	for (size_t i = 0; i < load.nr_counted; i++)
		load.counted[i].partner = &load.counted[i ^ 1];
	start("pairs", play_pair, load.counted, load.nr_counted);
	for (size_t i = 0; i < load.nr_counted; i += 2)
		sem_post(&load.counted[i].turn);
	return load;
}

static struct load start_wakers(size_t cpus)
{
	struct load load = { .nr_counted = 2 * cpus, .nr_sleepers = 2 * cpus };

	load.counted = load.sleepers = new_workers(load.nr_sleepers, WAKER_US, 2 * WAKER_US);
	start("wakers", play_sleeper, load.sleepers, load.nr_sleepers);
	return load;
}

static struct load start_hogs(size_t cpus)
{
	struct load load = { .nr_counted = 4 * cpus, .nr_sleepers = cpus > 1 ? cpus / 2 : 1 };

	load.sleepers = new_workers(load.nr_sleepers, LIGHT_US, LIGHT_SLEEP_US);
	load.counted = new_workers(load.nr_counted, HOG_US, 0);
	start("wakers", play_sleeper, load.sleepers, load.nr_sleepers);
	start("hogs", play_hog, load.counted, load.nr_counted);
	return load;
}

static struct load start_load(const char *name, size_t cpus)
{
	if (!strcmp(name, "pairs"))
		return start_pairs(cpus);
	if (!strcmp(name, "wakers"))
		return start_wakers(cpus);
	if (!strcmp(name, "hogs"))
		return start_hogs(cpus);
	errx(2, "unknown load %s: expected pairs, wakers or hogs", name);
}

int main(int argc, char **argv)
{
	uint64_t seconds, began_ns, switched, pieces;
	struct load load;
	double took_s;
	size_t cpus;

	if (argc != 4)
		errx(2, "usage: scale pairs|wakers|hogs CPUS SECONDS");
	cpus = number("CPUS", argv[2], 1, MAX_CPUS);
	seconds = number("SECONDS", argv[3], 1, 3600);
	calibrate();
	load = start_load(argv[1], cpus);

	sleep_until_ns(now_ns() + WARMUP_S * NSEC_PER_SEC);
	atomic_store(&is_measured, true);
	began_ns = now_ns();
	switched = switches();
	pieces = pieces_of(load.counted, load.nr_counted);
	sleep_until_ns(began_ns + seconds * NSEC_PER_SEC);
	took_s = (double)(now_ns() - began_ns) / 1e9;
	atomic_store(&is_measured, false);
	pieces = pieces_of(load.counted, load.nr_counted) - pieces;
	printf("rate %.1f\n", (double)pieces / took_s);
	printf("switches %.1f\n", (double)(switches() - switched) / took_s);
	if (load.sleepers)
		print_lateness(load.sleepers, load.nr_sleepers);
	/* The threads go on until here. */
	fflush(stdout);
	_Exit(0);
}
