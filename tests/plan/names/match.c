/* ---- What the policy asks about a task, and the tables that answer it ---- */

/*
 * NAME_0: comm in builders (line 3)
 *     table: literals (3): all of the policy's in one look-up
 * NAME_1: process == "ninja" (line 3)
 *     table: literals (1): all of the policy's in one look-up
 * NAME_2: comm ~ ["lcore-*", "rx[0-9]"] (line 4)
 *     automaton: globs: one pass over at most 15 bytes for all of the policy's
 * NAME_3: process != "make" (line 4)
 *     table: literals (1): all of the policy's in one look-up
 * NAME_4: comm =~ 'nr-(gnb|ue)' (line 5)
 *     automaton: regular expressions: one pass over at most 15 bytes for all of the policy's
 * LEADER_0: leader (line 5)
 *     flag: the kernel stores it for every task
 * NAME_5: parent == "sshd" (line 5)
 *     table: literals (1): all of the policy's in one look-up
 * NAME_6: ancestor == "ci-runner" (line 6)
 *     table: literals (1): all of the policy's in one look-up
 * NAME_7: ancestor ~ "*sh" (line 7)
 *     automaton: globs: one pass over at most 15 bytes for all of the policy's
 * NAME_8: ancestor in ["tmux", "screen"] (line 7)
 *     table: literals (2): all of the policy's in one look-up
 * KTHREAD_0: kthread (line 8)
 *     flag: the kernel stores it for every task
 * NAME_9: comm ~ "kswapd*" (line 8)
 *     automaton: globs: one pass over at most 15 bytes for all of the policy's
 * NAME_10: comm == "postgres" (line 9)
 *     table: literals (1): all of the policy's in one look-up
 */
enum name_fact {
	NAME_2 = 1ULL << 1,
	NAME_3 = 1ULL << 1,
	NAME_4 = 1ULL << 2,
	NAME_5 = 1ULL << 2,
	NAME_7 = 1ULL << 0,
	NAME_8 = 1ULL << 0,
	NAME_9 = 1ULL << 3,
};

/* The facts of a name, and the first rule that it alone decides. */
struct name_row {
	u64 facts[1];
	u32 ancestor; /* enum class */
	u32 comm; /* enum class */
	u32 process; /* enum class */
};

/* clang-format off */
static const struct name_row name_rows[] = {
	{ .ancestor = CLASS_DEFAULT, .comm = CLASS_DEFAULT, .process = CLASS_DEFAULT },
	{ .ancestor = CLASS_DEFAULT, .comm = CLASS_FIRST, .process = CLASS_DEFAULT },
	{ .ancestor = CLASS_TREE, .comm = CLASS_DEFAULT, .process = CLASS_DEFAULT },
	{ .facts = { [0] = NAME_3 }, .ancestor = CLASS_DEFAULT, .comm = CLASS_FIRST, .process = CLASS_DEFAULT },
	{ .ancestor = CLASS_DEFAULT, .comm = CLASS_DEFAULT, .process = CLASS_FIRST },
	{ .ancestor = CLASS_DEFAULT, .comm = CLASS_LATE, .process = CLASS_DEFAULT },
	{ .facts = { [0] = NAME_8 }, .ancestor = CLASS_DEFAULT, .comm = CLASS_DEFAULT, .process = CLASS_DEFAULT },
	{ .facts = { [0] = NAME_5 }, .ancestor = CLASS_DEFAULT, .comm = CLASS_DEFAULT, .process = CLASS_DEFAULT },
};

static const u16 name_displacements[] = {
};

/* The names of the policy, each at its place; the others have row 0. */
static const struct name_slot name_slots[16] = {
	[0] = { { { "screen" } }, 6 },
	[4] = { { { "sshd" } }, 7 },
	[5] = { { { "ninja" } }, 4 },
	[6] = { { { "cc1" } }, 1 },
	[7] = { { { "make" } }, 3 },
	[8] = { { { "ld" } }, 1 },
	[12] = { { { "ci-runner" } }, 2 },
	[13] = { { { "postgres" } }, 5 },
	[14] = { { { "tmux" } }, 6 },
};
/* clang-format on */

enum { names_0_columns = 21 };

/* clang-format off */
static const u8 names_0_column[256] = {
};

static const u16 names_0_next[1024] = {
};

static const u64 names_0_accepts[32] = {
};
/* clang-format on */

/* The row of a name, and the facts that the automata find in it. */
struct name_facts {
	u32 row; /* of name_rows */
	u64 patterns[1];
};

/* Facts of a task. The events that change a fact renew it. */
struct task_facts {
	struct task_name comm;
	struct task_name process;
	struct name_facts parent;
	u64 ancestor_facts[1];
	u64 ancestor_patterns[1];
	u32 ancestor_lead; /* CLASS_DEFAULT minus the first class that an ancestor's name decides */
};

/* ---- The class that the facts make ---- */

static __always_inline void read_name_facts(struct name_facts *facts, const struct task_name *name)
{
	u32 state;
	u64 hash = name_hash(name, 0xe220a8397b1dcdaf, 0x6e789e6aa1b965f5);

	facts->row = find_name(name, hash, 2, 4);

	state = 0;
	for (u32 i = 0; i < TASK_COMM_LEN && name->text[i]; i++)
		state = automaton_step(names_0, state, name->text[i]);
	facts->patterns[0] = automaton_facts(names_0, state);
}

