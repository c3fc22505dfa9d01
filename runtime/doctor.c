// SPDX-License-Identifier: GPL-2.0-only
/*
 * All checks of the preflight, without stopping at the first error, and other problems that a policy
 * may meet.
 */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "btf/kbtf.h"
#include "doctor.h"
#include "fill/cgroups.h"
#include "fill/pins.h"
#include "machine/kernel.h"
#include "machine/processes.h"
#include "object/open.h"
#include "output/log.h"
#include "scheduler/calls.h"
#include "scheduler/limits.h"
#include "scheduler/preflight.h"

/* The oldest kernel that generated schedulers are tested with. */
#define OLDEST_KERNEL (6U << 16 | 16U << 8)

enum level { FINDING_OK, FINDING_NOTE, FINDING_WARNING, FINDING_ERROR };

static const char *const level_names[] = { "ok", "note", "warning", "error" };
static enum level worst;

static void report(enum level level, const char *check, const char *help, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static void report(enum level level, const char *check, const char *help, const char *format, ...)
{
	char text[1536];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	printf("%s\t%s\t%s%s%s\n", level_names[level], check, log_printable(text), help ? "\t" : "",
	       help ? help : "");
	if (level > worst)
		worst = level;
}

/* Reports the error of a preflight function as a finding; true if there was none. */
static bool passed(const char *check, int err, const struct log_capture *said)
{
	log_capture(NULL);
	if (err)
		report(FINDING_ERROR, check, said->help[0] ? said->help : NULL, "%s",
		       said->error[0] ? said->error : strerror(-err));
	return !err;
}

static void capture_silently(struct log_capture *said)
{
	log_capture(said);
	said->silent = true;
}

static bool examine_kernel(void)
{
	struct log_capture said;

	capture_silently(&said);
	if (!passed("kernel", preflight_check_sched_ext(), &said))
		return false;
	if (kernel_version() < OLDEST_KERNEL)
		report(FINDING_WARNING, "kernel", "boot a kernel of 6.16 or later",
		       "%s has sched_ext, but policies are tested with 6.16 and later",
		       kernel_release());
	else
		report(FINDING_OK, "kernel", NULL, "%s, with sched_ext", kernel_release());
	return true;
}

static void examine_types(const struct kbtf *kernel)
{
	struct log_capture said;

	capture_silently(&said);
	if (!passed("types", preflight_check_any_btf(kernel), &said))
		return;
	if (kbtf_is_truncated(kernel))
		report(FINDING_NOTE, "types", NULL,
		       "an old pahole truncated some constants in the kernel's BTF; the loader "
		       "restores them");
	else
		report(FINDING_OK, "types", NULL, "the kernel's BTF describes sched_ext correctly");
}

static void examine_jit(void)
{
	char text[16];

	if (kernel_read_line("/proc/sys/net/core/bpf_jit_enable", text, sizeof(text)))
		return; /* readable by root only, or the kernel has no networking */
	if (!strcmp(text, "0"))
		report(FINDING_ERROR, "jit", "sysctl net.core.bpf_jit_enable=1",
		       "the kernel's BPF JIT compiler is disabled, and a scheduler needs it");
	else
		report(FINDING_OK, "jit", NULL, "the kernel's BPF JIT compiler is enabled");
}

static void examine_permission(void)
{
	struct log_capture said;

	capture_silently(&said);
	if (passed("permission", preflight_check_permission(), &said))
		report(FINDING_OK, "permission", NULL, "this process may load BPF");
}

static void examine_active_scheduler(void)
{
	static const char ours[] = "gthulhu_";
	struct log_capture said;
	char name[128];

	kernel_active_scheduler(name, sizeof(name));
	if (!strncmp(name, ours, strlen(ours))) {
		report(FINDING_NOTE, "scheduler", "`gthulhu swap` puts another one in its place",
		       "%s is in force", name);
		return;
	}
	capture_silently(&said);
	if (passed("scheduler", preflight_check_alone(), &said))
		report(FINDING_OK, "scheduler", NULL, "no other sched_ext scheduler is in force");
}

static void examine_cpus(void)
{
	char cpus[256];

	if (preflight_isolated(cpus, sizeof(cpus)))
		report(FINDING_ERROR, "cpus",
		       "boot without isolcpus=; `exclusive` in a policy reserves CPUs",
		       "CPUs %s are isolated; with isolated CPUs the kernel enables no sched_ext scheduler",
		       cpus);
	else
		report(FINDING_OK, "cpus", NULL, "no CPU is isolated");
	/* Without such CPUs the file is empty or contains (null). */
	if (kernel_read_line("/sys/devices/system/cpu/nohz_full", cpus, sizeof(cpus)) || !cpus[0] ||
	    cpus[0] == '(')
		return;
	report(FINDING_NOTE, "nohz", NULL,
	       "CPUs %s are nohz_full: without a tick while one task of a rule has one exclusively",
	       cpus);
}

static void examine_cgroups(void)
{
	static const char controllers[] = "/sys/fs/cgroup/cgroup.controllers";

	if (!access(controllers, F_OK))
		report(FINDING_OK, "cgroups", NULL, "cgroup v2 is mounted on /sys/fs/cgroup");
	else
		report(FINDING_WARNING, "cgroups",
		       "boot with systemd.unified_cgroup_hierarchy=1, or mount -t cgroup2 none "
		       "/sys/fs/cgroup",
		       "cgroup v2 is not mounted on /sys/fs/cgroup: `cgroup` in a policy matches only "
		       "v2 paths");
}

/* Each function that the policy asks about. */
static void examine_calls(const struct object *object, const struct kbtf *kernel)
{
	enum traced_where where;
	const char *function;

	for (unsigned int i = 0; (function = calls_find(object, kernel, i, &where)); i++) {
		if (where == TRACED_NOWHERE)
			report(FINDING_WARNING, "calls",
			       "load the module that defines it, now or later",
			       "the kernel has no function `%s`", function);
		else
			report(FINDING_OK, "calls", NULL, "`%s` is in %s", function,
			       where == TRACED_KERNEL ? "the kernel" : "a module");
	}
}

/* CPUs that a rule has here. */
static void examine_pins(const struct object *object)
{
	unsigned int number = 0;
	struct pin_text text;

	while (pins_next(object, &number, &text))
		report(FINDING_OK, "placed", NULL, "rule `%s`: `%s` is CPU %s", text.pin->rule,
		       text.asked, text.cpus);
}

/* The kernel's own counters do not see these limits. */
static void examine_limits(const struct object *object, const struct kbtf *kernel)
{
	if (!limits_are_kept(object) || (cgroups_are_optional(object) && !cgroups_have_cpu()))
		return;
	if (kernel &&
	    !kbtf_has_member(kernel, kbtf_find_struct(kernel, "sched_ext_ops"),
			     "cgroup_set_bandwidth"))
		report(FINDING_NOTE, "limits", "Linux 6.17 reports them immediately",
		       "the kernel does not report changed limits; they apply within 100 ms");
	report(FINDING_NOTE, "limits",
	       "watch `gthulhu stats` or gthulhu_cgroup_throttled_periods_total instead",
	       "the policy keeps cpu.max itself: nr_throttled and throttled_usec in "
	       "cpu.stat stay as they are");
}

/* kernel may be NULL: no types to compare with. */
static void examine_object(const char *path, const struct kbtf *kernel)
{
	struct log_capture said;
	struct object object;
	int err;

	capture_silently(&said);
	err = object_open(&object, path);
	if (!passed("object", err, &said))
		return;
	capture_silently(&said);
	err = preflight_check_policy(&object);
	if (!err && kernel)
		err = preflight_check_btf(&object, kernel);
	if (!passed("object", err, &said))
		goto out;
	if (kernel)
		report(FINDING_OK, "object", NULL, "%s: policy %s of %s fits this machine", path,
		       object.policy.name, object.policy.file);
	else
		report(FINDING_NOTE, "object", "ask again on a kernel with sched_ext",
		       "%s: policy %s of %s is valid; whether it fits cannot be checked without "
		       "sched_ext",
		       path, object.policy.name, object.policy.file);
	examine_pins(&object);
	examine_calls(&object, kernel);
	examine_limits(&object, kernel);
out:
	object_close(&object);
}

/* In a directory with the sticky bit only a file's owner can replace it. */
static bool others_may_write(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return false;
	if (st.st_uid)
		return true;
	if (S_ISDIR(st.st_mode) && st.st_mode & S_ISVTX)
		return false;
	return st.st_mode & S_IWOTH || (st.st_mode & S_IWGRP && st.st_gid);
}

/* Whether others than root may replace the file, or any folder that leads to it. */
static bool others_may_replace(const char *path)
{
	char above[PATH_MAX];
	char *slash;

	snprintf(above, sizeof(above), "%s", path);
	while ((slash = strrchr(above, '/'))) {
		if (others_may_write(above))
			return true;
		*slash = '\0';
	}
	return others_may_write("/");
}

/* A link is as safe as the folders that lead to it, and as its target. */
static void examine_owner(const char *path)
{
	char given[PATH_MAX] = "", object[PATH_MAX];

	if (!realpath(path, object))
		return;
	if (path[0] != '/' && !getcwd(given, sizeof(given)))
		return;
	snprintf(given + strlen(given), sizeof(given) - strlen(given), "/%s", path);
	if (others_may_replace(object) || others_may_replace(given))
		report(FINDING_WARNING, "owner",
		       "keep it where only root can write: install -D -m 644 -t /etc/gthulhu OBJECT",
		       "users other than root can write %s, or a folder above it: they control the "
		       "machine if you load it",
		       path);
}

enum exit_status doctor(const char *path)
{
	bool has_types = false;
	struct kbtf kernel;
	int err;

	if (examine_kernel()) {
		err = kbtf_open(&kernel);
		has_types = !err;
		if (has_types)
			examine_types(&kernel);
		else
			report(FINDING_ERROR, "types", NULL, "cannot read the kernel's BTF: %s",
			       strerror(-err));
		examine_active_scheduler();
	}
	examine_jit();
	examine_permission();
	examine_cpus();
	examine_cgroups();
	if (path) {
		examine_object(path, has_types ? &kernel : NULL);
		examine_owner(path);
	}
	if (has_types)
		kbtf_close(&kernel);
	return worst == FINDING_ERROR ? STATUS_REFUSED : STATUS_STOPPED;
}
