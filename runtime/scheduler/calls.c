// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <linux/bpf.h>

#include "btf/kbtf.h"
#include "machine/kernel.h"
#include "object/object.h"
#include "output/json.h"
#include "output/log.h"
#include "scheduler/calls.h"

static const char remedy_again[] = "compile the policy again, with a gthulhuc of this release";

static struct bpf_program *find_program(const struct object *object, const char *kind,
					unsigned int i)
{
	char name[64];

	snprintf(name, sizeof(name), "gthulhu_%s_%u", kind, i);
	return bpf_object__find_program_by_name(object->bpf, name);
}

/* The section's name is KIND/FUNCTION. */
static const char *function_of(const struct bpf_program *program)
{
	const char *slash = program ? strchr(bpf_program__section_name(program), '/') : NULL;

	return slash ? slash + 1 : NULL;
}

/*
 * Whether fentry can be attached depends on the function's parameters, on lists in the kernel and
 * on how it was compiled, so this tries it with a program that does nothing.
 */
static bool has_fentry(const struct kbtf *kernel, const char *function)
{
	const struct bpf_insn nothing[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_FENTRY);
	int id = kbtf_find(kernel, function, BTF_KIND_FUNC), program, link;

	if (id < 0)
		return false;
	opts.attach_btf_id = id;
	program = bpf_prog_load(BPF_PROG_TYPE_TRACING, "gthulhu_try", "GPL", nothing,
				sizeof(nothing) / sizeof(nothing[0]), &opts);
	if (program < 0)
		return false;
	link = bpf_link_create(program, 0, BPF_TRACE_FENTRY, NULL);
	close(program);
	if (link < 0)
		return false;
	close(link);
	return true;
}

/* The coarse clock has the resolution of a tick; sysconf() has another unit. */
static int fill_tick(const struct object *object)
{
	struct timespec tick;
	struct variable var;
	uint64_t tick_ns;

	if (!object_find(object, object->rodata, "tick_ns", &var) || var.size != sizeof(tick_ns))
		return log_error(EINVAL, remedy_again,
				 "%s: corrupt object: no `tick_ns` of 8 bytes",
				 object->policy.name);
	clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
	tick_ns = tick.tv_sec * 1000000000ULL + tick.tv_nsec;
	memcpy(var.data, &tick_ns, sizeof(tick_ns));
	log_verbose("tick_ns = %llu", (unsigned long long)tick_ns);
	return 0;
}

static int lacks_program(const struct object *object)
{
	return log_error(EINVAL, remedy_again, "%s: corrupt object: it lacks a program for `calls`",
			 object->policy.name);
}

static int load(const struct object *object, const char *name)
{
	struct bpf_program *program = bpf_object__find_program_by_name(object->bpf, name);

	if (!program)
		return lacks_program(object);
	bpf_program__set_autoload(program, true);
	return 0;
}

int calls_prepare(struct calls *calls, struct object *object, const struct kbtf *kernel)
{
	bool by_kprobe = false;

	while (find_program(object, "kprobe", calls->nr))
		calls->nr++;
	if (!calls->nr)
		return 0;
	calls->traced = calloc(calls->nr, sizeof(*calls->traced));
	if (!calls->traced) {
		calls->nr = 0;
		return log_error(ENOMEM, NULL, "out of memory");
	}
	for (unsigned int i = 0; i < calls->nr; i++) {
		struct bpf_program *fentry = find_program(object, "fentry", i);
		struct bpf_program *kprobe = find_program(object, "kprobe", i);
		struct traced *traced = &calls->traced[i];

		traced->function = function_of(kprobe);
		if (!fentry || !traced->function)
			return lacks_program(object);
		if (has_fentry(kernel, traced->function)) {
			bpf_program__set_autoload(fentry, true);
			continue;
		}
		bpf_program__set_autoload(kprobe, true);
		bpf_program__set_autoattach(kprobe, false);
		traced->kprobe = kprobe;
		by_kprobe = true;
	}
	/* A kernel without modules lacks these tracepoints. */
	if (by_kprobe && kbtf_find(kernel, "btf_trace_module_load", BTF_KIND_TYPEDEF) >= 0 &&
	    (load(object, "gthulhu_module_load") || load(object, "gthulhu_module_free")))
		return -EINVAL;
	return fill_tick(object);
}

/* Replaces the kprobe, which may belong to a module that was unloaded. */
static void reattach(struct traced *traced)
{
	struct bpf_link *last = traced->link;

	traced->link = bpf_program__attach_kprobe(traced->kprobe, false, traced->function);
	traced->err = traced->link ? 0 : errno;
	bpf_link__destroy(last);
}

/*
 * The same after a module came or went. The event comes before the module is gone: meanwhile the
 * kernel still finds the function, and refuses a kprobe.
 */
static void follow(struct traced *traced)
{
	int err = traced->err;

	reattach(traced);
	for (int i = 0; i < 50 && traced->err == EINVAL && err != EINVAL; i++) {
		usleep(1000);
		reattach(traced);
	}
}

