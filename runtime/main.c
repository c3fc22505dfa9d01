// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "abi.h"
#include "loader.h"
#include "log.h"
#include "object.h"

#ifndef GTHULHU_VERSION
#define GTHULHU_VERSION "unknown"
#endif

static const char usage[] =
	"usage: gthulhu-loader [-v|-vv] [--quiet] OBJECT\n"
	"       gthulhu-loader --check OBJECT\n"
	"\n"
	"Puts a policy compiled by gthulhuc in force, and keeps it there until SIGINT or\n"
	"SIGTERM. When it ends in whatever way, SIGKILL included, the machine is back\n"
	"under the kernel's own scheduler.\n"
	"\n"
	"  -v, --verbose   tell each step, libbpf's messages and the kernel's dump; twice:\n"
	"                  libbpf's debugging messages, too\n"
	"  -q, --quiet     print errors only\n"
	"      --check     check the object without asking the kernel for anything\n"
	"      --version   print the version and exit\n"
	"  -h, --help      print this and exit\n"
	"\n"
	"exit status:\n"
	"  0  stopped by a signal; with --check: nothing is wrong\n"
	"  1  refused or failed to load: the object, the kernel or the permissions\n"
	"  2  wrong command line\n"
	"  3  ejected by the kernel after an error or a stall of the policy\n"
	"  4  let go by the kernel on request (SysRq-S, or the policy itself)\n"
	"After CPU hotplug the policy is loaded again at once; that is no exit.\n";

enum { OPTION_CHECK = 256, OPTION_VERSION };

static const struct option long_options[] = {
	{ "verbose", no_argument, NULL, 'v' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "check", no_argument, NULL, OPTION_CHECK },
	{ "version", no_argument, NULL, OPTION_VERSION },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

/*
 * From here on the signals that end the loader wait in a file descriptor until
 * someone looks, so that no step is ever left half done. Blocked signals do not
 * interrupt the verifier either.
 */
static int take_signals(void)
{
	struct sigaction hangup;
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	/* nohup's wish to survive the terminal is respected. */
	if (!sigaction(SIGHUP, NULL, &hangup) && hangup.sa_handler != SIG_IGN)
		sigaddset(&set, SIGHUP);
	/* A reader of stdout that has gone must not end the policy. */
	signal(SIGPIPE, SIG_IGN);
	if (sigprocmask(SIG_BLOCK, &set, NULL) < 0)
		return -errno;
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return fd < 0 ? -errno : fd;
}

static enum exit_status check(const char *path)
{
	struct object object;

	if (object_open(&object, path))
		return STATUS_REFUSED;
	log_news("%s: sound (policy %s of %s, ABI %u)", path, object.policy.name,
		 object.policy.file, object.policy.abi_version);
	object_close(&object);
	return STATUS_STOPPED;
}

static enum exit_status usage_error(void)
{
	fputs("gthulhu-loader: give it one OBJECT; see gthulhu-loader --help\n", stderr);
	return STATUS_USAGE;
}

int main(int argc, char **argv)
{
	enum log_level level = LOG_NORMAL;
	enum exit_status status;
	bool check_only = false;
	int signal_fd;
	int option;

	/* First of all: whoever started us may already want us to stop. */
	signal_fd = take_signals();
	while ((option = getopt_long(argc, argv, "vqh", long_options, NULL)) != -1) {
		switch (option) {
		case 'v':
			level = level == LOG_VERBOSE ? LOG_DEBUG : LOG_VERBOSE;
			break;
		case 'q':
			level = LOG_QUIET;
			break;
		case OPTION_CHECK:
			check_only = true;
			break;
		case OPTION_VERSION:
			printf("gthulhu-loader %s (ABI %d, libbpf %s)\n", GTHULHU_VERSION,
			       GTHULHU_ABI_VERSION, libbpf_version_string());
			return STATUS_STOPPED;
		case 'h':
			fputs(usage, stdout);
			return STATUS_STOPPED;
		default:
			return usage_error();
		}
	}
	if (argc - optind != 1)
		return usage_error();
	log_init(level);
	if (check_only)
		return check(argv[optind]);
	if (signal_fd < 0) {
		log_error(-signal_fd, NULL, "cannot take signals: %s", strerror(-signal_fd));
		return STATUS_REFUSED;
	}
	status = run_policy(argv[optind], signal_fd);
	close(signal_fd);
	return status;
}
