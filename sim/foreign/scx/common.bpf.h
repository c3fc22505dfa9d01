/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The header of this name that sched_ext schedulers include, for the host: the names that they
 * expect, on the model's functions. It stands for a whole vmlinux.h, so a scheduler that needs
 * other types, members or functions does not compile; model.py of the simulation says which.
 */
#ifndef FOREIGN_SCX_COMMON_H
#define FOREIGN_SCX_COMMON_H

#define __VMLINUX_H__ /* else schedulers define u64 and the like themselves */

#include <kernel.bpf.h>
#include <compat.bpf.h> /* not the one beside this file */

#include <asm-generic/errno.h>
#include <stddef.h>

/* ---- The kernel's constants, which have to be constants here ---- */

#undef SCX_DSQ_LOCAL
#undef SCX_DSQ_LOCAL_ON
#undef SCX_DEQ_SLEEP
#undef SCX_ENQ_WAKEUP
#undef SCX_ENQ_HEAD
#undef SCX_ENQ_PREEMPT
#undef SCX_WAKE_TTWU
#undef SCX_WAKE_SYNC
#undef SCX_KICK_IDLE
#undef SCX_KICK_PREEMPT
#undef SCX_TASK_QUEUED

#define SCX_DSQ_FLAG_BUILTIN (1ULL << 63)
#define SCX_DSQ_FLAG_LOCAL_ON (1ULL << 62)
#define SCX_DSQ_INVALID SCX_DSQ_FLAG_BUILTIN
#define SCX_DSQ_GLOBAL (SCX_DSQ_FLAG_BUILTIN | 1)
#define SCX_DSQ_LOCAL (SCX_DSQ_FLAG_BUILTIN | 2)
#define SCX_DSQ_LOCAL_ON (SCX_DSQ_FLAG_BUILTIN | SCX_DSQ_FLAG_LOCAL_ON)
#define SCX_DSQ_LOCAL_CPU_MASK 0xffffffffULL
#define SCX_SLICE_DFL 20000000ULL
#define SCX_SLICE_INF (~0ULL)
#define SCX_ENQ_WAKEUP 1ULL
#define SCX_ENQ_HEAD 0x10ULL
#define SCX_ENQ_CPU_SELECTED (1ULL << 10)
#define SCX_ENQ_PREEMPT (1ULL << 32)
#define SCX_ENQ_REENQ (1ULL << 40)
#define SCX_ENQ_LAST (1ULL << 41)
#define SCX_DEQ_SLEEP 1ULL
#define SCX_WAKE_FORK 4ULL
#define SCX_WAKE_TTWU 8ULL
#define SCX_WAKE_SYNC 16ULL
#define SCX_KICK_IDLE 1ULL
#define SCX_KICK_PREEMPT 2ULL
#define SCX_PICK_IDLE_CORE 1ULL
#define SCX_PICK_IDLE_IN_NODE 2ULL
#define SCX_TASK_QUEUED 1U
#define SCX_OPS_KEEP_BUILTIN_IDLE (1ULL << 0)
#define SCX_OPS_ENQ_LAST (1ULL << 1)
#define SCX_OPS_ENQ_EXITING (1ULL << 2)
#define SCX_OPS_SWITCH_PARTIAL (1ULL << 3)
#define SCX_OPS_ENQ_MIGRATION_DISABLED (1ULL << 4)
#define SCX_OPS_ALLOW_QUEUED_WAKEUP (1ULL << 5)
#define SCX_OPS_BUILTIN_IDLE_PER_NODE (1ULL << 6)
#define NUMA_NO_NODE (-1)
#define PF_IDLE 2
#define PF_IO_WORKER 0x10
#define PF_WQ_WORKER 0x20

/* ---- The scheduler's own declaration ---- */

struct scx_cpu_acquire_args;
struct scx_dump_ctx;

/* With callbacks and members that the model does not use. */
struct foreign_ops {
	struct sched_ext_ops;
	void *dequeue, *yield, *core_sched_before, *cpu_acquire, *cpu_online, *cpu_offline, *dump,
		*dump_cpu, *dump_task, *cgroup_prep_move, *cgroup_cancel_move;
	u32 dispatch_max_batch;
};

#define sched_ext_ops foreign_ops
#define SCX_OPS_DEFINE(ops_name, members...)                                                       \
	SEC(".struct_ops.link") struct sched_ext_ops ops_name = { members }

#define UEI_DEFINE(name) s64 name
#define UEI_RECORD(name, info) ((name) = (info)->kind)

/* ---- Maps: some give sizes instead of types ---- */

#undef __uint
#define __uint(name, value) __uint_##name(value)
#define __uint_type(number) int (*type)[number]
#define __uint_max_entries(number) int (*max_entries)[number]
#define __uint_map_flags(number) int (*map_flags)[number]
#define __uint_key_size(number) char (*key)[number]
#define __uint_value_size(number) char (*value)[number]

void *host_element_of_cpu(void *map, u64 nr, u64 size, const void *key, s32 cpu);
#define bpf_map_lookup_percpu_elem(map, key, cpu)                                                  \
	host_element_of_cpu(map, sizeof(*(map)->max_entries) / sizeof(int), sizeof(*(map)->value), \
			    key, cpu)

/* ---- Functions of the kernel ---- */

/* One that the model lacks is not there. */
#undef __weak
#define __weak __attribute__((weak))
#undef bpf_ksym_exists
#define bpf_ksym_exists(function) (!!(function))