static __always_inline const struct name_row *name_row(u32 row)
{
	return &name_rows[bounded(row, sizeof(name_rows) / sizeof(name_rows[0]))];
}

/* One more ancestor: what is true of any of them is true. */
static __always_inline void add_ancestor(struct task_facts *facts, const struct name_facts *name)
{
	const struct name_row *row = name_row(name->row);

	for (u32 i = 0; i < 1; i++)
		facts->ancestor_facts[i] |= row->facts[i];
	for (u32 i = 0; i < 1; i++)
		facts->ancestor_patterns[i] |= name->patterns[i];
	facts->ancestor_lead = higher_of(facts->ancestor_lead, CLASS_DEFAULT - row->ancestor);
}

/* The names that a task has. Of one that is being renamed they are known before it has them. */
static __always_inline void note_names(struct task_facts *facts, struct task_struct *p)
{
	facts->comm = *name_of(p);
	facts->process = *name_of(p->group_leader);
}

/* leader is the main thread of a task's parent, or of an ancestor further up. */
static __always_inline void add_process(struct task_facts *facts, struct task_struct *leader,
					bool is_parent)
{
	struct name_facts name = {};
	struct task_name text;

	read_name(&text, leader->comm);
	read_name_facts(&name, &text);
	if (is_parent)
		facts->parent = name;
	add_ancestor(facts, &name);
}

/* A task that is forked: a thread has its process's parent, a process has its maker for one. */
static __always_inline void inherit_processes(struct task_facts *facts, struct task_struct *maker,
					      u64 clone_flags)
{
	struct task_facts *from = task_facts(maker);

	if (from) {
		facts->parent = from->parent;
		for (u32 i = 0; i < 1; i++)
			facts->ancestor_facts[i] = from->ancestor_facts[i];
		for (u32 i = 0; i < 1; i++)
			facts->ancestor_patterns[i] = from->ancestor_patterns[i];
		facts->ancestor_lead = from->ancestor_lead;
	}
	if (!(clone_flags & (CLONE_THREAD | CLONE_PARENT)))
		add_process(facts, maker->group_leader, true);
}

/* A task that was there before: by the tree of processes as it is. */
static __always_inline void find_processes(struct task_facts *facts, struct task_struct *p)
{
	struct task_struct *process = p->group_leader;
	int depth;

	bpf_rcu_read_lock();
	bpf_for(depth, 0, MAX_ANCESTORS) {
		struct task_struct *parent = process->real_parent;

		/* Above the first process and the first kernel thread is only the idle task. */
		if (!parent || !parent->pid)
			break;
		process = parent->group_leader;
		if (!process)
			break;
		add_process(facts, process, depth == 0);
	}
	bpf_rcu_read_unlock();
}

/* Rules are tried in the order of the file; the first that matches takes the task. */
__separate u32 classify(struct task_struct *p __arg_trusted,
			const struct task_facts *kept __arg_nonnull)
{
	bool kthread = p->flags & PF_KTHREAD;
	bool leader = p->pid == p->tgid;
	struct name_facts comm;
	struct name_facts process;
	const struct name_row *comm_row;
	const struct name_row *process_row;
	const struct name_row *parent_row;
	u32 first = CLASS_DEFAULT;

	read_name_facts(&comm, &kept->comm);
	read_name_facts(&process, &kept->process);
	comm_row = name_row(comm.row);
	process_row = name_row(process.row);
	parent_row = name_row(kept->parent.row);

	first = lower_of(first, CLASS_DEFAULT - kept->ancestor_lead);
	first = lower_of(first, comm_row->comm);
	first = lower_of(first, process_row->process);
	if (kthread)
		first = CLASS_DEFAULT;
	if (first < CLASS_PATTERN)
		return first;
	/* rule pattern */
#line 4 "policy.gpl"
	if (!kthread && (comm.patterns[0] & NAME_2) && !(process_row->facts[0] & NAME_3))
		return CLASS_PATTERN;
#line ... "policy.bpf.c"
	/* rule regex */
#line 5 "policy.gpl"
	bool part_0 = !leader && (parent_row->facts[0] & NAME_5);
	bool part_1 = (comm.patterns[0] & NAME_4) || part_0;
	if (!kthread && part_1)
		return CLASS_REGEX;
#line ... "policy.bpf.c"
	if (first < CLASS_SHELLS)
		return first;
	/* rule shells */
#line 7 "policy.gpl"
	if (!kthread && (kept->ancestor_patterns[0] & NAME_7) && (kept->ancestor_facts[0] & NAME_8))
		return CLASS_SHELLS;
#line ... "policy.bpf.c"
	/* rule kernel */
#line 8 "policy.gpl"
	if (kthread && (comm.patterns[0] & NAME_9))
		return CLASS_KERNEL;
#line ... "policy.bpf.c"
	return kthread ? CLASS_KTHREAD : first;
}

/* The class of a task, by what is known of it; negative: an error. */
__separate s32 class_of(struct task_struct *p __arg_trusted, struct task_facts *kept __arg_nonnull)
{
	return classify(p, kept);
}

