/* SPDX-License-Identifier: GPL-2.0-only */
/* Cgroups with weights come, go, and have tasks. */
#ifndef GTHULHU_GROUPS_BPF_H
#define GTHULHU_GROUPS_BPF_H

#include "rates.bpf.h"

/* A group has its first runnable task. */
static __noinline void join_active(u32 number)
{
	u32 i = number & (MAX_GROUPS - 1);
	bool joins = false;
	int depth;

	if (!MAY_HAVE_GROUPS)
		return;
	bpf_for(depth, 0, MAX_DEPTH) {
		u64 bit = 1ULL << i % 64;
		u64 *word = &active_bits[bounded(i / 64, GROUP_WORDS)];

		if (!i || *word & bit)
			break;
		__sync_fetch_and_or(word, bit);
		joins = true;
		i = group_at(i)->parent;
	}
	if (joins)
		start_filling();
}

/* Runnable tasks are counted with their weight; 0 tasks: none was, or is. */
static __always_inline void count_runnable(u32 number, u64 tasks, u64 weight)
{
	u64 before =
		__sync_fetch_and_add(&group_at(number)->runnable, (tasks << TASKS_SHIFT) + weight);

	if (!(before >> TASKS_SHIFT) && tasks == 1)
		join_active(number);
}

#endif /* GTHULHU_GROUPS_BPF_H */