#define scx_bpf_dsq_insert(p, args...) scx_bpf_dsq_insert___v2___compat(p, args)
#define scx_bpf_dsq_move_to_local(dsq, flags...) scx_bpf_dsq_move_to_local(dsq)
#define scx_bpf_error(format, args...) scx_bpf_error_bstr(format, NULL, 0)
#define bpf_printk(format, args...) ((void)0)

void scx_bpf_error_bstr(char *format, unsigned long long *data, u32 size);
void scx_bpf_destroy_dsq(u64 dsq);
u32 scx_bpf_dispatch_nr_slots(void);
u32 scx_bpf_nr_cpu_ids(void);
u32 scx_bpf_nr_node_ids(void);
s32 scx_bpf_cpu_node(s32 cpu);
s32 scx_bpf_pick_any_cpu(const struct cpumask *cpus, u64 flags);
const struct cpumask *scx_bpf_get_idle_smtmask(void);
const struct cpumask *scx_bpf_get_possible_cpumask(void);
bool scx_bpf_task_set_dsq_vtime(struct task_struct *p, u64 key);
bool scx_bpf_dsq_move(struct bpf_iter_scx_dsq *it, struct task_struct *p, u64 dsq, u64 flags);
void scx_bpf_dsq_move_set_slice(struct bpf_iter_scx_dsq *it, u64 slice_ns);
void bpf_cpumask_clear(struct bpf_cpumask *cpus);
void bpf_cpumask_copy(struct bpf_cpumask *to, const struct cpumask *from);
bool bpf_cpumask_and(struct bpf_cpumask *to, const struct cpumask *a, const struct cpumask *b);
void bpf_cpumask_or(struct bpf_cpumask *to, const struct cpumask *a, const struct cpumask *b);
u32 bpf_cpumask_first(const struct cpumask *cpus);
u32 bpf_cpumask_any_distribute(const struct cpumask *cpus);
struct task_struct *bpf_task_from_pid(s32 pid);
struct task_struct *bpf_task_acquire(struct task_struct *p);
void bpf_task_release(struct task_struct *p);
u32 host_llc_of(s32 cpu);

#define __COMPAT_HAS_scx_bpf_select_cpu_and true
#define __COMPAT_is_enq_cpu_selected(flags) (!!((flags) & SCX_ENQ_CPU_SELECTED))
#define __COMPAT_scx_bpf_cpu_node(cpu) scx_bpf_cpu_node(cpu)
#define __COMPAT_scx_bpf_nr_node_ids() scx_bpf_nr_node_ids()
#define __COMPAT_scx_bpf_dsq_peek(dsq) scx_bpf_dsq_peek(dsq)
#define __COMPAT_scx_bpf_cpu_curr(cpu) scx_bpf_cpu_curr(cpu)
/* Masks of nodes are for schedulers with a flag that is not set in their C. */
#define __COMPAT_scx_bpf_get_idle_cpumask_node(node) scx_bpf_get_idle_cpumask()
#define __COMPAT_scx_bpf_get_idle_smtmask_node(node) scx_bpf_get_idle_smtmask()
#define __COMPAT_scx_bpf_pick_idle_cpu_node(cpus, node, flags) scx_bpf_pick_idle_cpu(cpus, flags)
#define __COMPAT_scx_bpf_pick_any_cpu_node(cpus, node, flags) scx_bpf_pick_any_cpu(cpus, flags)

/* ---- What the headers of schedulers define ---- */

#define private(name) __attribute__((visibility("hidden")))
#define READ_ONCE(variable) (*(const volatile __typeof__(variable) *)&(variable))
#define WRITE_ONCE(variable, value) (*(volatile __typeof__(variable) *)&(variable) = (value))
#define likely(what) __builtin_expect(!!(what), 1)
#define unlikely(what) __builtin_expect(!!(what), 0)
#define can_loop true
#define __sink(value) ((void)(value))
#define __contains(name, node)
#define MEMBER_VPTR(base, member) (&((base)member))
#define ARRAY_ELEM_PTR(array, i, n) ((u64)(i) < (u64)(n) ? &(array)[i] : NULL)
#define RESIZABLE_ARRAY(section, array) array[1024]

static inline const struct cpumask *cast_mask(struct bpf_cpumask *cpus)
{
	return (const struct cpumask *)cpus;
}

/* The call into the scheduler itself counts for the task that runs. */
static inline bool is_migration_disabled(const struct task_struct *p)
{
	return p->migration_disabled > (p == bpf_get_current_task_btf());
}

static inline u64 scale_by_task_weight(const struct task_struct *p, u64 value)
{
	return value * p->scx.weight / 100;
}

static inline u64 scale_by_task_weight_inverse(const struct task_struct *p, u64 value)
{
	return value * 100 / p->scx.weight;
}

static inline bool time_before(u64 a, u64 b)
{
	return (s64)(a - b) < 0;
}

static inline bool time_after(u64 a, u64 b)
{
	return time_before(b, a);
}

static inline bool time_before_eq(u64 a, u64 b)
{
	return !time_before(b, a);
}

static inline bool time_after_eq(u64 a, u64 b)
{
	return !time_before(a, b);
}

static inline s64 time_delta(u64 after, u64 before)
{
	return time_after(after, before) ? after - before : 0;
}

static inline u32 log2_u64(u64 value)
{
	return value ? 64 - __builtin_clzll(value) : 0;
}

static inline u32 log2_u32(u32 value)
{
	return log2_u64(value);
}

/* The number of the CPU's LLC, which schedulers read from a variable of each CPU. */
static inline s32 cpu_llc_id(s32 cpu)
{
	return host_llc_of(cpu);
}

#endif /* FOREIGN_SCX_COMMON_H */
