/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Does everything that can happen to tasks, all at once. A scheduler must come
 * through it without losing a task.
 *
 *   storm MS KINDS NAMES CGROUPS
 *
 * For MS, one process for each of KINDS (separated by commas) does it over and
 * over to 16 workers. NAMES are the names that workers get, CGROUPS the folders
 * that they are moved to. Then it is calm, and each worker must make progress:
 * the program prints "16 of 16 workers get on", or which worker is stuck.
 */
#include "workload.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	WORKERS = 16,
	MAX_WORDS = 64,
	/*
	 * Longer than any watchdog, so that a lost task has ended the scheduler by
	 * then: the watchdog sees that no task waits for too long. A turn can be
	 * several waits of a max-wait each, and 2 s is the longest of these.
	 */
	PATIENCE_MS = 40000,
};

/* One cache line each, so that neighbours do not slow each other down. */
struct worker {
	volatile uint64_t turns;
	volatile uint32_t name; /* the number of the name to take */
	pid_t pid;
	char pad[48];
};

struct words {
	char *word[MAX_WORDS];
	unsigned count;
};

static struct worker *workers;
static struct words names, cgroups;
static uint64_t end_ns;
static uint64_t random_state;
static int nr_cpus;

/* xorshift64: the same storm each time. */
static unsigned pick(unsigned count)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (unsigned)(random_state >> 33) % count;
}

static struct worker *any_worker(void)
{
	return &workers[pick(WORKERS)];
}

static void split(struct words *words, char *text)
{
	for (char *word = strtok(text, ","); word; word = strtok(NULL, ",")) {
		if (words->count == MAX_WORDS)
			errx(2, "more than %d words", MAX_WORDS);
		words->word[words->count++] = word;
	}
	if (!words->count)
		errx(2, "an empty list");
}

/* Write to a file; refusals of the kernel are part of the storm. */
static void tell(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0)
		err(2, "%s", path);
	if (write(fd, text, strlen(text)) < 0 && errno != EBUSY && errno != EINVAL &&
	    errno != ENOSPC && errno != ESRCH && errno != EOPNOTSUPP)
		err(2, "%s", path);
	close(fd);
}

/* A third always computes, a third sleeps briefly, a third yields; all rename themselves. */
static void work(struct worker *self, unsigned number)
{
	uint32_t name = ~0u;

	for (;;) {
		self->turns++;
		if (name != self->name) {
			name = self->name;
			set_name(names.word[name % names.count]);
		}
		if (number % 3 == 1)
			usleep(700);
		else if (number % 3 == 2)
			sched_yield();
		else
			spin();
	}
}

static void storm_affinity(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(pick(nr_cpus), &set);
	CPU_SET(pick(nr_cpus), &set);
	if (!pick(4))
		for (int cpu = 0; cpu < nr_cpus; cpu++)
			CPU_SET(cpu, &set);
	/* Refused if the cpuset has none of them. */
	sched_setaffinity(any_worker()->pid, sizeof(set), &set);
}

static void storm_rename(void)
{
	any_worker()->name = pick(names.count);
}

static void storm_cgroup(void)
{
	char path[256], pid[16];

	snprintf(path, sizeof(path), "%s/cgroup.procs", cgroups.word[pick(cgroups.count)]);
	snprintf(pid, sizeof(pid), "%d", any_worker()->pid);
	tell(path, pid);
}

static void storm_cpuset(void)
{
	char path[256], cpus[32];
	int first = pick(nr_cpus);

	snprintf(path, sizeof(path), "%s/cpuset.cpus", cgroups.word[pick(cgroups.count)]);
	snprintf(cpus, sizeof(cpus), "%d-%d", first, first + pick(nr_cpus - first));
	tell(path, pick(3) ? cpus : "\n");
}

static void storm_nice(void)
{
	setpriority(PRIO_PROCESS, any_worker()->pid, (int)pick(40) - 20);
}

static void storm_fork(void)
{
	pid_t child = fork();

	if (child < 0)
		return;
	if (!child) {
		for (volatile unsigned i = 0; i < 20000; i++)
			;
		_exit(0);
	}
	/* Some stay until the next turn, so that several exist at once. */
	while (waitpid(-1, NULL, pick(4) ? WNOHANG : 0) > 0)
		;
}

static void storm_exec(void)
{
	pid_t child = fork();

	if (!child) {
		execl("/proc/self/exe", "storm", NULL);
		_exit(2);
	}
	waitpid(child, NULL, 0);
}

