/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Does the work of libbpf and the loader: sets the kernel's constants by name,
 * finds programs by section, enables the scheduler and removes it.
 */
#define _GNU_SOURCE /* for dlinfo */
#include "machine.h"
#include "cgroup.h"
#include "cost.h"
#include "kernel.h"
#include "labels.h"
#include "sanitizers.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include "abi.h"
#include "machine_cells.h"

/* A new member means a new duty of the model; then say so here. */
_Static_assert(sizeof(struct task_struct) == 160, "task_struct has another member: set it");

enum { MAX_PROGRAMS = 32, MAX_TUNABLES = 1024 };

/* The constants of kernel.bpf.h are in each file that includes it; only the scheduler's count. */
const char *__asan_default_options(void)
{
	return "detect_odr_violation=0";
}

struct sched_ext_ops *ops;
bool is_policy;

static const char *object_path;
static void *object;
static s32 (*class_of_task)(struct task_struct *k);
static u32 nr_changes; /* of numbers by `when` blocks */
static u32 nr_questions; /* about labels */
static struct {
	u64 value;
	bool is_set;
} tunables[MAX_TUNABLES];
static void *beyond_cpus; /* room for more of them than there are */
static u64 beyond_size;

static struct {
	char section[64];
	program run;
} programs[MAX_PROGRAMS];
static u32 nr_programs;

/* Events that the model tells of. */
static const char *const events[] = {
	"tp_btf/task_newtask", "tp_btf/task_rename",	    "tp_btf/cgroup_attach_task",
	"fexit/commit_creds",  "tp_btf/sched_switch",	    "iter/task",
	"iter.s/task",	       "tp_btf/sched_process_exec",
};

static void make_writable(void *address)
{
	u64 size = sysconf(_SC_PAGESIZE), page = (uintptr_t)address & ~(size - 1);

	if (mprotect((void *)page, size, PROT_READ | PROT_WRITE))
		fail("a constant cannot be set");
}

static void write_constant(const char *name, const void *value, u64 size)
{
	char *address = dlsym(object, name);

	if (!address)
		return;
	make_writable(address);
	make_writable(address + size - 1);
	memcpy(address, value, size);
}

/* Tells an object of the machine, as the loader does. The groups of CPUs are known by now. */
static void describe_machine(void)
{
	const struct gthulhu_cells *cells = divide_into_cells();
	u64 flag = 0;

	write_constant("nr_cells", &cells->nr, sizeof(cells->nr));
	write_constant("cpu_cells", cells->of_cpu, sizeof(cells->of_cpu));
	write_constant("cell_nodes", cells->nodes, sizeof(cells->nodes));
	write_constant("near_cells", cells->near, sizeof(cells->near));
	write_constant("cpu_siblings", cells->siblings, sizeof(cells->siblings));
	write_constant("has_siblings", &cells->has_siblings, sizeof(cells->has_siblings));
	set_constant("SCX_OPS_KEEP_BUILTIN_IDLE", &flag);
	write_constant("cell_flag_SCX_OPS_KEEP_BUILTIN_IDLE", &flag, sizeof(flag));
	if (cells->nr == 1 && dlsym(object, "cell_flag_SCX_OPS_KEEP_BUILTIN_IDLE"))
		ops->flags |= flag;
}

static void note_symbol(const char *name, void *address, u64 size, bool is_writable)
{
	u64 flag;

	if (is_writable)
		name_variable(address, size, name);
	if (!strncmp(name, "kernel_", 7) || !strncmp(name, "ops_flag_", 9) ||
	    !strcmp(name, "nr_cpus"))
		make_writable(address);
	if (!strncmp(name, "kernel_", 7)) {
		set_constant(name + 7, address);
	} else if (!strncmp(name, "ops_flag_", 9)) {
		set_constant(name + 9, address);
		memcpy(&flag, address, sizeof(flag));
		ops->flags |= flag;
	} else if (!strcmp(name, "nr_cpus")) {
		*(u32 *)address = nr_cpus_;
	} else if (!strcmp(name, "policy_changes")) {
		nr_changes = size / sizeof(struct gthulhu_change);
	} else if (!strcmp(name, "policy_questions")) {
		nr_questions = size / sizeof(struct gthulhu_question);
	} else if (!strcmp(name, "cpus")) {
		/* The loader makes it longer; sanitizers guard its end. */
		beyond_cpus = (char *)address + size * nr_cpus_;
		beyond_size = size * (MAX_CPUS - nr_cpus_);
		ASAN_POISON_MEMORY_REGION(beyond_cpus, beyond_size);
	}
}

