/* SPDX-License-Identifier: GPL-2.0-only */
/* Where tasks may run, as the kernel says. */
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
