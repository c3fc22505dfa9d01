/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gthulhu-loader: puts a compiled policy in force and keeps it there.
 *
 *	main.c		command line, signals
 *	run.c		life cycle: load, attach, wait, detach, again after hotplug
 *	object.c	opens an object and checks it against the ABI, offline
 *	image.c		is this file a whole BPF object at all?
 *	fill.c		what the ABI says the loader fills in
 *	preflight.c	may and can this machine run it?
 *	kernel.c	what /sys and /proc say
 *	kbtf.c		what the kernel's BTF says
 *	report.c	why the kernel let a policy go
 *	log.c		messages
 *
 * Functions return 0 or -errno, and who returns an error has said why.
 */
#ifndef GTHULHU_LOADER_H
#define GTHULHU_LOADER_H

#include <stdbool.h>
#include <stdint.h>

/* The loader's exit status, for scripts and service managers. */
enum exit_status {
	STATUS_STOPPED = 0, /* stopped by a signal, or --check found nothing wrong */
	STATUS_REFUSED = 1, /* refused or failed to load: object, kernel or permissions */
	STATUS_USAGE = 2, /* wrong command line */
	STATUS_EJECTED = 3, /* was in force; the kernel ejected it for an error or a stall */
	STATUS_LET_GO = 4, /* was in force; taken out on request (SysRq-S, the policy itself) */
};

/*
 * Runs the object at path until a signal from signal_fd or the kernel ends it.
 */
enum exit_status run_policy(const char *path, int signal_fd);

#endif /* GTHULHU_LOADER_H */