/* A scheduler that is no policy's has its own name for them. */
static void note_ops(const char *section, void *address)
{
	if (!ops && !strncmp(section, ".struct_ops", 11))
		ops = address;
}

static void keep_program(const char *section, void *address)
{
	strncpy(programs[nr_programs].section, section, sizeof(programs[0].section) - 1);
	programs[nr_programs++].run = address;
}

static const bool *told_of_cgroups; /* the scheduler's constant */

bool counts_cgroups(void)
{
	return !told_of_cgroups || *told_of_cgroups;
}

/* The loader leaves out what is about cgroups where they do not count. */
static bool is_left_out(const char *name)
{
	return !counts_cgroups() && !strncmp(name, "gthulhu_cgroup_", 15);
}

static void note_program(const char *name, const char *section, void *address)
{
	if (!strchr(section, '/') || !strncmp(section, "struct_ops", 10) || is_left_out(name))
		return;
	/* The loader decides which of these it attaches; here the scenario says what is called. */
	if (section[0] == '?') {
		keep_program(section, address);
		return;
	}
	for (u32 i = 0; i < NR(events); i++) {
		if (!strcmp(events[i], section)) {
			keep_program(section, address);
			return;
		}
	}
	fail("the model does not support %s", section);
}

program program_at(const char *section)
{
	for (u32 i = 0; i < nr_programs; i++) {
		if (!strcmp(programs[i].section, section))
			return programs[i].run;
	}
	return NULL;
}

static char *read_object(void)
{
	FILE *file = fopen(object_path, "rb");
	char *bytes;
	long size;

	if (!file || fseek(file, 0, SEEK_END))
		fail("%s cannot be read", object_path);
	size = ftell(file);
	rewind(file);
	bytes = malloc(size);
	if (fread(bytes, 1, size, file) != (size_t)size)
		fail("%s cannot be read", object_path);
	fclose(file);
	return bytes;
}

/* Every symbol of the object, also those that are not exported. */
static void read_symbols(u64 base)
{
	char *bytes = read_object();
	const Elf64_Ehdr *header = (void *)bytes;
	const Elf64_Shdr *sections = (void *)(bytes + header->e_shoff);
	const char *names = bytes + sections[header->e_shstrndx].sh_offset;

	for (u32 i = 0; i < header->e_shnum; i++) {
		const Elf64_Shdr *table = &sections[i];
		const Elf64_Sym *symbols = (void *)(bytes + table->sh_offset);
		const char *texts = bytes + sections[table->sh_link].sh_offset;

		if (table->sh_type != SHT_SYMTAB)
			continue;
		for (u64 s = 0; s < table->sh_size / sizeof(*symbols); s++) {
			u32 type = ELF64_ST_TYPE(symbols[s].st_info);
			void *address = (void *)(base + symbols[s].st_value);

			if (symbols[s].st_shndx == SHN_UNDEF ||
			    symbols[s].st_shndx >= SHN_LORESERVE)
				continue;
			if (type == STT_OBJECT)
				note_ops(names + sections[symbols[s].st_shndx].sh_name, address);
			if (type == STT_OBJECT)
				note_symbol(texts + symbols[s].st_name, address, symbols[s].st_size,
					    sections[symbols[s].st_shndx].sh_flags & SHF_WRITE);
			else if (type == STT_FUNC)
				note_program(texts + symbols[s].st_name,
					     names + sections[symbols[s].st_shndx].sh_name,
					     address);
		}
	}
	free(bytes);
}

static void write_value(void *to, u32 size, u64 value)
{
	u32 half = value;

	if (size == sizeof(value))
		memcpy(to, &value, sizeof(value));
	else if (size == sizeof(half))
		memcpy(to, &half, sizeof(half));
	else
		fail("a tunable has %u bytes", size);
}

/* Numbers that a block of `when` may change: those that hold without one. */
static void set_changes(u64 number, u64 value)
{
	const struct gthulhu_change *changes = dlsym(object, "policy_changes");
	char *params = dlsym(object, "class_params");

	for (u32 i = 0; changes && i < nr_changes; i++) {
		if (!changes[i].when && changes[i].tunable == number + 1)
			write_value(params + changes[i].offset, changes[i].size, value);
	}
}

