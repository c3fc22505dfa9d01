/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Classifies tasks on the host. Reads on standard input the numbers of users
 * and groups that the policy names (as many as it has), then one struct record
 * after the other, and writes a struct verdict for each.
 */
#include "classifier.c"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef HAS_MONITORS
#define CLASS_OF(p, monitored) class_of(p, (p)->facts, monitored)
#elif defined(HAS_KEPT_FACTS)
#define CLASS_OF(p, monitored) class_of(p, (p)->facts)
#else
#define CLASS_OF(p, monitored) class_of(p)
#endif

enum { MAX_PROCESSES = 8, PATH_LEN = 512, COMMAND_LEN = 2048 };

struct record {
	u32 kthread;
	u32 leader;
	u32 by_fork; /* its ancestors are inherited, not looked for */
	u32 nr_ancestors; /* the parent is the first */
	u32 interactive;
	u64 known_true;
	u64 known_false;
	u64 inherited;
	u64 own_true; /* by the labels of the process, */
	u64 own_false;
	s64 numbers[NR_NUMBERS]; /* by the names of the fields, in capitals */
	u32 labels; /* their number, 0: it has none */
	u32 labelled_level; /* the cgroup from which known_true and known_false are */
	char comm[TASK_COMM_LEN];
	char process[TASK_COMM_LEN];
	char ancestors[MAX_PROCESSES][TASK_COMM_LEN];
	char path[PATH_LEN];
	char exe[PATH_LEN]; /* empty: it has no program */
	u32 arguments_size;
	char arguments[COMMAND_LEN];
};

struct verdict {
	u64 class;
	u64 monitored; /* bits of the rules that count it */
};

static void fail(const char *what)
{
	fprintf(stderr, "driver: %s\n", what);
	exit(1);
}

/* The cgroup with this path, with all above it; the caller frees it. */
static struct cgroup *make_cgroup(const char *path)
{
	struct cgroup *cgrp = calloc(1, sizeof(*cgrp));

	cgrp->kn = calloc(1, sizeof(*cgrp->kn));
	cgrp->kn->name = strdup("");
	cgrp->kn->id = (uintptr_t)cgrp;
	for (const char *name = path; *name && name[1];) {
		struct cgroup *child = calloc(1, sizeof(*child));
		size_t length = strcspn(name + 1, "/");

		child->kn = calloc(1, sizeof(*child->kn));
		child->kn->name = strndup(name + 1, length);
		child->kn->id = (uintptr_t)child;
		child->level = cgrp->level + 1;
		child->parent = cgrp;
		cgrp = child;
		name += 1 + length;
	}
	return cgrp;
}

static void free_cgroup(struct cgroup *cgrp)
{
	while (cgrp) {
		struct cgroup *parent = cgrp->parent;

		free((void *)cgrp->kn->name);
		free(cgrp->kn);
		free(cgrp->storage);
		free(cgrp);
		cgrp = parent;
	}
}

#ifdef HAS_PROCESSES
/* tasks[0] is the idle task; each is the child of the one before it, and main thread of itself. */
static void give_ancestors(struct task_struct *tasks, u32 nr, const struct record *record)
{
	struct task_facts facts[MAX_PROCESSES + 2];

	if (!record->by_fork) {
		find_processes(tasks[nr].facts, &tasks[nr]);
		return;
	}
	memset(facts, 0, sizeof(facts));
	for (u32 i = 1; i < nr; i++) {
		tasks[i].facts = &facts[i];
		if (i > 1)
			inherit_processes(&facts[i], &tasks[i - 1], 0);
	}
	if (nr > 1)
		inherit_processes(tasks[nr].facts, &tasks[nr - 1], 0);
}
#endif

#ifdef HAS_LABELS
/* The loader's content of the maps; a record without a number has no labels of its own. */
static void give_labels(struct task_struct *p, struct cgroup *cgrp, const struct record *record)
{
	static struct label_facts own, container, above;
	static u32 number;

	own = (struct label_facts){ record->own_true, record->own_false };
	container = (struct label_facts){ record->known_true, record->known_false };
	/* Facts about a cgroup further up do not count. */
	above = (struct label_facts){ record->known_false, ~record->known_false };
	number = record->labels;
	host_number_of_labels = number;
	host_labels = &own;
	p->labels = number ? &number : NULL;
	for (; cgrp; cgrp = cgrp->parent) {
		if (cgrp->level == (int)record->labelled_level)
			cgrp->labels = &container;
		else if (cgrp->level < (int)record->labelled_level)
			cgrp->labels = &above;
	}
}
#endif

