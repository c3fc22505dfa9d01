/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls into the scheduler: which functions it may call, and what it must give back. */
#ifndef CALL_H
#define CALL_H

#include "kernel.bpf.h"

struct cpu;
struct task;

enum context {
	IN_SELECT_CPU = 1,
	IN_ENQUEUE = 2,
	IN_DISPATCH = 4,
	IN_OPS = 8, /* all others that are called with a CPU's queue locked */
	IN_RELEASE = 16,
	IN_SLEEPABLE = 32,
	IN_TRACING = 64,
	IN_TIMER = 128,
	IN_KPROBE = 256, /* may call none of the scheduler's functions */
};

/* Time that CPUs have spent, by reason. */
struct spent {
	u64 path_ns, transfer_ns, line_wait_ns, lock_wait_ns;
};

struct call {
	struct cpu *here;
	enum context context;
	const char *name;
	struct task *subject;
	struct task_struct *caller; /* may not migrate meanwhile */
	struct spent spent_before;
	u64 number; /* of this call */
	u64 tenths; /* of an instruction, of its own, that are not charged yet */
	bool is_in; /* its function has been entered */
};

extern struct call now_in;
struct call enter(struct cpu *c, enum context context, const char *name, struct task *subject);
void leave(struct call before);
void allow(u32 contexts, const char *function);

/* Members that kernel.bpf.h leaves out are not called; model.py of the simulation says which. */
#define OPS(context, op, p, args...) OPS_IF(HAS_##op, context, op, p, ##args)
#define OPS_IF(has, context, op, p, args...) OPS_WHERE(has, context, op, p, ##args)
#define OPS_WHERE(has, context, op, p, args...) OPS_##has(context, op, p, ##args)
#define OPS_0(context, op, p, args...)                                                             \
	do {                                                                                       \
	} while (0)
#define OPS_1(context, op, p, args...)                                                             \
	do {                                                                                       \
		if (ops->op) {                                                                     \
			struct call __before = enter(here, context, #op, p);                       \
                                                                                                   \
			ops->op(args);                                                             \
			leave(__before);                                                           \
		}                                                                                  \
	} while (0)

#define TRACE(where, p, args...)                                                                   \
	do {                                                                                       \
		program __program = program_at(where);                                             \
                                                                                                   \
		if (__program) {                                                                   \
			struct call __before = enter(here, IN_TRACING, where, p);                  \
                                                                                                   \
			((void (*)())(__program))(args);                                           \
			leave(__before);                                                           \
		}                                                                                  \
	} while (0)

#endif /* CALL_H */
