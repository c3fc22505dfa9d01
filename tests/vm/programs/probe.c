/* SPDX-License-Identifier: Apache-2.0
 *
 * Shows a task's class from outside: the policy of the test gives each class a
 * CPU of its own, so where the task runs is what it is.
 *
 *   probe events CGROUP        what happens to a task, and where it runs then
 *   probe tally NAME THREADS MS [CPU]
 *                              busy threads of that name; ms run on each CPU
 *   probe wakes NAME COUNT     sleeps and wakes; the CPUs seen, in order
 */
#include "workload.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_CPUS = 64, PATIENCE_MS = 200 };

static uint64_t now_us(void)
{
	return now_ns() / 1000;
}

/* Run until this thread is on @cpu, or patience ends; say where it then is, and how long it took. */
static void report(const char *event, int cpu)
{
	uint64_t start = now_us();

	while (sched_getcpu() != cpu && now_us() - start < PATIENCE_MS * 1000ull)
		;
	printf("%s %d %llu\n", event, sched_getcpu(), (unsigned long long)(now_us() - start));
	fflush(stdout);
}

static void wait_for(pid_t child)
{
	int status;

	if (child < 0)
		err(2, "fork");
	if (waitpid(child, &status, 0) != child || status)
		errx(2, "child failed");
}

static void enter_cgroup(const char *folder)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/cgroup.procs", folder);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, "0", 1) != 1)
		err(2, "%s", path);
	close(fd);
}

static pid_t fork_into_cgroup(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY);
	struct clone_args args = {
		.flags = CLONE_INTO_CGROUP,
		.exit_signal = SIGCHLD,
		.cgroup = fd,
	};
	pid_t child = syscall(SYS_clone3, &args, sizeof(args));

	if (child)
		close(fd);
	return child;
}

/* Numbers of the task that the policy asks about. */
static void change_numbers(void)
{
	if (setpriority(PRIO_PROCESS, 0, 7))
		err(2, "setpriority");
	report("nice", 1);
	if (setpriority(PRIO_PROCESS, 0, 0))
		err(2, "setpriority");
	report("nice_back", 0);
	if (setegid(77))
		err(2, "setegid");
	report("gid", 1);
	if (setegid(0))
		err(2, "setegid");
	report("gid_back", 0);
	if (seteuid(77))
		err(2, "seteuid");
	report("uid", 1);
	if (seteuid(0))
		err(2, "seteuid");
	report("uid_back", 0);
}

static atomic_int thread_turn;

/* A thread with a name of its own; reports when it is asked to, and else leaves the CPU to the main one. */
static void *other_thread(void *unused)
{
	set_name("thread");
	while (atomic_load(&thread_turn) != 1)
		usleep(1000);
	report("thread_of_renamed_process", 2);
	atomic_store(&thread_turn, 2);
	while (atomic_load(&thread_turn) != 3)
		usleep(1000);
	report("thread_of_moved_process", 3);
	atomic_store(&thread_turn, 4);
	return unused;
}

static void let_thread(int turn)
{
	atomic_store(&thread_turn, turn);
	while (atomic_load(&thread_turn) != turn + 1)
		usleep(1000);
}

