// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of a policy: load, attach, make sure that the kernel enabled it,
 * wait, detach; and again when the kernel asks for it after CPU hotplug. All
 * that is in force hangs on file descriptors of this process, nothing is
 * pinned: whatever ends the process ends the policy.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "blame.h"
#include "excerpt.h"
#include "fill.h"
#include "kbtf.h"
#include "kernel.h"
#include "loader.h"
#include "log.h"
#include "object.h"
#include "preflight.h"
#include "report.h"
#include "tunables.h"

/* How often the report in memory, and every how many times /sys, is looked at. */
#define WATCH_MS 100
#define WATCH_SYSFS_EVERY 20
/* CPUs that come and go faster than we load would keep us here for ever. */
#define MAX_FAILED_RESTARTS 16
/* A scheduler goes in milliseconds; a machine in trouble may take longer. */
#define DISABLED_TIMEOUT_MS 10000

/* Objects of earlier lives that are kept: more than hotplug ejects within seconds. */
#define MAX_KEPT 16

/*
 * Until 6.18 the kernel frees task storage in a worker that sleeps and may not
 * migrate; if its CPU is taken away meanwhile both wait for each other for ever,
 * and with them all that needs the hotplug lock. CPUs go in groups (SMT off), so
 * the objects of earlier lives stay until CPUs have been left alone for a while.
 */
struct attic {
	struct object objects[MAX_KEPT];
	size_t nr;
};

/* What holds a policy in force. */
struct session {
	struct object object;
	struct bpf_link **links; /* tracing programs; owned */
	size_t nr_links;
	struct bpf_link *ops_link; /* the scheduler itself; owned */
	void *exit_map; /* .data.exit, mapped; NULL before */
	size_t exit_map_size;
	char ops_name[128]; /* as in /sys/kernel/sched_ext/root/ops */
	bool enabled; /* the kernel has enabled it once */
};

static const char *policy_name(const struct session *session)
{
	return session->object.policy.name;
}

/* Whether a signal asks to stop. It stays pending, for the next one who asks. */
static bool stop_wanted(int signal_fd, int timeout_ms)
{
	struct pollfd poll_fd = { .fd = signal_fd, .events = POLLIN };

	return poll(&poll_fd, 1, timeout_ms) > 0;
}

static const volatile struct gthulhu_exit *live_report(const struct session *session)
{
	const char *map = session->exit_map;

	return (const void *)(map + session->object.exit_offset);
}

static int map_exit_report(struct session *session)
{
	struct bpf_map *map = session->object.exit;
	size_t page = sysconf(_SC_PAGESIZE);
	size_t size = (bpf_map__value_size(map) + page - 1) / page * page;
	void *memory;

	memory = mmap(NULL, size, PROT_READ, MAP_SHARED, bpf_map__fd(map), 0);
	if (memory == MAP_FAILED)
		return log_error(errno, NULL, "%s: cannot map .data.exit: %s", policy_name(session),
				 strerror(errno));
	session->exit_map = memory;
	session->exit_map_size = size;
	return 0;
}

static void read_ops_name(struct session *session)
{
	const struct btf *btf = bpf_object__btf(session->object.bpf);
	const struct btf_member *members;
	const struct btf_type *ops;
	const char *data;
	size_t size;

	ops = btf__type_by_id(btf, btf__find_by_name_kind(btf, "sched_ext_ops", BTF_KIND_STRUCT));
	members = btf_members(ops);
	data = bpf_map__initial_value(session->object.ops, &size);
	for (unsigned int i = 0; i < btf_vlen(ops); i++) {
		if (strcmp(btf__name_by_offset(btf, members[i].name_off), "name"))
			continue;
		if (btf__resolve_size(btf, members[i].type) == sizeof(session->ops_name))
			memcpy(session->ops_name, data + btf_member_bit_offset(ops, i) / 8,
			       sizeof(session->ops_name) - 1);
	}
}

