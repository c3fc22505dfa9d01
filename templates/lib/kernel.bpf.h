/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel as a generated scheduler sees it: the few types, fields and
 * functions that it uses, instead of a whole vmlinux.h. Offsets, and which of
 * two forms of a function exists, are resolved when the object is loaded, so
 * that one object runs on 6.16 and later.
 */
#ifndef GTHULHU_KERNEL_BPF_H
#define GTHULHU_KERNEL_BPF_H

typedef unsigned char __u8;
typedef unsigned short __u16;
typedef unsigned int __u32;
typedef unsigned long long __u64;
typedef signed char __s8;
typedef short __s16;
typedef int __s32;
typedef long long __s64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s32 s32;
typedef __s64 s64;
typedef _Bool bool;

#define true 1
#define false 0
#define NULL ((void *)0)

/* Map types, flags and limits that are user-space ABI. */
enum {
	BPF_MAP_TYPE_HASH = 1,
	BPF_MAP_TYPE_ARRAY = 2,
	BPF_MAP_TYPE_PERCPU_ARRAY = 6,
	BPF_MAP_TYPE_RINGBUF = 27,
	BPF_MAP_TYPE_TASK_STORAGE = 29,
	BPF_MAP_TYPE_CGRP_STORAGE = 32,
	BPF_F_NO_PREALLOC = 1,
	BPF_LOCAL_STORAGE_GET_F_CREATE = 1,
	BPF_F_TIMER_CPU_PIN = 2,
	CLOCK_MONOTONIC = 1,
	CLONE_PARENT = 0x8000,
	CLONE_THREAD = 0x10000,
	PF_IDLE = 2,
	PF_EXITING = 4,
	PF_KTHREAD = 0x200000,
	SIGNAL_GROUP_EXIT = 4,
	SCX_CPUPERF_ONE = 1024,
	PIDTYPE_SID = 3,
	TASK_COMM_LEN = 16,
};

struct bpf_timer {
	u64 opaque[2];
} __attribute__((aligned(8)));

/* Something that a task does when it returns from the kernel to its program. */
struct bpf_task_work {
	u64 opaque;
} __attribute__((aligned(8)));

/* Not a mere declaration: libbpf compares the kinds of types. */
struct bpf_map {
	u32 id;
};

typedef int return_callback(struct bpf_map *map, void *key, void *value);

#include "libbpf.bpf.h"

enum scx_exit_kind { SCX_EXIT_NONE };

/*
 * Only the members that are used; CO-RE finds them in the running kernel.
 */
#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct cpumask {
	unsigned long bits[1];
};

struct bpf_cpumask {
	struct cpumask cpumask;
};

struct kernfs_node {
	const char *name;
	u64 id;
};

struct cgroup {
	struct kernfs_node *kn;
	int level;
	void *subsys[1];
};

enum cgroup_subsys_id { cpu_cgrp_id };

struct cfs_bandwidth {
	s64 period;
	u64 quota;
	u64 burst;
};

struct task_group {
	struct cfs_bandwidth cfs_bandwidth;
	int idle;
};

struct css_set {
	struct cgroup *dfl_cgrp;
};

struct sched_entity {
	u64 exec_start;
	u64 sum_exec_runtime;
};

struct list_head {
	struct list_head *next;
};

struct scx_dispatch_q {
	struct list_head list;
	u64 id;
};

struct scx_dsq_list_node {
	struct list_head node;
};

struct sched_ext_entity {
	struct scx_dispatch_q *dsq;
	struct scx_dsq_list_node dsq_list;
	u64 slice;
	u64 dsq_vtime;
	u32 flags;
	u32 weight;
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
	unsigned int flags;
	struct pid *pids[PIDTYPE_SID + 1];
};

struct thread_info {
	u32 cpu;
};

struct task_struct {
	struct thread_info thread_info;
	unsigned int flags;
	int static_prio;
	int nr_cpus_allowed;
	unsigned short migration_disabled;
	int rcu_read_lock_nesting;
	int pid;
	int tgid;
	u64 self_exec_id; /* raised by each exec, and handed on at a fork */
	const struct cpumask *cpus_ptr;
	struct task_struct *real_parent;
	struct task_struct *group_leader;
	const struct cred *real_cred;
	struct signal_struct *signal;
	struct css_set *cgroups;
	struct sched_entity se;
	struct sched_ext_entity scx;
	char comm[TASK_COMM_LEN];
};

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
};

struct scx_init_task_args {
	bool fork;
	struct cgroup *cgroup;
};

struct scx_cgroup_init_args {
	u32 weight;
	u64 bw_period_us;
	u64 bw_quota_us;
	u64 bw_burst_us;
};

