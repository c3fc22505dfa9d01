/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts of a generated scheduler that the model needs besides its symbols. */
#include "policy.bpf.c"

/* Room for the elements that the loader adds to `cpus`: this must follow it. */
struct cpu_ctx host_more_cpus[1023] SEC(".data.cpus");

s32 host_class_of(struct task_struct *p)
{
	struct task_ctx *t = task_ctx(p);

	return t ? (s32)t->class : -1;
}
