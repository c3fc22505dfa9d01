/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A model of the kernel for the classifier on the host, instead of
 * templates/lib/kernel.bpf.h: plain structures, and functions that behave
 * like the kernel's. Sanitizers find reads out of bounds.
 */
#ifndef GTHULHU_KERNEL_BPF_H
#define GTHULHU_KERNEL_BPF_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;

enum {
	BPF_MAP_TYPE_HASH = 1,
	BPF_MAP_TYPE_ARRAY = 2,
	BPF_MAP_TYPE_PERCPU_ARRAY = 6,
	BPF_MAP_TYPE_TASK_STORAGE = 29,
	BPF_MAP_TYPE_CGRP_STORAGE = 32,
	BPF_F_NO_PREALLOC = 1,
	BPF_LOCAL_STORAGE_GET_F_CREATE = 1,
	CLONE_PARENT = 0x8000,
	CLONE_THREAD = 0x10000,
	PF_KTHREAD = 0x200000,
	PIDTYPE_SID = 3,
	TASK_COMM_LEN = 16,
};

#define SEC(name)
#define __arg_trusted
#define __arg_nonnull
#undef __always_inline
#define __always_inline inline __attribute__((always_inline))
#define __noinline __attribute__((noinline))
#define __uint(name, value) int (*name)[value]
#define __type(name, value) __typeof__(value) *name
#define bpf_for(i, start, end) for ((i) = (start); (i) < (end); (i)++)

struct kernfs_node {
	const char *name;
	u64 id; /* in the model, the address of the cgroup */
};

struct cgroup {
	struct kernfs_node *kn;
	int level;
	struct cgroup *parent; /* of the model */
	void *storage;
	void *labels; /* what the loader has said of it */
};

struct css_set {
	struct cgroup *dfl_cgrp;
};

struct kernel_id {
	u32 val;
};

struct cred {
	struct kernel_id euid;
	struct kernel_id egid;
};

struct upid {
	int nr;
};

struct pid {
	struct upid numbers[1];
};

struct signal_struct {
	struct pid *pids[PIDTYPE_SID + 1];
};

struct task_facts;

struct task_struct {
	unsigned int flags;
	int static_prio;
	int pid;
	int tgid;
	u64 self_exec_id;
	struct task_struct *real_parent;
	struct task_struct *group_leader;
	const struct cred *real_cred;
	struct signal_struct *signal;
	struct css_set *cgroups;
	char comm[TASK_COMM_LEN];
	struct task_facts *facts; /* of the model: its task storage */
	u32 *labels; /* the number of its own, in another task storage */
	const char *exe; /* the path of its program; NULL: it has none */
	const char *arguments; /* each ends with a NUL */
	u32 arguments_size;
	void *program; /* what is kept of it, in a third task storage */
};

#ifdef NR_NUMBERS /* the classifier's driver is built with the fields' numbers */
/* A task's fields that are numbers, indexed by their names in capitals. */
static inline void give_numbers(struct task_struct *p, const s64 *numbers)
{
	static struct cred cred;
	static struct pid session;
	static struct signal_struct signal = { .pids[PIDTYPE_SID] = &session };

	cred.euid.val = numbers[UID];
	cred.egid.val = numbers[GID];
	p->real_cred = &cred;
	p->static_prio = 120 + numbers[NICE];
	session.numbers[0].nr = numbers[SESSION];
	p->signal = &signal;
}
#endif

/* The classifier runs in no task. */
static inline struct task_struct *bpf_get_current_task_btf(void)
{
	return NULL;
}

static inline struct task_facts *task_facts(struct task_struct *p)
{
	return p->facts;
}

/* Here it is always the same time. */
#define HOST_TICKS 4294667296ULL

static inline u64 bpf_jiffies64(void)
{
	return HOST_TICKS;
}

/* References that are held; none may be left. */
static int host_references;

static inline struct cgroup *bpf_cgroup_ancestor(struct cgroup *cgrp, int level)
{
	if (level > cgrp->level)
		return NULL;
	while (cgrp->level > level)
		cgrp = cgrp->parent;
	host_references++;
	return cgrp;
}

static inline void bpf_cgroup_release(struct cgroup *cgrp)
{
	host_references--;
}

static inline void *host_storage(void **storage, size_t size)
{
	if (!*storage)
		*storage = calloc(1, size);
	return *storage;
}

#define bpf_cgrp_storage_get(map, cgrp, value_, flags)                                             \
	host_storage(&(cgrp)->storage, sizeof(*(map)->value))

#define bpf_task_storage_get(map, p, value_, flags)                                                \
	((__typeof__((map)->value))(strcmp(#map, "&programs") ? (p)->labels : (p)->program))

/* The loader's facts about the labels of a process. */
static u32 host_number_of_labels;
static void *host_labels;

/* Of cgroup_labels and label_sets; others have numbers for keys, and are of one CPU. */
static inline void *host_lookup(const char *map, const void *key)
{
	static u64 values[1024][8];
	u32 number;

	if (!strcmp(map, "&cgroup_labels"))
		return (*(struct cgroup *const *)key)->labels;
	number = *(const u32 *)key;
	if (!strcmp(map, "&label_sets"))
		return number == host_number_of_labels ? host_labels : NULL;
	return number < 1024 ? values[number] : NULL;
}

#define bpf_map_lookup_elem(map, key) host_lookup(#map, key)

static inline void bpf_rcu_read_lock(void)
{
}

static inline void bpf_rcu_read_unlock(void)
{
}

static inline long bpf_probe_read_kernel_str(void *to, u32 size, const void *from)
{
	size_t length = strnlen(from, size - 1);

	memcpy(to, from, length);
	((char *)to)[length] = 0;
	return length + 1;
}

#endif /* GTHULHU_KERNEL_BPF_H */
