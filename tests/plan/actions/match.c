/* ---- What the policy asks about a task, and the tables that answer it ---- */

/*
 * NAME_0: comm == "a" (line 3)
 *     table: literals (1): all of the policy's in one look-up
 * INHERITED_A: inherit (line 3)
 *     inherited: a bit that a task has from the one that starts it, for life
 * NAME_1: comm == "b" (line 4)
 *     table: literals (1): all of the policy's in one look-up
 * NAME_2: comm == "c" (line 5)
 *     table: literals (1): all of the policy's in one look-up
 * NAME_3: comm == "d" (line 6)
 *     table: literals (1): all of the policy's in one look-up
 */
enum name_fact {
	NAME_0 = 1ULL << 0,
	NAME_3 = 1ULL << 1,
};

/* The facts of a name, and the first rule that it alone decides. */
struct name_row {
	u64 facts[1];
	u32 comm; /* enum class */
};

/* clang-format off */
static const struct name_row name_rows[] = {
	{ .comm = CLASS_DEFAULT },
	{ .facts = { [0] = NAME_0 }, .comm = CLASS_DEFAULT },
	{ .comm = CLASS_B },
	{ .comm = CLASS_C },
	{ .facts = { [0] = NAME_3 }, .comm = CLASS_DEFAULT },
};

static const u16 name_displacements[] = {
};

/* The names of the policy, each at its place; the others have row 0. */
static const struct name_slot name_slots[8] = {
	[0] = { { { "b" } }, 2 },
	[2] = { { { "c" } }, 3 },
	[3] = { { { "d" } }, 4 },
	[6] = { { { "a" } }, 1 },
};
/* clang-format on */

/* The row of a name, and the facts that the automata find in it. */
struct name_facts {
	u32 row; /* of name_rows */
};

/* Rules with `inherit` that took a task which started this one. */
enum inherited_fact {
	INHERITED_A = 1ULL << 0,
};

/* Facts of a task. The events that change a fact renew it. */
struct task_facts {
	struct task_name comm;
	u64 inherited; /* bits of inherited_fact, kept for life */
	u64 monitored; /* bits of monitor: the rules that count it */
};

/* ---- Rules that only count ---- */

enum monitor {
	MONITOR_D = 1ULL << 0,
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

	note_monitor(CLASS_D, before & MONITOR_D, monitored & MONITOR_D);
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
	if (monitored & MONITOR_D)
		account_monitor(CLASS_D, ran_ns);
}

/* ---- The class that the facts make ---- */

static __always_inline void read_name_facts(struct name_facts *facts, const struct task_name *name)
{
	u64 hash = name_hash(name, 0x06c45d188009454f, 0xf88bb8a8724c81ed);

	facts->row = find_name(name, hash, 1, 3);
}

static __always_inline const struct name_row *name_row(u32 row)
{
	return &name_rows[bounded(row, sizeof(name_rows) / sizeof(name_rows[0]))];
}

/* The names that a task has. Of one that is being renamed they are known before it has them. */
static __always_inline void note_names(struct task_facts *facts, struct task_struct *p)
{
	facts->comm = *name_of(p);
}

/* The rules that a task passes on to the tasks that it starts. */
static __always_inline u64 passed_on(const struct task_facts *facts, u32 class)
{
	u64 rules = facts->inherited;

	if (class == CLASS_A)
		rules |= INHERITED_A;
	return rules;
}

/* Rules are tried in the order of the file; the first that matches takes the task. */
__separate u32 classify(struct task_struct *p __arg_trusted,
			const struct task_facts *kept __arg_nonnull, u64 *monitored __arg_nonnull)
{
	struct name_facts comm;
	const struct name_row *comm_row;
	u32 first = CLASS_DEFAULT;

	if (p->flags & PF_KTHREAD)
		return CLASS_KTHREAD;
	read_name_facts(&comm, &kept->comm);
	comm_row = name_row(comm.row);

	first = lower_of(first, comm_row->comm);
	/* rule a */
#line 3 "policy.gpl"
	if ((kept->inherited & INHERITED_A) || (comm_row->facts[0] & NAME_0))
		return CLASS_A;
#line ... "policy.bpf.c"
	if (first < CLASS_D)
		return first;
	/* rule d */
#line 6 "policy.gpl"
	if (comm_row->facts[0] & NAME_3)
		*monitored |= MONITOR_D;
#line ... "policy.bpf.c"
	return first;
}

/* The class of a task, by what is known of it; negative: an error. */
__separate s32 class_of(struct task_struct *p __arg_trusted, struct task_facts *kept __arg_nonnull,
			u64 *monitored __arg_nonnull)
{
	return classify(p, kept, monitored);
}

