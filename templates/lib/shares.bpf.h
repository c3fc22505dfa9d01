/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Portions of the machine's CPUs, and the classes that have bounds for theirs: each is a group
 * (rates.bpf.h). Without such classes nothing of them is left when this is compiled.
 */
#ifndef GTHULHU_SHARES_BPF_H
#define GTHULHU_SHARES_BPF_H

#include "tree.bpf.h"

/* Parts of a CPU, of which a portion and a demand are numbers. */
#define CPU_SHIFT 24
/* A rate is in parts of a CPU for so many units of weight. */
#define RATE_SHIFT 20
#define MAX_RATE (1ULL << 42)
#define MAX_PORTION (1ULL << 42)
#define MAX_WEIGHTS ((1ULL << 31) - 1)
/* The part set apart for a class that has nothing grows by this fraction of it each time; */
#define FOLLOW_SHIFT 5
/* a class's use is a mean over so many times, */
#define USED_SHIFT 4
/* and may be too small by this part. */
#define SLACK_SHIFT 6
#define PART_SHIFT 10
/* Classes with a share, which are the groups after the root. */
#ifndef NR_SHARES
#define NR_SHARES 0
#endif

/* The part of the CPUs that a class has as a whole. */
struct share {
	u64 low; /* at least, while it wants that */
	u64 high;
	u64 part; /* set apart for it: as much as it takes to have `low` where others compete */
	u64 used; /* about */
	bool set_apart; /* by its tasks' weights it would have less */
};

static struct share shares[NR_SHARES + 1];
static u64 reserved; /* set apart for classes, all together */
static u32 nr_online;

/* The CPU that a weight gets at a rate. */
static __always_inline u64 portion_of(u64 weight, u64 rate)
{
	weight = least_of(weight, MAX_WEIGHTS);
	if (rate < 1ULL << 31)
		return weight * rate >> RATE_SHIFT;
	return least_of((weight * (rate >> 12)) >> (RATE_SHIFT - 12), MAX_PORTION);
}

static __always_inline u64 all_cpus(void)
{
	return (u64)nr_online << CPU_SHIFT;
}

/* A part of so many CPUs, as a portion. */
static __always_inline u64 part_of(u32 nr, u32 thousandths)
{
	return ((u64)nr * thousandths << CPU_SHIFT) / 1000;
}

static __always_inline u64 towards(u64 mean, u64 now)
{
	return mean + ((s64)(now - mean) >> 2);
}

static __always_inline struct share *share_of(u32 number)
{
	return number && number <= NR_SHARES ? &shares[bounded(number, NR_SHARES + 1)] : NULL;
}

/* A class is a group beside the cgroups, with the weights of its tasks. */
static __always_inline void init_share(u32 number, u64 low, u64 high)
{
	struct share *s = &shares[bounded(number, NR_SHARES + 1)];
	struct group *g = group_at(number);

	s->low = s->part = s->used = low;
	s->high = high;
	g->taken = true;
	g->number = number;
	g->worth = WORTH_ONE;
	saw_group = true;
}

/*
 * Where others compete for the same CPUs and for no others, a class needs more than `low` set apart
 * for it. So that grows while the class lacks some of it, and else goes back.
 */
static __always_inline void follow_use(struct group *g, struct share *s, u64 ran_ns, u64 passed_ns)
{
	u64 used = (ran_ns << CPU_SHIFT) / (passed_ns ?: 1);
	u64 wanted = least_of(s->low - (s->low >> SLACK_SHIFT), g->tasks);
	u64 missing;

	s->used += (s64)(used - s->used) >> USED_SHIFT;
	if (wanted > s->used) {
		missing = ((wanted - s->used) << PART_SHIFT) / (s->low ?: 1);
		s->part += ((s->part >> PART_SHIFT) * missing) >> FOLLOW_SHIFT;
		s->part = least_of(s->part, all_cpus());
	} else {
		s->part -= (s->part - s->low) >> FOLLOW_SHIFT;
	}
}

#endif /* GTHULHU_SHARES_BPF_H */
