/* SPDX-License-Identifier: GPL-2.0-only */
/* The recorder's BPF programs, and the events that they left. */
#ifndef GTHULHU_CAPTURE_H
#define GTHULHU_CAPTURE_H

#include <stdint.h>

#include "btf/kbtf.h"

struct bpf_link;
struct bpf_object;
struct ring_buffer;
struct stream;

/* The state of a CPU; buffer.bpf.h has the same structure. */
struct cpu_state {
	uint64_t lost;
	uint64_t events;
	uint64_t timed; /* of these events */
	uint64_t timed_ns; /* what they took */
	uint32_t vector;
	uint32_t irq;
	uint32_t timer;
	uint32_t entries;
};

enum { MOST_PROGRAMS = 32 };

struct capture {
	uint32_t nr_cpus; /* possible ones */
	struct stream **streams; /* of each CPU; owned */
	struct cpu_state *states; /* of each CPU, as capture_count() has read them; owned */
	uint64_t *told; /* of each CPU, losses that are in its stream; owned */
	int *ring_fds; /* of each CPU; owned */
	struct ring_buffer *rings; /* owned */
	struct bpf_object *object; /* owned */
	struct bpf_link *links[MOST_PROGRAMS]; /* owned; NULL: the kernel has no such event */
	struct kbtf kernel; /* owned */
	int err; /* of a stream that could not be written */
};

/*
 * Loads the programs, with ring_bytes (a power of 2) for the buffer of each CPU, and writes blocks to
 * fd, which stays the caller's. Returns 0 or -errno, and has logged then. The caller must
 * capture_close() it in either case.
 */
int capture_open(struct capture *capture, uint32_t ring_bytes, int fd);

/* Adds what is there, and begins to record. Returns 0 or -errno, and has logged then. */
int capture_begin(struct capture *capture);

/* Moves all events into the streams. Returns 0, or -errno if a stream could not be written. */
int capture_drain(struct capture *capture);

/* Returns the part of the fullest buffer that is in use, in per cent. */
unsigned int capture_fill(const struct capture *capture);

/* Reads the counters, adds losses to the streams, and writes all blocks. Returns 0 or -errno. */
int capture_count(struct capture *capture);

/* Ends recording; what is in the buffers stays there. */
void capture_end(struct capture *capture);

/* Frees everything and zeroes `*capture`. */
void capture_close(struct capture *capture);

#endif /* GTHULHU_CAPTURE_H */
