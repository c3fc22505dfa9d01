/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * PostgreSQL and its pgbench as a workload, both under the wanted name.
 *
 *   database CLIENTS RATE PHASE_US SECONDS RESULTS
 *
 * A server with a fresh copy of the data, and CLIENTS that change rows, RATE times a second each,
 * at random times. The file "ready" appears when the server is ready; SECONDS begin then. "time"
 * has the time that each transaction took since it was due. The kernel names a process after the
 * file that it was started from, so all of the server's have one name. The server refuses to run
 * as root: if root starts this program, it runs everything as another user.
 */
#include "run.h"
#include "tool.h"

#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <sys/stat.h>

#define PROGRAMS "/usr/lib/postgresql/15/bin/"
#define DATA "/lab/postgres.tar"

enum { NOBODY = 65534, MAX_CLIENTS = 64 };

static char folder[] = "/tmp/database-XXXXXX";

static void be_unprivileged(const char *results)
{
	if (geteuid())
		return;
	/* The unprivileged user writes its results there. */
	if (strcmp(results, "-") && chown(results, NOBODY, NOBODY))
		err(2, "%s", results);
	if (setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY))
		err(2, "setuid");
}

static int remove_one(const char *path, const struct stat *stat, int type, struct FTW *where)
{
	(void)stat, (void)type, (void)where;
	return remove(path);
}

static void clean_up(void)
{
	end_everything();
	unlink_tool();
	nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static pid_t start_program(const char *file, char **words)
{
	pid_t pid = fork_tied();
	int null;

	if (pid)
		return pid;
	null = open("/dev/null", O_RDWR);
	if (null >= 0 && dup2(null, 0) >= 0 && dup2(null, 1) >= 0) {
		sigprocmask(SIG_SETMASK, &usual_signals, NULL);
		execvp(file, words);
	}
	warn("cannot start %s", file);
	/* The parent cleans up: the folder is in use. */
	_exit(127);
}

/* Wait until @pid has ended; exits if it failed, and at SIGTERM. */
static void await_end(pid_t pid)
{
	int status = 0, got;

	do {
		got = signal_until(now_ns() + MAX_SECONDS * NSEC_PER_SEC);
		if (got != SIGCHLD)
			exit(0);
	} while (waitpid(pid, &status, WNOHANG) != pid);
	if (status)
		errx(2, "PostgreSQL's program failed with status %#x", status);
}

static void unpack(void)
{
	char *words[] = { "tar", "-x", "-f", DATA, "-C", folder, NULL };

	if (!mkdtemp(folder))
		err(2, "%s", folder);
	await_end(start_program("tar", words));
}

/* Its last line but one says so. */
static int is_ready(void)
{
	char path[PATH_MAX], line[PATH_MAX];
	int ready = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/postmaster.pid", folder);
	file = fopen(path, "r");
	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file))
		ready = !strncmp(line, "ready", 5);
	fclose(file);
	return ready;
}

static void start_server(void)
{
	char *words[] = { tool_link, "-F", "-D", folder, "-k", folder, "-h", "", NULL };

	start_program(tool_link, words);
	while (!is_ready()) {
		int got = signal_until(now_ns() + NSEC_PER_SEC / 100);

		if (got == SIGCHLD)
			errx(2, "the server has ended");
		if (got)
			exit(0);
	}
}

static pid_t start_clients(char *nr, uint64_t rate, char *seed)
{
	char all[32], prefix[PATH_MAX], random[64];
	char *words[] = { tool_link, "-n", "-b", "simple-update", "-M", "prepared", "-c", nr, "-R",
			  all,
			  /* Until it gets a signal. */
			  "-T", "1000000", "-l", "--log-prefix", prefix, random, "-h", folder, "-U",
			  "postgres", "postgres", NULL };

	snprintf(all, sizeof(all), "%llu", (unsigned long long)rate);
	snprintf(prefix, sizeof(prefix), "%s/log", folder);
	snprintf(random, sizeof(random), "--random-seed=%s", seed);
	return start_program(tool_link, words);
}

/* Write the rate since @from (CLOCK_REALTIME), and the time that each transaction took. */
static void write_results(pid_t pid, uint64_t from, uint64_t until, FILE *rate, FILE *time)
{
	unsigned long long us, second, fraction, nr = 0;
	char path[PATH_MAX], line[256];
	FILE *log;

	snprintf(path, sizeof(path), "%s/log.%d", folder, pid);
	log = fopen(path, "r");
	if (!log)
		err(2, "%s", path);
	while (fgets(line, sizeof(line), log)) {
		uint64_t at;

		if (sscanf(line, "%*u %*u %llu %*u %llu %llu", &us, &second, &fraction) != 3)
			errx(2, "pgbench wrote what is no transaction: %s", line);
		at = second * NSEC_PER_SEC + fraction * 1000;
		if (at < from || at >= until)
			continue;
		fprintf(time, "%llu\n", us * 1000);
		nr++;
	}
	fclose(log);
	write_rate(rate, (double)nr * NSEC_PER_SEC / (double)(until - from));
	close_result(time);
}

static uint64_t date_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

int main(int argc, char **argv)
{
	uint64_t nr, rate, seconds, whole, warmup, from, until;
	FILE *rates, *times;
	pid_t pid;

	if (argc != 6)
		errx(2, "usage: database CLIENTS RATE PHASE_US SECONDS RESULTS");
	nr = number("CLIENTS", argv[1], 1, MAX_CLIENTS);
	rate = number("RATE", argv[2], 1, 100000);
	number("PHASE_US", argv[3], 0, UINT32_MAX);
	seconds = number("SECONDS", argv[4], 1, MAX_SECONDS);
	be_unprivileged(argv[5]);
	rates = open_result(argv[5], "rate");
	times = open_result(argv[5], "time");

	begin("database");
	link_tool(PROGRAMS "postgres");
	atexit(clean_up);
	unpack();
	start_server();
	/* The server runs, so the name is free for the clients. */
	unlink_tool();
	link_tool(PROGRAMS "pgbench");
	close_result(open_result(argv[5], "ready"));

	whole = seconds * NSEC_PER_SEC;
	warmup = seconds < 10 ? whole / 10 : NSEC_PER_SEC;
	from = date_ns() + warmup;
	pid = start_clients(argv[1], nr * rate, argv[3]);
	if (signal_until(now_ns() + whole) == SIGCHLD)
		errx(2, "PostgreSQL has ended");
	/* As its own alarm clock would: transactions that have begun are completed. */
	kill(pid, SIGALRM);
	until = date_ns();
	if (until > from) {
		await_end(pid);
		write_results(pid, from, until, rates, times);
	}
	return 0;
}