#ifdef HAS_CALLS
/* Calls that count are just now, or as long ago as they may be; others are older, or never were. */
static void give_calls(struct calls *calls, const struct record *record)
{
	static u32 turn;

	for (u32 i = 0; i < sizeof(call_times) / sizeof(call_times[0]); i++) {
		u64 most = (call_times[i].within_ns + tick_ns - 1) / tick_ns;
		bool edge = turn++ % 2;

		if (record->known_true & call_times[i].fact)
			calls->last[i] = HOST_TICKS - (edge ? most : 0);
		else
			calls->last[i] = edge ? HOST_TICKS - most - 1 : 0;
	}
}
#endif

#ifdef HAS_PROGRAMS
/* A thread has the program of its process, and a process that of its parent until it executes one. */
static void give_program(struct task_struct *leader, const struct record *record)
{
	leader->self_exec_id = 1;
	leader->exe = record->exe[0] ? record->exe : NULL;
	leader->arguments = record->arguments;
	leader->arguments_size = record->arguments_size;
	leader->program = calloc(1, sizeof(struct program_facts));
	read_program(leader, leader->program, true);
}
#endif

static struct verdict classify_record(const struct record *record)
{
	struct task_struct tasks[MAX_PROCESSES + 2] = {};
	u32 nr = record->nr_ancestors + 1;
	struct task_struct thread = {}, *p = &tasks[nr];
	struct css_set css = { .dfl_cgrp = make_cgroup(record->path) };
	struct verdict verdict = {}, again = {};
#ifdef HAS_KEPT_FACTS
	struct task_facts *facts = calloc(1, sizeof(*facts));
#endif

	for (u32 i = 0; i <= nr; i++) {
		tasks[i].pid = tasks[i].tgid = i;
		tasks[i].group_leader = &tasks[i];
		tasks[i].real_parent = &tasks[i ? i - 1 : 0];
		if (i && i < nr)
			memcpy(tasks[i].comm, record->ancestors[nr - 1 - i], TASK_COMM_LEN);
	}
	memcpy(p->comm, record->process, TASK_COMM_LEN);
	if (!record->leader) {
		thread = *p;
		thread.pid = 1000;
		p = &thread;
	}
	p->flags = record->kthread ? PF_KTHREAD : 0;
	give_numbers(p, record->numbers);
	p->cgroups = &css;
#ifdef HAS_KEPT_FACTS
	p->facts = tasks[nr].facts = facts;
#ifdef HAS_PROCESSES
	give_ancestors(tasks, nr, record);
#endif
	/* The names come from rename events, which are earlier than p->comm. */
#ifdef HAS_COMM
	memcpy(facts->comm.text, record->comm, TASK_COMM_LEN);
#endif
#ifdef HAS_PROCESS
	memcpy(facts->process.text, record->process, TASK_COMM_LEN);
#endif
#ifdef HAS_INHERITED
	facts->inherited = record->inherited;
#endif
#ifdef HAS_SLEEPS
	facts->sleeps.often = record->interactive;
#endif
#ifdef HAS_CALLS
	give_calls(&facts->calls, record);
#endif
#ifdef HAS_LABELS
	give_labels(p, css.dfl_cgrp, record);
#endif
#endif
#ifdef HAS_PROGRAMS
	give_program(&tasks[nr], record);
#endif
	verdict.class = CLASS_OF(p, &verdict.monitored);
	/* The facts kept with the cgroup must give the same result. */
	again.class = CLASS_OF(p, &again.monitored);
	if (memcmp(&verdict, &again, sizeof(verdict)))
		fail("the second answer is another");
	if (host_references)
		fail("references are left");
#ifdef HAS_KEPT_FACTS
	free(facts);
#endif
	free_cgroup(css.dfl_cgrp);
	free(tasks[nr].program);
	return verdict;
}

int main(void)
{
	struct record record;

#ifdef HAS_IDS
	/* The loader's work: it writes before the object is loaded. */
	long page = sysconf(_SC_PAGESIZE);
	char *start = (char *)((uintptr_t)policy_ids & -page);
	size_t length = (char *)policy_ids + sizeof(policy_ids) - start;

	if (mprotect(start, length, PROT_READ | PROT_WRITE) ||
	    fread((void *)policy_ids, sizeof(policy_ids), 1, stdin) != 1)
		fail("no numbers of users and groups");
#endif
	while (fread(&record, sizeof(record), 1, stdin) == 1) {
		struct verdict verdict = classify_record(&record);

		fwrite(&verdict, sizeof(verdict), 1, stdout);
	}
	return 0;
}
