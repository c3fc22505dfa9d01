/* SPDX-License-Identifier: GPL-2.0-only */
/* Sets of CPUs. */
#include "mask.h"

u32 nr_words_;
struct cpu_set possible_cpus, online_cpus;

struct cpu_set only_cpu(u32 cpu)
{
	struct cpu_set set = {};

	add_cpu(&set, cpu);
	return set;
}

struct cpu_set common_cpus(const struct cpu_set *a, const struct cpu_set *b)
{
	struct cpu_set set = {};

	for (u32 i = 0; i < nr_words_; i++)
		set.words[i] = a->words[i] & b->words[i];
	return set;
}

bool have_common_cpus(const struct cpu_set *a, const struct cpu_set *b)
{
	for (u32 i = 0; i < nr_words_; i++) {
		if (a->words[i] & b->words[i])
			return true;
	}
	return false;
}

bool is_empty(const struct cpu_set *set)
{
	return !have_common_cpus(set, set);
}

bool is_only_cpu(const struct cpu_set *set, u32 cpu)
{
	return next_cpu(set, 0) == (s32)cpu && next_cpu(set, cpu + 1) < 0;
}

u32 count_cpus(const struct cpu_set *set)
{
	u32 nr = 0;

	for (u32 i = 0; i < nr_words_; i++)
		nr += __builtin_popcountl(set->words[i]);
	return nr;
}

s32 next_cpu(const struct cpu_set *set, u32 from)
{
	for (u32 i = from / WORD_BITS; i < nr_words_; i++) {
		unsigned long word = set->words[i];

		if (i == from / WORD_BITS)
			word &= ~0UL << from % WORD_BITS;
		if (word)
			return i * WORD_BITS + __builtin_ctzl(word);
	}
	return -1;
}