static void events(const char *self, const char *cgroup)
{
	cpu_set_t affinity;
	pthread_t thread;
	pid_t child;

	report("start", 0);
	set_name("byname");
	report("rename", 1);
	child = fork();
	if (!child) {
		report("fork", sched_getcpu());
		exit(0);
	}
	wait_for(child);

	CPU_ZERO(&affinity);
	CPU_SET(2, &affinity);
	CPU_SET(3, &affinity);
	if (sched_setaffinity(0, sizeof(affinity), &affinity))
		err(2, "sched_setaffinity");
	report("affinity_wins", sched_getcpu());
	CPU_ZERO(&affinity);
	for (int cpu = 0; cpu < 4; cpu++)
		CPU_SET(cpu, &affinity);
	if (sched_setaffinity(0, sizeof(affinity), &affinity))
		err(2, "sched_setaffinity");
	report("affinity_back", 1);

	set_name("probe");
	report("rename_back", 0);
	change_numbers();

	if (pthread_create(&thread, NULL, other_thread, NULL))
		errx(2, "pthread_create");
	set_name("byprocess");
	report("rename_of_main_thread", 2);
	let_thread(1);
	set_name("probe");
	report("main_thread_back", 0);

	enter_cgroup(cgroup);
	report("cgroup_move", 3);
	let_thread(3);
	child = fork();
	if (!child) {
		report("fork_in_cgroup", sched_getcpu());
		exit(0);
	}
	wait_for(child);
	enter_cgroup("/sys/fs/cgroup");
	report("cgroup_back", 0);
	pthread_join(thread, NULL);

	child = fork_into_cgroup(cgroup);
	if (!child) {
		report("clone_into_cgroup", sched_getcpu());
		exit(0);
	}
	wait_for(child);

	child = fork();
	if (!child) {
		execl(self, self, "arrived", NULL);
		err(2, "%s", self);
	}
	wait_for(child);
}

static uint64_t tally_us[MAX_CPUS];
static pthread_mutex_t tally_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t tally_end_us;

/* Busy until the end; gaps of more than 200 us between two looks are time of others. */
static void *busy(void *unused)
{
	uint64_t own_us[MAX_CPUS] = { 0 }, last = now_us(), now;

	while ((now = now_us()) < tally_end_us) {
		int cpu = sched_getcpu();

		if (now - last < 200 && cpu < MAX_CPUS)
			own_us[cpu] += now - last;
		last = now;
		for (int i = 0; i < 5; i++)
			spin();
	}
	pthread_mutex_lock(&tally_lock);
	for (int cpu = 0; cpu < MAX_CPUS; cpu++)
		tally_us[cpu] += own_us[cpu];
	pthread_mutex_unlock(&tally_lock);
	return unused;
}

static void tally(char **argv, int argc)
{
	int nr_threads = atoi(argv[3]);
	pthread_t *threads = calloc(nr_threads, sizeof(*threads));

	if (argc > 5) {
		cpu_set_t affinity;

		CPU_ZERO(&affinity);
		CPU_SET(atoi(argv[5]), &affinity);
		if (sched_setaffinity(0, sizeof(affinity), &affinity))
			err(2, "sched_setaffinity");
	}
	set_name(argv[2]);
	/* Settle into the class before anything counts. */
	usleep(50000);
	tally_end_us = now_us() + atoi(argv[4]) * 1000ull;
	for (int i = 0; i < nr_threads; i++)
		if (pthread_create(&threads[i], NULL, busy, NULL))
			errx(2, "pthread_create");
	for (int i = 0; i < nr_threads; i++)
		pthread_join(threads[i], NULL);
	printf("%s", argv[2]);
	for (int cpu = 0; cpu < 4; cpu++)
		printf(" %llu", (unsigned long long)tally_us[cpu] / 1000);
	printf("\n");
}

static void wakes(char **argv)
{
	set_name(argv[2]);
	printf("%s", argv[2]);
	for (int i = atoi(argv[3]); i > 0; i--) {
		usleep(3000);
		printf(" %d", sched_getcpu());
	}
	printf("\n");
}

int main(int argc, char **argv)
{
	const char *command = argc > 1 ? argv[1] : "";

	if (argc == 3 && !strcmp(command, "events"))
		events("/lab/bin/byexec", argv[2]);
	else if (argc == 2 && !strcmp(command, "arrived"))
		report("exec", sched_getcpu());
	else if (argc >= 5 && !strcmp(command, "tally"))
		tally(argv, argc);
	else if (argc == 4 && !strcmp(command, "wakes"))
		wakes(argv);
	else
		errx(2, "usage: see the head of probe.c");
	return 0;
}
