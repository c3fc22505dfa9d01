/* SPDX-License-Identifier: GPL-2.0-only */
/* Cgroups: weights, idleness and quotas, and what the scheduler is told of them. */
#include "machine.h"
#include "cgroup.h"
#include "kernel.h"

static struct cgroup_node *cgroups;
static bool enabled; /* the scheduler is */

static void introduce_cgroup(struct cgroup_node *node);

/* The kernel's RUNTIME_INF. */
#define NO_QUOTA (~0ULL)

static void keep_quota(struct cgroup_node *node, u64 quota_us, u64 period_us, u64 burst_us)
{
	node->quota_us = quota_us;
	node->period_us = period_us;
	node->burst_us = burst_us;
	node->group.cfs_bandwidth.quota = quota_us == NO_QUOTA ? NO_QUOTA : quota_us * 1000;
	node->group.cfs_bandwidth.period = period_us * 1000;
	node->group.cfs_bandwidth.burst = burst_us * 1000;
}

struct cgroup_node *cgroup_at(const char *path)
{
	static u64 id;
	struct cgroup_node *node = cgroups;
	const char *name = strrchr(path, '/');
	char *parent;

	if (!path[1])
		path = "";
	while (node && strcmp(node->path, path))
		node = node->next;
	if (node)
		return node;
	node = calloc(1, sizeof(*node));
	node->path = strdup(path);
	node->kn.name = *path ? strdup(name + 1) : strdup("");
	node->kn.id = ++id;
	node->k.kn = &node->kn;
	if (*path) {
		parent = strndup(path, name - path);
		node->parent = cgroup_at(*parent ? parent : "/");
		node->k.level = node->parent->k.level + 1;
		free(parent);
	}
	node->weight = 100;
	node->period_us = 100000;
	node->k.subsys[cpu_cgrp_id] = &node->group;
	keep_quota(node, NO_QUOTA, node->period_us, 0);
	node->next = cgroups;
	cgroups = node;
	if (enabled)
		introduce_cgroup(node);
	return node;
}

/* Its parent first. */
static void introduce_cgroup(struct cgroup_node *node)
{
	struct scx_cgroup_init_args args = {
		.weight = node->weight,
		.bw_period_us = node->period_us,
		.bw_quota_us = node->quota_us,
		.bw_burst_us = node->burst_us,
	};
	struct call before;
	s32 err;

	if (node->told || node->gone)
		return;
	if (node->parent)
		introduce_cgroup(node->parent);
	node->told = true;
	if (!ops->cgroup_init)
		return;
	before = enter(here, IN_SLEEPABLE, "cgroup_init", NULL);
	err = ops->cgroup_init(&node->k, &args);
	leave(before);
	if (err)
		violation("error", "cgroup_init(%s) returns %d", node->path, err);
}

void leave_out_cgroups(void)
{
	ops->cgroup_init = NULL;
	ops->cgroup_exit = NULL;
	ops->cgroup_move = NULL;
	ops->cgroup_set_weight = NULL;
	ops->cgroup_set_bandwidth = NULL;
	ops->cgroup_set_idle = NULL;
}

void introduce_cgroups(void)
{
	cgroup_at("/");
	enabled = true;
	for (struct cgroup_node *node = cgroups; node; node = node->next)
		introduce_cgroup(node);
}

void set_cgroup_weight(const char *path, u32 weight)
{
	struct cgroup_node *node = cgroup_at(path);

	node->weight = weight;
	if (enabled)
		OPS(IN_OPS, cgroup_set_weight, NULL, &node->k, weight);
}

/* Kernels before 6.19 do not tell the scheduler. */
void set_cgroup_idle(const char *path, bool idle)
{
	struct cgroup_node *node = cgroup_at(path);

	node->group.idle = idle;
	if (enabled && kernel_version >= 0x613)
		OPS(IN_OPS, cgroup_set_idle, NULL, &node->k, idle);
}

/* Kernels before 6.17 do not tell the scheduler. */
void set_cgroup_quota(const char *path, u64 quota_us, u64 period_us, u64 burst_us)
{
	struct cgroup_node *node = cgroup_at(path);

	quota_us = quota_us ?: NO_QUOTA;
	keep_quota(node, quota_us, period_us, burst_us);
	if (enabled && kernel_version >= 0x611)
		OPS(IN_OPS, cgroup_set_bandwidth, NULL, &node->k, period_us, quota_us, burst_us);
}

/* Its tasks have left it, and it has none below it. */
void remove_cgroup(const char *path)
{
	struct cgroup_node *node = cgroup_at(path);

	if (node->told)
		OPS(IN_SLEEPABLE, cgroup_exit, NULL, &node->k);
	node->told = false;
	node->gone = true;
	free(node->path);
	node->path = strdup("?");
	free_storage(&node->storage);
}

void answer_for_cgroups(const struct questions *questions)
{
	for (struct cgroup_node *node = cgroups; node; node = node->next)
		answer(&node->facts, questions);
}

void *answers_of_cgroup(u64 id)
{
	for (struct cgroup_node *node = cgroups; node; node = node->next) {
		if (node->kn.id == id)
			return node->facts.is_container ? &node->facts.answers : NULL;
	}
	return NULL;
}

struct cgroup *bpf_cgroup_ancestor(struct cgroup *cgrp, int level)
{
	struct cgroup_node *node = container(cgrp, struct cgroup_node, k);

	if (level > cgrp->level || level < 0)
		return NULL;
	while (node->k.level > level)
		node = node->parent;
	hold(1);
	return &node->k;
}

struct cgroup *scx_bpf_task_cgroup(struct task_struct *k)
{
	hold(1);
	return task_of(k)->css.dfl_cgrp;
}

void bpf_cgroup_release(struct cgroup *cgrp)
{
	hold(-1);
}

void forget_cgroups(void)
{
	for (struct cgroup_node *node = cgroups; node; node = node->next) {
		if (node->told)
			OPS(IN_SLEEPABLE, cgroup_exit, NULL, &node->k);
		node->told = false;
	}
	for (struct cgroup_node *node = cgroups; node; node = node->next)
		free_storage(&node->storage);
	enabled = false;
}

void free_cgroups(void)
{
	while (cgroups) {
		struct cgroup_node *node = cgroups;

		cgroups = node->next;
		free((char *)node->kn.name);
		free(node->path);
		forget_facts(&node->facts);
		free(node);
	}
}
