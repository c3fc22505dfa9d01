/* ---- What the policy asks about a task, and the tables that answer it ---- */

/*
 * NAME_0: comm == "a" (line 3)
 *     table: literals (1): all of the policy's in one look-up
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

/* What a name tells, and the first rule that it alone decides. */
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
	[0] = { { .text = "b" }, 2 },
	[2] = { { .text = "c" }, 3 },
	[3] = { { .text = "d" }, 4 },
	[6] = { { .text = "a" }, 1 },
};
/* clang-format on */

/* What is known of a name. */
struct name_facts {
	u32 row; /* of name_rows */
};

/* What is kept with a task, and found out at the events that change it. */
struct task_facts {
	struct name_facts name; /* its own */
};

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

/* A task has this name, or is about to. */
static __always_inline void note_name(struct task_facts *facts, const char *text)
{
	struct task_name name;

	read_name(&name, text);
	read_name_facts(&facts->name, &name);
}

/* Rules are tried in the order of the file; the first that matches takes the task. */
__noinline u32 classify(struct task_struct *p __arg_trusted,
			const struct task_facts *kept __arg_nonnull)
{
	const struct name_row *comm_row;
	u32 first = CLASS_DEFAULT;

	if (p->flags & PF_KTHREAD)
		return CLASS_KTHREAD;
	comm_row = name_row(kept->name.row);

	first = lower_of(first, comm_row->comm);
	/* rule a */
#line 3 "policy.gpl"
	if (comm_row->facts[0] & NAME_0)
		return CLASS_A;
#line ... "policy.bpf.c"
	if (first < CLASS_D)
		return first;
	/* rule d */
#line 6 "policy.gpl"
	if (comm_row->facts[0] & NAME_3)
		return CLASS_D;
#line ... "policy.bpf.c"
	return first;
}

/* The class of a task, by what is known of it; negative: an error. */
static __always_inline s32 class_of(struct task_struct *p, struct task_facts *kept)
{
	return classify(p, kept);
}

