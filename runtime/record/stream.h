/* SPDX-License-Identifier: GPL-2.0-only */
/* Blocks of a record (docs/record.md): a column for each member of a CPU's events. */
#ifndef GTHULHU_STREAM_H
#define GTHULHU_STREAM_H

#include <stddef.h>
#include <stdint.h>

struct record_event;

enum { BLOCK_EVENTS = 8192, BLOCK_WORDS = 16384, BLOCK_HEADER = 32 };

enum block_kind {
	BLOCK_OF_EVENTS = 2,
	BLOCK_OF_ROUND = 3,
};

/* The events of one CPU that are not written yet. */
struct stream {
	int fd; /* not owned */
	uint16_t cpu;
	uint32_t nr_cpus; /* possible ones; a task that may use all has no mask */
	uint32_t nr; /* of events */
	uint32_t nr_words;
	uint64_t begin_ns; /* of the block */
	uint64_t last_ns; /* times never go back within a stream */
	uint32_t current; /* task, after the last switch in the block */
	uint8_t kinds[BLOCK_EVENTS];
	uint8_t words[BLOCK_EVENTS];
	uint32_t deltas[BLOCK_EVENTS];
	uint32_t tasks[BLOCK_EVENTS];
	uint32_t others[BLOCK_EVENTS]; /* ^ current: nearly always 0 */
	uint32_t arguments[BLOCK_EVENTS];
	uint64_t extra[BLOCK_WORDS];
};

/* Allocates an empty stream, which the caller must free(). Returns NULL without memory. */
struct stream *stream_new(int fd, uint16_t cpu, uint32_t nr_cpus);

/*
 * Appends an event of size bytes; one whose size and words disagree is ignored. Writes the block if it
 * is full. Returns 0, or -errno if it cannot be written, and the block is lost then.
 */
int stream_add(struct stream *stream, const struct record_event *event, size_t size);

/* Writes what there is, and empties the stream. Returns as stream_add() does. */
int stream_flush(struct stream *stream);

/* Writes a block whose content is a text. Returns 0 or -errno. */
int block_write_text(int fd, enum block_kind kind, uint64_t at_ns, const char *text);

#endif /* GTHULHU_STREAM_H */
