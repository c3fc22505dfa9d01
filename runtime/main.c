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
#include "tunables.h"

#ifndef GTHULHU_VERSION
#define GTHULHU_VERSION "unknown"
#endif

static const char usage[] =
	"usage: gthulhu-loader [-v|-vv] [--quiet] [--set NAME=VALUE]... OBJECT\n"
	"       gthulhu-loader --check [--set NAME=VALUE]... OBJECT\n"
	"       gthulhu-loader --tunables OBJECT\n"
	"\n"
	"Puts a policy compiled by gthulhuc in force, and keeps it there until SIGINT or\n"
	"SIGTERM. When it ends in whatever way, SIGKILL included, the machine is back\n"
	"under the kernel's own scheduler.\n"
	"\n"
	"  -v, --verbose   tell each step, libbpf's messages and the kernel's dump; twice:\n"
	"                  libbpf's debugging messages, too\n"
	"  -q, --quiet     print errors only\n"
	"      --set NAME=VALUE\n"
	"                  give a tunable of the policy another value, as in `quantum=500us`\n"
	"      --tunables  print the policy's tunables with their values and ranges\n"
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

enum { OPTION_CHECK = 256, OPTION_SET, OPTION_TUNABLES, OPTION_VERSION };

static const struct option long_options[] = {
	{ "verbose", no_argument, NULL, 'v' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "check", no_argument, NULL, OPTION_CHECK },
	{ "set", required_argument, NULL, OPTION_SET },
	{ "tunables", no_argument, NULL, OPTION_TUNABLES },
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

/* What the command line asks for. */
enum command { COMMAND_RUN, COMMAND_CHECK, COMMAND_TUNABLES, COMMAND_PRINTED, COMMAND_NONE };

struct arguments {
	enum command command;
	enum log_level level;
	struct settings settings;
};

static enum exit_status check(const char *path, const struct settings *settings)
{
	enum exit_status status = STATUS_REFUSED;
	struct object object;

	if (object_open(&object, path))
		return STATUS_REFUSED;
	if (!tunables_set(&object, settings)) {
		log_news("%s: sound (policy %s of %s, ABI %u)", path, object.policy.name,
			 object.policy.file, object.policy.abi_version);
		status = STATUS_STOPPED;
	}
	object_close(&object);
	return status;
}

static enum exit_status print_tunables(const char *path)
{
	struct object object;

	if (object_open(&object, path))
		return STATUS_REFUSED;
	tunables_print(&object);
	object_close(&object);
	return STATUS_STOPPED;
}

/* texts has room for as many settings as there are arguments. */
static struct arguments read_arguments(int argc, char **argv, const char **texts)
{
	struct arguments given = { .level = LOG_NORMAL, .settings.texts = texts };
	int option;

	while ((option = getopt_long(argc, argv, "vqh", long_options, NULL)) != -1) {
		switch (option) {
		case 'v':
			given.level = given.level == LOG_VERBOSE ? LOG_DEBUG : LOG_VERBOSE;
			break;
		case 'q':
			given.level = LOG_QUIET;
			break;
		case OPTION_CHECK:
			given.command = COMMAND_CHECK;
			break;
		case OPTION_SET:
			texts[given.settings.nr++] = optarg;
			break;
		case OPTION_TUNABLES:
			given.command = COMMAND_TUNABLES;
			break;
		case OPTION_VERSION:
			printf("gthulhu-loader %s (ABI %d, libbpf %s)\n", GTHULHU_VERSION,
			       GTHULHU_ABI_VERSION, libbpf_version_string());
			given.command = COMMAND_PRINTED;
			return given;
		case 'h':
			fputs(usage, stdout);
			given.command = COMMAND_PRINTED;
			return given;
		default:
			given.command = COMMAND_NONE;
			return given;
		}
	}
	if (argc - optind != 1)
		given.command = COMMAND_NONE;
	return given;
}

static enum exit_status run(const char *path, const struct settings *settings, int signal_fd)
{
	enum exit_status status;

	if (signal_fd < 0) {
		log_error(-signal_fd, NULL, "cannot take signals: %s", strerror(-signal_fd));
		return STATUS_REFUSED;
	}
	status = run_policy(path, settings, signal_fd);
	close(signal_fd);
	return status;
}

int main(int argc, char **argv)
{
	/* First of all: whoever started us may already want us to stop. */
	int signal_fd = take_signals();
	const char *texts[argc + 1];
	struct arguments given = read_arguments(argc, argv, texts);

	log_init(given.level);
	switch (given.command) {
	case COMMAND_RUN:
		return run(argv[optind], &given.settings, signal_fd);
	case COMMAND_CHECK:
		return check(argv[optind], &given.settings);
	case COMMAND_TUNABLES:
		return print_tunables(argv[optind]);
	case COMMAND_PRINTED:
		return STATUS_STOPPED;
	case COMMAND_NONE:
		break;
	}
	fputs("gthulhu-loader: give it one OBJECT; see gthulhu-loader --help\n", stderr);
	return STATUS_USAGE;
}
