// SPDX-License-Identifier: GPL-2.0-only
/*
 * File descriptors of this process hold everything that is in force, and nothing is pinned: however
 * the process ends, the policy ends with it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "btf/excerpt.h"
#include "btf/kbtf.h"
#include "fill/fill.h"
#include "labels/labels.h"
#include "machine/kernel.h"
#include "object/iterate.h"
#include "object/tunables.h"
#include "output/log.h"
#include "scheduler/blame.h"
#include "scheduler/guarantees.h"
#include "scheduler/preflight.h"
#include "scheduler/session.h"

/* Disabling takes milliseconds; an overloaded machine may need longer. */
#define DISABLED_TIMEOUT_MS 10000

void session_init(struct session *session)
{
	memset(session, 0, sizeof(*session));
	session->object.excerpt_fd = -1;
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

int session_load(struct session *session, struct labels *labels)
{
	struct object *object = &session->object;
	struct kbtf kernel;
	int err;

	/* Before anything that counts CPUs: a change since then makes the kernel refuse it. */
	session->hotplug_seq = kernel_sched_ext_number("hotplug_seq");
	err = kbtf_open(&kernel);
	if (err)
		return log_error(-err, NULL, "cannot read the kernel's BTF: %s", strerror(-err));
	err = preflight_check_btf(object, &kernel);
	if (!err)
		err = fill_object(object, &kernel, session->hotplug_seq);
	if (!err)
		err = calls_prepare(&session->calls, object, &kernel);
	if (!err)
		err = labels_share(labels, object);
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
	log_libbpf_clear();
	kbtf_share(&kernel);
	err = bpf_object__load(object->bpf);
	kbtf_close(&kernel);
	if (err) {
		log_error(-err, preflight_remedy(-err), "%s: the kernel refuses to load it: %s",
			  policy_name(session), strerror(-err));
		log_libbpf_tail();
		return err;
	}
	err = map_exit_report(session);
	if (!err)
		err = tunables_map(object);
	if (!err)
		err = conditions_begin(&session->conditions, object);
	if (!err)
		err = guarantees_check(object);
	return err ? err : labels_fill(labels, object);
}

/* Reads the programs of processes that run already. The tracing programs see later ones. */
static int read_programs(struct session *session)
{
	struct bpf_program *program =
		bpf_object__find_program_by_name(session->object.bpf, "gthulhu_programs");
	int err = program ? iterate_tasks(program, NULL) : 0;

	if (err)
		return log_error(-err, NULL, "%s: cannot read the programs of processes: %s",
				 policy_name(session), strerror(-err));
	return 0;
}

/* Whether a program is an iterator, which the loader runs and does not attach. */
static bool is_iterator(const struct bpf_program *program)
{
	return !strncmp(bpf_program__section_name(program), "iter", 4);
}

int session_attach(struct session *session)
{
	struct bpf_program *program;
	size_t nr = 0;
	int err;

	bpf_object__for_each_program(program, session->object.bpf)
		nr++;
	session->links = calloc(nr + 1, sizeof(*session->links));
	if (!session->links)
		return log_error(ENOMEM, NULL, "out of memory");

	bpf_object__for_each_program(program, session->object.bpf) {
		struct bpf_link *link;

		if (bpf_program__type(program) == BPF_PROG_TYPE_STRUCT_OPS ||
		    !bpf_program__autoload(program) || !bpf_program__autoattach(program) ||
		    is_iterator(program))
			continue;
		link = bpf_program__attach(program);
		if (!link && errno == EOPNOTSUPP) /* a kind that is not attached, but run */
			continue;
		if (!link) {
			err = log_error(errno, preflight_remedy(errno),
					"%s: cannot attach %s (%s): %s", policy_name(session),
					bpf_program__name(program),
					bpf_program__section_name(program), strerror(errno));

			log_libbpf_tail();
			return err;
		}
		session->links[session->nr_links++] = link;
	}
	err = read_programs(session);
	return err ? err : calls_attach(&session->calls, &session->object);
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
		return log_error(err, preflight_remedy(err), "another scheduler is active: %s",
				 other);
	log_error(err, preflight_remedy(err), "%s: the kernel refuses to enable it: %s",
		  policy_name(session), strerror(err));
	log_libbpf_tail();
	return -err;
}

/* Attaching succeeds even if enabling fails later: only the report and /sys tell. */
bool session_in_force(const struct session *session)
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
	log_info("%s: enabled on %u CPU%s (kernel %s)", policy_name(session), online.nr_cpus,
		 online.nr_cpus == 1 ? "" : "s", kernel_release());
}