static int load(struct session *session)
{
	struct object *object = &session->object;
	/* Before anything that counts CPUs. */
	uint64_t hotplug_seq = kernel_sched_ext_number("hotplug_seq");
	struct kbtf kernel;
	int err;

	err = kbtf_open(&kernel);
	if (err)
		return log_error(-err, NULL, "cannot read the kernel's BTF: %s", strerror(-err));
	err = preflight_check_btf(object, &kernel);
	if (!err)
		err = fill_object(object, &kernel, hotplug_seq);
	if (!err && object->excerpt_fd >= 0) {
		err = excerpt_write(object->excerpt_fd, &kernel, bpf_object__btf(object->bpf));
		if (err)
			log_error(-err, NULL, "cannot copy the kernel's types: %s", strerror(-err));
	}
	if (err) {
		kbtf_close(&kernel);
		return err;
	}

	read_ops_name(session);
	log_libbpf_forget();
	kbtf_share(&kernel);
	err = bpf_object__load(object->bpf);
	kbtf_close(&kernel);
	if (err) {
		log_error(-err, preflight_explain(-err), "%s: the kernel refuses to load it: %s",
			  policy_name(session), strerror(-err));
		log_libbpf_tail();
		return err;
	}
	return map_exit_report(session);
}

/* Programs beside the scheduler: what they see before it is enabled is harmless. */
static int attach_tracing(struct session *session)
{
	struct bpf_program *program;
	size_t nr = 0;

	bpf_object__for_each_program(program, session->object.bpf)
		nr++;
	session->links = calloc(nr + 1, sizeof(*session->links));
	if (!session->links)
		return log_error(ENOMEM, NULL, "out of memory");

	bpf_object__for_each_program(program, session->object.bpf) {
		struct bpf_link *link;

		if (bpf_program__type(program) == BPF_PROG_TYPE_STRUCT_OPS ||
		    !bpf_program__autoload(program) || !bpf_program__autoattach(program))
			continue;
		link = bpf_program__attach(program);
		if (!link && errno == EOPNOTSUPP) /* a kind that others run */
			continue;
		if (!link) {
			int err = log_error(errno, preflight_explain(errno),
					    "%s: cannot attach %s (%s): %s", policy_name(session),
					    bpf_program__name(program),
					    bpf_program__section_name(program), strerror(errno));

			log_libbpf_tail();
			return err;
		}
		session->links[session->nr_links++] = link;
	}
	return 0;
}

static int attach_scheduler(struct session *session)
{
	char other[128];
	int err;

	session->ops_link = bpf_map__attach_struct_ops(session->object.ops);
	if (session->ops_link)
		return 0;
	err = errno;
	kernel_active_scheduler(other, sizeof(other));
	log_printable(other);
	if (err == EBUSY && other[0])
		return log_error(err, preflight_explain(err), "another scheduler is active: %s",
				 other);
	log_error(err, preflight_explain(err), "%s: the kernel refuses to enable it: %s",
		  policy_name(session), strerror(err));
	log_libbpf_tail();
	return -err;
}

/*
 * Attaching returns success even where enabling fails late; only the report
 * and /sys tell.
 */
static bool in_force(const struct session *session)
{
	char name[128];

	if (live_report(session)->kind || !kernel_sched_ext_is("enabled"))
		return false;
	kernel_active_scheduler(name, sizeof(name));
	return !strcmp(name, session->ops_name);
}

static void announce(const struct session *session)
{
	struct cpu_list online;

	if (kernel_online_cpus(&online))
		online.nr_cpus = libbpf_num_possible_cpus();
	log_news("%s: enabled on %u CPU%s (kernel %s)", policy_name(session), online.nr_cpus,
		 online.nr_cpus == 1 ? "" : "s", kernel_release());
}

static void attic_clear(struct attic *attic)
{
	while (attic->nr)
		object_close(&attic->objects[--attic->nr]);
}

/* Takes the object over. */
static void attic_keep(struct attic *attic, const struct object *object)
{
	if (attic->nr == MAX_KEPT)
		attic_clear(attic);
	attic->objects[attic->nr++] = *object;
}

/* Returns when a signal came, or when the scheduler is no longer in force. */
static void watch(const struct session *session, struct attic *attic, int signal_fd)
{
	for (unsigned int round = 1; !stop_wanted(signal_fd, WATCH_MS); round++) {
		if (live_report(session)->kind)
			return;
		if (round % WATCH_SYSFS_EVERY)
			continue;
		if (!in_force(session))
			return;
		attic_clear(attic); /* hotplug would have ended it */
	}
}

/* Takes out whatever is in, the scheduler first, and waits until it is gone. */
static void detach(struct session *session)
{
	bool was_attached = session->ops_link;

	bpf_link__destroy(session->ops_link);
	session->ops_link = NULL;
	while (session->nr_links)
		bpf_link__destroy(session->links[--session->nr_links]);
	free(session->links);
	session->links = NULL;
	if (was_attached)
		kernel_sched_ext_settle(DISABLED_TIMEOUT_MS);
}

/* All but the object. */
static void session_end(struct session *session)
{
	detach(session);
	if (session->exit_map)
		munmap(session->exit_map, session->exit_map_size);
}

