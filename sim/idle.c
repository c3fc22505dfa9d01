/* SPDX-License-Identifier: GPL-2.0-only */
/* Idle CPUs: which they are, how they are picked, and how CPUs are kicked. After ext_idle.c. */
#include "machine.h"
#include "cost.h"

/* CPUs with nothing to run that nobody has claimed, and those of them whose siblings are idle, too. */
static struct cpu_set idle_cpus __attribute__((aligned(64))),
	idle_cores __attribute__((aligned(64)));

/* With a mask for each node, nodes share no line. The model keeps one set of idle CPUs. */
static struct node_mask {
	char line[64];
} node_masks[2][MAX_CPUS] __attribute__((aligned(64)));

static bool has_node_masks(void)
{
	return ops && (ops->flags & OPS_IDLE_PER_NODE);
}

/* Whether the kernel keeps them: a scheduler with update_idle does so itself unless it says no. */
static bool has_masks(void)
{
	return !ops || !ops->update_idle || (ops->flags & OPS_KEEP_IDLE);
}

static void check_masks(const char *function)
{
	if (!has_masks())
		violation("error", "%s: %s, but the kernel does not know the idle CPUs",
			  now_in.name, function);
}

static void touch_mask(const struct cpu_set *idle, const struct cpu *c, bool write)
{
	if (!has_masks())
		return;
	if (has_node_masks())
		touch(&node_masks[idle == &idle_cores][c->node], write);
	else
		touch(&idle->words[c->id / WORD_BITS], write);
}

/* Of a group of CPUs that is within a node, NULL: of all. */
static void read_masks(const struct cpu_set *idle, const struct cpu_set *group)
{
	const struct cpu *last = NULL;

	if (!costs_on)
		return;
	if (!has_node_masks())
		return touch_set(idle, false);
	for_each_cpu_of(cpu, group ?: &possible_cpus) {
		if (!last || cpus_[cpu].node != last->node)
			touch_mask(idle, &cpus_[cpu], false);
		last = &cpus_[cpu];
	}
}

void set_idle(struct cpu *c, bool idle)
{
	bool whole_core = true;
	struct cpu *each = c;

	touch_mask(&idle_cpus, c, true);
	if (has_siblings)
		touch_mask(&idle_cores, c, true);

	if (idle)
		add_cpu(&idle_cpus, c->id);
	else
		remove_cpu(&idle_cpus, c->id);
	do {
		whole_core &= has_cpu(&idle_cpus, each->id) || !each->online;
		each = each->sibling;
	} while (each != c);
	do {
		if (whole_core && has_cpu(&idle_cpus, each->id))
			add_cpu(&idle_cores, each->id);
		else
			remove_cpu(&idle_cores, each->id);
		each = each->sibling;
	} while (each != c);
}

bool any_online(const struct cpu_set *set)
{
	return have_common_cpus(set, &online_cpus);
}

/* One of a set, fairly; its order is as good as random to the kernel's callers too. */
s32 any_cpu(const struct cpu_set *set)
{
	struct cpu_set online = common_cpus(set, &online_cpus);
	s32 found = -1;
	u32 nr = 0;

	for_each_cpu_of(cpu, &online) {
		if (!random_below(++nr))
			found = cpu;
	}
	if (found >= 0)
		return found;
	/* The kernel gives a task whose CPUs are all gone others (select_fallback_rq). */
	return set == &possible_cpus ? -1 : any_cpu(&possible_cpus);
}

static bool claim(s32 cpu)
{
	bool was_idle = has_cpu(&idle_cpus, cpu);

	if (was_idle)
		set_idle(&cpus_[cpu], false);
	else
		touch_mask(&idle_cpus, &cpus_[cpu], true); /* also a failure writes */
	return was_idle;
}