int session_enable(struct session *session)
{
	uint64_t enable_seq = kernel_sched_ext_number("enable_seq");
	int err;

	err = attach_scheduler(session);
	if (err)
		return err;
	/* The kernel may have enabled it and disabled it again by now. */
	session->enabled =
		session_in_force(session) || kernel_sched_ext_number("enable_seq") != enable_seq;
	session->since = time(NULL);
	if (session->enabled) {
		announce(session);
		/* Without memory it is in force, and not judged. */
		promises_begin(&session->promises, &session->object);
	}
	return 0;
}

bool session_has_ended(const struct session *session)
{
	return live_report(session)->kind;
}

bool session_cpus_changed(const struct session *session)
{
	return kernel_sched_ext_number("hotplug_seq") != session->hotplug_seq;
}

enum ending session_ending(const struct session *session)
{
	return report_ending((const void *)live_report(session));
}

void session_disable(struct session *session)
{
	if (!session->ops_link)
		return;
	bpf_link__destroy(session->ops_link);
	session->ops_link = NULL;
	kernel_sched_ext_settle(DISABLED_TIMEOUT_MS);
}

/* Leaves nothing but the object. */
static void session_end(struct session *session)
{
	session_disable(session);
	while (session->nr_links)
		bpf_link__destroy(session->links[--session->nr_links]);
	free(session->links);
	session->links = NULL;
	calls_end(&session->calls);
	promises_end(&session->promises);
	conditions_end(&session->conditions);
	if (session->exit_map)
		munmap(session->exit_map, session->exit_map_size);
	session->exit_map = NULL;
}

/* Appends the rule whose task the kernel complained about. */
static void add_rule(const struct session *session, const char *msg, char *text, size_t size)
{
	char rule[256];
	size_t length = strlen(text);

	if (!blame_find(&session->object, msg, rule, sizeof(rule)))
		return;
	log_printable(rule);
	snprintf(text + length, size - length, ", a task of %s", rule);
}

enum exit_status session_conclude(const struct session *session, enum ending ending)
{
	struct gthulhu_exit *report;
	char text[1536] = "the kernel gave no reason";

	if (ending == ENDING_STOPPED) {
		log_info("%s: stopped", policy_name(session));
		return STATUS_STOPPED;
	}
	report = session->exit_map ? malloc(sizeof(*report)) : NULL;
	if (report) {
		memcpy(report, (const void *)live_report(session), sizeof(*report));
		if (report->kind) {
			report_format(report, text, sizeof(text));
			add_rule(session, report->msg, text, sizeof(text));
		}
		if (report->dump[0])
			log_verbose("%s", report->dump);
		free(report);
	}
	if (!session->enabled) {
		log_error(EINVAL,
			  ending == ENDING_RESTART ? "CPU hotplug interrupted it: try again" : NULL,
			  "%s: the kernel did not enable it: %s", policy_name(session), text);
		return STATUS_REFUSED;
	}
	if (ending == ENDING_DISABLED) {
		log_error(ECANCELED, NULL, "%s: disabled on request: %s", policy_name(session),
			  text);
		return STATUS_DISABLED;
	}
	log_error(EIO,
		  log_get_level() < LOG_VERBOSE ? "the kernel's own scheduler has taken over; "
						  "--verbose prints the kernel's dump"
						: "the kernel's own scheduler has taken over",
		  "%s: ejected by the kernel: %s", policy_name(session), text);
	return STATUS_EJECTED;
}

void retired_clear(struct retired *retired)
{
	while (retired->nr)
		object_close(&retired->objects[--retired->nr]);
}

void session_retire(struct retired *retired, struct session *session)
{
	session_end(session);
	if (retired->nr == MAX_RETIRED)
		retired_clear(retired);
	retired->objects[retired->nr++] = session->object;
	session_init(session);
}
