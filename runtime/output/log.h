/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_LOG_H
#define GTHULHU_LOG_H

#include <stdbool.h>

enum log_level {
	LOG_QUIET = -1, /* errors only */
	LOG_NORMAL = 0,
	LOG_VERBOSE = 1, /* and what is done, libbpf's messages, the kernel's dump */
	LOG_DEBUG = 2, /* and libbpf's debugging messages */
};

/* Sets the level, and takes libbpf's messages over. */
void log_init(enum log_level level);

enum log_level log_get_level(void);

/*
 * An error (a positive errno value), its reason and, unless NULL, what to do
 * about it. Returns -err.
 */
int log_error(int err, const char *remedy, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* News for stdout, flushed at once; not with --quiet. */
void log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A step or a finding, for --verbose. */
void log_verbose(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What was said of a failure, for someone who does not read stderr. */
struct log_capture {
	char error[1536]; /* the first one; empty: there is none */
	char help[512];
	char tail[8192]; /* of libbpf's warnings */
	bool silent; /* they go nowhere else */
};

/* Until log_capture(NULL), errors are kept here, too. Empties it. */
void log_capture(struct log_capture *capture);

/* The last lines that libbpf warned with, for use after log_error(). */
void log_libbpf_tail(void);

/* Whether libbpf has warned with this text since log_libbpf_clear(). */
int log_libbpf_contains(const char *text);
void log_libbpf_clear(void);

/* Makes text from elsewhere printable, in place: one line, no control characters. */
char *log_printable(char *text);

#endif /* GTHULHU_LOG_H */
