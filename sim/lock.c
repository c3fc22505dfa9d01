/* SPDX-License-Identifier: GPL-2.0-only */
/* Locks: a CPU waits for one while another holds it, and takes its line. */
#include "line.h"

void init_lock(struct lock *l, const char *name)
{
	if (!costs_on)
		return;
	l->line = new_line(new_keys(1), new_account(name, false));
	l->line->lock_account = new_account(name, true);
}

/* A list's links are in its members. */
static u64 fetch_links(const struct task *p)
{
	const struct task *const members[] = { p, p->prev, p->next };
	u64 sum_ns = 0;

	for (u32 i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		struct line *l = members[i] ? line_at((u64)&members[i]->k.scx) : NULL;
		u64 ns = l ? fetch(l, true) : 0;

		if (ns)
			count_transfer(l, ns, 0);
		sum_ns += ns;
	}
	return sum_ns;
}

/*
 * The executing CPU waits for a lock, and holds it for that long; the line comes with it. `member`,
 * unless it is NULL, is linked or unlinked meanwhile.
 */
void hold_lock(struct lock *l, u64 path_ns, const struct task *member)
{
	u64 ns, start_ns;

	if (!costs_on || !here)
		return;
	ns = fetch(l->line, true) + (member ? fetch_links(member) : 0);
	start_ns = find_gap(&l->line->calendar, now_ns, path_ns + ns);
	book(&l->line->calendar, start_ns, start_ns + path_ns + ns);
	count(l->line->lock_account, path_ns + ns, start_ns - now_ns);
	l->line->lock_ns += path_ns + ns + start_ns - now_ns;
	spend(start_ns - now_ns, &spent.lock_wait_ns);
	spend(path_ns, &spent.path_ns);
	spend(ns, &spent.transfer_ns);
}

/* A CPU looks at what a lock protects, without the lock. */
void peek_lock(struct lock *l)
{
	u64 ns;

	if (!costs_on || !here)
		return;
	ns = fetch(l->line, false);
	if (ns)
		count_transfer(l->line, ns, 0);
	spend(ns ?: costs.own, &spent.transfer_ns);
}
