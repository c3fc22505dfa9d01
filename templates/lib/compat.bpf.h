/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One name for each function or constant that differs between kernels.
 */
#ifndef GTHULHU_COMPAT_BPF_H
#define GTHULHU_COMPAT_BPF_H

#include "kernel.bpf.h"

/*
 * Functions that changed their form, newer first; the loaded object keeps the
 * one that the running kernel has. libbpf takes a name up to its last `___`.
 */
struct scx_bpf_dsq_insert_vtime_args {
	u64 dsq_id;
	u64 slice;
	u64 vtime;
	u64 enq_flags;
};

struct scx_bpf_select_cpu_and_args {
	s32 prev_cpu;
	u64 wake_flags;
	u64 flags;
};

bool scx_bpf_dsq_insert___v2___compat(struct task_struct *p, u64 dsq_id, u64 slice,
				      u64 enq_flags) __ksym __weak;
void scx_bpf_dsq_insert(struct task_struct *p, u64 dsq_id, u64 slice, u64 enq_flags) __ksym __weak;
bool __scx_bpf_dsq_insert_vtime(struct task_struct *p,
				struct scx_bpf_dsq_insert_vtime_args *args) __ksym __weak;
void scx_bpf_dsq_insert_vtime(struct task_struct *p, u64 dsq_id, u64 slice, u64 vtime,
			      u64 enq_flags) __ksym __weak;
bool scx_bpf_dsq_move_to_local___v2___compat(u64 dsq_id, u64 enq_flags) __ksym __weak;
bool scx_bpf_dsq_move_to_local(u64 dsq_id) __ksym __weak;
s32 __scx_bpf_select_cpu_and(struct task_struct *p, const struct cpumask *cpus_allowed,
			     struct scx_bpf_select_cpu_and_args *args) __ksym __weak;
s32 scx_bpf_select_cpu_and(struct task_struct *p, s32 prev_cpu, u64 wake_flags,
			   const struct cpumask *cpus_allowed, u64 flags) __ksym __weak;
bool scx_bpf_task_set_slice(struct task_struct *p, u64 slice) __ksym __weak;
void scx_bpf_dsq_reenq(u64 dsq_id, u64 reenq_flags) __ksym __weak;
u32 scx_bpf_reenqueue_local(void) __ksym __weak;
void scx_bpf_reenqueue_local___v2___compat(void) __ksym __weak;
struct task_struct *scx_bpf_dsq_peek(u64 dsq_id) __ksym __weak;
struct task_struct *scx_bpf_cpu_curr(s32 cpu) __ksym __weak;
struct cgroup *scx_bpf_task_cgroup(struct task_struct *p) __ksym __weak;
int bpf_task_work_schedule_resume(struct task_struct *p, struct bpf_task_work *work, void *map,
				  return_callback *callback) __ksym __weak;
int bpf_task_work_schedule_resume_impl(struct task_struct *p, struct bpf_task_work *work, void *map,
				       return_callback *callback, void *aux__prog) __ksym __weak;

/* Call back when a task is about to return from the kernel to its program; from 6.18 on. */
static __always_inline void call_at_return(struct task_struct *p, struct bpf_task_work *work,
					   void *map, return_callback *callback)
{
	if (bpf_ksym_exists(bpf_task_work_schedule_resume))
		bpf_task_work_schedule_resume(p, work, map, callback);
	else if (bpf_ksym_exists(bpf_task_work_schedule_resume_impl))
		bpf_task_work_schedule_resume_impl(p, work, map, callback, NULL);
}

/* The CPU where a task runs, or ran last; cheaper than to ask for it where it can be read. */
static __always_inline u32 task_cpu(const struct task_struct *p)
{
	if (bpf_core_field_exists(p->thread_info.cpu))
		return p->thread_info.cpu;
	return scx_bpf_task_cpu(p);
}

