/* ---- What the policy asks about a task, and the tables that answer it ---- */

/*
 * LABEL_0: label "app" == "db" (line 2)
 *     runtime fact: the kernel does not know it; the runtime sets the task's bit
 * LABEL_1: label "tenant" == "x" (line 2)
 *     runtime fact: the kernel does not know it; the runtime sets the task's bit
 * NAMESPACE_0: namespace ~ "kube-*" (line 3)
 *     runtime fact: the kernel does not know it; the runtime sets the task's bit
 * POD_0: pod == "p" (line 3)
 *     runtime fact: the kernel does not know it; the runtime sets the task's bit
 * CALLS_0: calls "gtp_encap_recv" within 1s via softirq (line 4)
 *     runtime fact: a program at the function's entry notes when a task came by
 * INTERACTIVE_0: interactive (line 4)
 *     counted: the scheduler counts how often a task goes to sleep
 * UID_0: uid == "www-data" (line 5)
 *     resolved at load: a name of the machine's; the loader puts the number in
 * GID_0: gid in ["wheel", "adm"] (line 5)
 *     resolved at load: a name of the machine's; the loader puts the number in
 */
/* Facts that only the runtime knows. */
enum runtime_fact {
	LABEL_0 = 1ULL << 0,
	LABEL_1 = 1ULL << 1,
	NAMESPACE_0 = 1ULL << 2,
	POD_0 = 1ULL << 3,
	CALLS_0 = 1ULL << 4,
};

/* The questions about labels, for the loader: it knows the labels. */
const volatile struct gthulhu_question policy_questions[] = {
	{
		.line = 2,
		.subject = GTHULHU_LABEL,
		.asks = GTHULHU_IS,
		.nr_values = 1,
	},
	{
		.line = 2,
		.bit = 1,
		.subject = GTHULHU_LABEL,
		.asks = GTHULHU_IS,
		.text = 7,
		.nr_values = 1,
	},
	{
		.line = 3,
		.bit = 2,
		.subject = GTHULHU_NAMESPACE,
		.asks = GTHULHU_MATCHES,
		.text = 16,
		.nr_states = 7,
		.nr_columns = 7,
	},
	{
		.line = 3,
		.bit = 3,
		.subject = GTHULHU_POD,
		.asks = GTHULHU_IS,
		.text = 17,
		.nr_values = 1,
	},
};

/* clang-format off */
const volatile char policy_texts[] =
	"app" "\0"
	"db" "\0"
	"tenant" "\0"
	"x" "\0"
	"" "\0"
	"" "\0"
	"p" "\0";

const volatile u16 policy_tables[] = {
};
/* clang-format on */

/* Bits of runtime_fact; what is in neither is not known. */
struct label_facts {
	u64 known_true;
	u64 known_false;
};

/* Labels that a process was given: their number. It outlives this scheduler. */
struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, u32);
} process_labels SEC(".maps");

/* The facts of each numbered set of labels; the number 0 stands for no labels. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, GTHULHU_LABEL_SETS);
	__type(key, u32);
	__type(value, struct label_facts);
} label_sets SEC(".maps");

/* The same for a container, by the number of its cgroup. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, GTHULHU_LABELLED_CGROUPS);
	__type(key, u64);
	__type(value, struct label_facts);
} cgroup_labels SEC(".maps");

/* Users and groups; the loader puts their numbers in. */
const volatile u32 policy_ids[3];

const volatile struct gthulhu_id policy_id_names[3] = {
	{ .line = 5, .is_group = 0, .name = "www-data" },
	{ .line = 5, .is_group = 1, .name = "adm" },
	{ .line = 5, .is_group = 1, .name = "wheel" },
};

/* A tick of the kernel's clock; the loader puts it in. */
const volatile u64 tick_ns = 4000000;

/* Calls of traced functions. */
struct calls {
	u64 recent; /* bits of runtime_fact: those that counted when the task's class was found */
	u64 last[1]; /* of each of those facts: in ticks, 0: none */
};

