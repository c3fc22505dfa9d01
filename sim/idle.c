/* SPDX-License-Identifier: GPL-2.0-only */
/* Idle CPUs: which they are, how they are picked, and how CPUs are kicked. After ext_idle.c. */
#include "machine.h"

bool any_online(unsigned long mask)
{
	for_each_cpu(c)
	{
		if (c->online && (mask >> c->id & 1))
			return true;
	}
	return false;
}

/* One of a set, fairly; its order is as good as random to the kernel's callers too. */
s32 any_cpu(unsigned long mask)
{
	s32 found = -1;
	u32 nr = 0;

	for_each_cpu(c)
	{
		if (c->online && (mask >> c->id & 1) && !random_below(++nr))
			found = c->id;
	}
	if (found >= 0)
		return found;
	/* The kernel gives a task whose CPUs are all gone others (select_fallback_rq). */
	return mask == ALL_CPUS ? -1 : any_cpu(ALL_CPUS);
}

static bool claim(s32 cpu)
{
	bool was_idle = cpus_[cpu].idle;

	cpus_[cpu].idle = false;
	return was_idle;
}

static unsigned long idle_cpus(void)
{
	unsigned long mask = 0;

	for_each_cpu(c) mask |= (unsigned long)(c->online && c->idle) << c->id;
	return mask;
}

static s32 claim_any(unsigned long mask)
{
	s32 cpu;

	mask &= idle_cpus();
	if (!mask)
		return -16; /* EBUSY */
	cpu = any_cpu(mask);
	claim(cpu);
	return cpu;
}

/* The kernel's select_cpu_from_kfunc and scx_select_cpu_dfl, on one cache and without SMT. */
static s32 select_idle(struct task *p, s32 prev_cpu, u64 wake_flags, unsigned long allowed)
{
	bool prev_allowed;

	if (prev_cpu < 0 || prev_cpu >= (s32)nr_cpus_)
		violation("error", "%s asks for CPU %d", now_in.name, prev_cpu);
	prev_allowed = allowed >> prev_cpu & 1;
	if (p->k.nr_cpus_allowed == 1 || p->pinned)
		return prev_allowed && claim(prev_cpu) ? prev_cpu : -16;
	if (wake_flags & WAKE_SYNC) {
		if (prev_allowed && claim(prev_cpu))
			return prev_cpu;
		if (!here->local.nr && idle_cpus() && here->curr && (allowed >> here->id & 1))
			return here->id;
	}
	if (prev_allowed && claim(prev_cpu))
		return prev_cpu;
	return claim_any(allowed);
}

/* ---- The kernel's functions ---- */

s32 scx_bpf_select_cpu_dfl(struct task_struct *k, s32 prev_cpu, u64 wake_flags, bool *is_idle)
{
	struct task *p = task_of(k);
	s32 cpu;

	allow(IN_SELECT_CPU | IN_ENQUEUE | IN_SLEEPABLE, __func__);
	cpu = select_idle(p, prev_cpu, wake_flags, p->mask.bits[0]);
	*is_idle = cpu >= 0;
	return cpu >= 0 ? cpu : prev_cpu;
}

s32 scx_bpf_select_cpu_and(struct task_struct *k, s32 prev_cpu, u64 wake_flags,
			   const struct cpumask *cpus, u64 flags)
{
	struct task *p = task_of(k);

	allow(IN_SELECT_CPU | IN_ENQUEUE | IN_SLEEPABLE, __func__);
	return select_idle(p, prev_cpu, wake_flags, p->mask.bits[0] & cpus->bits[0]);
}

s32 __scx_bpf_select_cpu_and(struct task_struct *k, const struct cpumask *cpus,
			     struct scx_bpf_select_cpu_and_args *args)
{
	return scx_bpf_select_cpu_and(k, args->prev_cpu, args->wake_flags, cpus, args->flags);
}

bool scx_bpf_test_and_clear_cpu_idle(s32 cpu)
{
	if (cpu < 0 || cpu >= (s32)nr_cpus_)
		violation("error", "%s asks whether CPU %d is idle", now_in.name, cpu);
	return claim(cpu);
}

