/* ---- What the policy asks about a task, and the tables that answer it ---- */

/*
 * UID_0: uid == 0 (line 2)
 *     range: a number of the task, compared where it is asked for
 * NICE_0: nice < 0 (line 2)
 *     range: a number of the task, compared where it is asked for
 * UID_1: uid in 1000..1999 (line 3)
 *     range: a number of the task, compared where it is asked for
 * GID_0: gid in [5, 7, 9] (line 3)
 *     range: a number of the task, looked for in sorted ranges
 * UID_2: uid in [1, 3, 5, 7, 9, 11, 13, 15, 17, 19] (line 4)
 *     range: a number of the task, looked for in sorted ranges
 * GID_1: gid <= 100 (line 5)
 *     range: a number of the task, compared where it is asked for
 * LEADER_0: leader (line 5)
 *     flag: the kernel stores it for every task
 * NICE_1: nice >= 5 (line 5)
 *     range: a number of the task, compared where it is asked for
 * UID_3: uid == 1 (line 5)
 *     range: a number of the task, compared where it is asked for
 * GID_2: gid == 2000000 (line 5)
 *     range: a number of the task, compared where it is asked for
 * NICE_2: nice == 3 (line 5)
 *     range: a number of the task, compared where it is asked for
 */
/* clang-format off */
static const struct number_range gid_0_ranges[] = {
	{ 5, 5 }, { 7, 7 }, { 9, 9 },
};
/* clang-format on */

/* clang-format off */
static const struct number_range uid_2_ranges[] = {
	{ 1, 1 }, { 3, 3 }, { 5, 5 }, { 7, 7 }, { 9, 9 }, { 11, 11 }, { 13, 13 }, { 15, 15 },
	{ 17, 17 }, { 19, 19 },
};
/* clang-format on */

/* ---- The class that the facts make ---- */

/* Rules are tried in the order of the file; the first that matches takes the task. */
__separate u32 classify(struct task_struct *p __arg_trusted)
{
	bool leader = p->pid == p->tgid;
	u32 uid = p->real_cred->euid.val;
	u32 gid = p->real_cred->egid.val;
	s32 nice = p->static_prio - NICE_0_PRIO;

	if (p->flags & PF_KTHREAD)
		return CLASS_KTHREAD;

	/* rule a */
#line 2 "policy.gpl"
	if (uid == 0 && nice <= -1)
		return CLASS_A;
#line ... "policy.bpf.c"
	/* rule b */
#line 3 "policy.gpl"
	if ((uid >= 1000 && uid <= 1999) || in_ranges(gid_0_ranges, 3, gid))
		return CLASS_B;
#line ... "policy.bpf.c"
	/* rule c */
#line 4 "policy.gpl"
	if (!in_ranges(uid_2_ranges, 10, uid))
		return CLASS_C;
#line ... "policy.bpf.c"
	/* rule d */
#line 5 "policy.gpl"
	bool part_0 = leader || nice >= 5;
	bool part_1 = !(uid == 1) || !(gid == 2000000) || !(nice == 3);
	if (!(gid <= 100) && part_0 && part_1)
		return CLASS_D;
#line ... "policy.bpf.c"
	return CLASS_DEFAULT;
}

/* The class of a task, by what is known of it; negative: an error. */
__separate s32 class_of(struct task_struct *p __arg_trusted)
{
	return classify(p);
}

