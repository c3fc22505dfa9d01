/* SPDX-License-Identifier: GPL-2.0-only */
/* The model's cgroups. */
#ifndef CGROUP_H
#define CGROUP_H

#include "facts.h"
#include "machine.h"

struct cgroup_node {
	struct cgroup k;
	struct kernfs_node kn;
	struct cgroup_node *parent, *next;
	struct storage *storage;
	char *path;
	u32 weight; /* cpu.weight */
	u64 quota_us, period_us, burst_us; /* cpu.max and cpu.max.burst */
	struct task_group group; /* the kernel's own copy of these */
	struct facts facts;
	bool told; /* the scheduler knows it */
	bool gone;
};

struct cgroup_node *cgroup_at(const char *path);
void leave_out_cgroups(void); /* as the loader does where they do not count */
void introduce_cgroups(void);
void forget_cgroups(void);
void free_cgroups(void);
void set_cgroup_weight(const char *path, u32 weight);
void set_cgroup_idle(const char *path, bool idle);
void set_cgroup_quota(const char *path, u64 quota_us, u64 period_us, u64 burst_us);
void remove_cgroup(const char *path);
void answer_for_cgroups(const struct questions *questions);
void *answers_of_cgroup(u64 id); /* NULL: the loader was not told of it */

#endif /* CGROUP_H */
