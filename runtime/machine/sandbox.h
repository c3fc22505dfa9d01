/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs a function in a process that cannot harm this one. */
#ifndef GTHULHU_SANDBOX_H
#define GTHULHU_SANDBOX_H

#include <stddef.h>

/* How a sandboxed function ended. */
enum sandbox_ending {
	SANDBOX_RETURNED,
	SANDBOX_KILLED, /* by a signal, such as SIGSEGV */
	SANDBOX_TIMED_OUT, /* it took more than SANDBOX_SECONDS */
};

enum sandbox_limits {
	SANDBOX_SECONDS = 20,
	SANDBOX_MEMORY = 1 << 30, /* bytes, beyond what this process has */
};

struct sandbox_result {
	enum sandbox_ending ending;
	int signal; /* that killed it */
	int value; /* what the function returned, 0 to 255 */
};

/*
 * Calls work(arg, answer) in a fork of this process, and copies what it wrote to answer, of size
 * bytes (at most 64 kB), to the answer of this process. Returns 0, or -errno if it cannot fork,
 * silently.
 *
 * The function keeps the memory of this process as a copy, but no file descriptor and no
 * capability. It may read files and use memory. It cannot write files, use sockets, signal or trace
 * processes, nor start any. bpf(2) does nothing and succeeds: a descriptor that it returns is one
 * of an empty file, so that libbpf goes through all steps of a load. Without seccomp in the kernel,
 * bpf(2) fails instead, for want of a capability.
 */
int sandbox_run(int (*work)(void *arg, void *answer), void *arg, void *answer, size_t size,
		struct sandbox_result *result);

#endif /* GTHULHU_SANDBOX_H */