/* One of the set that is idle, too, and of a group of CPUs unless that is NULL. */
static s32 claim_any(const struct cpu_set *set, const struct cpu_set *idle,
		     const struct cpu_set *group)
{
	struct cpu_set found = common_cpus(set, idle);
	s32 cpu;

	read_masks(idle, group);
	if (group)
		found = common_cpus(&found, group);
	if (is_empty(&found))
		return -16; /* EBUSY */
	cpu = any_cpu(&found);
	claim(cpu);
	return cpu;
}

/* The nearer ones first: of the CPU's cache, of its node, any. */
static s32 claim_near(const struct cpu_set *set, const struct cpu_set *idle, const struct cpu *c)
{
	const struct cpu_set *llc = llcs[c->llc], *node = nodes[c->node];
	s32 cpu = llc ? claim_any(set, idle, llc) : -16;

	if (cpu < 0 && node)
		cpu = claim_any(set, idle, node);
	return cpu < 0 ? claim_any(set, idle, NULL) : cpu;
}

/* The kernel's select_cpu_from_kfunc and scx_select_cpu_dfl. */
static s32 select_idle(struct task *p, s32 prev_cpu, u64 wake_flags, const struct cpu_set *allowed)
{
	s32 cpu = -16;
	bool prev_allowed;

	if (prev_cpu < 0 || prev_cpu >= (s32)nr_cpus_)
		violation("error", "%s asks for CPU %d", now_in.name, prev_cpu);
	prev_allowed = has_cpu(allowed, prev_cpu);
	if (p->k.nr_cpus_allowed == 1 || p->pinned)
		return prev_allowed && claim(prev_cpu) ? prev_cpu : -16;
	if (wake_flags & WAKE_SYNC) {
		if (prev_allowed && here->llc == cpus_[prev_cpu].llc && claim(prev_cpu))
			return prev_cpu;
		if (!here->local.nr && any_online(&idle_cpus) && here->curr &&
		    !(here->curr->k.flags & EXITING) && has_cpu(allowed, here->id))
			return here->id;
	}
	/* A whole core goes before a sibling of a busy CPU. */
	if (has_siblings) {
		if (prev_allowed && has_cpu(&idle_cores, prev_cpu) && claim(prev_cpu))
			return prev_cpu;
		cpu = claim_near(allowed, &idle_cores, &cpus_[prev_cpu]);
	}
	if (cpu < 0 && prev_allowed && claim(prev_cpu))
		return prev_cpu;
	return cpu < 0 ? claim_near(allowed, &idle_cpus, &cpus_[prev_cpu]) : cpu;
}

static s32 search(struct task *p, s32 prev_cpu, u64 wake_flags, const struct cpu_set *allowed)
{
	struct spent before = begin_operation();
	s32 cpu;

	check_masks("a search");
	walk(costs.function);
	cpu = select_idle(p, prev_cpu, wake_flags, allowed);
	end_operation(OP_SEARCH, before);
	return cpu;
}

void name_idle_masks(void)
{
	name_object(&idle_cpus, sizeof(idle_cpus), "the kernel's mask of idle CPUs");
	name_object(&idle_cores, sizeof(idle_cores), "the kernel's mask of idle cores");
	name_object(node_masks[0], sizeof(node_masks[0]), "the kernel's masks of nodes' idle CPUs");
	name_object(node_masks[1], sizeof(node_masks[1]),
		    "the kernel's masks of nodes' idle cores");
}

/* ---- The kernel's functions ---- */

s32 scx_bpf_select_cpu_dfl(struct task_struct *k, s32 prev_cpu, u64 wake_flags, bool *is_idle)
{
	struct task *p = task_of(k);
	s32 cpu;

	allow(IN_SELECT_CPU | IN_ENQUEUE | IN_SLEEPABLE, __func__);
	cpu = search(p, prev_cpu, wake_flags, &p->mask);
	*is_idle = cpu >= 0;
	return cpu >= 0 ? cpu : prev_cpu;
}

