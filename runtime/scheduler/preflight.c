// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/capability.h>

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "btf/kbtf.h"
#include "fill/cgroups.h"
#include "fill/pins.h"
#include "machine/kernel.h"
#include "object/object.h"
#include "output/log.h"
#include "scheduler/preflight.h"

/* How long the kernel may take to disable the scheduler of a killed loader. */
#define DISABLING_TIMEOUT_MS 5000

/* Not in the headers of older distributions. */
#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif
#ifndef CAP_BPF
#define CAP_BPF 39
#endif

int preflight_check_sched_ext(void)
{
	if (access("/sys/kernel", F_OK))
		return log_error(ENOENT, "mount -t sysfs sysfs /sys",
				 "sysfs is not mounted on /sys");
	if (access(SCHED_EXT_DIR "/state", F_OK))
		return log_error(
			ENOSYS,
			"boot a kernel of 6.16 or later with CONFIG_SCHED_CLASS_EXT=y "
			"(see /boot/config-*; on Debian those of trixie-backports and sid)",
			"kernel %s has no sched_ext", kernel_release());
	if (access("/sys/kernel/btf/vmlinux", R_OK))
		return log_error(ENOSYS, "boot a kernel with CONFIG_DEBUG_INFO_BTF=y",
				 "kernel %s has no BTF (/sys/kernel/btf/vmlinux)",
				 kernel_release());
	return 0;
}

static int check_version(const struct object *object)
{
	unsigned int wanted = object->policy.kernel_min;

	if (kernel_version() >= wanted)
		return 0;
	return log_error(ENOSYS, "boot a newer kernel",
			 "policy %s (%s) needs kernel %u.%u or later, this is %s",
			 object->policy.name, object->policy.file, wanted >> 16, wanted >> 8 & 0xff,
			 kernel_release());
}

/* Returns the effective capabilities of this process; all if /proc does not tell. */
static unsigned long long effective_capabilities(void)
{
	unsigned long long caps = ~0ULL;
	char line[256];
	FILE *status;

	status = fopen("/proc/self/status", "re");
	if (!status)
		return caps;
	while (fgets(line, sizeof(line), status)) {
		if (sscanf(line, "CapEff: %llx", &caps) == 1)
			break;
	}
	fclose(status);
	return caps;
}

static const char remedy_lockdown[] = "boot with lockdown=integrity or without lockdown";

/* Without securityfs only the verifier's message shows it, see preflight_remedy(). */
static bool locked_down(void)
{
	char line[128];

	return !kernel_read_line("/sys/kernel/security/lockdown", line, sizeof(line)) &&
		strstr(line, "[confidentiality]");
}

int preflight_check_permission(void)
{
	const unsigned long long bpf = 1ULL << CAP_BPF | 1ULL << CAP_PERFMON;
	unsigned long long caps = effective_capabilities();

	if (locked_down())
		return log_error(EPERM, remedy_lockdown,
				 "not permitted to load a scheduler: the kernel is locked down "
				 "(confidentiality), and BPF may not read its memory");
	if (caps >> CAP_SYS_ADMIN & 1 || (caps & bpf) == bpf)
		return 0;
	return log_error(EPERM, "run it as root, or with CAP_BPF and CAP_PERFMON",
			 "not permitted to load a scheduler: this process (uid %d) may not use BPF",
			 (int)geteuid());
}

/* How to end a scheduler that is not ours: those of scx run as services. */
static const char *remedy_active(void)
{
	if (!access("/sys/fs/cgroup/system.slice/scx_loader.service/cgroup.procs", F_OK))
		return "`systemctl stop scx_loader` ends it (`systemctl disable scx_loader`: also at "
		       "boot); the kernel runs one at a time";
	if (!access("/sys/fs/cgroup/system.slice/scx.service/cgroup.procs", F_OK))
		return "`systemctl stop scx` ends it (`systemctl disable scx`: also at boot); the "
		       "kernel runs one at a time";
	return "stop it first; the kernel runs one at a time";
}

int preflight_check_alone(void)
{
	char name[128];

	/* The kernel may still be disabling the previous one. */
	kernel_sched_ext_settle(DISABLING_TIMEOUT_MS);
	if (kernel_sched_ext_is("disabled"))
		return 0;
	kernel_active_scheduler(name, sizeof(name));
	log_printable(name);
	return log_error(EBUSY, remedy_active(), "another scheduler is active: %s",
			 name[0] ? name : "(unnamed)");
}

