/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The costs of the kernel's and the scheduler's own work. Time goes on while a CPU does it: the task
 * of that CPU runs later, and so do the CPU's other events. Each event happens as a whole. Those
 * of other CPUs that begin before its end see all that it did.
 *
 * Paths have fixed costs. Lines and locks have files of their own, which share line.h.
 */
#include "machine.h"
#include "cost.h"

bool costs_on;
struct costs costs;
struct spent spent;

static struct {
	u64 nr;
	struct spent spent;
} tallies[NR_OPERATIONS];

static const struct {
	const char *name;
	u64 *value;
} knobs[] = {
#define KNOB(name) { #name, &costs.name },
	ALL_COSTS(KNOB)
#undef KNOB
};

void set_cost(const char *name, u64 ns)
{
	if (nr_cpus_)
		fail("costs come before the machine");
	for (u32 i = 0; i < sizeof(knobs) / sizeof(knobs[0]); i++) {
		if (strcmp(knobs[i].name, name))
			continue;
		if (ns > MOST_COST_NS)
			fail("a cost of %llu ns is too high", ns);
		*knobs[i].value = ns;
		costs_on = true;
		return;
	}
	fail("there is no cost %s", name);
}

/* The executing CPU is busy for that long. */
void spend(u64 ns, u64 *part)
{
	*part += ns;
	now_ns += ns;
	here->kernel_ns += ns;
	here->stolen_ns += ns;
	here->busy_until_ns = now_ns;
}

void walk(u64 ns)
{
	if (!costs_on || !here)
		return;
	spend(ns, &spent.path_ns);
}

struct spent begin_operation(void)
{
	return spent;
}

void end_operation(enum operation operation, struct spent before)
{
	struct spent *sum = &tallies[operation].spent;

	if (!costs_on)
		return;
	tallies[operation].nr++;
	sum->path_ns += spent.path_ns - before.path_ns;
	sum->transfer_ns += spent.transfer_ns - before.transfer_ns;
	sum->line_wait_ns += spent.line_wait_ns - before.line_wait_ns;
	sum->lock_wait_ns += spent.lock_wait_ns - before.lock_wait_ns;
}

/* When another CPU, or this one, looks for what to run, if it is told now. */
u64 when_it_looks(const struct cpu *c)
{
	if (c == here)
		return now_ns + random_below(300);
	if (!costs_on)
		return now_ns + random_below(3000);
	walk(costs.send);
	return now_ns + costs.flight + (c->curr ? 0 : costs.idle_exit) + random_below(300);
}

void forget_costs(void)
{
	memset(tallies, 0, sizeof(tallies));
	for_each_cpu(c) c->kernel_ns = 0;
	forget_accounts();
}

void print_costs(void)
{
	static const char *const names[] = { "wakeup", "switch", "search", "tick", "timer" };
	u64 kernel_ns = 0;

	if (!costs_on)
		return;
	for_each_cpu(c) kernel_ns += c->kernel_ns;
	printf("kernel %llu\n", kernel_ns);
	for (u32 i = 0; i < NR_OPERATIONS; i++) {
		const struct spent *s = &tallies[i].spent;

		printf("operation %llu %llu %llu %llu %llu %s\n", tallies[i].nr, s->path_ns,
		       s->transfer_ns, s->line_wait_ns, s->lock_wait_ns, names[i]);
	}
	print_accounts();
}
