// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "abi.h"
#include "control/options.h"
#include "control/run.h"
#include "control/state.h"
#include "doctor.h"
#include "loader.h"
#include "object/open.h"
#include "object/tunables.h"
#include "output/log.h"

#ifndef GTHULHU_VERSION
#define GTHULHU_VERSION "unknown"
#endif

static const char usage[] =
	"usage: gthulhu-loader [-v|-vv] [--quiet] [--set NAME=VALUE]... [--detach]\n"
	"                      [--restart on-failure[:N]] [--state DIR] OBJECT\n"
	"       gthulhu-loader --check [--set NAME=VALUE]... OBJECT\n"
	"       gthulhu-loader --tunables OBJECT\n"
	"       gthulhu-loader --doctor [OBJECT]\n"
	"\n"
	"Puts a policy compiled by gthulhuc in force, and keeps it there until SIGINT or\n"
	"SIGTERM, or until `gthulhu stop` ends it. However it ends, SIGKILL included,\n"
	"the kernel's own scheduler takes over again.\n"
	"\n"
	"  -v, --verbose   print each step, libbpf's messages and the kernel's dump; twice:\n"
	"                  libbpf's debugging messages, too\n"
	"  -q, --quiet     print errors only\n"
	"      --set NAME=VALUE\n"
	"                  set a tunable of the policy, for example `quantum=500us`\n"
	"      --detach    return when the policy is in force, and continue in the\n"
	"                  background; later messages go to DIR/log\n"
	"      --restart on-failure[:N]\n"
	"                  reload it when the kernel ejects it, at most N times\n"
	"                  (3, up to 100) within 10 minutes\n"
	"      --state DIR directory of the lock, the control socket and copies of the last\n"
	"                  objects; one loader at a time uses it (" STATE_DIR ")\n"
	"      --take-over wait until the loader that uses DIR has ended, and go on with its\n"
	"                  last policy and tunables; with OBJECT if there is none, or if it\n"
	"                  was ejected, stopped on request or is refused\n"
	"      --called NAME\n"
	"                  name of the object in messages and in `gthulhu status`\n"
	"      --force     load it even if a loader took it out by itself, because it broke\n"
	"                  a promise or failed a trial\n"
	"      --dry-run   load it, which makes the kernel verify it, and end without\n"
	"                  putting it in force\n"
	"      --tunables  print the policy's tunables with their values and ranges\n"
	"      --check     check the object without asking the kernel for anything\n"
	"      --doctor    check whether this machine can run a policy, or this one; each\n"
	"                  line has ok, note, warning or error, the name of the check, the\n"
	"                  finding and the remedy, separated by tabs\n"
	"      --version   print the version and exit\n"
	"  -h, --help      print this and exit\n"
	"\n"
	"exit status:\n"
	"  0  stopped by a signal or on request; with --check: valid; with\n"
	"     --detach: it is in force; with --doctor: no error\n"
	"  1  refused or failed to load: the object, the kernel or the permissions; with\n"
	"     --doctor: there is an error\n"
	"  2  wrong command line\n"
	"  3  ejected by the kernel after an error or a stall of the policy\n"
	"  4  disabled by the kernel on request (SysRq-S, or the policy itself)\n"
	"  5  ended because a promise of the policy broke\n"
	"CPU hotplug reloads the policy without exiting.\n";

enum {
	OPTION_CHECK = 256,
	OPTION_SET,
	OPTION_TUNABLES,
	OPTION_VERSION,
	OPTION_DETACH,
	OPTION_RESTART,
	OPTION_STATE,
	OPTION_CALLED,
	OPTION_DOCTOR,
	OPTION_FORCE,
	OPTION_DRY_RUN,
	OPTION_TAKE_OVER,
};

