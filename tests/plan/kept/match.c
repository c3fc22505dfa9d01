/* ---- What the policy asks about a task, and the tables that answer it ---- */

/*
 * NAME_0: comm ~ "cc*" (line 3)
 *     automaton: globs: one pass over at most 15 bytes for all of the policy's
 * CGROUP_0: cgroup under "/ci" (line 4)
 *     per-cgroup: a path never changes: it is read once per cgroup, and remembered with it
 * INHERITED_TREE: inherit (line 4)
 *     inherited: a bit that a task has from the one that starts it, for life
 * NAME_1: comm == "make" (line 5)
 *     table: literals (1): all of the policy's in one look-up
 * NICE_0: nice > 5 (line 5)
 *     range: a number of the task, compared where it is asked for
 * INHERITED_JOB: inherit (line 5)
 *     inherited: a bit that a task has from the one that starts it, for life
 * INTERACTIVE_0: interactive (line 6)
 *     counted: the scheduler counts how often a task goes to sleep
 * NAME_2: process == "sh" (line 6)
 *     table: literals (1): all of the policy's in one look-up
 * KTHREAD_0: kthread (line 7)
 *     flag: the kernel stores it for every task
 * NAME_3: comm == "kthreadd" (line 7)
 *     table: literals (1): all of the policy's in one look-up
 * INHERITED_KERNEL: inherit (line 7)
 *     inherited: a bit that a task has from the one that starts it, for life
 */
enum name_fact {
	NAME_0 = 1ULL << 0,
	NAME_1 = 1ULL << 0,
	NAME_2 = 1ULL << 1,
	NAME_3 = 1ULL << 2,
};

/* The facts of a name. */
struct name_row {
	u64 facts[1];
};

/* clang-format off */
static const struct name_row name_rows[] = {
	{  },
	{ .facts = { [0] = NAME_3 } },
	{ .facts = { [0] = NAME_1 } },
	{ .facts = { [0] = NAME_2 } },
};

static const u16 name_displacements[] = {
};

/* The names of the policy, each at its place; the others have row 0. */
static const struct name_slot name_slots[4] = {
	[0] = { { { "sh" } }, 3 },
	[1] = { { { "make" } }, 2 },
	[3] = { { { "kthreadd" } }, 1 },
};
/* clang-format on */

enum { names_0_columns = 3 };

/* clang-format off */
static const u8 names_0_column[256] = {
};

static const u16 names_0_next[16] = {
};

static const u64 names_0_accepts[4] = {
};
/* clang-format on */

/* The row of a name, and the facts that the automata find in it. */
struct name_facts {
	u32 row; /* of name_rows */
	u64 patterns[1];
};

enum cgroup_fact {
	CGROUP_0 = 1ULL << 0,
};

enum { path_0_columns = 5 };

/* clang-format off */
static const u8 path_0_column[256] = {
};

static const u16 path_0_next[32] = {
};

static const u64 path_0_accepts[8] = {
};
/* clang-format on */

struct cgroup_facts {
	u64 words[1]; /* bits of cgroup_fact, and FACTS_KNOWN */
};

struct {
	__uint(type, BPF_MAP_TYPE_CGRP_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct cgroup_facts);
} cgroup_ctxs SEC(".maps");

/* Rules with `inherit` that took a task which started this one. */
enum inherited_fact {
	INHERITED_TREE = 1ULL << 0,
	INHERITED_JOB = 1ULL << 1,
	INHERITED_KERNEL = 1ULL << 2,
};

/* Facts of a task. The events that change a fact renew it. */
struct task_facts {
	struct task_name comm;
	struct task_name process;
	u64 inherited; /* bits of inherited_fact, kept for life */
	u64 monitored; /* bits of monitor: the rules that count it */
	struct sleeps sleeps;
};

/* ---- Rules that only count ---- */

enum monitor {
	MONITOR_WATCH = 1ULL << 0,
	MONITOR_TREE = 1ULL << 1,
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, NR_CLASSES);
	__type(key, u32);
	__type(value, struct gthulhu_class_stats);
} class_stats SEC(".maps");

/* The rules that count a task have changed for one of them: from, to. */
static __always_inline void note_monitor(u32 class, bool counted, bool counts)
{
	struct gthulhu_class_stats *stats;

	if (counted == counts)
		return;
	stats = bpf_map_lookup_elem(&class_stats, &class);
	if (!stats)
		return;
	/* An event may interrupt another one on this CPU. */
	if (counts)
		__sync_fetch_and_add(&stats->entered, 1);
	else
		__sync_fetch_and_add(&stats->left, 1);
}

/* A task has been classified, or has gone: these rules count it from now on. */
static __always_inline void note_monitors(struct task_facts *facts, u64 monitored)
{
	/* Of two at once, each sees what the other one left. */
	u64 before = __sync_lock_test_and_set(&facts->monitored, monitored);

	note_monitor(CLASS_WATCH, before & MONITOR_WATCH, monitored & MONITOR_WATCH);
	note_monitor(CLASS_TREE, before & MONITOR_TREE, monitored & MONITOR_TREE);
}

static __always_inline void account_monitor(u32 class, u64 ran_ns)
{
	struct gthulhu_class_stats *stats = bpf_map_lookup_elem(&class_stats, &class);

	if (stats)
		stats->ran_ns += ran_ns;
}

/* A task that these rules count has run. */
static __always_inline void account_monitors(u64 monitored, u64 ran_ns)
{
	if (monitored & MONITOR_WATCH)
		account_monitor(CLASS_WATCH, ran_ns);
	if (monitored & MONITOR_TREE)
		account_monitor(CLASS_TREE, ran_ns);
}