/* For whether the kernel tells of cpu.idle. */
struct sched_ext_ops___idle {
	void (*cgroup_set_idle)(struct cgroup *cgrp, bool idle);
};

struct scx_exit_task_args;
struct scx_cpu_release_args;

struct scx_exit_info {
	enum scx_exit_kind kind;
	s64 exit_code;
	const char *reason;
	char *msg;
	char *dump;
};

#pragma clang attribute pop

/*
 * libbpf matches members by name with the running kernel's. They are declared
 * as functions for the C compiler's sake; the kernel has its own prototypes.
 */
struct sched_ext_ops {
	s32 (*select_cpu)(struct task_struct *p, s32 prev_cpu, u64 wake_flags);
	void (*enqueue)(struct task_struct *p, u64 enq_flags);
	void (*dispatch)(s32 cpu, struct task_struct *prev);
	void (*running)(struct task_struct *p);
	void (*stopping)(struct task_struct *p, bool runnable);
	void (*runnable)(struct task_struct *p, u64 enq_flags);
	void (*quiescent)(struct task_struct *p, u64 deq_flags);
	void (*tick)(struct task_struct *p);
	void (*update_idle)(s32 cpu, bool idle);
	void (*enable)(struct task_struct *p);
	void (*disable)(struct task_struct *p);
	void (*cpu_release)(s32 cpu, struct scx_cpu_release_args *args);
	void (*set_cpumask)(struct task_struct *p, const struct cpumask *cpumask);
	void (*set_weight)(struct task_struct *p, u32 weight);
	s32 (*init_task)(struct task_struct *p, struct scx_init_task_args *args);
	void (*exit_task)(struct task_struct *p, struct scx_exit_task_args *args);
	s32 (*cgroup_init)(struct cgroup *cgrp, struct scx_cgroup_init_args *args);
	void (*cgroup_exit)(struct cgroup *cgrp);
	void (*cgroup_move)(struct task_struct *p, struct cgroup *from, struct cgroup *to);
	void (*cgroup_set_weight)(struct cgroup *cgrp, u32 weight);
	void (*cgroup_set_bandwidth)(struct cgroup *cgrp, u64 period_us, u64 quota_us,
				     u64 burst_us);
	void (*cgroup_set_idle)(struct cgroup *cgrp, bool idle);
	s32 (*init)(void);
	void (*exit)(struct scx_exit_info *info);
	u64 flags;
	u32 timeout_ms;
	u32 exit_dump_len;
	u64 hotplug_seq;
	char name[128];
};