int preflight_check_policy(struct object *object)
{
	unsigned int number = 0;
	struct pin_text text;
	int err;

	err = check_version(object);
	if (!err)
		err = pins_resolve(object);
	while (!err && pins_next(object, &number, &text))
		log_verbose("rule `%s`: `%s` is CPU %s", text.pin->rule, text.asked, text.cpus);
	return err;
}

int preflight_check(struct object *object)
{
	int err;

	err = preflight_check_sched_ext();
	if (!err)
		err = preflight_check_permission();
	if (!err)
		err = preflight_check_policy(object);
	return err;
}

static const char remedy_btf[] =
	"boot another kernel (Debian's 7.0.13 and 7.2.13 work), or build this one with a pahole that "
	"matches it";

static int report_function(enum kbtf_fault fault, const char *name)
{
	switch (fault) {
	case KBTF_HIDDEN_ARGUMENT:
		return log_error(
			ENOSYS, remedy_btf,
			"the BTF of kernel %s is malformed: %s exposes its hidden argument "
			"`aux`, so no scheduler can be loaded",
			kernel_release(), name);
	case KBTF_NO_PUBLIC_FORM:
		return log_error(ENOSYS, remedy_btf,
				 "the BTF of kernel %s is malformed: it has %s_impl, but no %s, so "
				 "no scheduler can be loaded",
				 kernel_release(), name, name);
	case KBTF_FINE:
		break;
	}
	return 0;
}

static int check_described(const struct kbtf *kernel)
{
	if (kbtf_find_struct(kernel, "sched_ext_ops"))
		return 0;
	return log_error(ENOSYS, remedy_btf, "the BTF of kernel %s does not describe sched_ext",
			 kernel_release());
}

/* Whether the kernel reports cgroups to a scheduler that counts by them. */
static int check_groups(const struct object *object, const struct kbtf *kernel)
{
	if (!bpf_object__find_map_by_name(object->bpf, "group_entries") ||
	    cgroups_are_optional(object) ||
	    kbtf_has_member(kernel, kbtf_find_struct(kernel, "sched_ext_ops"), "cgroup_init"))
		return 0;
	return log_error(ENOSYS,
			 "boot a kernel with CONFIG_EXT_GROUP_SCHED=y, or compile the policy with "
			 "`cgroups off`",
			 "policy %s (%s) has `cgroups`, but kernel %s does not report cgroups to "
			 "schedulers",
			 object->policy.name, object->policy.file, kernel_release());
}

int preflight_check_btf(const struct object *object, const struct kbtf *kernel)
{
	enum kbtf_fault fault;
	const char *name;
	int err;

	err = check_described(kernel);
	if (!err)
		err = check_groups(object, kernel);
	if (err)
		return err;
	fault = kbtf_check_functions(kernel, bpf_object__btf(object->bpf), &name);
	return report_function(fault, name);
}

int preflight_check_any_btf(const struct kbtf *kernel)
{
	enum kbtf_fault fault;
	char name[128];
	int err;

	err = check_described(kernel);
	if (err)
		return err;
	fault = kbtf_check_all_functions(kernel, name, sizeof(name));
	return report_function(fault, name);
}

bool preflight_isolated(char *cpus, size_t size)
{
	return !kernel_read_line("/sys/devices/system/cpu/isolated", cpus, size) && cpus[0];
}

const char *preflight_remedy(int err)
{
	char isolated[256];

	if (log_libbpf_contains("cannot use helper bpf_probe_read"))
		return "the kernel may be locked down (confidentiality): if so, boot with "
		       "lockdown=integrity or without lockdown";
	if (err == EPERM || err == EACCES)
		return "run it as root, outside of containers: the kernel or a security module forbids "
		       "BPF here";
	if (err == EBUSY)
		return "another scheduler was enabled in the meantime: stop it first";
	if (err == ENOMEM)
		return "free some memory";
	if (err == EINVAL && preflight_isolated(isolated, sizeof(isolated)))
		return "sched_ext does not work with isolated CPUs: boot without isolcpus=";
	return NULL;
}
