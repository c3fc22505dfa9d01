/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gthulhu-loader: puts a compiled policy in force and keeps it there.
 *
 *	main.c		command line, signals
 *	run.c		life cycle: in force, asked, exchanged, again after hotplug
 *	generation.c	what is put in force, and can be again
 *	requests.c	what a loader is asked for
 *	session.c	a scheduler from its load to its end
 *	control.c	the socket on which it is asked
 *	service.c	what a service manager hears of it
 *	state.c		the folder with the lock, and with what was in force
 *	object.c	opens an object and checks it against the ABI, offline
 *	image.c		is this file a whole BPF object at all?
 *	fill.c		what the ABI says the loader fills in
 *	pins.c		the CPUs of rules, on this machine
 *	ids.c		its users and groups
 *	tunables.c	its values that may be changed
 *	label_set.c	what labels answer to its questions
 *	calls.c		functions of the kernel that the policy asks about
 *	labels.c	labels of processes
 *	containers.c	what is known of cgroups
 *	label_maps.c	both in the maps of a policy, and in its tasks' classes
 *	family.c	a process and what it has started
 *	processes.c	what /proc and the cgroups say of processes
 *	topology.c	its groups of CPUs
 *	preflight.c	may and can this machine run it?
 *	doctor.c	all that it would need, and what is missing
 *	kernel.c	what /sys and /proc say
 *	kbtf.c		what the kernel's BTF says
 *	names.c		reads it, and finds a name in it; for libbpf, too
 *	excerpt.c	those of them that the object needs, for libbpf
 *	report.c	why the kernel let a policy go
 *	blame.c		whose task it complains of
 *	classes.c	which class a task has
 *	stats.c		what has been counted
 *	json.c		answers
 *	log.c		messages
 *
 * Functions return 0 or -errno, and who returns an error has said why.
 */
#ifndef GTHULHU_LOADER_H
#define GTHULHU_LOADER_H

#include "tunables.h"

/* The loader's exit status, for scripts and service managers. */
enum exit_status {
	STATUS_STOPPED = 0, /* stopped by a signal, or --check found nothing wrong */
	STATUS_REFUSED = 1, /* refused or failed to load: object, kernel or permissions */
	STATUS_USAGE = 2, /* wrong command line */
	STATUS_EJECTED = 3, /* was in force; the kernel ejected it for an error or a stall */
	STATUS_LET_GO = 4, /* was in force; taken out on request (SysRq-S, the policy itself) */
};

/* What the command line wants. */
struct run_options {
	const char *path; /* of the object */
	const char *called; /* what it is called; NULL: its path */
	const char *folder; /* of the state */
	struct settings settings;
	unsigned int max_restarts; /* after ejections, in RESTART_PERIOD_MS */
	int ready_fd; /* gets a byte when the policy is in force, stdout and stderr go to the log then;
		       * negative: nobody waits */
};

enum restart_limits {
	RESTARTS_USUAL = 3,
	RESTARTS_MOST = 100,
	RESTART_PERIOD_MS = 600000,
};

/*
 * Runs the object until a signal from signal_fd, a request or the kernel ends it.
 */
enum exit_status run_policy(const struct run_options *options, int signal_fd);

#endif /* GTHULHU_LOADER_H */
