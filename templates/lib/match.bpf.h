/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Matching of strings against tables that the compiler made. A fact is a bit;
 * a look-up gives all facts about a string at once.
 */
#ifndef GTHULHU_MATCH_BPF_H
#define GTHULHU_MATCH_BPF_H

#include "kernel.bpf.h"

/* A thread's name, zero padded: 16 bytes as two words, so that a comparison is two. */
struct task_name {
	union {
		char text[TASK_COMM_LEN];
		u64 word[2];
	};
};

/* One name of the policy and the facts that it makes true. */
struct name_entry {
	u64 word[2];
	u64 facts;
};

static __always_inline void read_name(struct task_name *name, const char *text)
{
	name->word[0] = 0;
	name->word[1] = 0;
	bpf_probe_read_kernel_str(name->text, sizeof(name->text), text);
}

/*
 * Facts of a name that stands in a sorted table of nr entries, 0 if it does
 * not: binary search, at most 20 steps.
 */
static __always_inline u64 lookup_name(const struct name_entry *table, u32 nr,
				       const struct task_name *name)
{
	u32 low = 0, high = nr;

	for (u32 step = 0; step < 20 && low < high; step++) {
		u32 middle = (low + high) / 2;
		const struct name_entry *entry;

		if (middle >= nr)
			break;
		entry = &table[middle];
		if (entry->word[0] == name->word[0] && entry->word[1] == name->word[1])
			return entry->facts;
		if (entry->word[0] < name->word[0] ||
		    (entry->word[0] == name->word[0] && entry->word[1] < name->word[1]))
			low = middle + 1;
		else
			high = middle;
	}
	return 0;
}

/*
 * One step of an automaton: its table has a row of nr_columns next states for
 * each state, and column[] says which column a byte stands in. The check of
 * the index is for the verifier.
 */
#define automaton_step(table, nr_columns, column, state, byte)                                     \
	({                                                                                         \
		u32 __index = (state) * (nr_columns) + (column)[(u8)(byte)];                       \
		__index < sizeof(table) / sizeof((table)[0]) ? (table)[__index] : 0;               \
	})

#define automaton_facts(accepts, state)                                                            \
	({                                                                                         \
		u32 __state = (state);                                                             \
		__state < sizeof(accepts) / sizeof((accepts)[0]) ? (accepts)[__state] : 0;         \
	})

#endif /* GTHULHU_MATCH_BPF_H */