/* The task that the kernel complains of is of this rule. */
static void add_rule(const struct session *session, const char *msg, char *text, size_t size)
{
	char rule[256];
	size_t length = strlen(text);

	if (!blame_find(&session->object, msg, rule, sizeof(rule)))
		return;
	log_printable(rule);
	snprintf(text + length, size - length, ", a task of %s", rule);
}

/* Says how it ended, after detach(). */
static enum exit_status conclude(struct session *session, enum ending ending)
{
	struct gthulhu_exit *report;
	char text[1536] = "for a reason that it does not give";

	if (ending == ENDING_STOPPED) {
		log_news("%s: stopped", policy_name(session));
		return STATUS_STOPPED;
	}
	report = malloc(sizeof(*report));
	if (report) {
		memcpy(report, (const void *)live_report(session), sizeof(*report));
		if (report->kind) {
			report_format(report, text, sizeof(text));
			add_rule(session, report->msg, text, sizeof(text));
		}
		if (report->dump[0])
			log_detail("%s", report->dump);
		free(report);
	}
	if (!session->enabled) {
		log_error(EINVAL, NULL, "%s: the kernel did not enable it: %s",
			  policy_name(session), text);
		return STATUS_REFUSED;
	}
	if (ending == ENDING_LET_GO) {
		log_error(ECANCELED, NULL, "%s: let go: %s", policy_name(session), text);
		return STATUS_LET_GO;
	}
	log_error(EIO,
		  log_get_level() < LOG_VERBOSE ? "the kernel's own scheduler has taken over; "
						  "with --verbose the kernel's dump is printed"
						: "the kernel's own scheduler has taken over",
		  "%s: ejected by the kernel: %s", policy_name(session), text);
	return STATUS_EJECTED;
}

static enum exit_status stopped_early(const struct session *session)
{
	log_news("%s: stopped before it was enabled", policy_name(session));
	return STATUS_STOPPED;
}

/* One life. *again: the kernel asks for another one; the status says nothing then. */
static enum exit_status run_once(struct session *session, struct attic *attic, int signal_fd,
				 bool *again)
{
	uint64_t enable_seq;
	enum ending ending;

	if (preflight_check(&session->object))
		return STATUS_REFUSED;
	if (stop_wanted(signal_fd, 0))
		return stopped_early(session);
	if (load(session))
		return STATUS_REFUSED;
	if (stop_wanted(signal_fd, 0))
		return stopped_early(session);
	if (attach_tracing(session))
		return STATUS_REFUSED;
	if (stop_wanted(signal_fd, 0))
		return stopped_early(session);

	enable_seq = kernel_sched_ext_number("enable_seq");
	if (attach_scheduler(session))
		return STATUS_REFUSED;
	/* It may have been enabled, and be gone again by now. */
	session->enabled = in_force(session) || kernel_sched_ext_number("enable_seq") != enable_seq;
	if (session->enabled) {
		announce(session);
		watch(session, attic, signal_fd);
	}

	detach(session);
	ending = report_ending((const void *)live_report(session));
	if (ending == ENDING_NONE || ending == ENDING_STOPPED)
		ending = stop_wanted(signal_fd, 0) ? ENDING_STOPPED : ENDING_ERROR;
	if (ending == ENDING_RESTART) {
		*again = !stop_wanted(signal_fd, 0);
		ending = ENDING_STOPPED;
	}
	return *again ? STATUS_STOPPED : conclude(session, ending);
}

enum exit_status run_policy(const char *path, const struct settings *settings, int signal_fd)
{
	unsigned int failed_restarts = 0;
	struct attic attic = {};
	enum exit_status status;
	bool again;

	do {
		struct session session = {};

		again = false;
		status = STATUS_REFUSED;
		if (object_open(&session.object, path))
			break;
		if (!tunables_set(&session.object, settings))
			status = run_once(&session, &attic, signal_fd, &again);
		failed_restarts = session.enabled ? 0 : failed_restarts + 1;
		if (again && failed_restarts > MAX_FAILED_RESTARTS) {
			log_error(EAGAIN, "start it again when the CPUs are settled",
				  "%s: CPUs keep coming and going while it is loaded",
				  policy_name(&session));
			status = STATUS_REFUSED;
			again = false;
		} else if (again) {
			log_news("%s: a CPU came or went, loading again", policy_name(&session));
		}
		session_end(&session);
		attic_keep(&attic, &session.object);
	} while (again);
	attic_clear(&attic);
	return status;
}
