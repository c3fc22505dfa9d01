/* SPDX-License-Identifier: Apache-2.0
 *
 * chain NAME [DEVICE]: work of which all is known, under names that begin with NAME, to compare a
 * record with. A timer every 5 ms -> a worker -> a sink, one thread that sleeps, one that waits with a
 * time limit, two that compute, and one that reads DEVICE. Each prints at its end, about itself:
 *
 *   THREAD NUMBER ROUNDS SLEEPS PREEMPTIONS RAN_NS
 */
#include "workload.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BEATS = 200, BEAT_MS = 5, SLEEPS = 50, WAITS = 20, READS = 20, MS = 1000000, PAGE = 4096 };

static const char *prefix, *device;
static int first_pipe[2], second_pipe[2];
static uint32_t word;

static uint64_t ran_ns(void)
{
	struct timespec ran;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ran);
	return ran.tv_sec * NSEC_PER_SEC + ran.tv_nsec;
}

static void compute(uint64_t ns)
{
	uint64_t end = ran_ns() + ns;

	while (ran_ns() < end)
		spin();
}

static void report(const char *what, unsigned int rounds)
{
	uint64_t ran = ran_ns();
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	printf("%s %ld %u %ld %ld %llu\n", what, syscall(SYS_gettid), rounds, usage.ru_nvcsw,
	       usage.ru_nivcsw, (unsigned long long)ran);
}

static void begin(const char *what)
{
	char name[16];

	snprintf(name, sizeof(name), "%s-%s", prefix, what);
	set_name(name);
}

static void *beat(void *unused)
{
	struct itimerspec every = {
		.it_interval.tv_nsec = BEAT_MS * MS,
		.it_value.tv_nsec = BEAT_MS * MS,
	};
	int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	uint64_t expired;
	unsigned int i;

	begin("beat");
	if (timer < 0 || timerfd_settime(timer, 0, &every, NULL))
		err(2, "timerfd");
	for (i = 0; i < BEATS; i++)
		if (read(timer, &expired, sizeof(expired)) != sizeof(expired) ||
		    write(first_pipe[1], "x", 1) != 1)
			err(2, "beat");
	close(first_pipe[1]);
	report("beat", BEATS);
	return unused;
}

static void *work(void *unused)
{
	unsigned int rounds = 0;
	char byte;

	begin("worker");
	for (; read(first_pipe[0], &byte, 1) == 1; rounds++) {
		compute(MS / 5);
		if (write(second_pipe[1], &byte, 1) != 1)
			err(2, "worker");
	}
	close(second_pipe[1]);
	report("worker", rounds);
	return unused;
}

static void *take(void *unused)
{
	unsigned int rounds = 0;
	char byte;

	begin("sink");
	while (read(second_pipe[0], &byte, 1) == 1)
		rounds++;
	report("sink", rounds);
	return unused;
}

static void *sleep_often(void *unused)
{
	struct timespec time = { .tv_nsec = 7 * MS };
	unsigned int i;

	begin("sleeper");
	for (i = 0; i < SLEEPS; i++)
		nanosleep(&time, NULL);
	report("sleeper", SLEEPS);
	return unused;
}

static void *wait_often(void *unused)
{
	struct timespec limit = { .tv_nsec = 20 * MS };
	unsigned int i;

	begin("waiter");
	if (setpriority(PRIO_PROCESS, 0, 5))
		err(2, "setpriority");
	for (i = 0; i < WAITS; i++)
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &limit, NULL, 0);
	report("waiter", WAITS);
	return unused;
}

static void *read_often(void *unused)
{
	int fd = open(device, O_RDONLY | O_DIRECT);
	unsigned int i;
	void *page;

	begin("reader");
	if (fd < 0 || posix_memalign(&page, PAGE, PAGE))
		err(2, "%s", device);
	for (i = 0; i < READS; i++)
		if (pread(fd, page, PAGE, (off_t)i * PAGE) != PAGE)
			err(2, "%s", device);
	report("reader", READS);
	return unused;
}

static void *hog(void *unused)
{
	cpu_set_t cpus;

	begin("hog");
	CPU_ZERO(&cpus);
	CPU_SET(1, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		err(2, "sched_setaffinity");
	compute(400ull * MS);
	report("hog", 1);
	return unused;
}

/* A child that becomes another program. */
static void run_child(void)
{
	pid_t child = fork();
	int status;

	if (!child) {
		execlp("true", "true", "an argument", NULL);
		_exit(1);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status)
		errx(2, "true failed");
	printf("child %d 1 0 0 0\n", child);
}

int main(int argc, char **argv)
{
	void *(*const works[])(void *) = { beat, work,	     take, sleep_often,
					   hog,	 wait_often, hog,  read_often };
	const unsigned int nr = sizeof(works) / sizeof(*works);
	pthread_t threads[sizeof(works) / sizeof(*works)];
	unsigned int i;

	if (argc < 2)
		errx(2, "expected a name");
	prefix = argv[1];
	device = argc > 2 ? argv[2] : "/dev/zero";
	setvbuf(stdout, NULL, _IOLBF, 0);
	begin("main");
	if (pipe(first_pipe) || pipe(second_pipe))
		err(2, "pipe");
	for (i = 0; i < nr; i++)
		if (pthread_create(&threads[i], NULL, works[i], NULL))
			errx(2, "pthread_create");
	for (i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
	run_child();
	return 0;
}