s32 scx_bpf_pick_idle_cpu(const struct cpumask *cpus, u64 flags)
{
	return claim_any(cpus->bits[0]);
}

s32 scx_bpf_pick_any_cpu(const struct cpumask *cpus, u64 flags)
{
	s32 cpu = claim_any(cpus->bits[0]);

	return cpu >= 0 ? cpu : any_cpu(cpus->bits[0]);
}

static struct cpumask shown_idle, shown_online, shown_possible;

const struct cpumask *scx_bpf_get_idle_cpumask(void)
{
	shown_idle.bits[0] = idle_cpus();
	hold(1);
	return &shown_idle;
}

const struct cpumask *scx_bpf_get_idle_smtmask(void)
{
	return scx_bpf_get_idle_cpumask();
}

void scx_bpf_put_idle_cpumask(const struct cpumask *mask)
{
	hold(-1);
}

const struct cpumask *scx_bpf_get_online_cpumask(void)
{
	shown_online.bits[0] = 0;
	for_each_cpu(c) shown_online.bits[0] |= (unsigned long)c->online << c->id;
	hold(1);
	return &shown_online;
}

const struct cpumask *scx_bpf_get_possible_cpumask(void)
{
	shown_possible.bits[0] = nr_cpus_ == MAX_CPUS ? ALL_CPUS : (1UL << nr_cpus_) - 1;
	hold(1);
	return &shown_possible;
}

void scx_bpf_put_cpumask(const struct cpumask *mask)
{
	hold(-1);
}

u32 scx_bpf_nr_cpu_ids(void)
{
	return nr_cpus_;
}

void scx_bpf_cpuperf_set(s32 cpu, u32 perf)
{
	if (cpu < 0 || cpu >= (s32)nr_cpus_ || perf > SCX_CPUPERF_ONE)
		violation("error", "CPU %d is asked for a performance of %u", cpu, perf);
}

bool scx_bpf_task_running(const struct task_struct *k)
{
	return is_running(task_of(k));
}

s32 scx_bpf_task_cpu(const struct task_struct *k)
{
	return task_of(k)->cpu;
}

struct task_struct *scx_bpf_cpu_curr(s32 cpu)
{
	struct task *p = cpus_[cpu].curr;

	return p ? &p->k : NULL;
}

bool scx_bpf_task_set_slice(struct task_struct *k, u64 slice_ns)
{
	k->scx.slice = slice_ns;
	return true;
}

bool scx_bpf_task_set_dsq_vtime(struct task_struct *k, u64 key)
{
	k->scx.dsq_vtime = key;
	return true;
}

/* ---- Kicks: they take effect after an interrupt ---- */

void scx_bpf_kick_cpu(s32 cpu, u64 flags)
{
	struct cpu *c;

	if (cpu < 0 || cpu >= (s32)nr_cpus_)
		violation("error", "%s kicks CPU %d", now_in.name, cpu);
	if ((flags & KICK_IDLE) && (flags & ~KICK_IDLE))
		violation("error", "%s kicks with flags 0x%llx", now_in.name, flags);
	c = &cpus_[cpu];
	trace("kick CPU %d, %llu", cpu, flags);
	/* An idle kick beside another adds nothing. */
	c->kick_flags |= flags ?: 1ULL << 63;
	if (!c->kick.pending)
		post(&c->kick, now_ns + random_below(3000));
}

void kick_now(struct event *e)
{
	struct cpu *c = container(e, struct cpu, kick);
	u64 flags = c->kick_flags;

	c->kick_flags = 0;
	if (!c->online || c->real_time)
		return;
	if (flags == KICK_IDLE && c->curr)
		return;
	if ((flags & KICK_PREEMPT) && c->curr)
		c->curr->k.scx.slice = 0;
	here = c;
	resched(c);
	here = NULL;
}

void scx_bpf_error_bstr(char *format, unsigned long long *data, u32 size)
{
	violation("error", "%s", format);
}
