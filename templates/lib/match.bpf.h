/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Matching against tables that the compiler made. A fact is a bit; a look-up
 * gives all facts about a string at once.
 */
#ifndef GTHULHU_MATCH_BPF_H
#define GTHULHU_MATCH_BPF_H

#include "kernel.bpf.h"

/*
 * A function that the verifier looks at once, and not for each of its callers. It is weak so that
 * the C compiler, too, concludes nothing for the callers from what is in it: not which values it
 * returns, nor that it leaves a parameter unused.
 */
#define __separate __attribute__((noinline, weak))

/*
 * Where a count begins: if the verifier knew its value, it would look at each round of the loop on
 * its own.
 */
static volatile u32 zero __attribute__((unused));

/* Of a word of facts that is found once: it is there. Of an accept: it is about such a string. */
#define FACTS_KNOWN (1ULL << 63)

enum {
	NAME_MAX = 255, /* bytes of a component of a path */
	PATH_PIECE = 64, /* bytes of it that are read at once */
	NICE_0_PRIO = 120, /* static_prio of a task with nice 0 */
	MAX_ANCESTORS = 1024, /* that are looked for when the scheduler is loaded */
};

/* A thread's name, zero padded: 16 bytes as two words, so that a comparison is two. */
struct task_name {
	union {
		char text[TASK_COMM_LEN];
		u64 word[2];
	};
};

/* A name of the policy, and the number of the row with what it tells. */
struct name_slot {
	struct task_name name;
	u32 row;
};

/* Both ends included. */
struct number_range {
	s64 low;
	s64 high;
};

static __always_inline void read_name(struct task_name *name, const char *text)
{
	name->word[0] = 0;
	name->word[1] = 0;
	bpf_probe_read_kernel_str(name->text, sizeof(name->text), text);
}

/* The kernel pads it, too. */
static __always_inline const struct task_name *name_of(const struct task_struct *p)
{
	return (const struct task_name *)p->comm;
}

static __always_inline u32 lower_of(u32 a, u32 b)
{
	return a < b ? a : b;
}

static __always_inline u32 higher_of(u32 a, u32 b)
{
	return a > b ? a : b;
}

/* An index that the verifier knows to be below nr; 0 in place of one that is not. */
static __always_inline u64 bounded(u32 index, u32 nr)
{
	u64 value = index;

	/* The C compiler must not check one copy of the value and use another. */
	asm volatile("" : "+r"(value));
	return value < nr ? value : 0;
}

/*
 * An element of a table whose size is a power of two. Without a branch, the verifier
 * has one path through a step, however many automata take it together.
 */
#define element(table, index) (table)[(index) & (sizeof(table) / sizeof((table)[0]) - 1)]

static __always_inline u64 name_hash(const struct task_name *name, u64 first, u64 second)
{
	return (name->word[0] * first + name->word[1]) * second;
}

/*
 * The row of a name, 0 if the policy does not have it. Every name of the policy
 * has a slot of its own (hash and displace): the highest bits of the hash are
 * its bucket, and the bits below them, displaced as the bucket says, its slot.
 */
#define find_name(name, hash, bucket_bits, slot_bits)                                              \
	({                                                                                         \
		u64 __hash = (hash);                                                               \
		u64 __slot = __hash >> (64 - (bucket_bits) - (slot_bits));                         \
		const struct name_slot *__found;                                                   \
                                                                                                   \
		__slot ^= name_displacements[__hash >> (64 - (bucket_bits))];                      \
		__found = &name_slots[__slot & ((1ULL << (slot_bits)) - 1)];                       \
		is_same_name(&__found->name, name) ? __found->row : 0;                             \
	})

static __always_inline bool is_same_name(const struct task_name *a, const struct task_name *b)
{
	return a->word[0] == b->word[0] && a->word[1] == b->word[1];
}

/*
 * One step of an automaton: NAME_next has a row of next states for each state,
 * and NAME_column says which column of it a byte stands in.
 */
#define automaton_step(name, state, byte)                                                          \
	element(name##_next, (state) * name##_columns + name##_column[(u8)(byte)])

/* The facts that an automaton knows of the string that led to this state. */
#define automaton_facts(name, state) element(name##_accepts, state)

/* Whether all words of facts have been found. */
static __always_inline bool are_known(const u64 *words, u32 nr)
{
	for (u32 i = 0; i < nr; i++) {
		if (!(words[i] & FACTS_KNOWN))
			return false;
	}
	return true;
}

/* Each word is written whole, so that others see it with its facts or do not see it. */
static __always_inline void publish(volatile u64 *words, const u64 *found, u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		words[i] = found[i] | FACTS_KNOWN;
}

/* Whether a number lies in one of nr ranges, which ascend: at most 20 steps. */
static __always_inline bool in_ranges(const struct number_range *ranges, u32 nr, s64 number)
{
	/* Not known to the verifier, so that it need not walk through every turn of the search. */
	u32 low = zero, high = nr + zero;
	int step;

	bpf_for(step, 0, 20) {
		u32 middle = (low + high) / 2;
		const struct number_range *range = &ranges[bounded(middle, nr)];

		if (low >= high)
			break;
		if (number < range->low)
			high = middle;
		else if (number > range->high)
			low = middle + 1;
		else
			return true;
	}
	return false;
}

/*
 * Ends a function that got a pointer to its caller's stack: the verifier refuses one in the return
 * register, also where the function returns nothing.
 */
static __always_inline void forget_pointers(void)
{
#ifdef __bpf__
	asm volatile("r0 = 0" : : : "r0");
#endif
}

/* Whether a number is one of those that the loader has put in for names. */
static __always_inline bool is_one_of(const volatile u32 *ids, u32 nr, u32 id)
{
	for (u32 i = 0; i < nr; i++) {
		if (ids[i] == id)
			return true;
	}
	return false;
}

#endif /* GTHULHU_MATCH_BPF_H */
