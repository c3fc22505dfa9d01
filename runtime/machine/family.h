/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process and its descendants, by /proc. The kernel reuses a number when its process has ended, so
 * a process is identified by its number and the time of its start. Nothing here logs.
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
	 * In ticks since boot. The kernel cannot reuse a number within one tick: 10 ms are too
	 * short for a process to end and for all other numbers to be used.
	 */
	uint64_t started;
};

/* Zeroed: empty; the caller frees `all`. */
struct family {
	struct process *all; /* owned */
	size_t nr;
	size_t capacity;
};

/* Reads a process. Returns false if there is none; `*process` is unspecified then. */
bool process_read(pid_t pid, struct process *process);

/* Returns true if this process still has its number. */
bool process_is_alive(const struct process *process);

/* Returns true if a number belongs to one of its threads now. */
bool process_has_thread(const struct process *process, pid_t tid);

/* Appends a process. Returns 0 or -ENOMEM; on failure `*family` is unchanged. */
int family_add(struct family *family, const struct process *process);

/*
 * Adds the descendants of its processes and drops processes that have ended. Returns 0 or -errno; on
 * failure the family is still valid, but members may be missing, even all of them.
 */
int family_update(struct family *family);

/*
 * The same among given processes, which it sorts, also on failure; calls is_alive for those with
 * children. Returns 0 or -ENOMEM.
 */
int family_update_from(struct family *family, struct family *processes,
		       bool (*is_alive)(const struct process *));

#endif /* GTHULHU_FAMILY_H */
