/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tasks that compute, and try to get more CPU time than others by a trick, as a user without rights.
 *
 *   trick KIND AMOUNT SECONDS RESULTS
 *
 * AMOUNT processes do that for SECONDS; "rate" is how often each second they did it. KIND:
 *
 *   forks        each process forks the next one, and ends after 1 ms
 *   vforks       the same by vfork() and exec()
 *   doubleforks  the same, and a process in between ends at once
 *   threads      each thread starts the next one, and ends after 1 ms
 *   many         a thousand threads compute
 *   affinity     one CPU or all, in turn, every 10 ms
 *   hop          another CPU every 10 ms
 *   rename       another name every ms
 *   namespaces   another namespace every ms: unshare() and setns()
 *   cgroups      another cgroup of one's own every ms
 *   batch        SCHED_BATCH and SCHED_OTHER in turn, every ms
 *   idle         SCHED_IDLE
 *   yield        sched_yield() every 10 us
 */
#include "run.h"

#include <fcntl.h>
#include <sys/stat.h>

enum { NOBODY = 65534, MS_NS = 1000000, THREADS = 1000, STACK_BYTES = 64 << 10 };

/* Memory that all share, also those that are executed: the descriptor stays open. */
static struct page {
	volatile int stopped;
	struct counter counters[MAX_UNITS];
} *page;
static int page_fd = -1;
static char cgroup[4096];

static void map_page(void)
{
	page = mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE, MAP_SHARED, page_fd, 0);
	if (page == MAP_FAILED)
		err(2, "mmap");
}

/* A link of a chain: it computes, lets @next begin shortly before its end, and is gone. */
static void link_of_chain(void (*next)(struct counter *done), struct counter *done)
{
	if (page->stopped)
		return;
	compute(MS_NS * 9 / 10);
	done->count++;
	next(done);
	compute(MS_NS / 10);
}

static void forks(struct counter *done)
{
	if (!fork()) {
		link_of_chain(forks, done);
		_exit(0);
	}
}

static void doubleforks(struct counter *done)
{
	if (fork())
		return;
	if (!fork())
		link_of_chain(doubleforks, done);
	_exit(0);
}

static void vforks(struct counter *done)
{
	char fd[16], index[16];
	pid_t pid;

	snprintf(fd, sizeof(fd), "%d", page_fd);
	snprintf(index, sizeof(index), "%d", (int)(done - page->counters));
	pid = vfork();
	if (!pid) {
		execl("/proc/self/exe", "trick", "link", fd, index, NULL);
		_exit(2);
	}
	if (pid < 0)
		err(2, "vfork");
}

/* After exec(): `trick link FD INDEX`. */
static void go_on(const char *fd, const char *index)
{
	page_fd = (int)number("FD", fd, 0, MAX_UNITS);
	map_page();
	name_process("trick");
	link_of_chain(vforks, &page->counters[number("INDEX", index, 0, MAX_UNITS - 1)]);
}

static void start_detached(void *(*work)(void *argument), void *argument)
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	errno = pthread_create(&thread, &attributes, work, argument);
	if (errno)
		err(2, "pthread_create");
	pthread_attr_destroy(&attributes);
}

static void threads(struct counter *done);

static void *link_of_threads(void *done)
{
	link_of_chain(threads, done);
	return NULL;
}

static void threads(struct counter *done)
{
	start_detached(link_of_threads, done);
}