s32 scx_bpf_select_cpu_and(struct task_struct *k, s32 prev_cpu, u64 wake_flags,
			   const struct cpumask *cpus, u64 flags)
{
	struct task *p = task_of(k);
	struct cpu_set allowed = common_cpus(&p->mask, set_of(cpus));

	allow(IN_SELECT_CPU | IN_ENQUEUE | IN_SLEEPABLE, __func__);
	return search(p, prev_cpu, wake_flags, &allowed);
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
	check_masks(__func__);
	walk(2 * costs.function); /* the kernel's own calls another */
	return claim(cpu);
}

/* Whole cores first. */
s32 scx_bpf_pick_idle_cpu(const struct cpumask *cpus, u64 flags)
{
	const struct cpu_set *set = set_of(cpus);
	struct spent before = begin_operation();
	s32 cpu;

	check_masks(__func__);
	/* The kernel refuses it; a control stands for the kernel itself. */
	if (has_node_masks() && is_policy)
		violation("error", "%s picks an idle CPU of all nodes", now_in.name);
	walk(costs.function);
	cpu = has_siblings ? claim_any(set, &idle_cores, NULL) : -16;
	if (cpu < 0 && !(has_siblings && (flags & PICK_IDLE_CORE)))
		cpu = claim_any(set, &idle_cpus, NULL);
	end_operation(OP_SEARCH, before);
	return cpu;
}

s32 scx_bpf_pick_any_cpu(const struct cpumask *cpus, u64 flags)
{
	s32 cpu = scx_bpf_pick_idle_cpu(cpus, flags);

	return cpu >= 0 ? cpu : any_cpu(set_of(cpus));
}

static const struct cpumask *lend(const struct cpu_set *set)
{
	walk(costs.function);
	hold(1);
	return &set->k;
}

/* The kernel refuses a mask of all CPUs where nodes have their own. */
static const struct cpumask *lend_idle(const struct cpu_set *set)
{
	check_masks("the idle CPUs");
	if (has_node_masks())
		violation("error", "%s asks for the idle CPUs of all nodes", now_in.name);
	return lend(set);
}

const struct cpumask *scx_bpf_get_idle_cpumask(void)
{
	return lend_idle(&idle_cpus);
}

const struct cpumask *scx_bpf_get_idle_smtmask(void)
{
	return lend_idle(&idle_cores);
}

/* The kernel's function is empty, but called. */
static void give_back(void)
{
	walk(costs.small);
	hold(-1);
}

void scx_bpf_put_idle_cpumask(const struct cpumask *mask)
{
	give_back();
}

const struct cpumask *scx_bpf_get_online_cpumask(void)
{
	return lend(&online_cpus);
}

const struct cpumask *scx_bpf_get_possible_cpumask(void)
{
	return lend(&possible_cpus);
}

void scx_bpf_put_cpumask(const struct cpumask *mask)
{
	give_back();
}

u32 scx_bpf_nr_cpu_ids(void)
{
	return nr_cpus_;
}

void scx_bpf_cpuperf_set(s32 cpu, u32 perf)
{
	if (cpu < 0 || cpu >= (s32)nr_cpus_ || perf > SCX_CPUPERF_ONE)
		violation("error", "CPU %d is asked for a performance of %u", cpu, perf);
	trace("performance of CPU %d: %u", cpu, perf);
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
	walk(costs.function);
	k->scx.slice = slice_ns;
	return true;
}

bool scx_bpf_task_set_dsq_vtime(struct task_struct *k, u64 key)
{
	walk(costs.function);
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
	/* Another CPU gets its interrupt from one that this CPU sends to itself. */
	walk(costs.kick + (c == here ? 0 : costs.interrupt));
	trace("kick CPU %d, %llu", cpu, flags);
	/* An idle kick beside another adds nothing. */
	c->kick_flags |= flags ?: 1ULL << 63;
	c->kicks_itself = c == here;
	if (!c->kick.pending)
		post(&c->kick, costs_on ? when_it_looks(c) : now_ns + random_below(3000));
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
	walk(costs.interrupt);
	resched(c);
	here = NULL;
}

void scx_bpf_error_bstr(char *format, unsigned long long *data, u32 size)
{
	violation("error", "%s", format);
}
