/* SPDX-License-Identifier: GPL-2.0-only */
/* What /proc and the cgroups' file system say of processes. */
#ifndef GTHULHU_PROCESSES_H
#define GTHULHU_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Processes, or threads, by number. */
struct pids {
	pid_t *all; /* owned */
	size_t nr;
	size_t capacity;
};

/* These return -ENOMEM when memory runs out; what has gone meanwhile is left out. */
int pids_add(struct pids *pids, pid_t pid);

/* Numbers that are names in a folder. */
int list_numbers(const char *path, struct pids *pids);

int threads_of(pid_t process, struct pids *threads);

/* Those in a cgroup, and in all below it. */
int cgroup_processes(const char *path, struct pids *processes);

/* The process that a thread is of; 0: there is none. */
pid_t process_of(pid_t pid);

/* A handle of a task, main thread or not; negative, with errno: there is none. */
int thread_fd(pid_t tid);

/* Gives a path in the hierarchy the one form that cgroup_of() gives it, in place. */
void cgroup_tidy(char *path);

/* The number of a cgroup, by its path in the hierarchy; 0: there is none. */
uint64_t cgroup_id(const char *path);

/* The path of a process's cgroup; false: there is none, or no room for it. */
bool cgroup_of(pid_t pid, char *path, size_t size);

#endif /* GTHULHU_PROCESSES_H */
