/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_LOG_H
#define GTHULHU_LOG_H

/*
 * Messages for people. Errors go to stderr, information to stdout. In the journal they have
 * priorities.
 */

#include <stdbool.h>

enum log_level {
	LOG_QUIET = -1, /* errors only */
	LOG_NORMAL = 0,
	LOG_VERBOSE = 1, /* also each step, libbpf's messages, the kernel's dump */
	LOG_DEBUG = 2, /* also libbpf's debugging messages */
};

/* Sets the level and redirects libbpf's messages here. */
void log_init(enum log_level level);

/* Returns the level. */
enum log_level log_get_level(void);

/* Errors of requests in this time; more are only counted. */
enum { LOG_REQUESTS = 100, LOG_REQUESTS_S = 60 };

/*
 * Logs an error (a positive errno value): the reason and, unless remedy is NULL, what to do about
 * it. Returns -err.
 */
int log_error(int err, const char *remedy, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Logs information to stdout and flushes it; nothing with --quiet. */
void log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same for what an operator should look at: a warning in the journal. */
void log_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Logs a step or a finding to stderr with --verbose. */
void log_verbose(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The messages of a failure, for a reader who does not see stderr. */
struct log_capture {
	char error[1536]; /* the first one; empty: none */
	char help[512];
	char tail[8192]; /* the end of libbpf's warnings */
	bool silent; /* keep errors from stderr */
};

/* Empties capture and stores errors in it, too, until log_capture(NULL). It stays the caller's. */
void log_capture(struct log_capture *capture);

/*
 * Logs the error that another process has captured, with the end of libbpf's warnings there. Returns
 * -err.
 */
int log_again(int err, struct log_capture *said);

/* Prints the last lines of libbpf's warnings; call it after log_error(). */
void log_libbpf_tail(void);

/* Returns nonzero if a warning of libbpf since log_libbpf_clear() contains text. */
int log_libbpf_contains(const char *text);

/* Forgets libbpf's warnings so far. */
void log_libbpf_clear(void);

/* Makes untrusted text printable, in place: one line, no control characters. Returns text. */
char *log_printable(char *text);

/* The name of the program that logs. */
#ifndef LOG_PROGRAM
#define LOG_PROGRAM "gthulhu-loader"
#endif

#endif /* GTHULHU_LOG_H */
