// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "output/log.h"

/* Enough for the end of a verifier log. */
#define TAIL_SIZE 16384
#define TAIL_LINES 24

/* Before each line that goes to the journal, which takes it as the priority (sd-daemon(3)). */
static const char *mark_error = "", *mark_warning = "", *mark_info = "", *mark_debug = "";

static enum log_level level;
/* The end of libbpf's warnings, terminated. */
static char tail[TAIL_SIZE + 1];
static size_t tail_len;
static struct log_capture *capture; /* NULL: none */

static void tail_add(const char *text, size_t len)
{
	if (len >= TAIL_SIZE) {
		text += len - TAIL_SIZE;
		len = TAIL_SIZE;
		tail_len = 0;
	} else if (tail_len + len > TAIL_SIZE) {
		size_t drop = tail_len + len - TAIL_SIZE;

		memmove(tail, tail + drop, tail_len - drop);
		tail_len -= drop;
	}
	memcpy(tail + tail_len, text, len);
	tail_len += len;
	tail[tail_len] = '\0';
}

/* The text of a corrupt object must not control the terminal. */
static void replace_control(char *text)
{
	for (char *c = text; *c; c++) {
		if (((unsigned char)*c < 0x20 && *c != '\n' && *c != '\t') || *c == 0x7f)
			*c = '?';
	}
}

static int on_libbpf(enum libbpf_print_level severity, const char *format, va_list args)
{
	char *text;
	int len;

	len = vasprintf(&text, format, args);
	if (len < 0)
		return 0;
	replace_control(text);
	if (severity == LIBBPF_WARN)
		tail_add(text, len);
	if (level >= (severity == LIBBPF_DEBUG ? LOG_DEBUG : LOG_VERBOSE))
		fprintf(stderr, "%s%s", mark_debug, text);
	free(text);
	return len;
}

/* Whether the journal is what a descriptor writes to, as systemd tells in JOURNAL_STREAM. */
static bool goes_to_journal(int fd)
{
	const char *stream = getenv("JOURNAL_STREAM");
	unsigned long long device, inode;
	struct stat st;

	return stream && sscanf(stream, "%llu:%llu", &device, &inode) == 2 && !fstat(fd, &st) &&
		st.st_dev == device && st.st_ino == inode;
}

void log_init(enum log_level new_level)
{
	if (goes_to_journal(STDERR_FILENO)) {
		mark_error = "<3>";
		mark_debug = "<7>";
	}
	if (goes_to_journal(STDOUT_FILENO)) {
		mark_warning = "<4>";
		mark_info = "<6>";
	}
	level = new_level;
	libbpf_set_print(on_libbpf);
}

enum log_level log_get_level(void)
{
	return level;
}

void log_capture(struct log_capture *new_capture)
{
	capture = new_capture;
	if (capture)
		memset(capture, 0, sizeof(*capture));
}

/*
 * Whether an error of a request may be logged. A client gets it as its answer. One that sends many
 * requests, such as a container of the agent's, must not fill the log.
 */
static bool may_log_request(void)
{
	static unsigned int nr, left_out;
	static time_t until_s;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (now.tv_sec >= until_s) {
		if (left_out)
			fprintf(stderr,
				"%s" LOG_PROGRAM ": %u more errors of requests were not "
				"logged\n",
				mark_error, left_out);
		until_s = now.tv_sec + LOG_REQUESTS_S;
		nr = left_out = 0;
	}
	if (nr++ < LOG_REQUESTS)
		return true;
	left_out++;
	return false;
}

int log_error(int err, const char *remedy, const char *format, ...)
{
	va_list args;

	if (capture && !capture->error[0]) {
		va_start(args, format);
		vsnprintf(capture->error, sizeof(capture->error), format, args);
		va_end(args);
		snprintf(capture->help, sizeof(capture->help), "%s", remedy ? remedy : "");
	}
	if (capture && (capture->silent || !may_log_request()))
		return -err;

	/* Keep the order of messages to stdout and stderr. */
	fflush(stdout);
	fprintf(stderr, "%s" LOG_PROGRAM ": ", mark_error);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	if (remedy)
		fprintf(stderr, "%s  help: %s\n", mark_error, remedy);
	return -err;
}

static void say(const char *mark, const char *format, va_list args)
{
	if (level == LOG_QUIET)
		return;
	fputs(mark, stdout);
	vprintf(format, args);
	putchar('\n');
	fflush(stdout);
}

void log_info(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(mark_info, format, args);
	va_end(args);
}

void log_warning(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(mark_warning, format, args);
	va_end(args);
}

void log_verbose(const char *format, ...)
{
	va_list args;

	if (level < LOG_VERBOSE)
		return;
	fputs(mark_debug, stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

void log_libbpf_tail(void)
{
	const char *start = tail + tail_len;
	int lines = 0;

	if (!tail_len)
		return;
	while (start > tail && lines <= TAIL_LINES) {
		start--;
		lines += *start == '\n';
	}
	if (*start == '\n')
		start++;
	if (capture)
		snprintf(capture->tail, sizeof(capture->tail), "%s", start);
	/* --verbose has printed all of it already. */
	while (*start && level < LOG_VERBOSE && !(capture && capture->silent)) {
		int len = (int)strcspn(start, "\n");

		fprintf(stderr, "%s  | %.*s\n", mark_error, len, start);
		start += len;
		start += *start == '\n';
	}
}

int log_again(int err, struct log_capture *said)
{
	said->error[sizeof(said->error) - 1] = '\0';
	said->help[sizeof(said->help) - 1] = '\0';
	said->tail[sizeof(said->tail) - 1] = '\0';
	log_error(err, said->help[0] ? said->help : NULL, "%s", said->error);
	log_libbpf_clear();
	tail_add(said->tail, strlen(said->tail));
	log_libbpf_tail();
	return -err;
}

int log_libbpf_contains(const char *text)
{
	return strstr(tail, text) != NULL;
}

void log_libbpf_clear(void)
{
	tail_len = 0;
	tail[0] = '\0';
}

char *log_printable(char *text)
{
	size_t len = strlen(text);

	while (len && text[len - 1] == '\n')
		text[--len] = '\0';
	replace_control(text);
	for (char *c = text; *c; c++) {
		if (*c == '\n' || *c == '\t')
			*c = ' ';
	}
	return text;
}