#define BPF_STRUCT_OPS(name, args...)                                                              \
	SEC("struct_ops/" #name)                                                                   \
	BPF_PROG(name, ##args)

#define BPF_STRUCT_OPS_SLEEPABLE(name, args...)                                                    \
	SEC("struct_ops.s/" #name)                                                                 \
	BPF_PROG(name, ##args)

/*
 * Constants whose values differ between kernels. The loader sets each one from
 * the running kernel's BTF; one that the kernel does not have is 0.
 */
const volatile u64 kernel_SCX_DSQ_LOCAL;
const volatile u64 kernel_SCX_DSQ_LOCAL_ON;
const volatile u64 kernel_SCX_DEQ_SLEEP;
const volatile u64 kernel_SCX_ENQ_WAKEUP;
const volatile u64 kernel_SCX_ENQ_HEAD;
const volatile u64 kernel_SCX_ENQ_PREEMPT;
const volatile u64 kernel_SCX_WAKE_TTWU;
const volatile u64 kernel_SCX_WAKE_SYNC;
const volatile u64 kernel_SCX_KICK_IDLE;
const volatile u64 kernel_SCX_KICK_PREEMPT;
const volatile u64 kernel_SCX_TASK_QUEUED;

#define SCX_DSQ_LOCAL kernel_SCX_DSQ_LOCAL
#define SCX_DSQ_LOCAL_ON kernel_SCX_DSQ_LOCAL_ON
#define SCX_DEQ_SLEEP kernel_SCX_DEQ_SLEEP
#define SCX_ENQ_WAKEUP kernel_SCX_ENQ_WAKEUP
#define SCX_ENQ_HEAD kernel_SCX_ENQ_HEAD
#define SCX_ENQ_PREEMPT kernel_SCX_ENQ_PREEMPT
#define SCX_WAKE_TTWU kernel_SCX_WAKE_TTWU
#define SCX_WAKE_SYNC kernel_SCX_WAKE_SYNC
#define SCX_KICK_IDLE kernel_SCX_KICK_IDLE
#define SCX_KICK_PREEMPT kernel_SCX_KICK_PREEMPT
#define SCX_TASK_QUEUED kernel_SCX_TASK_QUEUED

/* Possible CPUs, set by the loader. */
const volatile u32 nr_cpus = 1;

/* Functions that every supported kernel has in one form. */
s32 scx_bpf_create_dsq(u64 dsq_id, s32 node) __ksym;
s32 scx_bpf_dsq_nr_queued(u64 dsq_id) __ksym;
s32 scx_bpf_select_cpu_dfl(struct task_struct *p, s32 prev_cpu, u64 wake_flags,
			   bool *is_idle) __ksym;
s32 scx_bpf_pick_idle_cpu(const struct cpumask *cpus_allowed, u64 flags) __ksym;
bool scx_bpf_test_and_clear_cpu_idle(s32 cpu) __ksym;
void scx_bpf_kick_cpu(s32 cpu, u64 flags) __ksym;
bool scx_bpf_task_running(const struct task_struct *p) __ksym;
s32 scx_bpf_task_cpu(const struct task_struct *p) __ksym;
const struct cpumask *scx_bpf_get_idle_cpumask(void) __ksym;
void scx_bpf_put_idle_cpumask(const struct cpumask *idle_mask) __ksym;
const struct cpumask *scx_bpf_get_online_cpumask(void) __ksym;
void scx_bpf_put_cpumask(const struct cpumask *cpumask) __ksym;
void scx_bpf_cpuperf_set(s32 cpu, u32 perf) __ksym;
u64 scx_bpf_now(void) __ksym;

struct bpf_cpumask *bpf_cpumask_create(void) __ksym;
void bpf_cpumask_release(struct bpf_cpumask *cpumask) __ksym;
void bpf_cpumask_set_cpu(u32 cpu, struct bpf_cpumask *cpumask) __ksym;
void bpf_cpumask_clear_cpu(u32 cpu, struct bpf_cpumask *cpumask) __ksym;
bool bpf_cpumask_test_and_clear_cpu(u32 cpu, struct bpf_cpumask *cpumask) __ksym;
bool bpf_cpumask_test_cpu(u32 cpu, const struct cpumask *cpumask) __ksym;
bool bpf_cpumask_empty(const struct cpumask *cpumask) __ksym;
u32 bpf_cpumask_weight(const struct cpumask *cpumask) __ksym;
bool bpf_cpumask_subset(const struct cpumask *a, const struct cpumask *b) __ksym;
bool bpf_cpumask_intersects(const struct cpumask *a, const struct cpumask *b) __ksym;
u32 bpf_cpumask_any_and_distribute(const struct cpumask *a, const struct cpumask *b) __ksym;
struct task_struct *bpf_task_from_pid(s32 pid) __ksym;
void bpf_task_release(struct task_struct *p) __ksym;
void bpf_rcu_read_lock(void) __ksym;
void bpf_rcu_read_unlock(void) __ksym;
struct cgroup *bpf_cgroup_ancestor(struct cgroup *cgrp, int level) __ksym;
void bpf_cgroup_release(struct cgroup *cgrp) __ksym;

/* Iterators over numbers, over a queue and over the threads of a process. */
struct bpf_iter_num {
	u64 opaque[1];
} __attribute__((aligned(8)));

struct bpf_iter_scx_dsq {
	u64 opaque[6];
} __attribute__((aligned(8)));

struct bpf_iter_task {
	u64 opaque[3];
} __attribute__((aligned(8)));

enum { BPF_TASK_ITER_PROC_THREADS = 2 };

int bpf_iter_num_new(struct bpf_iter_num *it, int start, int end) __ksym;
int *bpf_iter_num_next(struct bpf_iter_num *it) __ksym;
void bpf_iter_num_destroy(struct bpf_iter_num *it) __ksym;
int bpf_iter_scx_dsq_new(struct bpf_iter_scx_dsq *it, u64 dsq_id, u64 flags) __ksym;
struct task_struct *bpf_iter_scx_dsq_next(struct bpf_iter_scx_dsq *it) __ksym;
void bpf_iter_scx_dsq_destroy(struct bpf_iter_scx_dsq *it) __ksym;
void scx_bpf_dsq_move_set_vtime(struct bpf_iter_scx_dsq *it, u64 vtime) __ksym;
bool scx_bpf_dsq_move_vtime(struct bpf_iter_scx_dsq *it, struct task_struct *p, u64 dsq_id,
			    u64 enq_flags) __ksym;

/* The iterator in the body of bpf_for_each. */
#define BPF_FOR_EACH_ITER (&___it)
int bpf_iter_task_new(struct bpf_iter_task *it, struct task_struct *task, u32 flags) __ksym;
struct task_struct *bpf_iter_task_next(struct bpf_iter_task *it) __ksym;
void bpf_iter_task_destroy(struct bpf_iter_task *it) __ksym;

#endif /* GTHULHU_KERNEL_BPF_H */
