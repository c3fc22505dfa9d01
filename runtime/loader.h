/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gthulhu-loader: puts a compiled policy in force and keeps it there.
 *
 *	main.c		command line, signals
 *	run.c		life cycle: load, attach, wait, detach, again after hotplug
 *	object.c	opens an object and checks it against the ABI, offline
 *	image.c		is this file a whole BPF object at all?
 *	fill.c		what the ABI says the loader fills in
 *	pins.c		the CPUs of rules, on this machine
 *	ids.c		its users and groups
 *	tunables.c	its values that may be changed
 *	topology.c	its groups of CPUs
 *	preflight.c	may and can this machine run it?
 *	kernel.c	what /sys and /proc say
 *	kbtf.c		what the kernel's BTF says
 *	names.c		reads it, and finds a name in it; for libbpf, too
 *	excerpt.c	those of them that the object needs, for libbpf
 *	report.c	why the kernel let a policy go
 *	log.c		messages
 *
 * Functions return 0 or -errno, and who returns an error has said why.
 */
#ifndef GTHULHU_LOADER_H
#define GTHULHU_LOADER_H

#include <stdbool.h>
#include <stdint.h>

struct settings;

/* The loader's exit status, for scripts and service managers. */
enum exit_status {
	STATUS_STOPPED = 0, /* stopped by a signal, or --check found nothing wrong */
	STATUS_REFUSED = 1, /* refused or failed to load: object, kernel or permissions */
	STATUS_USAGE = 2, /* wrong command line */
	STATUS_EJECTED = 3, /* was in force; the kernel ejected it for an error or a stall */
	STATUS_LET_GO = 4, /* was in force; taken out on request (SysRq-S, the policy itself) */
};

/*
 * Runs the object at path until a signal from signal_fd or the kernel ends it,
 * with its tunables set.
 */
enum exit_status run_policy(const char *path, const struct settings *settings, int signal_fd);

#endif /* GTHULHU_LOADER_H */