/* Queue a task first come, first served. */
static __always_inline void dsq_insert(struct task_struct *p, u64 dsq, u64 slice_ns, u64 enq_flags)
{
	if (bpf_ksym_exists(scx_bpf_dsq_insert___v2___compat))
		scx_bpf_dsq_insert___v2___compat(p, dsq, slice_ns, enq_flags);
	else
		scx_bpf_dsq_insert(p, dsq, slice_ns, enq_flags);
}

/* Queue a task in the order of its key, the smallest first. */
static __always_inline void dsq_insert_vtime(struct task_struct *p, u64 dsq, u64 slice_ns, u64 key,
					     u64 enq_flags)
{
	if (bpf_ksym_exists(__scx_bpf_dsq_insert_vtime)) {
		struct scx_bpf_dsq_insert_vtime_args args = {
			.dsq_id = dsq,
			.slice = slice_ns,
			.vtime = key,
			.enq_flags = enq_flags,
		};

		__scx_bpf_dsq_insert_vtime(p, &args);
	} else {
		scx_bpf_dsq_insert_vtime(p, dsq, slice_ns, key, enq_flags);
	}
}

/* Give this CPU the first task of a queue that may run here; false: there is none. */
static __always_inline bool dsq_move_to_local(u64 dsq)
{
	if (bpf_ksym_exists(scx_bpf_dsq_move_to_local___v2___compat))
		return scx_bpf_dsq_move_to_local___v2___compat(dsq, 0);
	return scx_bpf_dsq_move_to_local(dsq);
}

/* An idle CPU among cpus and the task's own, claimed for the caller; negative: there is none. */
static __always_inline s32 select_cpu_and(struct task_struct *p, s32 prev_cpu, u64 wake_flags,
					  const struct cpumask *cpus)
{
	if (bpf_ksym_exists(__scx_bpf_select_cpu_and)) {
		struct scx_bpf_select_cpu_and_args args = {
			.prev_cpu = prev_cpu,
			.wake_flags = wake_flags,
		};

		return __scx_bpf_select_cpu_and(p, cpus, &args);
	}
	return scx_bpf_select_cpu_and(p, prev_cpu, wake_flags, cpus, 0);
}

static __always_inline void task_set_slice(struct task_struct *p, u64 slice_ns)
{
	if (bpf_ksym_exists(scx_bpf_task_set_slice))
		scx_bpf_task_set_slice(p, slice_ns);
	else
		p->scx.slice = slice_ns;
}

/*
 * Queue the tasks of this CPU's local queue again. Before 6.19 that can only be
 * done in ops.cpu_release.
 */
static __always_inline void requeue_local(void)
{
	if (bpf_ksym_exists(scx_bpf_reenqueue_local___v2___compat))
		scx_bpf_reenqueue_local___v2___compat();
}

/* The same for another CPU's local queue, from 7.1 on. */
static __always_inline bool can_requeue_others(void)
{
	return bpf_ksym_exists(scx_bpf_dsq_reenq);
}

static __always_inline void requeue_local_of(u32 cpu)
{
	scx_bpf_dsq_reenq(SCX_DSQ_LOCAL_ON | cpu, 0);
}

/*
 * The key of the first task of a queue; false: the queue is empty. The peek of
 * kernels before 7.1 (those without scx_bpf_dsq_reenq) may return a task that
 * has left, hence the iterator there.
 */
static __always_inline bool dsq_first_key(u64 dsq, u64 *key)
{
	struct task_struct *p;

	if (bpf_ksym_exists(scx_bpf_dsq_peek) && bpf_ksym_exists(scx_bpf_dsq_reenq)) {
		p = scx_bpf_dsq_peek(dsq);
		if (!p)
			return false;
		*key = p->scx.dsq_vtime;
		return true;
	}

	bpf_for_each(scx_dsq, p, dsq, 0) {
		*key = p->scx.dsq_vtime;
		return true;
	}
	return false;
}

#endif /* GTHULHU_COMPAT_BPF_H */