static const struct option long_options[] = {
	{ "verbose", no_argument, NULL, 'v' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "check", no_argument, NULL, OPTION_CHECK },
	{ "set", required_argument, NULL, OPTION_SET },
	{ "detach", no_argument, NULL, OPTION_DETACH },
	{ "restart", required_argument, NULL, OPTION_RESTART },
	{ "state", required_argument, NULL, OPTION_STATE },
	{ "called", required_argument, NULL, OPTION_CALLED },
	{ "tunables", no_argument, NULL, OPTION_TUNABLES },
	{ "doctor", no_argument, NULL, OPTION_DOCTOR },
	{ "force", no_argument, NULL, OPTION_FORCE },
	{ "dry-run", no_argument, NULL, OPTION_DRY_RUN },
	{ "take-over", no_argument, NULL, OPTION_TAKE_OVER },
	{ "version", no_argument, NULL, OPTION_VERSION },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

/*
 * Blocks the signals that end the loader and returns a file descriptor that receives them, so that
 * they never interrupt a step, nor the verifier. Returns -errno on failure.
 */
static int take_signals(void)
{
	struct sigaction hangup;
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	/* Under nohup the loader survives the terminal. */
	if (!sigaction(SIGHUP, NULL, &hangup) && hangup.sa_handler != SIG_IGN)
		sigaddset(&set, SIGHUP);
	/* A closed pipe on stdout must not end the policy. */
	signal(SIGPIPE, SIG_IGN);
	if (sigprocmask(SIG_BLOCK, &set, NULL) < 0)
		return -errno;
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return fd < 0 ? -errno : fd;
}

/* The command of the command line. */
enum command {
	COMMAND_RUN,
	COMMAND_CHECK,
	COMMAND_TUNABLES,
	COMMAND_DOCTOR,
	COMMAND_PRINTED,
	COMMAND_NONE,
};

struct arguments {
	enum command command;
	enum log_level level;
	bool detach;
	struct run_options run;
};

static enum exit_status check(const char *path, const struct settings *settings)
{
	enum exit_status status = STATUS_REFUSED;
	struct object object;

	if (object_open(&object, path))
		return STATUS_REFUSED;
	if (!tunables_set(&object, settings)) {
		log_info("%s: valid (policy %s of %s, ABI %u)", path, object.policy.name,
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

/* Parses "on-failure" or "on-failure:N". Returns false if text is neither. */
static bool parse_restart(const char *text, unsigned int *most)
{
	static const char when[] = "on-failure";
	char *end;
	long nr;

	*most = RESTARTS_USUAL;
	if (!strcmp(text, when))
		return true;
	if (strncmp(text, when, strlen(when)) || text[strlen(when)] != ':' ||
	    !isdigit((unsigned char)text[strlen(when) + 1]))
		return false;
	nr = strtol(text + strlen(when) + 1, &end, 10);
	*most = nr;
	return !*end && nr > 0 && nr <= RESTARTS_MOST;
}

/* texts has room for as many settings as there are arguments. */
static struct arguments read_arguments(int argc, char **argv, const char **texts)
{
	struct arguments given = {
		.level = LOG_NORMAL,
		.run = { .directory = STATE_DIR, .settings.texts = texts, .ready_fd = -1 },
	};
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
			texts[given.run.settings.nr++] = optarg;
			break;
		case OPTION_DETACH:
			given.detach = true;
			break;
		case OPTION_RESTART:
			if (parse_restart(optarg, &given.run.max_restarts))
				break;
			fprintf(stderr,
				"gthulhu-loader: --restart expects on-failure or on-failure:N\n");
			given.command = COMMAND_NONE;
			return given;
		case OPTION_STATE:
			given.run.directory = optarg;
			break;
		case OPTION_CALLED:
			given.run.called = optarg;
			break;
		case OPTION_TUNABLES:
			given.command = COMMAND_TUNABLES;
			break;
		case OPTION_DOCTOR:
			given.command = COMMAND_DOCTOR;
			break;
		case OPTION_FORCE:
			given.run.force = true;
			break;
		case OPTION_DRY_RUN:
			given.run.dry_run = true;
			break;
		case OPTION_TAKE_OVER:
			given.run.take_over = true;
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
	if (argc - optind != 1 && !(given.command == COMMAND_DOCTOR && argc == optind))
		given.command = COMMAND_NONE;
	given.run.path = argv[optind];
	return given;
}

/*
 * Waits until the loader in the background has put its policy in force or has ended. Forwards
 * signals to it.
 */
static enum exit_status wait_until_ready(pid_t loader, int ready_fd, int signal_fd)
{
	struct pollfd polls[] = {
		{ .fd = ready_fd, .events = POLLIN },
		{ .fd = signal_fd, .events = POLLIN },
	};
	struct signalfd_siginfo signal_info;
	char byte;
	int status;

	for (;;) {
		if (poll(polls, 2, -1) < 0)
			continue;
		if (polls[1].revents &&
		    read(signal_fd, &signal_info, sizeof(signal_info)) == sizeof(signal_info))
			kill(loader, SIGTERM);
		if (!polls[0].revents)
			continue;
		if (read(ready_fd, &byte, 1) == 1)
			return STATUS_STOPPED;
		/* A loader that was stopped has succeeded, but --detach has not: no policy is in force. */
		if (waitpid(loader, &status, 0) == loader && WIFEXITED(status))
			return WEXITSTATUS(status) ? WEXITSTATUS(status) : STATUS_REFUSED;
		log_error(EIO, NULL, "the loader in the background was killed");
		return STATUS_REFUSED;
	}
}

/* Runs in the background. Until the policy is in force, messages still go to our streams. */
static enum exit_status run_detached(struct run_options *options, int signal_fd)
{
	enum exit_status status;
	int ready[2];
	pid_t loader;
	int null_fd;

	if (pipe2(ready, O_CLOEXEC) < 0)
		loader = -1;
	else
		loader = fork();
	if (loader < 0) {
		log_error(errno, NULL, "cannot continue in the background: %s", strerror(errno));
		return STATUS_REFUSED;
	}
	if (loader) {
		close(ready[1]);
		status = wait_until_ready(loader, ready[0], signal_fd);
		close(ready[0]);
		return status;
	}
	close(ready[0]);
	setsid();
	null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (null_fd >= 0 && dup2(null_fd, STDIN_FILENO) >= 0)
		close(null_fd);
	options->ready_fd = ready[1];
	return run_policy(options, signal_fd);
}

static enum exit_status run(struct arguments *given, int signal_fd)
{
	enum exit_status status;

	if (signal_fd < 0) {
		log_error(-signal_fd, NULL, "cannot block signals: %s", strerror(-signal_fd));
		return STATUS_REFUSED;
	}
	if (given->detach)
		status = run_detached(&given->run, signal_fd);
	else
		status = run_policy(&given->run, signal_fd);
	close(signal_fd);
	return status;
}

int main(int argc, char **argv)
{
	/* First, because a signal to stop may arrive at once. */
	int signal_fd = take_signals();
	const char *texts[argc + 1];
	struct arguments given = read_arguments(argc, argv, texts);

	log_init(given.level);
	switch (given.command) {
	case COMMAND_RUN:
		return run(&given, signal_fd);
	case COMMAND_CHECK:
		return check(given.run.path, &given.run.settings);
	case COMMAND_TUNABLES:
		return print_tunables(given.run.path);
	case COMMAND_DOCTOR:
		return doctor(given.run.path);
	case COMMAND_PRINTED:
		return STATUS_STOPPED;
	case COMMAND_NONE:
		break;
	}
	fputs("gthulhu-loader: expected one OBJECT; see gthulhu-loader --help\n", stderr);
	return STATUS_USAGE;
}
