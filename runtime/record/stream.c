// SPDX-License-Identifier: GPL-2.0-only
#include "record/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/event.h"

enum {
	COLUMNS = 4, /* of 4 bytes each */
	MOST_WORDS = 255,
	TASK_WORDS = offsetof(struct record_task, mask) / 8,
};

/* As in a file; integers are little-endian, as those of all machines that sched_ext runs on. */
struct block_header {
	char magic[4];
	uint8_t kind;
	uint8_t packing; /* 0: not compressed */
	uint16_t cpu;
	uint32_t stored; /* bytes that follow */
	uint32_t size; /* the same when unpacked */
	uint32_t checksum; /* filled in by the reader of the pipe */
	uint32_t nr_events;
	uint64_t begin_ns;
};

_Static_assert(sizeof(struct block_header) == BLOCK_HEADER, "the format has this size");

struct stream *stream_new(int fd, uint16_t cpu, uint32_t nr_cpus)
{
	struct stream *stream = calloc(1, sizeof(*stream));

	if (!stream)
		return NULL;
	stream->fd = fd;
	stream->cpu = cpu;
	stream->nr_cpus = nr_cpus;
	return stream;
}

static int write_all(int fd, const void *data, size_t size)
{
	const char *left = data;

	while (size) {
		ssize_t written = write(fd, left, size);

		if (written < 0) {
			if (errno == EINTR)
				continue;
			return -errno;
		}
		left += written;
		size -= written;
	}
	return 0;
}

static void put_header(unsigned char *to, enum block_kind kind, uint32_t size, uint64_t begin_ns,
		       uint16_t cpu, uint32_t nr_events)
{
	struct block_header header = {
		.magic = { 'G', 'T', 'R', 'B' },
		.kind = kind,
		.cpu = cpu,
		.stored = size,
		.size = size,
		.nr_events = nr_events,
		.begin_ns = begin_ns,
	};

	memcpy(to, &header, sizeof(header));
}

int block_write_text(int fd, enum block_kind kind, uint64_t at_ns, const char *text)
{
	size_t size = strlen(text);
	unsigned char *block = malloc(BLOCK_HEADER + size);
	int err;

	if (!block)
		return -ENOMEM;
	put_header(block, kind, size, at_ns, 0, 0);
	memcpy(block + BLOCK_HEADER, text, size);
	err = write_all(fd, block, BLOCK_HEADER + size);
	free(block);
	return err;
}

/* All first bytes, all second ones and so on: most are 0, which compresses to nothing. */
static unsigned char *put_planes(unsigned char *to, const uint32_t *numbers, uint32_t nr)
{
	unsigned int shift;
	uint32_t i;

	for (shift = 0; shift < 32; shift += 8)
		for (i = 0; i < nr; i++)
			*to++ = numbers[i] >> shift;
	return to;
}

int stream_flush(struct stream *stream)
{
	size_t size = (size_t)stream->nr * (2 + COLUMNS * 4) + (size_t)stream->nr_words * 8;
	const uint32_t *columns[COLUMNS] = { stream->deltas, stream->tasks, stream->others,
					     stream->arguments };
	unsigned char *block, *to;
	unsigned int i;
	int err;

	if (!stream->nr)
		return 0;
	block = malloc(BLOCK_HEADER + size);
	if (!block)
		return -ENOMEM;
	put_header(block, BLOCK_OF_EVENTS, size, stream->begin_ns, stream->cpu, stream->nr);
	to = block + BLOCK_HEADER;
	memcpy(to, stream->kinds, stream->nr);
	to += stream->nr;
	memcpy(to, stream->words, stream->nr);
	to += stream->nr;
	for (i = 0; i < COLUMNS; i++)
		to = put_planes(to, columns[i], stream->nr);
	memcpy(to, stream->extra, (size_t)stream->nr_words * 8);
	err = write_all(stream->fd, block, BLOCK_HEADER + size);
	free(block);
	stream->nr = 0;
	stream->nr_words = 0;
	stream->current = 0;
	return err;
}

/* Returns how many words a text of size bytes needs with one NUL at its end. */
static size_t text_words(const char *text, size_t size)
{
	while (size && !text[size - 1])
		size--;
	return size / 8 + 1;
}

/* Copies what an event brings along, without what says nothing. Returns the number of words. */
static size_t copy_words(const struct stream *stream, uint64_t *to,
			 const struct record_event *event)
{
	const char *from = (const char *)(event + 1);
	size_t nr = event->words;

	if (event->kind == RECORD_SWITCH) {
		*to = event->entries;
		return event->entries > 0;
	}
	if (event->kind == RECORD_TASK && nr >= TASK_WORDS) {
		const struct record_task *task = (const void *)from;

		if (task->nr_cpus >= stream->nr_cpus)
			nr = TASK_WORDS;
		while (nr > TASK_WORDS && !task->mask[nr - TASK_WORDS - 1])
			nr--;
	} else if (event->kind == RECORD_PROGRAM && nr * 8 == 2 * RECORD_TEXT) {
		size_t path = strnlen(from, RECORD_TEXT - 1) + 1;
		char *text = (char *)to;

		memset(text, 0, nr * 8);
		memcpy(text, from, path);
		memcpy(text + path, from + RECORD_TEXT, RECORD_TEXT - 1);
		return text_words(text, path + RECORD_TEXT - 1);
	} else if (event->kind == RECORD_CGROUP && nr) {
		nr = 1 + text_words(from + 8, nr * 8 - 8);
	}
	memcpy(to, from, nr * 8);
	return nr;
}

int stream_add(struct stream *stream, const struct record_event *event, size_t size)
{
	uint64_t at_ns = event->at_ns > stream->last_ns ? event->at_ns : stream->last_ns;
	int err = 0;
	size_t nr;

	if (size < sizeof(*event) || size < sizeof(*event) + event->words * 8)
		return 0;
	if (stream->nr == BLOCK_EVENTS || stream->nr_words > BLOCK_WORDS - MOST_WORDS ||
	    (stream->nr && at_ns - stream->last_ns > UINT32_MAX))
		err = stream_flush(stream);
	if (!stream->nr) {
		stream->begin_ns = at_ns;
		stream->last_ns = at_ns;
	}
	stream->kinds[stream->nr] = event->kind;
	stream->deltas[stream->nr] = at_ns - stream->last_ns;
	stream->tasks[stream->nr] = event->task;
	stream->others[stream->nr] = event->other ^ stream->current;
	stream->arguments[stream->nr] = event->argument;
	nr = copy_words(stream, stream->extra + stream->nr_words, event);
	stream->words[stream->nr++] = nr;
	stream->nr_words += nr;
	stream->last_ns = at_ns;
	if (event->kind == RECORD_SWITCH)
		stream->current = event->task;
	return err;
}