/* A worker is a real-time task for a while, and takes its CPU from all others. */
static void storm_realtime(void)
{
	struct sched_param fifo = { .sched_priority = 10 }, other = { 0 };
	pid_t pid = any_worker()->pid;

	if (sched_setscheduler(pid, SCHED_FIFO, &fifo))
		err(2, "SCHED_FIFO");
	usleep(1000 + pick(3000));
	if (sched_setscheduler(pid, SCHED_OTHER, &other))
		err(2, "SCHED_OTHER");
	usleep(1000);
}

static void storm_stop(void)
{
	pid_t pid = any_worker()->pid;

	kill(pid, SIGSTOP);
	usleep(500);
	kill(pid, SIGCONT);
}

/* CPU 0 and the last one stay: a policy that needs an absent CPU is not loaded. */
static void storm_hotplug(void)
{
	char path[64];

	if (nr_cpus < 3)
		errx(2, "hotplug needs three CPUs");
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", 1 + pick(nr_cpus - 2));
	tell(path, "0");
	usleep(100000);
	tell(path, "1");
	usleep(100000);
}

static const struct kind {
	const char *name;
	void (*turn)(void);
} kinds[] = {
	{ "affinity", storm_affinity }, { "rename", storm_rename }, { "cgroup", storm_cgroup },
	{ "cpuset", storm_cpuset },	{ "nice", storm_nice },	    { "fork", storm_fork },
	{ "exec", storm_exec },		{ "stop", storm_stop },	    { "realtime", storm_realtime },
	{ "hotplug", storm_hotplug },
};

static pid_t start_storm(const char *name, unsigned seed)
{
	const struct kind *kind = NULL;
	pid_t pid;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i].name, name))
			kind = &kinds[i];
	if (!kind)
		errx(2, "unknown kind of storm: %s", name);
	pid = fork();
	if (pid < 0)
		err(2, "fork");
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	random_state = 88172645463325252ULL + seed;
	while (now_ns() < end_ns) {
		kind->turn();
		/* Often, but so that other tasks still get to run. */
		usleep(pick(400));
	}
	while (waitpid(-1, NULL, 0) > 0)
		;
	_exit(0);
}

static void start_worker(unsigned number)
{
	pid_t pid = fork();

	if (pid < 0)
		err(2, "fork");
	if (!pid) {
		/* No worker outlives the process that watches. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		work(&workers[number], number);
	}
	workers[number].pid = pid;
}

/* Wait until each worker has taken a turn. Returns how many have, and how long it took. */
static unsigned count_who_get_on(uint64_t *took_ns)
{
	uint64_t before[WORKERS], start = now_ns(), limit = start + PATIENCE_MS * 1000000ULL;
	unsigned count;

	for (int i = 0; i < WORKERS; i++)
		before[i] = workers[i].turns;
	do {
		usleep(20000);
		count = 0;
		for (int i = 0; i < WORKERS; i++)
			count += workers[i].turns != before[i];
	} while (count < WORKERS && now_ns() < limit);
	*took_ns = now_ns() - start;
	for (int i = 0; i < WORKERS; i++)
		if (workers[i].turns == before[i])
			printf("worker %d (%d) is stuck\n", i, workers[i].pid);
	return count;
}

int main(int argc, char **argv)
{
	struct words wanted = { 0 };
	pid_t storms[MAX_WORDS];
	int status, failed = 0;
	uint64_t took_ns;
	unsigned count;

	if (argc == 1)
		return 0; /* the program that storm_exec executes */
	if (argc != 5)
		errx(2, "usage: storm MS KINDS NAMES CGROUPS");
	end_ns = now_ns() + number("MS", argv[1], 1, 1000000) * 1000000;
	split(&wanted, argv[2]);
	split(&names, argv[3]);
	split(&cgroups, argv[4]);
	nr_cpus = (int)sysconf(_SC_NPROCESSORS_CONF);
	workers = mmap(NULL, WORKERS * sizeof(*workers), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (workers == MAP_FAILED)
		err(2, "mmap");

	for (unsigned i = 0; i < WORKERS; i++)
		start_worker(i);
	for (unsigned i = 0; i < wanted.count; i++)
		storms[i] = start_storm(wanted.word[i], i);
	for (unsigned i = 0; i < wanted.count; i++)
		if (waitpid(storms[i], &status, 0) < 0 || status)
			failed = 1;
	count = count_who_get_on(&took_ns);
	printf("%u of %d workers get on after %.0f ms\n", count, WORKERS, (double)took_ns / 1e6);
	for (int i = 0; i < WORKERS; i++)
		kill(workers[i].pid, SIGKILL);
	while (wait(NULL) > 0)
		;
	return failed || count < WORKERS;
}
