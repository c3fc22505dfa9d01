/* SPDX-License-Identifier: GPL-2.0-only */
/* Costs: cost.c, and the files that share line.h. */
#ifndef COST_H
#define COST_H

#include "call.h"
#include "kernel.bpf.h"

struct cpu;
struct cpu_set;
struct lock;
struct task;

/* Without costs, work of the kernel and of the scheduler takes no time. */
extern bool costs_on;

/* In ns; costs.toml of the simulation explains them. */
#define ALL_COSTS(COST)                                                                            \
	COST(own)                                                                                  \
	COST(sibling)                                                                              \
	COST(llc)                                                                                  \
	COST(node)                                                                                 \
	COST(far)                                                                                  \
	COST(memory)                                                                               \
	COST(callback)                                                                             \
	COST(code)                                                                                 \
	COST(function)                                                                             \
	COST(small)                                                                                \
	COST(element)                                                                              \
	COST(storage)                                                                              \
	COST(clock)                                                                                \
	COST(insert)                                                                               \
	COST(find)                                                                                 \
	COST(take)                                                                                 \
	COST(queue)                                                                                \
	COST(wake)                                                                                 \
	COST(schedule)                                                                             \
	COST(switch_over)                                                                          \
	COST(interrupt)                                                                            \
	COST(tick)                                                                                 \
	COST(timer)                                                                                \
	COST(kick)                                                                                 \
	COST(send)                                                                                 \
	COST(flight)                                                                               \
	COST(idle_exit)

extern struct costs {
#define COST(name) u64 name;
	ALL_COSTS(COST)
#undef COST
} costs;

enum { MOST_COST_NS = 1000000, MOST_ACCESSES = 1 << 22 };

enum operation { OP_WAKEUP, OP_SWITCH, OP_SEARCH, OP_TICK, OP_TIMER, NR_OPERATIONS };

extern struct spent spent;

void set_cost(const char *name, u64 ns);
void spend(u64 ns, u64 *part);
void walk(u64 ns); /* along a path of the kernel or of the scheduler */
struct spent begin_operation(void);
void end_operation(enum operation operation, struct spent before);
void end_call(const char *name, struct spent before); /* of the scheduler */
u64 when_it_looks(const struct cpu *c);
void forget_costs(void);
void print_costs(void);

void *new_object(u64 size, const char *name);
void name_object(const void *object, u64 size, const char *name);
void name_variable(const void *address, u64 size, const char *name);
const char *name_of_variable(const void *address);
void forget_variables(void);
extern u64 nr_accesses;
void begin_accesses(void);
void settle(void);
void touch(const void *address, bool write);
void touch_set(const struct cpu_set *set, bool write);
void init_lock(struct lock *l, const char *name);
void hold_lock(struct lock *l, u64 path_ns, const struct task *member);
void peek_lock(struct lock *l);
void forget_accounts(void);
void print_accounts(void);
void forget_lines(void);

#endif /* COST_H */
