/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process and all that it has started, by what /proc says. A number alone is no
 * process: it is given to another one when its own has ended, so the time of the
 * start comes with it.
 */
#ifndef GTHULHU_FAMILY_H
#define GTHULHU_FAMILY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct process {
	pid_t pid;
	pid_t parent;
	/*
	 * In ticks of the clock that counts from boot. No number comes round again within
	 * one: 10 ms are too short for a process to end and for all other numbers to be given.
	 */
	uint64_t started;
};

struct family {
	struct process *all; /* owned */
	size_t nr;
	size_t capacity;
};

/* Whether there is a process of this number; fills it in. */
bool process_read(pid_t pid, struct process *process);

/* Whether the number is its still. */
bool process_is_alive(const struct process *process);

/* Whether a number is that of one of its threads, now. */
bool process_has_thread(const struct process *process, pid_t tid);

/* These return -ENOMEM when memory runs out. */
int family_add(struct family *family, const struct process *process);

/* Adds what those in it have started, and those again; drops those that have ended. */
int family_update(struct family *family);

/* The same among these processes, which it sorts; asks is_alive of those that have children. */
int family_update_from(struct family *family, struct family *processes,
		       bool (*is_alive)(const struct process *));

#endif /* GTHULHU_FAMILY_H */
