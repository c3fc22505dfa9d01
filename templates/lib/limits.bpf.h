/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cgroups with limits (cpu.max): how long their tasks may run before the next period.
 *
 * A limit has a pool, which gets the quota when a period begins. A CPU that runs a task of the group
 * takes a lease from the pool, and as much from the pools of all limits above. It keeps the lease as
 * long as it runs tasks of that group, so that many threads do not write the pool at each switch;
 * then the rest goes back. A task that runs for longer than the lease leaves a debt, which the next
 * periods pay. No timer begins a period: a CPU that looks at a pool after its period has passed does.
 */
#ifndef GTHULHU_LIMITS_BPF_H
#define GTHULHU_LIMITS_BPF_H

#include "abi.h"
#include "tree.bpf.h"

/* A lease is half of what each CPU could have, within these bounds. */
#define LONGEST_LEASE_NS 5000000
#define SHORTEST_LEASE_NS 100000
/* Past periods that count at once, as credit for the burst or against debts. */
#define MOST_PERIODS 1024
#define NS_PER_US 1000
/* The kernel's RUNTIME_INF. */
#define NO_QUOTA (~0ULL)

struct limit {
	/* Changed seldom. */
	u64 quota_ns; /* for each period; 0: no limit */
	u64 period_ns;
	u64 burst_ns; /* so much of what was left may be used later */
	u64 began_ns; /* when the period began */
	/* Changed as CPUs take leases. */
	s64 pool_ns __attribute__((aligned(64))); /* that no CPU has taken; negative: a debt */
	u64 renewed_ns; /* the next began_ns, as soon as a CPU begins that period */
	u64 progress; /* about the latest of the tasks that got a CPU */
	s64 granted_ns; /* pool_ns when the period began */
	u64 throttled_from_ns; /* since when tasks wait for quota; 0: none does */
};

/* The section by which the loader knows an object that keeps cgroups' limits. */
#ifndef LIMIT_USES_SECTION
#define LIMIT_USES_SECTION GROUP_SECTION("limit_uses")
#endif

static struct limit limits[MAX_GROUPS] SEC(GROUP_SECTION("limits"));
static struct gthulhu_limit_use limit_uses[MAX_GROUPS] SEC(LIMIT_USES_SECTION);
static u32 nearest[MAX_GROUPS]; /* the group with a limit that is this one or above it; 0: none */
static bool saw_limit; /* there is a limit, or was */
static u32 has_new_limit; /* since the last look at all tasks that are set aside */
static u64 exhausted_ns; /* until then, a limit may lack quota */

/* The quota that a CPU has taken from a limit, and all limits above. */
struct lease {
	u32 limit; /* its group; 0: there is no lease */
	s64 left_ns; /* negative: a debt */
	u64 taken_ns; /* so much it was, */
	u64 at_ns; /* and when */
	u64 ran_ns; /* se.sum_exec_runtime of the running task that is off the lease */
};

/* Where this is false, the verifier removes all that is done for limits. */
#ifndef MAY_HAVE_LIMITS
#define MAY_HAVE_LIMITS true
#endif

/* Functions of limits begin with MAY_HAVE_LIMITS for the verifier, see has_cells. */
static __always_inline bool has_limits(void)
{
	return MAY_HAVE_LIMITS && saw_limit;
}

static __always_inline struct limit *limit_at(u32 number)
{
	return &limits[bounded(number & (MAX_GROUPS - 1), MAX_GROUPS)];
}

static __always_inline u32 nearest_limit(u32 number)
{
	return nearest[bounded(number & (MAX_GROUPS - 1), MAX_GROUPS)];
}

static __always_inline struct gthulhu_limit_use *limit_use(u32 number)
{
	return &limit_uses[bounded(number & (MAX_GROUPS - 1), MAX_GROUPS)];
}

/*
 * The limits of a task: the nearest one of its cgroups, and that of its class; 0 if it has neither.
 * One number stands for both, and the limit of the class comes after all those of the cgroups.
 */
static __always_inline u32 with_limit(u32 nearest_limit, u32 of_class)
{
	return nearest_limit ? nearest_limit | of_class << GROUP_BITS : of_class;
}

static __always_inline u32 limit_above(u32 number)
{
	return with_limit(nearest_limit(group_at(number)->parent), number >> GROUP_BITS);
}

static __always_inline void begin_throttling(struct limit *l, u64 now_ns)
{
	if (!l->throttled_from_ns)
		l->throttled_from_ns = now_ns;
}

/* Tasks have waited for quota until then, if any did. */
static __noinline int end_throttling(u32 number, u64 until_ns)
{
	u64 from_ns = __sync_lock_test_and_set(&limit_at(number)->throttled_from_ns, 0);

	if (from_ns && time_before(from_ns, until_ns))
		__sync_fetch_and_add(&limit_use(number)->throttled_ns, until_ns - from_ns);
	return 0;
}

