/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cgroups that have the cpu controller, as a tree of groups. The root is number 0. Weights
 * (rates.bpf.h) and limits (limits.bpf.h) both go by it.
 */
#ifndef GTHULHU_TREE_BPF_H
#define GTHULHU_TREE_BPF_H

#include "fair.bpf.h"
#include "match.bpf.h"

#define GROUP_BITS 12
/* Cgroups that can be told apart; further ones count as a part of the one above. */
#define MAX_GROUPS (1U << GROUP_BITS)
/* Of a cgroup that is idle: the kernel's WEIGHT_IDLEPRIO, which is 3 where cpu.weight is 1,024. */
#define IDLE_WEIGHT (3 * 100 * WEIGHT_ONE / 1024)
/* A unix file system has no deeper paths. */
#define MAX_DEPTH 64
/* So much a unit of weight is worth where there are no groups. */
#define WORTH_SHIFT 16
#define WORTH_ONE (1ULL << WORTH_SHIFT)

/* A section of large variables, which the loader leaves out where no cgroup counts. */
#ifndef GROUP_SECTION
#define GROUP_SECTION(name) ".bss." name
#endif

struct group {
	/* Changed as tasks come and go. */
	u64 runnable; /* tasks of its own, and the sum of their weights */
	u64 ran_ns; /* by them, since the timer looked */
	/* The timer's. */
	u64 tasks; /* the mean number of them, in parts of a CPU */
	u64 mean; /* sum of their weights */
	u64 sum; /* of their weights, that counts now */
	u64 rate;
	u64 demand; /* what it can use, with all below it */
	u64 weights; /* of all parts */
	/* Read where tasks run. */
	u64 worth; /* of a unit of weight of its tasks */
	s64 ahead_ns; /* by so much time its tasks have had more than their portion */
	u64 most; /* the highest rate that a part needs for its demand */
	u64 sated; /* demand of the parts whose portion is enough, */
	u64 open; /* and weights of the others */
	u64 cgroup; /* struct cgroup, to read what the kernel does not tell of */
	u32 number; /* with its generation; of the root 0 */
	u32 weight; /* beside tasks and groups of the same parent, if it is not idle */
	u16 pass; /* the last one of the timer in which it was in the list */
	u16 parent;
	bool taken;
	bool idle; /* cpu.idle */
	bool has_worth; /* the timer's, not that of a group that is new or was idle */
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct group) == 128, "two cache lines");

/* The numbers of a cgroup's parent are smaller: so a loop goes through a tree in order. */
static struct group groups[MAX_GROUPS] SEC(GROUP_SECTION("groups"));
static u32 reweighed; /* a weight was set, and the timer has not looked since */
static bool saw_group; /* there has been a group below the root */

/* Where this is false, the verifier removes all that is done for groups. */
#ifndef MAY_HAVE_GROUPS
#define MAY_HAVE_GROUPS true
#endif

/* Functions of groups begin with MAY_HAVE_GROUPS for the verifier, see has_cells. */
static __always_inline bool has_groups(void)
{
	return MAY_HAVE_GROUPS && saw_group;
}

static __always_inline struct group *group_at(u32 number)
{
	return &groups[bounded(number & (MAX_GROUPS - 1), MAX_GROUPS)];
}

static __always_inline u64 least_of(u64 a, u64 b)
{
	return a < b ? a : b;
}

static __always_inline u64 most_of(u64 a, u64 b)
{
	return a < b ? b : a;
}

static __always_inline void set_idle(struct group *g, bool idle)
{
	g->idle = idle;
	reweighed = 1;
}

/* Its weight beside tasks and groups of the same parent. */
static __always_inline u32 weight_beside(const struct group *g)
{
	return g->idle ? IDLE_WEIGHT : g->weight;
}

/* The number of a new group; that of its parent if there are too many. */
static __always_inline u32 new_group(u32 above, u32 weight)
{
	static u32 generation;
	u32 parent = above & (MAX_GROUPS - 1);
	int i;

	bpf_for(i, parent + 1, MAX_GROUPS) {
		struct group *g = group_at(i);

		if (g->taken || g->runnable)
			continue;
		g->taken = true;
		g->parent = parent;
		g->weight = weight;
		g->idle = false;
		g->tasks = g->mean = g->rate = g->ran_ns = 0;
		g->ahead_ns = 0;
		g->has_worth = false;
		/* Until the timer knows better. */
		g->worth = WORTH_ONE;
		g->number = ++generation << GROUP_BITS | i;
		saw_group = true;
		return g->number;
	}
	return above;
}

static __always_inline void drop_group(struct group *g)
{
	g->number = 0;
	g->cgroup = 0;
	g->taken = false;
}

/* The cgroup's state of the cpu controller, which the task group begins with; NULL: none. */
static __always_inline const struct task_group *task_group_of(const struct group *g)
{
	u64 index = bpf_core_enum_value(enum cgroup_subsys_id, cpu_cgrp_id), group = 0;
	const struct cgroup *cgrp = (const struct cgroup *)g->cgroup;

	if (cgrp)
		bpf_probe_read_kernel(&group, sizeof(group),
				      (const char *)&cgrp->subsys + index * sizeof(void *));
	return (const struct task_group *)group;
}

/* Kernels before 6.19 do not. */
static __always_inline bool tells_of_idle(const struct sched_ext_ops___idle *ops)
{
	return bpf_core_field_exists(ops->cgroup_set_idle);
}

static __always_inline void read_idle(struct group *g)
{
	const struct task_group *group = task_group_of(g);
	int idle = 0;

	if (!group)
		return;
	bpf_probe_read_kernel(&idle, sizeof(idle), &group->idle);
	if (!!idle != g->idle)
		set_idle(g, idle);
}

#endif /* GTHULHU_TREE_BPF_H */
