/* SPDX-License-Identifier: GPL-2.0-only */
/* The times at which a line is on its way, or a lock is held. */
#include "line.h"

/* The first moment from which the calendar is free for that long. */
u64 find_gap(const struct calendar *c, u64 at_ns, u64 length_ns)
{
	u32 low = 0, high = c->nr;

	while (low < high) {
		u32 middle = (low + high) / 2;

		if (c->spans[middle].to_ns <= at_ns)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < c->nr && c->spans[low].from_ns < at_ns + length_ns; low++)
		at_ns = c->spans[low].to_ns;
	return at_ns;
}

/* No event begins before the one that happens. */
static void drop_past(struct calendar *c)
{
	u32 nr = 0;

	while (nr < c->nr && c->spans[nr].to_ns <= event_ns)
		nr++;
	if (!nr)
		return;
	c->nr -= nr;
	memmove(c->spans, c->spans + nr, c->nr * sizeof(struct span));
}

void book(struct calendar *c, u64 from_ns, u64 to_ns)
{
	u32 at;

	drop_past(c);
	for (at = c->nr; at && c->spans[at - 1].from_ns > from_ns; at--)
		;
	if (at && c->spans[at - 1].to_ns == from_ns) {
		c->spans[at - 1].to_ns = to_ns;
		return;
	}
	if (at < c->nr && c->spans[at].from_ns == to_ns) {
		c->spans[at].from_ns = from_ns;
		return;
	}
	if (c->nr == c->max) {
		c->max = c->max * 2 + 4;
		c->spans = realloc(c->spans, c->max * sizeof(struct span));
	}
	memmove(c->spans + at + 1, c->spans + at, (c->nr++ - at) * sizeof(struct span));
	c->spans[at] = (struct span){ from_ns, to_ns };
}
