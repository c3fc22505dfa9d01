/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Measures what costs of the simulator are on this machine. Each prints one number, in ns:
 *
 *   calibrate load BYTES          a load of memory of this size that waits for the one before
 *   calibrate transfer CPU CPU    a line of memory goes from one CPU to the other
 *   calibrate switch CPU          a task wakes up another one through a pipe, and sleeps
 *   calibrate interrupt CPU CPU   the first CPU interrupts the other, which is busy, and waits
 *   calibrate wake CPU CPU        a task on the first CPU wakes up one on the other, which is idle
 *   calibrate sleep CPU           the lateness of a sleep
 *
 * The number is a median, for other tasks may interrupt some of the measurements.
 */
#include "workload.h"

#include <linux/futex.h>
#include <linux/membarrier.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	BATCHES = 101,
	LOADS = 20000, /* of a batch */
	TRIPS = 1000,
	BARRIERS = 2001,
	SLEEPS = 301,
	SLEEP_NS = 1000000, /* an idle CPU sleeps deeply by then */
	LINE = 64,
};

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *samples, size_t nr)
{
	qsort(samples, nr, sizeof(*samples), compare);
	return samples[nr / 2];
}

static int cpu_from(const char *text)
{
	return (int)number("CPU", text, 0, CPU_SETSIZE - 1);
}

/* ---- Memory ---- */

/* All lines of @bytes in one random circle: each has the address of the next. */
static void **new_circle(size_t bytes)
{
	size_t nr = bytes / LINE, *order = calloc(nr, sizeof(*order));
	char *memory =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (!order || memory == MAP_FAILED)
		err(2, "no memory of %zu bytes", bytes);
	/* With large pages the time is the memory's, not that of finding the page. */
	madvise(memory, bytes, MADV_HUGEPAGE);
	srandom(1);
	for (size_t i = 0; i < nr; i++) {
		size_t j = (size_t)random() % (i + 1);

		order[i] = order[j];
		order[j] = i;
	}
	for (size_t i = 0; i < nr; i++)
		*(void **)(memory + order[i] * LINE) = memory + order[(i + 1) % nr] * LINE;
	free(order);
	return (void **)memory;
}

static double load(size_t bytes)
{
	void **at = new_circle(bytes);
	double samples[BATCHES];

	for (int batch = 0; batch < BATCHES; batch++) {
		uint64_t began_ns = now_ns();

		for (int i = 0; i < LOADS; i++)
			at = *(void **volatile *)at;
		samples[batch] = (double)(now_ns() - began_ns) / LOADS;
	}
	return median(samples, BATCHES);
}

/* ---- Two threads of this process ---- */

/* Each word has lines of its own; neighbours are fetched together. */
static struct {
	_Alignas(2 * LINE) _Atomic uint32_t turn;
	_Alignas(2 * LINE) _Atomic uint32_t ends;
	_Alignas(2 * LINE) _Atomic uint32_t rings;
	_Alignas(2 * LINE) _Atomic uint64_t woken_ns;
} both;

static void echo_line(void *argument)
{
	pin_to_cpu(*(int *)argument);
	while (!atomic_load_explicit(&both.ends, memory_order_relaxed)) {
		if (atomic_load_explicit(&both.turn, memory_order_acquire) == 1)
			atomic_store_explicit(&both.turn, 0, memory_order_release);
	}
}

static double transfer(int cpu, int other)
{
	pthread_t thread = start_thread("echo", echo_line, &other);
	double samples[BATCHES];

	pin_to_cpu(cpu);
	for (int batch = -1; batch < BATCHES; batch++) {
		uint64_t began_ns = now_ns();

		for (int i = 0; i < TRIPS; i++) {
			atomic_store_explicit(&both.turn, 1, memory_order_release);
			while (atomic_load_explicit(&both.turn, memory_order_acquire))
				;
		}
		if (batch >= 0) /* in the first one the thread begins */
			samples[batch] = (double)(now_ns() - began_ns) / TRIPS / 2;
	}
	atomic_store(&both.ends, 1);
	pthread_join(thread, NULL);
	return median(samples, BATCHES);
}

static void barrier(int command)
{
	if (syscall(SYS_membarrier, command, 0, 0))
		err(2, "membarrier");
}

static double barrier_ns(void)
{
	uint64_t began_ns = now_ns();

	barrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
	return (double)(now_ns() - began_ns);
}

static void futex(_Atomic uint32_t *word, int operation, uint32_t value)
{
	syscall(SYS_futex, word, operation | FUTEX_PRIVATE_FLAG, value, NULL, NULL, 0);
}

/* Sleeps until the first ring, and then keeps its CPU busy. */
static void sleep_then_spin(void *argument)
{
	pin_to_cpu(*(int *)argument);
	atomic_store(&both.turn, 1);
	while (!atomic_load(&both.rings))
		futex(&both.rings, FUTEX_WAIT, 0);
	atomic_store(&both.turn, 2);
	while (!atomic_load_explicit(&both.ends, memory_order_relaxed))
		;
}

static void await_turn(uint32_t turn)
{
	while (atomic_load(&both.turn) != turn)
		usleep(1000);
}

