/* SPDX-License-Identifier: GPL-2.0-only */
/* References, and sections: what a call takes it gives back or stores, what it enters it leaves. */
#include "machine.h"
#include "cost.h"

struct kept kept;

void hold(s64 change)
{
	kept.references += change;
	if (kept.references < 0)
		violation("references", "%s gives back what it does not have", now_in.name);
}

void check_given_back(const char *who)
{
	if (kept.references)
		violation("references", "%s keeps %lld references", who, kept.references);
	if (kept.rcu_depth || kept.preempt_depth)
		violation("references", "%s leaves a section open", who);
}

void bpf_rcu_read_lock(void)
{
	kept.rcu_depth++;
}

void bpf_rcu_read_unlock(void)
{
	if (--kept.rcu_depth < 0)
		violation("references", "%s: no section to leave", now_in.name);
}

void bpf_preempt_disable(void)
{
	kept.preempt_depth++;
}

void bpf_preempt_enable(void)
{
	if (--kept.preempt_depth < 0)
		violation("references", "%s: no section to leave", now_in.name);
}

void *host_kptr_exchange(void **slot, void *fresh)
{
	void *old = *slot;

	*slot = fresh;
	if (fresh && costs_on)
		name_object(fresh, sizeof(struct cpu_set), name_of_variable(slot));
	hold((old ? 1 : 0) - (fresh ? 1 : 0));
	return old;
}
