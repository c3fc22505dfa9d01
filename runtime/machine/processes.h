/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes, threads and cgroups, by /proc and the cgroup file system. Nothing here logs. */
#ifndef GTHULHU_PROCESSES_H
#define GTHULHU_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Numbers of processes or threads. Zeroed: empty; the caller frees `all`. */
struct pids {
	pid_t *all; /* owned */
	size_t nr;
	size_t capacity;
};

/*
 * These four append to a list and return 0 or -errno; on failure the list has what was appended so
 * far. They skip what has ended in the meantime.
 */

/* A number. Returns 0 or -ENOMEM; on failure the list is unchanged. */
int pids_add(struct pids *pids, pid_t pid);

/* The entries of a directory whose names are numbers. A directory that is missing is a failure. */
int list_numbers(const char *path, struct pids *pids);

/* The threads of a process; none if it has ended. Returns 0 or -ENOMEM. */
int threads_of(pid_t process, struct pids *threads);

/* The processes in a cgroup and in all cgroups below it. */
int cgroup_processes(const char *path, struct pids *processes);

/* Returns the process of a thread; 0: no such thread. */
pid_t process_of(pid_t pid);

/* Returns a pidfd of a thread, which the caller must close; negative, with errno: none. */
int thread_fd(pid_t tid);

/* Normalizes a path in the cgroup tree, in place, to the form of cgroup_of(). */
void cgroup_tidy(char *path);

/* Returns the id of a cgroup by its path in the tree; 0: no such cgroup. */
uint64_t cgroup_id(const char *path);

/* Returns true if cgroups have the cpu controller, so that they have weights and limits. */
bool cgroups_have_cpu(void);

/*
 * Reads the limit of a cgroup in thousandths of a CPU, rounded down. Returns false if it has no limit
 * or does not exist; `*limit` is unchanged then.
 */
bool cgroup_limit(const char *path, uint64_t *limit);

/* Called with the path and the id of a cgroup. */
typedef void cgroup_visit(const char *path, uint64_t id, void *data);

/* Calls `visit` for each cgroup. Returns 0 or -errno; after a failure some were not visited. */
int cgroup_walk(cgroup_visit *visit, void *data);

/*
 * Writes the path of a process's cgroup. Returns false if the process has no cgroup, or if the path
 * does not fit. On failure path is unspecified.
 */
bool cgroup_of(pid_t pid, char *path, size_t size);

#endif /* GTHULHU_PROCESSES_H */
