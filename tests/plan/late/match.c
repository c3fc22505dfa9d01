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
 *     runtime fact: the kernel does not know it; the runtime sets the task's bit
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

/* Users and groups; the loader puts their numbers in. */
const volatile u32 policy_ids[3];

const volatile struct gthulhu_id policy_id_names[3] = {
	{ .line = 5, .is_group = 0, .name = "www-data" },
	{ .line = 5, .is_group = 1, .name = "adm" },
	{ .line = 5, .is_group = 1, .name = "wheel" },
};

/* What is kept with a task, and found out at the events that change it. */
struct task_facts {
	struct sleeps sleeps;
	u64 known_true;
	u64 known_false;
};

/* ---- The class that the facts make ---- */

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
	if ((kept->known_true & LABEL_0) && (kept->known_false & LABEL_1))
		return CLASS_A;
#line ... "policy.bpf.c"
	/* rule b */
#line 3 "policy.gpl"
	if ((kept->known_false & NAMESPACE_0) && (kept->known_false & POD_0))
		return CLASS_B;
#line ... "policy.bpf.c"
	/* rule c */
#line 4 "policy.gpl"
	if ((kept->known_true & CALLS_0) || interactive)
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
	return classify(p, kept);
}

