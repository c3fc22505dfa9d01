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

enum { MOST_NAMES = 64 };

static struct tally {
	const char *name;
	u64 nr, longest_ns;
	struct spent spent;
} tallies[NR_OPERATIONS] = { { "wakeup" }, { "switch" }, { "search" }, { "tick" }, { "timer" } },
  calls[MOST_NAMES];

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

static void tally(struct tally *t, struct spent before)
{
	u64 path_ns = spent.path_ns - before.path_ns;
	u64 transfer_ns = spent.transfer_ns - before.transfer_ns;
	u64 line_wait_ns = spent.line_wait_ns - before.line_wait_ns;
	u64 lock_wait_ns = spent.lock_wait_ns - before.lock_wait_ns;
	u64 ns = path_ns + transfer_ns + line_wait_ns + lock_wait_ns;

	t->nr++;
	t->longest_ns = ns > t->longest_ns ? ns : t->longest_ns;
	t->spent.path_ns += path_ns;
	t->spent.transfer_ns += transfer_ns;
	t->spent.line_wait_ns += line_wait_ns;
	t->spent.lock_wait_ns += lock_wait_ns;
}

void end_operation(enum operation operation, struct spent before)
{
	if (costs_on)
		tally(&tallies[operation], before);
}

void end_call(const char *name, struct spent before)
{
	struct tally *t = calls;

	if (!costs_on)
		return;
	while (t->name && t->name != name && strcmp(t->name, name))
		t++;
	if (t == calls + MOST_NAMES - 1)
		fail("the scheduler has more than %d callbacks", MOST_NAMES - 1);
	t->name = name;
	tally(t, before);
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
	for (u32 i = 0; i < NR_OPERATIONS; i++)
		tallies[i] = (struct tally){ tallies[i].name };
	memset(calls, 0, sizeof(calls));
	for_each_cpu(c) c->kernel_ns = 0;
	forget_accounts();
}

static void print_tally(const char *kind, const struct tally *t)
{
	printf("%s %llu %llu %llu %llu %llu %llu %s\n", kind, t->nr, t->spent.path_ns,
	       t->spent.transfer_ns, t->spent.line_wait_ns, t->spent.lock_wait_ns, t->longest_ns,
	       t->name);
}

void print_costs(void)
{
	u64 kernel_ns = 0;

	if (!costs_on)
		return;
	for_each_cpu(c) kernel_ns += c->kernel_ns;
	printf("kernel %llu\n", kernel_ns);
	for (u32 i = 0; i < NR_OPERATIONS; i++)
		print_tally("operation", &tallies[i]);
	for (u32 i = 0; calls[i].name; i++)
		print_tally("call", &calls[i]);
	print_accounts();
}