/* Facts of a task. The events that change a fact renew it. */
struct task_facts {
	struct sleeps sleeps;
	struct calls calls;
	struct label_facts labels;
};

/* ---- The class that the facts make ---- */

/* The facts of a task's container: the innermost of its cgroups that the loader was told of. */
static __always_inline struct label_facts *container_labels(struct task_struct *p)
{
	struct cgroup *cgrp = p->cgroups->dfl_cgrp;
	struct label_facts *found;
	int above;

	bpf_for(above, 0, cgrp->level + 1) {
		struct cgroup *ancestor = bpf_cgroup_ancestor(cgrp, cgrp->level - above);
		u64 id;

		if (!ancestor)
			break;
		id = ancestor->kn->id;
		bpf_cgroup_release(ancestor);
		found = bpf_map_lookup_elem(&cgroup_labels, &id);
		if (found)
			return found;
	}
	return NULL;
}

/* A label that the process was given comes before one of its container. */
static __always_inline void read_labels(struct label_facts *labels, struct task_struct *p)
{
	struct label_facts *container = container_labels(p), *own = NULL;
	u32 *set = bpf_task_storage_get(&process_labels, p, NULL, 0);
	u64 known_true = 0, known_false = 0;

	if (container) {
		known_true = container->known_true;
		known_false = container->known_false;
	}
	if (set)
		own = bpf_map_lookup_elem(&label_sets, set);
	if (own) {
		known_true = own->known_true | (known_true & ~own->known_false);
		known_false = own->known_false | (known_false & ~own->known_true);
	}
	labels->known_true = known_true;
	labels->known_false = known_false;
}

/* A call is noted by the kernel's ticks, and counts for up to two of them longer than it has to. */
static __always_inline bool is_recent(u64 last, u64 now, u64 within_ns)
{
	return last && (s64)(now - last - 1) * (s64)tick_ns < (s64)within_ns;
}

/* Which functions a task has entered within the time that the policy gives each. */
static __always_inline u64 recent_calls(const struct calls *calls)
{
	u64 recent = 0, now;

	if (!calls->last[0])
		return 0;
	now = bpf_jiffies64();
	if (is_recent(calls->last[0], now, 1000000000ULL))
		recent |= CALLS_0;
	return recent;
}

/* Rules are tried in the order of the file; the first that matches takes the task. */
__separate u32 classify(struct task_struct *p __arg_trusted,
			const struct task_facts *kept __arg_nonnull)
{
	u32 uid = p->real_cred->euid.val;
	u32 gid = p->real_cred->egid.val;
	bool interactive = kept->sleeps.often;

	if (p->flags & PF_KTHREAD)
		return CLASS_KTHREAD;

	/* rule a */
#line 2 "policy.gpl"
	if ((kept->labels.known_true & LABEL_0) && (kept->labels.known_false & LABEL_1))
		return CLASS_A;
#line ... "policy.bpf.c"
	/* rule b */
#line 3 "policy.gpl"
	if ((kept->labels.known_false & NAMESPACE_0) && (kept->labels.known_false & POD_0))
		return CLASS_B;
#line ... "policy.bpf.c"
	/* rule c */
#line 4 "policy.gpl"
	if ((kept->calls.recent & CALLS_0) || interactive)
		return CLASS_C;
#line ... "policy.bpf.c"
	/* rule d */
#line 5 "policy.gpl"
	if (is_one_of(&policy_ids[0], 1, uid) || !is_one_of(&policy_ids[1], 2, gid))
		return CLASS_D;
#line ... "policy.bpf.c"
	return CLASS_DEFAULT;
}

/* The class of a task, by what is known of it; negative: an error. */
__separate s32 class_of(struct task_struct *p __arg_trusted, struct task_facts *kept __arg_nonnull)
{
	read_labels(&kept->labels, p);
	kept->calls.recent = recent_calls(&kept->calls);
	return classify(p, kept);
}