static void *compute_forever(void *done)
{
	for (;;) {
		compute(MS_NS);
		__atomic_add_fetch(&((struct counter *)done)->count, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

static void many(struct counter *done)
{
	for (int i = 0; i < THREADS; i++)
		start_detached(compute_forever, done);
}

static void run_on(int first, int last)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (int cpu = first; cpu <= last; cpu++)
		CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(2, "sched_setaffinity");
}

static void affinity(struct counter *done)
{
	compute(10 * MS_NS);
	run_on(0, done->count & 1 ? CPU_SETSIZE - 1 : 0);
}

static void hop(struct counter *done)
{
	int cpu = (int)(done->count % (uint64_t)sysconf(_SC_NPROCESSORS_ONLN));

	compute(10 * MS_NS);
	run_on(cpu, cpu);
}

static void rename_self(struct counter *done)
{
	static char names[2][16];

	if (!*names[0]) {
		prctl(PR_GET_NAME, names[0]);
		snprintf(names[1], sizeof(names[1]), "%.13s-2", names[0]);
	}
	compute(MS_NS);
	set_name(names[done->count & 1]);
}

static void namespaces(struct counter *done)
{
	static int first = -1;

	if (first < 0 && unshare(CLONE_NEWUSER))
		err(2, "unshare(CLONE_NEWUSER)");
	if (first < 0)
		first = open("/proc/self/ns/uts", O_RDONLY | O_CLOEXEC);
	compute(MS_NS);
	if (done->count & 1 ? setns(first, CLONE_NEWUTS) : unshare(CLONE_NEWUTS))
		err(2, "a namespace");
	if (!done->count)
		first = open("/proc/self/ns/uts", O_RDONLY | O_CLOEXEC);
}

/* Writes to a file of cgroups, or exits. */
static void write_to(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		err(2, "%s", path);
	close(fd);
}

static void give_away(const char *folder)
{
	char path[sizeof(cgroup) + 32];

	snprintf(path, sizeof(path), "%s/cgroup.procs", folder);
	if (chown(folder, NOBODY, NOBODY) || chown(path, NOBODY, NOBODY))
		err(2, "%s", path);
}

/* As an administrator does who leaves a cgroup to a user. */
static void delegate_cgroup(void)
{
	FILE *file = fopen("/proc/self/cgroup", "r");

	if (!file || fscanf(file, "0::%4000s", cgroup + strlen("/sys/fs/cgroup")) != 1)
		errx(2, "there is no cgroup to delegate");
	fclose(file);
	memcpy(cgroup, "/sys/fs/cgroup", strlen("/sys/fs/cgroup"));
	give_away(cgroup);
}

static void cgroups(struct counter *done)
{
	char path[sizeof(cgroup) + 64];

	for (int i = 0; !done->count && i < 2; i++) {
		snprintf(path, sizeof(path), "%s/own-%d-%d", cgroup, getpid(), i);
		if (mkdir(path, 0755))
			err(2, "%s", path);
	}
	compute(MS_NS);
	snprintf(path, sizeof(path), "%s/own-%d-%d/cgroup.procs", cgroup, getpid(),
		 (int)(done->count & 1));
	write_to(path, "0");
}

static void set_policy(int policy)
{
	struct sched_param param = { 0 };

	if (sched_setscheduler(0, policy, &param))
		err(2, "sched_setscheduler");
}

static void batch(struct counter *done)
{
	compute(MS_NS);
	set_policy(done->count & 1 ? SCHED_OTHER : SCHED_BATCH);
}

static void idle(struct counter *done)
{
	if (!done->count)
		set_policy(SCHED_IDLE);
	compute(MS_NS);
}

static void yield(struct counter *done)
{
	(void)done;
	compute(10000);
	sched_yield();
}

static const struct {
	const char *kind;
	void (*step)(struct counter *done);
	int goes_on; /* by itself: the step only begins it */
} kinds[] = {
	{ "forks", forks, 1 },	   { "vforks", vforks, 1 },	 { "doubleforks", doubleforks, 1 },
	{ "threads", threads, 1 }, { "many", many, 1 },		 { "affinity", affinity, 0 },
	{ "hop", hop, 0 },	   { "rename", rename_self, 0 }, { "namespaces", namespaces, 0 },
	{ "cgroups", cgroups, 0 }, { "batch", batch, 0 },	 { "idle", idle, 0 },
	{ "yield", yield, 0 },
};
static size_t kind;

static void become_nobody(void)
{
	if (!getuid() && (setgid(NOBODY) || setuid(NOBODY)))
		err(2, "setuid");
}

/* The links of a chain become children of this process, and nobody waits for them. */
static void try_it(void *done)
{
	signal(SIGCHLD, SIG_IGN);
	sigprocmask(SIG_SETMASK, &usual_signals, NULL);
	if (prctl(PR_SET_CHILD_SUBREAPER, 1))
		err(2, "prctl(PR_SET_CHILD_SUBREAPER)");
	become_nobody();
	if (kinds[kind].goes_on) {
		kinds[kind].step(done);
		for (;;)
			pause();
	}
	for (;;) {
		kinds[kind].step(done);
		((struct counter *)done)->count++;
	}
}

int main(int argc, char **argv)
{
	uint64_t nr, seconds;
	double rate;
	FILE *file;

	if (argc == 4 && !strcmp(argv[1], "link")) {
		go_on(argv[2], argv[3]);
		return 0;
	}
	if (argc != 5)
		errx(2, "usage: trick KIND AMOUNT SECONDS RESULTS");
	while (kind < sizeof(kinds) / sizeof(kinds[0]) && strcmp(kinds[kind].kind, argv[1]))
		kind++;
	if (kind == sizeof(kinds) / sizeof(kinds[0]))
		errx(2, "unknown kind %s", argv[1]);
	nr = number("AMOUNT", argv[2], 1, MAX_UNITS);
	seconds = number("SECONDS", argv[3], 1, MAX_SECONDS);

	begin("trick");
	page_fd = memfd_create("trick", 0);
	if (page_fd < 0 || ftruncate(page_fd, sizeof(*page)))
		err(2, "memfd_create");
	map_page();
	if (kinds[kind].step == cgroups)
		delegate_cgroup();
	file = open_result(argv[4], "rate");
	for (uint64_t i = 0; i < nr; i++)
		start_worker("trick", try_it, &page->counters[i]);
	rate = measure(seconds, page->counters, nr);
	page->stopped = 1;
	end_workers();
	end_everything();
	write_rate(file, rate);
	return 0;
}