/* ---- The class that the facts make ---- */

static __always_inline void read_name_facts(struct name_facts *facts, const struct task_name *name)
{
	u32 state;
	u64 hash = name_hash(name, 0x06c45d188009454f, 0xf88bb8a8724c81ed);

	facts->row = find_name(name, hash, 1, 2);

	state = 0;
	for (u32 i = 0; i < TASK_COMM_LEN && name->text[i]; i++)
		state = automaton_step(names_0, state, name->text[i]);
	facts->patterns[0] = automaton_facts(names_0, state);
}

static __always_inline const struct name_row *name_row(u32 row)
{
	return &name_rows[bounded(row, sizeof(name_rows) / sizeof(name_rows[0]))];
}

/* The names that a task has. Of one that is being renamed they are known before it has them. */
static __always_inline void note_names(struct task_facts *facts, struct task_struct *p)
{
	facts->comm = *name_of(p);
	facts->process = *name_of(p->group_leader);
}

/* The rules that a task passes on to the tasks that it starts. */
static __always_inline u64 passed_on(const struct task_facts *facts, u32 class)
{
	u64 rules = facts->inherited;

	if (class == CLASS_JOB)
		rules |= INHERITED_JOB;
	if (class == CLASS_KERNEL)
		rules |= INHERITED_KERNEL;
	if (facts->monitored & MONITOR_TREE)
		rules |= INHERITED_TREE;
	return rules;
}

/*
 * Reads the path from the root down: "/", or "/" and a name for each level.
 */
static __noinline void read_path(struct cgroup *cgrp, struct cgroup_facts *facts)
{
	struct cgroup_facts found;
	u32 path_state_0 = 0;
	char piece[PATH_PIECE + 1];
	int level, i;

	if (cgrp->level == 0) {
		path_state_0 = automaton_step(path_0, path_state_0, '/');
	}
	bpf_for(level, 1, cgrp->level + 1) {
		struct cgroup *ancestor = bpf_cgroup_ancestor(cgrp, level);
		const char *name;

		if (!ancestor)
			break;
		name = ancestor->kn->name;
		path_state_0 = automaton_step(path_0, path_state_0, '/');
		bpf_for(i, 0, NAME_MAX + 1) {
			u8 byte;

			if (i % PATH_PIECE == 0) {
				piece[0] = 0;
				bpf_probe_read_kernel_str(piece, sizeof(piece), name + i);
			}
			byte = piece[(u32)i % PATH_PIECE];
			if (!byte)
				break;
			path_state_0 = automaton_step(path_0, path_state_0, byte);
		}
		bpf_cgroup_release(ancestor);
	}
	found.words[0] = automaton_facts(path_0, path_state_0);
	publish(facts->words, found.words, 1);
	forget_pointers();
}

/* Facts about the cgroup of a task; NULL: there is no memory to keep them. */
static __always_inline struct cgroup_facts *cgroup_facts(struct task_struct *p)
{
	struct cgroup *cgrp = p->cgroups->dfl_cgrp;
	struct cgroup_facts *facts;

	facts = bpf_cgrp_storage_get(&cgroup_ctxs, cgrp, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (facts && !are_known(facts->words, 1))
		read_path(cgrp, facts);
	return facts;
}

/* Rules are tried in the order of the file; the first that matches takes the task. */
__separate u32 classify(struct task_struct *p __arg_trusted,
			const struct task_facts *kept __arg_nonnull,
			const struct cgroup_facts *cgroup __arg_nonnull,
			u64 *monitored __arg_nonnull)
{
	bool kthread = p->flags & PF_KTHREAD;
	s32 nice = p->static_prio - NICE_0_PRIO;
	bool interactive = kept->sleeps.often;
	struct name_facts comm;
	struct name_facts process;
	const struct name_row *comm_row;
	const struct name_row *process_row;

	read_name_facts(&comm, &kept->comm);
	read_name_facts(&process, &kept->process);
	comm_row = name_row(comm.row);
	process_row = name_row(process.row);

	/* rule watch */
#line 3 "policy.gpl"
	if (!kthread && (comm.patterns[0] & NAME_0))
		*monitored |= MONITOR_WATCH;
#line ... "policy.bpf.c"
	/* rule tree */
#line 4 "policy.gpl"
	if (!kthread && ((kept->inherited & INHERITED_TREE) || (cgroup->words[0] & CGROUP_0)))
		*monitored |= MONITOR_TREE;
#line ... "policy.bpf.c"
	/* rule job */
#line 5 "policy.gpl"
	bool part_0 =
		(kept->inherited & INHERITED_JOB) || (comm_row->facts[0] & NAME_1) || nice >= 6;
	if (!kthread && part_0)
		return CLASS_JOB;
#line ... "policy.bpf.c"
	/* rule shell */
#line 6 "policy.gpl"
	if (!kthread && interactive && !(process_row->facts[0] & NAME_2))
		return CLASS_SHELL;
#line ... "policy.bpf.c"
	/* rule kernel */
#line 7 "policy.gpl"
	if ((kept->inherited & INHERITED_KERNEL) || (kthread && (comm_row->facts[0] & NAME_3)))
		return CLASS_KERNEL;
#line ... "policy.bpf.c"
	return kthread ? CLASS_KTHREAD : CLASS_DEFAULT;
}

/* The class of a task, by what is known of it; negative: an error. */
__separate s32 class_of(struct task_struct *p __arg_trusted, struct task_facts *kept __arg_nonnull,
			u64 *monitored __arg_nonnull)
{
	struct cgroup_facts *cgroup = cgroup_facts(p);

	if (!cgroup)
		return -12; /* ENOMEM */
	return classify(p, kept, cgroup, monitored);
}

