/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs a workload of the catalogue: a process that only waits starts the workers,
 * ends them after a time or at SIGTERM, and writes their results. RESULTS is a
 * folder; "-" is the standard output.
 */
#ifndef GTHULHU_RUN_H
#define GTHULHU_RUN_H

#include "workload.h"

#include <linux/futex.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	MAX_UNITS = 4096,
	MAX_SECONDS = 1000000,
	MAX_TIMES = 1 << 16, /* operations that a unit notes; there may be more */
};

/* One cache line each, so that neighbours do not slow each other down. */
struct counter {
	volatile uint64_t count;
	char pad[64 - sizeof(uint64_t)];
};

/* The time of each operation of a unit, in ns. */
struct times {
	struct counter *done;
	uint64_t *ns;
};

static sigset_t usual_signals;
static pid_t workers[2 * MAX_UNITS];
static int nr_workers;

static inline void signals_of_interest(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGCHLD);
}

/* Call this first: it blocks signals here and in all children, until they are asked for. */
static inline void begin(const char *own)
{
	sigset_t set;

	name_process(own);
	/* Adopt all orphans, so that none outlives this process. */
	if (prctl(PR_SET_CHILD_SUBREAPER, 1))
		err(2, "prctl(PR_SET_CHILD_SUBREAPER)");
	signals_of_interest(&set);
	sigprocmask(SIG_BLOCK, &set, &usual_signals);
}

/* Memory that children share with this process; all zero. */
static inline void *share(size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		err(2, "mmap");
	return memory;
}

/* Fork a child that does not outlive this process. Returns its pid, 0 in the child. */
static inline pid_t fork_tied(void)
{
	pid_t parent = getpid(), pid = fork();

	if (pid < 0)
		err(2, "fork");
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	return 0;
}

/* Start a process that does @work under the wanted name. */
static inline void start_worker(const char *own, void (*work)(void *argument), void *argument)
{
	pid_t pid = fork_tied();

	if (pid) {
		workers[nr_workers++] = pid;
		return;
	}
	as_task(own, work, argument);
	_exit(0);
}

/* Stop all before the first one ends, so that none reports a closed connection. */
static inline void end_workers(void)
{
	for (int i = 0; i < nr_workers; i++)
		kill(workers[i], SIGSTOP);
	for (int i = 0; i < nr_workers; i++)
		waitpid(workers[i], NULL, WUNTRACED);
	for (int i = 0; i < nr_workers; i++)
		kill(workers[i], SIGKILL);
	while (wait(NULL) > 0)
		;
}

/* End all children, adopted ones included. */
static inline void end_everything(void)
{
	for (;;) {
		FILE *file = fopen("/proc/thread-self/children", "r");
		int pid;

		if (!file)
			err(2, "cannot list the children");
		while (fscanf(file, "%d", &pid) == 1)
			kill(pid, SIGKILL);
		fclose(file);
		if (wait(NULL) < 0)
			return;
	}
}

/* Returns the signal that ends this or reports a child's end; 0 if none came until @end. */
static inline int signal_until(uint64_t end)
{
	sigset_t set;

	signals_of_interest(&set);
	for (;;) {
		uint64_t now = now_ns(), left = now < end ? end - now : 0;
		struct timespec timeout = {
			.tv_sec = (time_t)(left / NSEC_PER_SEC),
			.tv_nsec = (long)(left % NSEC_PER_SEC),
		};
		int got = sigtimedwait(&set, NULL, &timeout);

		if (got > 0)
			return got;
		if (errno == EAGAIN)
			return 0;
	}
}

/* Wait for @ns. Returns 1 if SIGTERM or SIGINT came earlier; no worker may end earlier. */
static inline int wait_ns(uint64_t ns)
{
	int got = signal_until(now_ns() + ns);

	if (got == SIGCHLD) {
		end_workers();
		errx(2, "a worker has ended");
	}
	return got != 0;
}

static inline FILE *open_result(const char *results, const char *name)
{
	char path[4096];

	if (!strcmp(results, "-"))
		return stdout;
	snprintf(path, sizeof(path), "%s/%s", results, name);
	return open_output(path);
}

static inline void close_result(FILE *file)
{
	if (ferror(file) || fflush(file) || (file != stdout && fclose(file)))
		errx(2, "cannot write the results");
}

static inline uint64_t sum(const struct counter *counters, size_t nr)
{
	uint64_t all = 0;

	for (size_t i = 0; i < nr; i++)
		all += counters[i].count;
	return all;
}

/*
 * Let the workers work for @seconds, or until SIGTERM. Returns their counts per second, or -1 if
 * SIGTERM came during the warm-up, which takes the first second, or a tenth of a short run.
 */
static inline double measure(uint64_t seconds, const struct counter *counters, size_t nr)
{
	uint64_t whole = seconds * NSEC_PER_SEC, start, took, before, after;
	uint64_t warmup = seconds < 10 ? whole / 10 : NSEC_PER_SEC;

	if (wait_ns(warmup))
		return -1;
	start = now_ns();
	before = sum(counters, nr);
	wait_ns(whole - warmup);
	after = sum(counters, nr);
	took = now_ns() - start;
	return (double)(after - before) * NSEC_PER_SEC / (double)took;
}

/* Write the figure and close; write nothing if it was not measured. */
static inline void write_rate(FILE *file, double rate)
{
	if (rate >= 0)
		fprintf(file, "%.3f\n", rate);
	close_result(file);
}

/* The usual course: measure, end all workers, and write their rate to the result "rate". */
static inline void run(uint64_t seconds, const struct counter *counters, size_t nr,
		       const char *results)
{
	FILE *file = open_result(results, "rate");
	double rate = measure(seconds, counters, nr);

	end_workers();
	write_rate(file, rate);
}

/* The times of a unit whose operations @done counts. */
static inline struct times share_times(struct counter *done)
{
	return (struct times){ done, share(MAX_TIMES * sizeof(uint64_t)) };
}

static inline void note_time(const struct times *times, uint64_t ns)
{
	uint64_t nr = times->done->count;

	if (nr < MAX_TIMES)
		times->ns[nr] = ns;
	times->done->count = nr + 1;
}

/* Write the noted times to the result "time", one operation a line. */
static inline void write_times(const struct times *times, size_t nr, const char *results)
{
	FILE *file = open_result(results, "time");

	for (size_t i = 0; i < nr; i++)
		for (uint64_t j = 0; j < times[i].done->count && j < MAX_TIMES; j++)
			fprintf(file, "%llu\n", (unsigned long long)times[i].ns[j]);
	close_result(file);
}

static inline long futex(volatile uint32_t *word, int operation, uint32_t value)
{
	return syscall(SYS_futex, word, operation, value, NULL, NULL, 0);
}

/* Compute for @ns of the thread's own CPU time. */
static inline void compute(uint64_t ns)
{
	struct timespec ts;
	uint64_t end = 0, used;

	for (;;) {
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
		used = (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
		if (!end)
			end = used + ns;
		if (used >= end)
			return;
		/* Some microseconds between questions: each is a system call. */
		for (int i = 0; i < 10; i++)
			spin();
	}
}

#endif /* GTHULHU_RUN_H */
