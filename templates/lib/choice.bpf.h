/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The candidates for a CPU, as far as they are known. The parts of a dispatch pass it on in the CPU's
 * context: a pointer to the stack that is handed to a function makes kernels from 7.1 on analyse that
 * function anew for each place that calls it.
 */
#ifndef GTHULHU_CHOICE_BPF_H
#define GTHULHU_CHOICE_BPF_H

#include "kernel.bpf.h"

/* The best candidate so far: the head of a queue, or the task that runs already. */
struct choice {
	u64 queue; /* NO_QUEUE: the running task, or nobody */
	s64 ahead; /* of the CPU's clock, by its key; the smallest is the most entitled; or NOT_KNOWN */
	s64 farthest; /* of those that were looked at, the one that is farthest ahead */
	u64 far; /* with cells, the queue of another one that was looked at, NO_QUEUE: none was */
};

/* Keys are only looked at where there is a choice. */
#define NOT_KNOWN (-1LL - (1LL << 62))

/* The first task of a queue that may run on a CPU. */
struct first {
	s64 ahead;
	u64 weight;
	u32 class;
};

#endif /* GTHULHU_CHOICE_BPF_H */
