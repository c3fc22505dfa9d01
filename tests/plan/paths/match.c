/* ---- What the policy asks about a task, and the tables that answer it ---- */

/*
 * CGROUP_0: cgroup under "/ci.slice" (line 2)
 *     per-cgroup: a path never changes: it is read once per cgroup, and remembered with it
 * CGROUP_1: cgroup ~ "* /exempt" (line 2)
 *     per-cgroup: a path never changes: it is read once per cgroup, and remembered with it
 * UNIT_0: unit == "nginx.service" (line 3)
 *     per-cgroup: a path never changes: it is read once per cgroup, and remembered with it
 * UNIT_1: unit ~ "web-*.service" (line 3)
 *     per-cgroup: a path never changes: it is read once per cgroup, and remembered with it
 * QOS_0: qos == "best-effort" (line 4)
 *     per-cgroup: a path never changes: it is read once per cgroup, and remembered with it
 * QOS_1: qos != "guaranteed" (line 5)
 *     per-cgroup: a path never changes: it is read once per cgroup, and remembered with it
 * CGROUP_2: cgroup =~ '/kubepods.*' (line 5)
 *     per-cgroup: a path never changes: it is read once per cgroup, and remembered with it
 */
enum cgroup_fact {
	CGROUP_0 = 1ULL << 0,
	CGROUP_1 = 1ULL << 1,
	UNIT_0 = 1ULL << 0,
	UNIT_1 = 1ULL << 1,
	QOS_0 = 1ULL << 0,
	QOS_1 = 1ULL << 1,
	CGROUP_2 = 1ULL << 2,
};

enum { path_0_columns = 18 };

/* clang-format off */
static const u8 path_0_column[256] = {
};

static const u16 path_0_next[1024] = {
};

static const u64 path_0_accepts[64] = {
};
/* clang-format on */

enum { unit_0_columns = 18 };

/* clang-format off */
static const u8 unit_0_column[256] = {
};

static const u16 unit_0_next[1024] = {
};

static const u64 unit_0_accepts[64] = {
};
/* clang-format on */

enum { pod_0_columns = 20 };

/* clang-format off */
static const u8 pod_0_column[256] = {
};

static const u16 pod_0_next[4096] = {
};

static const u64 pod_0_accepts[256] = {
};
/* clang-format on */

struct cgroup_facts {
	u64 words[3]; /* bits of cgroup_fact, and FACTS_KNOWN */
};

struct {
	__uint(type, BPF_MAP_TYPE_CGRP_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct cgroup_facts);
} cgroup_ctxs SEC(".maps");

/* ---- The class that the facts make ---- */

/*
 * Reads the path from the root down: "/", or "/" and a name for each level.
 * The innermost counts: what is found about a unit or a pod replaces what was.
 */
static __noinline void read_path(struct cgroup *cgrp, struct cgroup_facts *facts)
{
	struct cgroup_facts found;
	u32 path_state_0 = 0;
	u32 unit_state_0 = 0;
	u32 pod_state_0 = 0;
	u64 innermost;
	char piece[PATH_PIECE + 1];
	int level, i;

	found.words[1] = 0;
	found.words[2] = 0;
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
		pod_state_0 = automaton_step(pod_0, pod_state_0, '/');
		unit_state_0 = 0;
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
			unit_state_0 = automaton_step(unit_0, unit_state_0, byte);
			pod_state_0 = automaton_step(pod_0, pod_state_0, byte);
		}
		bpf_cgroup_release(ancestor);
		innermost = automaton_facts(unit_0, unit_state_0);
		if (innermost & FACTS_KNOWN)
			found.words[1] = innermost;
		innermost = automaton_facts(pod_0, pod_state_0);
		if (innermost & FACTS_KNOWN)
			found.words[2] = innermost;
	}
	found.words[0] = automaton_facts(path_0, path_state_0);
	publish(facts->words, found.words, 3);
	forget_pointers();
}

/* Facts about the cgroup of a task; NULL: there is no memory to keep them. */
static __always_inline struct cgroup_facts *cgroup_facts(struct task_struct *p)
{
	struct cgroup *cgrp = p->cgroups->dfl_cgrp;
	struct cgroup_facts *facts;

	facts = bpf_cgrp_storage_get(&cgroup_ctxs, cgrp, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (facts && !are_known(facts->words, 3))
		read_path(cgrp, facts);
	return facts;
}

/* Rules are tried in the order of the file; the first that matches takes the task. */
__separate u32 classify(struct task_struct *p __arg_trusted,
			const struct cgroup_facts *cgroup __arg_nonnull)
{
	if (p->flags & PF_KTHREAD)
		return CLASS_KTHREAD;

	/* rule a */
#line 2 "policy.gpl"
	if ((cgroup->words[0] & CGROUP_0) && !(cgroup->words[0] & CGROUP_1))
		return CLASS_A;
#line ... "policy.bpf.c"
	/* rule b */
#line 3 "policy.gpl"
	if ((cgroup->words[1] & UNIT_0) || (cgroup->words[1] & UNIT_1))
		return CLASS_B;
#line ... "policy.bpf.c"
	/* rule c */
#line 4 "policy.gpl"
	if (cgroup->words[2] & QOS_0)
		return CLASS_C;
#line ... "policy.bpf.c"
	/* rule d */
#line 5 "policy.gpl"
	if (!(cgroup->words[2] & QOS_1) && (cgroup->words[0] & CGROUP_2))
		return CLASS_D;
#line ... "policy.bpf.c"
	return CLASS_DEFAULT;
}

/* The class of a task, by what is known of it; negative: an error. */
__separate s32 class_of(struct task_struct *p __arg_trusted)
{
	struct cgroup_facts *cgroup = cgroup_facts(p);

	if (!cgroup)
		return -12; /* ENOMEM */
	return classify(p, cgroup);
}

