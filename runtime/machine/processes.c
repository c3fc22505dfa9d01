// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "machine/kernel.h"
#include "machine/processes.h"

#define CGROUP_DIR "/sys/fs/cgroup"

#ifndef PIDFD_THREAD
#define PIDFD_THREAD O_EXCL
#endif

int pids_add(struct pids *pids, pid_t pid)
{
	if (pids->nr == pids->capacity) {
		size_t capacity = pids->capacity ? 2 * pids->capacity : 64;
		pid_t *all = realloc(pids->all, capacity * sizeof(*all));

		if (!all)
			return -ENOMEM;
		pids->all = all;
		pids->capacity = capacity;
	}
	pids->all[pids->nr++] = pid;
	return 0;
}

bool cgroups_have_cpu(void)
{
	char line[512], *rest = line;

	/* In a container the root of the tree is a cgroup as others are. */
	if (!access(CGROUP_DIR "/cpu.weight", F_OK))
		return true;
	if (kernel_read_line(CGROUP_DIR "/cgroup.subtree_control", line, sizeof(line)))
		return false;
	for (const char *word; (word = strsep(&rest, " "));) {
		if (!strcmp(word, "cpu"))
			return true;
	}
	return false;
}

int list_numbers(const char *path, struct pids *pids)
{
	const struct dirent *entry;
	DIR *dir = opendir(path);
	int err = 0;

	if (!dir)
		return -errno;
	while (!err && (entry = readdir(dir))) {
		if (isdigit((unsigned char)entry->d_name[0]))
			err = pids_add(pids, atoi(entry->d_name));
	}
	closedir(dir);
	return err;
}

pid_t process_of(pid_t pid)
{
	char path[64], line[256];
	long number = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	while (!number && fgets(line, sizeof(line), file)) {
		if (!strncmp(line, "Tgid:", 5))
			number = strtol(line + 5, NULL, 10);
	}
	fclose(file);
	return (pid_t)number;
}

int thread_fd(pid_t tid)
{
	return (int)syscall(SYS_pidfd_open, tid, PIDFD_THREAD);
}

int threads_of(pid_t process, struct pids *threads)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task", process);
	return list_numbers(path, threads) == -ENOMEM ? -ENOMEM : 0;
}

/* ---- Cgroups ---- */

/* Returns true for a path in the cgroup tree that does not lead out of it. */
static bool is_path(const char *path)
{
	if (path[0] != '/')
		return false;
	for (const char *at = path; at; at = strchr(at + 1, '/')) {
		if (!strncmp(at, "/..", 3) && (at[3] == '/' || !at[3]))
			return false;
	}
	return true;
}

void cgroup_tidy(char *path)
{
	char *to = path;

	if (path[0] != '/')
		return;
	for (const char *from = path; *from;) {
		size_t len;

		from += strspn(from, "/");
		len = strcspn(from, "/");
		if (len && !(len == 1 && *from == '.')) {
			*to++ = '/';
			memmove(to, from, len);
			to += len;
		}
		from += len;
	}
	if (to == path)
		*to++ = '/';
	*to = '\0';
}

uint64_t cgroup_id(const char *path)
{
	char whole[PATH_MAX];
	struct stat st;

	if (!is_path(path) ||
	    snprintf(whole, sizeof(whole), "%s%s", CGROUP_DIR, path) >= (int)sizeof(whole) ||
	    stat(whole, &st) || !S_ISDIR(st.st_mode))
		return 0;
	return st.st_ino;
}

bool cgroup_limit(const char *path, uint64_t *limit)
{
	unsigned long long quota_us, period_us;
	char file[PATH_MAX], line[64];

	if (!is_path(path) ||
	    snprintf(file, sizeof(file), "%s%s/cpu.max", CGROUP_DIR, path) >= (int)sizeof(file) ||
	    kernel_read_line(file, line, sizeof(line)) ||
	    sscanf(line, "%llu %llu", &quota_us, &period_us) != 2 || !period_us)
		return false;
	*limit = quota_us * 1000 / period_us;
	return true;
}

static int add_processes(const char *cgroup, struct pids *processes)
{
	char path[PATH_MAX], line[32];
	FILE *file;
	int err = 0;

	if (snprintf(path, sizeof(path), "%s/cgroup.procs", cgroup) >= (int)sizeof(path))
		return 0;
	file = fopen(path, "re");
	if (!file)
		return errno == ENOENT || errno == ENODEV ? 0 : -errno;
	/* Reading fails in a threaded cgroup: its processes belong to one above. */
	while (!err && fgets(line, sizeof(line), file))
		err = pids_add(processes, atoi(line));
	fclose(file);
	return err;
}

/* Calls `visit` with each directory below a path of the file system, until it returns an error. */
static int walk(char *path, int (*visit)(const FTSENT *directory, void *data), void *data)
{
	char *const directories[] = { path, NULL };
	FTSENT *entry;
	FTS *tree;
	int err = 0;

	/*
	 * Users decide how deep their cgroups are, so neither the stack nor the number of open
	 * files may depend on it. fts looks up names from the directory above, so the time for each
	 * does not either. It skips cgroups that are deeper than a path can express.
	 */
	tree = fts_open(directories, FTS_PHYSICAL | FTS_NOSTAT, NULL);
	if (!tree)
		return -errno;
	while (!err && (errno = 0, entry = fts_read(tree))) {
		if (entry->fts_info == FTS_D && entry->fts_pathlen >= PATH_MAX)
			fts_set(tree, entry, FTS_SKIP);
		else if (entry->fts_info == FTS_D)
			err = visit(entry, data);
		else if (entry->fts_info == FTS_DNR && entry->fts_errno != ENOENT)
			err = -entry->fts_errno;
	}
	if (!err)
		err = -errno;
	fts_close(tree);
	return err;
}

static int visit_processes(const FTSENT *directory, void *processes)
{
	return add_processes(directory->fts_accpath, processes);
}

int cgroup_processes(const char *path, struct pids *processes)
{
	char whole[PATH_MAX];

	if (snprintf(whole, sizeof(whole), "%s%s", CGROUP_DIR, strcmp(path, "/") ? path : "") >=
	    (int)sizeof(whole))
		return -ENAMETOOLONG;
	return walk(whole, visit_processes, processes);
}

struct visitor {
	cgroup_visit *visit;
	void *data;
};

static int visit_cgroup(const FTSENT *directory, void *data)
{
	const char *path = directory->fts_path + strlen(CGROUP_DIR);
	const struct visitor *visitor = data;
	struct stat st;

	/* It may be gone. */
	if (!stat(directory->fts_accpath, &st))
		visitor->visit(*path ? path : "/", st.st_ino, visitor->data);
	return 0;
}

int cgroup_walk(cgroup_visit *visit, void *data)
{
	struct visitor visitor = { visit, data };
	char whole[] = CGROUP_DIR;

	return walk(whole, visit_cgroup, &visitor);
}

bool cgroup_of(pid_t pid, char *path, size_t size)
{
	char name[64], line[PATH_MAX + 16];
	bool found = false;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/cgroup", pid);
	file = fopen(name, "re");
	while (file && !found && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		found = !strncmp(line, "0::", 3) &&
			snprintf(path, size, "%s", line + 3) < (int)size;
	}
	if (file)
		fclose(file);
	return found;
}
