/* SPDX-License-Identifier: GPL-2.0-only */
/* The CPUs' caches, nodes and cores, how fast they are, and which are online. */
#include "machine.h"

#include "machine_cells.h"

const struct cpu_set *llcs[MAX_CPUS], *nodes[MAX_CPUS];
bool has_siblings;

static struct cpu_set sets[2][MAX_CPUS];
static struct gthulhu_cells cells;

void join_llc(u32 number, const struct cpu_set *cpus)
{
	sets[0][number] = *cpus;
	llcs[number] = &sets[0][number];
	for_each_cpu_of(cpu, cpus)
		cpus_[cpu].llc = number;
}

void join_node(u32 number, const struct cpu_set *cpus)
{
	sets[1][number] = *cpus;
	nodes[number] = &sets[1][number];
	for_each_cpu_of(cpu, cpus)
		cpus_[cpu].node = number;
}

/* Hardware threads of one core form a ring. */
void join_core(const struct cpu_set *cpus)
{
	s32 first = next_cpu(cpus, 0), last = first;

	for_each_cpu_of(cpu, cpus) {
		cpus_[last].sibling = &cpus_[cpu];
		last = cpu;
	}
	cpus_[last].sibling = &cpus_[first];
	has_siblings |= last != first;
}

void set_online(struct cpu *c, bool online)
{
	c->online = online;
	if (online)
		add_cpu(&online_cpus, c->id);
	else
		remove_cpu(&online_cpus, c->id);
}

/* Work is counted in the time that the fastest CPUs take for it. */
u64 work_done_in(const struct cpu *c, u64 ns)
{
	return ns * c->speed / FULL_SPEED;
}

u64 time_for_work(const struct cpu *c, u64 work_ns)
{
	return (work_ns * FULL_SPEED + c->speed - 1) / c->speed;
}

/* For controls that do what the kernel itself does, and know what it knows. */
u32 host_llc_of(s32 cpu)
{
	return cpus_[cpu].llc;
}

u32 host_node_of(s32 cpu)
{
	return cpus_[cpu].node;
}

s32 scx_bpf_cpu_node(s32 cpu)
{
	return cpu >= 0 && cpu < (s32)nr_cpus_ ? (s32)cpus_[cpu].node : -1 /* NUMA_NO_NODE */;
}

u32 scx_bpf_nr_node_ids(void)
{
	u32 nr = 1;

	for_each_cpu(c)
	{
		if (c->node >= nr)
			nr = c->node + 1;
	}
	return nr;
}

/* As the loader finds them in sysfs. */
const struct gthulhu_cells *divide_into_cells(void)
{
	struct gthulhu_cpu_place places[MAX_CPUS];

	for_each_cpu(c)
	{
		struct cpu *first = c;

		for (struct cpu *each = c->sibling; each != c; each = each->sibling)
			first = each->id < first->id ? each : first;
		places[c->id] = (struct gthulhu_cpu_place){
			.node = c->node, .llc = c->llc, .core = first->id, .online = c->online
		};
	}
	gthulhu_divide(places, nr_cpus_, &cells);
	return &cells;
}

u32 nr_cells(void)
{
	return cells.nr;
}

u32 cell_of(u32 cpu)
{
	return cells.of_cpu[cpu];
}