/* Before the quota of the next period is there. Idle periods do not count, as in the kernel. */
static __always_inline void count_periods(u32 number, u64 periods)
{
	struct gthulhu_limit_use *use = limit_use(number);
	struct limit *l = limit_at(number);
	s64 pool_ns = l->pool_ns, excess_ns = l->granted_ns - pool_ns - (s64)l->quota_ns;
	u64 throttled = 1, end_ns;

	if (l->burst_ns && excess_ns > 0) {
		use->bursts++;
		use->burst_ns += least_of(excess_ns, l->burst_ns);
	}
	if (!l->throttled_from_ns || !l->quota_ns) {
		use->periods++;
		return;
	}
	if (pool_ns < 0)
		throttled += (u64)-pool_ns / l->quota_ns;
	end_ns = l->began_ns + least_of(throttled, periods) * l->period_ns;
	use->periods += least_of(throttled, periods);
	use->throttled_periods += least_of(throttled, periods);
	end_throttling(number, end_ns);
	if (throttled > periods)
		begin_throttling(l, end_ns);
}

/* Several CPUs may see that a period has passed; one of them gives the quota. */
static __noinline int begin_period(u32 number, u64 now_ns)
{
	struct limit *l = limit_at(number);
	u64 began_ns = l->began_ns, next_ns, periods;
	s64 gain_ns, room_ns;

	if (!MAY_HAVE_LIMITS)
		return 0;
	periods = (now_ns - began_ns) / l->period_ns;
	next_ns = began_ns + periods * l->period_ns;
	if (!__sync_bool_compare_and_swap(&l->renewed_ns, began_ns, next_ns))
		return 0;
	count_periods(number, periods);
	room_ns = (s64)(l->quota_ns + l->burst_ns) - l->pool_ns;
	gain_ns = least_of(periods, MOST_PERIODS) * l->quota_ns;
	gain_ns = gain_ns < room_ns ? gain_ns : room_ns;
	l->granted_ns = __sync_fetch_and_add(&l->pool_ns, gain_ns) + gain_ns;
	/* Last, so that a CPU that sees the new period sees its quota, too. */
	l->began_ns = next_ns;
	return 0;
}

/* Ends the periods that have passed. */
static __always_inline void renew(u32 number, u64 now_ns)
{
	const struct limit *l = limit_at(number);

	if (l->period_ns && !time_before(now_ns, l->began_ns + l->period_ns))
		begin_period(number, now_ns);
}

/* The pool of a limit, in the period of `now_ns`. */
static __always_inline s64 pool_at(u32 number, u64 now_ns)
{
	renew(number, now_ns);
	return limit_at(number)->pool_ns;
}

/* When tasks below a limit may run again; `now_ns`: they may now. `waits`: one of them wants to. */
static __noinline u64 quota_from(u32 number, u64 now_ns, bool waits)
{
	u64 from_ns = now_ns;
	int depth;

	if (!MAY_HAVE_LIMITS)
		return now_ns;
	bpf_for(depth, 0, MAX_DEPTH) {
		struct limit *l = limit_at(number);
		s64 pool_ns;

		if (!number)
			break;
		pool_ns = pool_at(number, now_ns);
		if (pool_ns <= 0 && l->quota_ns) {
			from_ns = later_of(
				from_ns,
				l->began_ns + (1 + (u64)-pool_ns / l->quota_ns) * l->period_ns);
			if (waits)
				begin_throttling(l, now_ns);
		}
		number = limit_above(number);
	}
	if (time_before(exhausted_ns, from_ns))
		exhausted_ns = from_ns;
	return from_ns;
}

/* Whether a limit or one above owes more than an eighth of its quota. */
static __noinline bool owes_much(u32 number)
{
	int depth;

	bpf_for(depth, 0, MAX_DEPTH) {
		const struct limit *l = limit_at(number);

		if (!number)
			break;
		if (l->pool_ns + (s64)(l->quota_ns / 8) < 0)
			return true;
		number = limit_above(number);
	}
	return false;
}

/* The lease that a limit and those above can give a CPU; 0: nothing is left. */
static __always_inline u64 lease_of(u32 number, u64 now_ns)
{
	u64 lease_ns = LONGEST_LEASE_NS;
	int depth;

	bpf_for(depth, 0, MAX_DEPTH) {
		struct limit *l = limit_at(number);
		s64 pool_ns;

		if (!number)
			break;
		pool_ns = pool_at(number, now_ns);
		if (pool_ns <= 0)
			return 0;
		lease_ns = least_of(lease_ns,
				    most_of(l->quota_ns / (2ULL * nr_cpus), SHORTEST_LEASE_NS));
		lease_ns = least_of(lease_ns, pool_ns);
		number = limit_above(number);
	}
	return lease_ns;
}

