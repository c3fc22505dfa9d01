/* SPDX-License-Identifier: GPL-2.0-only */
/* Where tasks may run and which CPUs are idle, as the kernel says. */
#ifndef GTHULHU_CPUS_BPF_H
#define GTHULHU_CPUS_BPF_H

#include "compat.bpf.h"

/* Per-CPU kernel threads come before any policy. */
static __always_inline bool is_percpu_kthread(const struct task_struct *p)
{
	return (p->flags & PF_KTHREAD) && p->nr_cpus_allowed == 1;
}

/*
 * Whether a task may not leave its CPU for now. The kernel disables migration for the task that
 * runs this program, which does not count; from 6.18 on (scx_bpf_cpu_curr) only where a reader of
 * RCU can be preempted (rcu_read_lock_nesting).
 */
static __always_inline bool is_migration_disabled(const struct task_struct *p)
{
	u16 depth = p->migration_disabled;

	if (!depth || bpf_get_current_task_btf() != p)
		return depth;
	if (depth > 1)
		return true;
	if (!bpf_ksym_exists(scx_bpf_cpu_curr))
		return false;
	return !bpf_core_field_exists(p->rcu_read_lock_nesting);
}

/*
 * Where a machine has several nodes, each has a mask of idle CPUs of its own: the lines of one for all
 * would be written by all CPUs. From 6.15 on.
 */
const volatile u64 node_flag_SCX_OPS_BUILTIN_IDLE_PER_NODE;
/* The loader sets it: nodes with CPUs, as bits; 0: there is but one. */
const volatile u64 cpu_nodes;

/* The verifier knows it, and skips what a machine with one node does not need. */
static __always_inline bool has_node_masks(void)
{
	return cpu_nodes && bpf_ksym_exists(scx_bpf_get_idle_cpumask_node);
}

/* Whether any of these CPUs is idle; NULL: of all. */
static __always_inline bool is_any_in(const struct cpumask *idle, const struct cpumask *cpus)
{
	bool any = cpus ? bpf_cpumask_intersects(idle, cpus) : !bpf_cpumask_empty(idle);

	scx_bpf_put_idle_cpumask(idle);
	return any;
}

static __noinline bool any_idle_on_nodes(const struct cpumask *cpus)
{
	int node;

	if (!has_node_masks())
		return false;
	bpf_for(node, 0, 64) {
		if (!(cpu_nodes >> (node & 63)))
			break;
		if (cpu_nodes >> (node & 63) & 1 &&
		    is_any_in(scx_bpf_get_idle_cpumask_node(node), cpus))
			return true;
	}
	return false;
}

static __always_inline bool any_idle_of(const struct cpumask *cpus)
{
	if (has_node_masks())
		return any_idle_on_nodes(cpus);
	return is_any_in(scx_bpf_get_idle_cpumask(), cpus);
}

/* Whether any CPU is idle: asked first, as a search takes five times as long. */
static __always_inline bool any_idle(void)
{
	return any_idle_of(NULL);
}

/* An idle CPU of a set, claimed for the caller, near this CPU first; negative: there is none. */
static __always_inline s32 pick_idle_cpu(const struct cpumask *cpus)
{
	if (has_node_masks())
		return scx_bpf_pick_idle_cpu_node(cpus,
						  scx_bpf_cpu_node(bpf_get_smp_processor_id()), 0);
	return scx_bpf_pick_idle_cpu(cpus, 0);
}

static __always_inline const struct cpumask *cast_mask(struct bpf_cpumask *mask)
{
	return (const struct cpumask *)mask;
}

static __always_inline void mark_cpu(struct bpf_cpumask *mask, u32 cpu, bool is_in)
{
	if (mask && is_in)
		bpf_cpumask_set_cpu(cpu, mask);
	else if (mask)
		bpf_cpumask_clear_cpu(cpu, mask);
}

#endif /* GTHULHU_CPUS_BPF_H */
