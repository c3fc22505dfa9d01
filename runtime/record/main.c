// SPDX-License-Identifier: GPL-2.0-only
/*
 * gthulhu-record: the part of `gthulhu record` that talks to the kernel. It writes blocks of a record
 * that are not compressed to standard output; docs/record.md describes them.
 */
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "machine/clock.h"
#include "output/json.h"
#include "output/log.h"
#include "record/capture.h"
#include "record/stream.h"

enum {
	ROUND_MS = 1000,
	LOOK_MS = 100, /* between two looks at the buffers */
	LOOK_SOON_MS = 10,
	LOOK_SOON_PERCENT = 10, /* of a buffer in use */
	BUFFER_KB = 1024, /* of each CPU */
	MOST_SECONDS = 86400 * 7,
	STATUS_REFUSED = 1,
	STATUS_USAGE = 2,
};

static const char usage[] =
	"usage: gthulhu-record [--for SECONDS] [--buffer KB]\n"
	"\n"
	"Writes what the scheduler does to standard output, in blocks of a record that are\n"
	"not compressed. `gthulhu record` starts it, and makes a file of them.\n"
	"\n"
	"      --for SECONDS  end by itself; 0: on SIGINT or SIGTERM only (0)\n"
	"      --buffer KB    of each CPU's buffer, a power of 2 from 64 to 65536 (1024)\n"
	"  -h, --help         print this and exit\n";

struct arguments {
	unsigned long seconds;
	unsigned long buffer_kb;
};

static bool parse_number(const char *text, unsigned long most, unsigned long *number)
{
	char *end;

	errno = 0;
	*number = strtoul(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno && *number <= most;
}

/* Returns 0, or the exit status + 1 if there is nothing to do. */
static int read_arguments(int argc, char **argv, struct arguments *given)
{
	static const struct option options[] = {
		{ "for", required_argument, NULL, 'f' },
		{ "buffer", required_argument, NULL, 'b' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	bool fine = true;
	int option;

	*given = (struct arguments){ .buffer_kb = BUFFER_KB };
	while (fine && (option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (option == 'h') {
			fputs(usage, stdout);
			return 1;
		}
		if (option == 'f')
			fine = parse_number(optarg, MOST_SECONDS, &given->seconds);
		else if (option == 'b')
			fine = parse_number(optarg, 65536, &given->buffer_kb) &&
				given->buffer_kb >= 64 &&
				!(given->buffer_kb & (given->buffer_kb - 1));
		else
			fine = false;
	}
	if (fine && optind == argc && !isatty(STDOUT_FILENO))
		return 0;
	fputs("gthulhu-record: wrong command line, or standard output is a terminal; "
	      "see gthulhu-record --help\n",
	      stderr);
	return STATUS_USAGE + 1;
}

/* Returns a descriptor that the signals to stop can be read from, or -errno. */
static int take_signals(void)
{
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	signal(SIGPIPE, SIG_IGN);
	if (sigprocmask(SIG_BLOCK, &set, NULL) < 0)
		return -errno;
	fd = signalfd(-1, &set, SFD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* The CPU time of this process, that of its start included, in ns. */
static uint64_t own_ns(void)
{
	struct rusage used = {};

	getrusage(RUSAGE_SELF, &used);
	return (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000000ull +
		(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000ull;
}

/*
 * Writes all events so far, and what they cost; start_ns is what it took to start. Returns 0 or -errno.
 */
static int write_round(struct capture *capture, uint64_t start_ns)
{
	uint64_t at_ns = clock_us() * 1000ull;
	uint64_t events = 0, programs_ns = 0;
	struct json json;
	uint32_t cpu;
	char *text;
	int err;

	err = capture_drain(capture);
	if (!err)
		err = capture_count(capture);
	if (err)
		return err;
	json_begin(&json);
	json_array_begin(&json, "lost");
	for (cpu = 0; cpu < capture->nr_cpus; cpu++) {
		const struct cpu_state *state = &capture->states[cpu];

		events += state->events;
		if (state->timed)
			programs_ns += (double)state->timed_ns / state->timed * state->events;
		if (!state->lost)
			continue;
		json_element_begin(&json);
		json_number(&json, "cpu", cpu);
		json_number(&json, "events", state->lost);
		json_element_end(&json);
	}
	json_array_end(&json);
	json_number(&json, "events", events);
	json_number(&json, "programs_ns", programs_ns);
	json_number(&json, "recorder_ns", own_ns() - start_ns);
	text = json_end(&json);
	if (!text)
		return -ENOMEM;
	err = block_write_text(STDOUT_FILENO, BLOCK_OF_ROUND, at_ns, text);
	free(text);
	return err;
}

/* Records until the time is over or a signal arrives. Returns 0 or -errno. */
static int record(struct capture *capture, int signal_fd, unsigned long seconds)
{
	struct pollfd poll_signal = { .fd = signal_fd, .events = POLLIN };
	int64_t begin_ms = clock_ms(), round_ms = begin_ms + ROUND_MS;
	int wait_ms = LOOK_MS;
	uint64_t start_ns = own_ns();
	int err;

	/* The first round has what was there before. */
	err = write_round(capture, start_ns);
	while (!err) {
		int64_t left_ms = begin_ms + (int64_t)seconds * 1000 - clock_ms();

		if (seconds && left_ms <= 0)
			break;
		if (seconds && left_ms < wait_ms)
			wait_ms = left_ms;
		if (poll(&poll_signal, 1, wait_ms) > 0)
			break;
		wait_ms = capture_fill(capture) >= LOOK_SOON_PERCENT ? LOOK_SOON_MS : LOOK_MS;
		err = capture_drain(capture);
		if (err || clock_ms() < round_ms)
			continue;
		err = write_round(capture, start_ns);
		round_ms += ROUND_MS;
	}
	capture_end(capture);
	return err ? err : write_round(capture, start_ns);
}

int main(int argc, char **argv)
{
	int signal_fd = take_signals();
	struct arguments given;
	struct capture capture;
	int status = read_arguments(argc, argv, &given);
	int err;

	if (status)
		return status - 1;
	log_init(LOG_QUIET);
	if (signal_fd < 0) {
		log_error(-signal_fd, NULL, "cannot block signals: %s", strerror(-signal_fd));
		return STATUS_REFUSED;
	}
	err = capture_open(&capture, given.buffer_kb << 10, STDOUT_FILENO);
	if (!err)
		err = capture_begin(&capture);
	if (!err) {
		err = record(&capture, signal_fd, given.seconds);
		/* The reader has closed the pipe, and has said why. */
		if (err && err != -EPIPE)
			log_error(-err, NULL, "cannot write the record: %s", strerror(-err));
	}
	capture_close(&capture);
	return err ? STATUS_REFUSED : 0;
}