static void apply_tunable(u64 number, u64 value)
{
	const struct gthulhu_policy *policy = dlsym(object, "policy");
	const struct gthulhu_place *places = dlsym(object, "policy_places");

	if (!policy || number >= policy->nr_tunables)
		fail("the scheduler has no tunable %llu", number);
	for (u32 i = 0; i < policy->nr_places; i++) {
		char *variable = dlsym(object, places[i].variable);

		if (places[i].tunable == number && variable)
			write_value(variable + places[i].offset, places[i].size, value);
	}
	set_changes(number, value);
}

/* Each time that the scheduler is loaded. */
void set_tunable(u64 number, u64 value)
{
	if (number >= MAX_TUNABLES)
		fail("the scheduler has no tunable %llu", number);
	tunables[number].is_set = true;
	tunables[number].value = value;
}

/* NULL: the same again. */
void load_scheduler(const char *path)
{
	struct link_map *map;

	if (path)
		object_path = path;
	nr_programs = nr_changes = nr_questions = 0;
	forget_variables();
	object = dlopen(object_path, RTLD_NOW | RTLD_LOCAL);
	if (!object)
		fail("%s", dlerror());
	ops = dlsym(object, "gthulhu");
	class_of_task = dlsym(object, "host_class_of");
	is_policy = dlsym(object, "policy");
	told_of_cgroups = dlsym(object, "counts_cgroups");
	if (dlinfo(object, RTLD_DI_LINKMAP, &map))
		fail("%s", dlerror());
	read_symbols(map->l_addr);
	if (!ops)
		fail("%s is not a scheduler", object_path);
	if (!counts_cgroups())
		leave_out_cgroups();
	for (u32 i = 0; i < MAX_TUNABLES; i++) {
		if (tunables[i].is_set)
			apply_tunable(i, tunables[i].value);
	}
}

s32 class_in_force(struct task *p)
{
	return class_of_task ? class_of_task(&p->k) : -1;
}

/* The CPUs' time is not taken by it. */
static void tell_of_labels(void)
{
	struct questions questions = {
		.all = dlsym(object, "policy_questions"),
		.nr = nr_questions,
		.texts = dlsym(object, "policy_texts"),
		.tables = dlsym(object, "policy_tables"),
	};

	here = NULL;
	fill_labels(&questions, dlsym(object, "label_sets"), dlsym(object, "process_labels"));
}

void enable_scheduler(void)
{
	struct call before;
	s32 err;

	describe_machine();
	tell_of_labels();
	here = &cpus_[0];
	before = enter(here, IN_SLEEPABLE, "init", NULL);
	err = ops->init ? ops->init() : 0;
	leave(before);
	if (err)
		violation("error", "init returns %d", err);
	here = &cpus_[0];
	introduce_cgroups();
	introduce_tasks();
	for_each_cpu(c)
	{
		set_idle(c, c->online && !c->real_time);
		c->idle_since_ns = c->charged_ns = now_ns;
		if (c->online)
			resched(c);
	}
	here = NULL;
}

void unload_scheduler(const char *reason)
{
	struct scx_exit_info info = { .kind = 64, .reason = reason, .msg = "", .dump = "" };
	struct gthulhu_exit *exit_report = dlsym(object, "exit_report");

	here = &cpus_[0];
	for_each_cpu(c)
	{
		if (c->curr) {
			charge_curr(c);
			note_stopped(c->curr);
			c->curr = NULL;
		}
		cancel(&c->kick);
		cancel(&c->reenqueue);
		cancel(&c->resched);
		cancel(&c->tick);
		cancel(&c->slice_end);
		cancel(&c->entry);
		c->kick_flags = 0;
	}
	forget_tasks();
	forget_cgroups();
	OPS(IN_SLEEPABLE, exit, NULL, &info);
	if (exit_report && (exit_report->kind != 64 || strcmp(exit_report->reason, reason)))
		violation("I12", "the exit is not reported");
	forget_queues();
	forget_maps();
	forget_masks();
	ASAN_UNPOISON_MEMORY_REGION(beyond_cpus, beyond_size);
	dlclose(object);
	object = NULL;
	ops = NULL;
	here = NULL;
}