/*
 * Debian and Ubuntu add levels above 2, at which perf_event_open() needs CAP_SYS_ADMIN; the
 * upstream kernel needs CAP_PERFMON for a kprobe.
 */
static bool kernel_is_strict_on_perf(void)
{
	char level[16];

	return !kernel_read_line("/proc/sys/kernel/perf_event_paranoid", level, sizeof(level)) &&
		atoi(level) > 2;
}

/* Returns why a function has no kprobe, as text for people; valid until the next call. */
static const char *failure_reason(const struct traced *traced)
{
	static char why[64];

	if (traced->err == ENOENT)
		return "the kernel does not have it until a module defines it";
	if (traced->err == EADDRNOTAVAIL)
		return "the kernel has several functions of that name";
	if (traced->err == EACCES && kernel_is_strict_on_perf())
		return "it cannot be traced without CAP_SYS_ADMIN: "
		       "`sysctl kernel.perf_event_paranoid=2` makes CAP_PERFMON sufficient";
	snprintf(why, sizeof(why), "it cannot be traced: %s", strerror(traced->err));
	return why;
}

static void warn(const struct object *object, const struct traced *traced)
{
	log_info("%s: warning: `calls \"%s\"` matches no task: %s", object->policy.name,
		 traced->function, failure_reason(traced));
}

static int ignore(void *context, void *data, size_t size)
{
	(void)context;
	(void)data;
	(void)size;
	return 0;
}

int calls_attach(struct calls *calls, const struct object *object)
{
	struct bpf_program *program =
		bpf_object__find_program_by_name(object->bpf, "gthulhu_module_load");
	struct bpf_map *map = bpf_object__find_map_by_name(object->bpf, "module_events");

	/* First, so that no module is missed from now on. */
	if (program && map && bpf_program__autoload(program)) {
		calls->events = ring_buffer__new(bpf_map__fd(map), ignore, NULL, NULL);
		if (!calls->events)
			return log_error(errno, NULL, "%s: cannot map module_events: %s",
					 object->policy.name, strerror(errno));
	}
	for (size_t i = 0; i < calls->nr; i++) {
		struct traced *traced = &calls->traced[i];

		if (traced->kprobe)
			reattach(traced);
		if (traced->err)
			warn(object, traced);
		else
			log_verbose("calls of %s are traced by %s", traced->function,
				    traced->kprobe ? "a kprobe" : "fentry");
	}
	return 0;
}

int calls_fd(const struct calls *calls)
{
	return calls->events ? ring_buffer__epoll_fd(calls->events) : -1;
}

void calls_follow(struct calls *calls, const struct object *object)
{
	if (!calls->events || ring_buffer__consume(calls->events) <= 0)
		return;
	for (size_t i = 0; i < calls->nr; i++) {
		struct traced *traced = &calls->traced[i];
		int err = traced->err;

		if (!traced->kprobe)
			continue;
		follow(traced);
		if (traced->err == err)
			continue;
		if (!traced->err)
			log_info("%s: `%s` appeared with its module", object->policy.name,
				 traced->function);
		else if (!err && traced->err == ENOENT)
			log_info("%s: `%s` disappeared with its module", object->policy.name,
				 traced->function);
		else
			warn(object, traced);
	}
}

void calls_end(struct calls *calls)
{
	for (size_t i = 0; i < calls->nr; i++)
		bpf_link__destroy(calls->traced[i].link);
	free(calls->traced);
	ring_buffer__free(calls->events);
	memset(calls, 0, sizeof(*calls));
}

void calls_write(const struct calls *calls, struct json *json)
{
	if (!calls->nr)
		return;
	json_array_begin(json, "calls");
	for (size_t i = 0; i < calls->nr; i++) {
		const struct traced *traced = &calls->traced[i];

		json_element_begin(json);
		json_string(json, "function", traced->function);
		json_string(json, "by",
			    !traced->kprobe	   ? "fentry"
				    : traced->link ? "kprobe"
						   : "nothing");
		if (traced->err)
			json_string(json, "why", failure_reason(traced));
		json_element_end(json);
	}
	json_array_end(json);
}

/* A line of /proc/kallsyms is ADDRESS TYPE NAME, then [MODULE] if it belongs to one. */
static enum traced_where find_symbol(const char *function)
{
	enum traced_where where = TRACED_NOWHERE;
	char line[1024], name[512], module[64];
	FILE *symbols = fopen("/proc/kallsyms", "re");

	if (!symbols)
		return where;
	while (where == TRACED_NOWHERE && fgets(line, sizeof(line), symbols)) {
		int nr = sscanf(line, "%*s %*c %511s %63s", name, module);

		if (nr >= 1 && !strcmp(name, function))
			where = nr > 1 ? TRACED_MODULE : TRACED_KERNEL;
	}
	fclose(symbols);
	return where;
}

const char *calls_find(const struct object *object, const struct kbtf *kernel, unsigned int i,
		       enum traced_where *where)
{
	const char *function = function_of(find_program(object, "kprobe", i));

	if (function)
		*where = kernel && kbtf_find(kernel, function, BTF_KIND_FUNC) >= 0
			? TRACED_KERNEL
			: find_symbol(function);
	return function;
}