/* The kernel interrupts the CPUs where threads of this process run, and waits for them. */
static double interrupt(int cpu, int other)
{
	double samples[BARRIERS], without;
	uint64_t until_ns;
	pthread_t thread;
	size_t nr = 0;

	barrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
	thread = start_thread("spin", sleep_then_spin, &other);
	pin_to_cpu(cpu);
	await_turn(1);
	usleep(10000);
	for (size_t i = 0; i < BARRIERS; i++)
		samples[i] = barrier_ns();
	without = median(samples, BARRIERS);
	atomic_store(&both.rings, 1);
	futex(&both.rings, FUTEX_WAKE, 1);
	await_turn(2);
	/* While another task has the CPU, there is nobody to interrupt. */
	for (until_ns = now_ns() + NSEC_PER_SEC; nr < BARRIERS && now_ns() < until_ns;) {
		double found = barrier_ns();

		if (found > 2 * without)
			samples[nr++] = found - without;
	}
	atomic_store(&both.ends, 1);
	pthread_join(thread, NULL);
	if (!nr)
		errx(2, "CPU %d had no time for a second", other);
	return median(samples, nr);
}

static void answer_rings(void *argument)
{
	pin_to_cpu(*(int *)argument);
	for (uint32_t ring = 0; ring < SLEEPS; ring++) {
		while (atomic_load(&both.rings) == ring)
			futex(&both.rings, FUTEX_WAIT, ring);
		atomic_store(&both.woken_ns, now_ns());
	}
}

static double wake(int cpu, int other)
{
	pthread_t thread = start_thread("answer", answer_rings, &other);
	double samples[SLEEPS];

	pin_to_cpu(cpu);
	for (int i = 0; i < SLEEPS; i++) {
		uint64_t began_ns, woken_ns;

		sleep_until_ns(now_ns() + SLEEP_NS);
		atomic_store(&both.woken_ns, 0);
		began_ns = now_ns();
		atomic_fetch_add(&both.rings, 1);
		futex(&both.rings, FUTEX_WAKE, 1);
		while (!(woken_ns = atomic_load(&both.woken_ns)))
			;
		samples[i] = woken_ns > began_ns ? (double)(woken_ns - began_ns) : 0;
	}
	pthread_join(thread, NULL);
	return median(samples, SLEEPS);
}

/* ---- Sleeps and switches ---- */

static double late(int cpu)
{
	double samples[SLEEPS];

	pin_to_cpu(cpu);
	prctl(PR_SET_TIMERSLACK, 1);
	for (int i = 0; i < SLEEPS; i++) {
		uint64_t due_ns = now_ns() + SLEEP_NS;

		sleep_until_ns(due_ns);
		samples[i] = (double)(now_ns() - due_ns);
	}
	return median(samples, SLEEPS);
}

struct ends {
	int in, out;
};

static void pass_on(const struct ends *ends)
{
	char byte = 0;

	if (write(ends->out, &byte, 1) != 1 || read(ends->in, &byte, 1) != 1)
		err(2, "pipe");
}

static void echo_bytes(void *argument)
{
	const struct ends *ends = argument;
	char byte;

	while (read(ends->in, &byte, 1) == 1)
		if (write(ends->out, &byte, 1) != 1)
			err(2, "pipe");
}

static double passes(const struct ends *ends)
{
	double samples[BATCHES];

	for (int batch = 0; batch < BATCHES; batch++) {
		uint64_t began_ns = now_ns();

		for (int i = 0; i < TRIPS; i++)
			pass_on(ends);
		samples[batch] = (double)(now_ns() - began_ns) / TRIPS;
	}
	return median(samples, BATCHES);
}

/* Half of a round trip, without what two calls take that wake up nobody and do not wait. */
static double switches(int cpu)
{
	int there[2], back[2], own[2];
	struct ends ours, theirs, alone;
	pthread_t thread;
	double found;

	if (pipe(there) || pipe(back) || pipe(own))
		err(2, "pipe");
	ours = (struct ends){ .in = back[0], .out = there[1] };
	theirs = (struct ends){ .in = there[0], .out = back[1] };
	alone = (struct ends){ .in = own[0], .out = own[1] };
	pin_to_cpu(cpu); /* the thread, too */
	thread = start_thread("echo", echo_bytes, &theirs);
	found = passes(&ours) / 2 - passes(&alone);
	close(there[1]);
	pthread_join(thread, NULL);
	return found > 0 ? found : 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	double found;

	if (argc == 3 && !strcmp(what, "load"))
		found = load(number("BYTES", argv[2], 2 * LINE, 1 << 30));
	else if (argc == 3 && !strcmp(what, "switch"))
		found = switches(cpu_from(argv[2]));
	else if (argc == 3 && !strcmp(what, "sleep"))
		found = late(cpu_from(argv[2]));
	else if (argc == 4 && !strcmp(what, "transfer"))
		found = transfer(cpu_from(argv[2]), cpu_from(argv[3]));
	else if (argc == 4 && !strcmp(what, "interrupt"))
		found = interrupt(cpu_from(argv[2]), cpu_from(argv[3]));
	else if (argc == 4 && !strcmp(what, "wake"))
		found = wake(cpu_from(argv[2]), cpu_from(argv[3]));
	else
		errx(2,
		     "usage: calibrate load BYTES | switch CPU | sleep CPU | "
		     "transfer CPU CPU | interrupt CPU CPU | wake CPU CPU");
	printf("%.1f\n", found);
	return 0;
}