static __noinline int begin_lease(struct lease *lease, u32 number, u64 now_ns)
{
	u64 lease_ns;
	int depth;

	if (!MAY_HAVE_LIMITS)
		return 0;
	lease_ns = lease_of(number, now_ns);
	lease->limit = number;
	lease->left_ns = lease->taken_ns = lease_ns;
	lease->at_ns = now_ns;
	bpf_for(depth, 0, MAX_DEPTH) {
		if (!number || !lease_ns)
			break;
		__sync_fetch_and_add(&limit_at(number)->pool_ns, -lease_ns);
		number = limit_above(number);
	}
	/* Others see at once that nothing is left. */
	quota_from(lease->limit, now_ns, false);
	return 0;
}

/*
 * The rest of a lease goes back, or a debt is left. Where a period has begun meanwhile, the rest is
 * lost, and what was used since then is of the new one. True: a limit has quota that had none.
 */
static __noinline bool end_lease(struct lease *lease, u64 now_ns)
{
	s64 left_ns = lease->left_ns, change_ns, before_ns;
	u64 used_ns = lease->taken_ns - left_ns;
	u32 number = lease->limit;
	bool revives = false;
	int depth;

	if (!MAY_HAVE_LIMITS)
		return false;
	lease->limit = 0;
	lease->left_ns = 0;
	bpf_for(depth, 0, MAX_DEPTH) {
		struct limit *l = limit_at(number);

		if (!number)
			break;
		renew(number, now_ns);
		change_ns = left_ns;
		if (time_before(lease->at_ns, l->began_ns))
			change_ns = -(s64)least_of(used_ns, now_ns - l->began_ns);
		before_ns = __sync_fetch_and_add(&l->pool_ns, change_ns);
		if (before_ns <= 0 && before_ns + change_ns >= SHORTEST_LEASE_NS) {
			end_throttling(number, now_ns);
			revives = true;
		}
		number = limit_above(number);
	}
	return revives;
}

/* Runs after a change of a limit. Groups above have smaller numbers, so they come first. */
static __noinline int find_nearest(void)
{
	int i;

	if (!MAY_HAVE_LIMITS)
		return 0;
	bpf_for(i, 1, MAX_GROUPS) {
		const struct group *g = group_at(i);

		if (g->taken)
			nearest[bounded(i, MAX_GROUPS)] =
				limit_at(i)->quota_ns ? i : nearest_limit(g->parent);
	}
	return 0;
}

/* Changes a limit. Its debt remains. */
static __noinline int set_limit(u32 number, u64 quota_ns, u64 period_ns, u64 burst_ns)
{
	struct limit *l = limit_at(number);
	u64 now_ns = bpf_ktime_get_ns();
	s64 debt_ns = l->quota_ns && l->pool_ns < 0 ? l->pool_ns : 0;

	end_throttling(number, now_ns);
	limit_use(number)->quota_ns = quota_ns;
	limit_use(number)->period_ns = period_ns;
	l->period_ns = period_ns;
	l->burst_ns = burst_ns;
	l->pool_ns = l->granted_ns = quota_ns + debt_ns;
	l->renewed_ns = now_ns;
	l->began_ns = now_ns;
	l->quota_ns = quota_ns;
	find_nearest();
	if (quota_ns) {
		saw_limit = true;
		has_new_limit = 1;
	}
	return 0;
}

static __always_inline void set_limit_us(u32 number, u64 quota_us, u64 period_us, u64 burst_us)
{
	if (quota_us == NO_QUOTA)
		set_limit(number, 0, 0, 0);
	else
		set_limit(number, quota_us * NS_PER_US, period_us * NS_PER_US,
			  burst_us * NS_PER_US);
}

/* ---- Kernels before 6.17 do not tell of limits ---- */

static __always_inline bool tells_of_limits(const struct scx_cgroup_init_args *args)
{
	return bpf_core_field_exists(args->bw_quota_us);
}

/* Reads a limit again. The kernel enters the task group of a new cgroup later than it tells of it. */
static __always_inline void read_limit(u32 number)
{
	struct limit *l = limit_at(number);
	u64 quota_ns = 0, period_ns = 0, burst_ns = 0;
	const struct task_group *group = task_group_of(group_at(number));

	if (!group)
		return;
	bpf_probe_read_kernel(&quota_ns, sizeof(quota_ns), &group->cfs_bandwidth.quota);
	bpf_probe_read_kernel(&period_ns, sizeof(period_ns), &group->cfs_bandwidth.period);
	bpf_probe_read_kernel(&burst_ns, sizeof(burst_ns), &group->cfs_bandwidth.burst);
	if (quota_ns == NO_QUOTA)
		quota_ns = period_ns = burst_ns = 0;
	if (quota_ns != l->quota_ns || period_ns != l->period_ns || burst_ns != l->burst_ns)
		set_limit(number, quota_ns, period_ns, burst_ns);
}

#endif /* GTHULHU_LIMITS_BPF_H */
