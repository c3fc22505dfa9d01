/* SPDX-License-Identifier: GPL-2.0-only */
/* Sets of CPUs. */
#ifndef MASK_H
#define MASK_H

#include "kernel.bpf.h"

enum { MAX_CPUS = 1024, WORD_BITS = 64, NR_WORDS = MAX_CPUS / WORD_BITS };

/* The scheduler has pointers to the member k, and never reads through them. */
struct cpu_set {
	union {
		struct cpumask k;
		unsigned long words[NR_WORDS];
	};
};

extern u32 nr_words_; /* of a set that are used on this machine */
extern struct cpu_set possible_cpus, online_cpus;

static inline const struct cpu_set *set_of(const struct cpumask *k)
{
	return (const struct cpu_set *)k;
}

static inline bool has_cpu(const struct cpu_set *set, u32 cpu)
{
	return set->words[cpu / WORD_BITS] >> cpu % WORD_BITS & 1;
}

static inline void add_cpu(struct cpu_set *set, u32 cpu)
{
	set->words[cpu / WORD_BITS] |= 1UL << cpu % WORD_BITS;
}

static inline void remove_cpu(struct cpu_set *set, u32 cpu)
{
	set->words[cpu / WORD_BITS] &= ~(1UL << cpu % WORD_BITS);
}

struct cpu_set only_cpu(u32 cpu);
struct cpu_set common_cpus(const struct cpu_set *a, const struct cpu_set *b);
bool have_common_cpus(const struct cpu_set *a, const struct cpu_set *b);
bool is_empty(const struct cpu_set *set);
bool is_only_cpu(const struct cpu_set *set, u32 cpu);
u32 count_cpus(const struct cpu_set *set);
s32 next_cpu(const struct cpu_set *set, u32 from); /* the first at or after `from`, or -1 */

#define for_each_cpu_of(cpu, set)                                                                  \
	for (s32 cpu = next_cpu(set, 0); cpu >= 0; cpu = next_cpu(set, cpu + 1))

#endif /* MASK_H */
