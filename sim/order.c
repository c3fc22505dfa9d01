/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The order of a queue by key, those of one key in the order of insertion. The kernel has a tree
 * for it. Here it is an array, in which a task's place is found in a few steps. Tasks leave at its
 * begin, mostly, and join near its end.
 */
#include "machine.h"

struct place {
	u64 key, insertion;
	struct task *p;
};

static struct place *first_of(const struct queue *q)
{
	return q->places + q->first_place;
}

static bool is_behind(const struct place *place, const struct task *p)
{
	s64 distance = place->key - p->queued_key;

	return distance > 0 || (!distance && place->insertion > p->insertion);
}

/* How many are before it, or are itself. */
static u32 nr_up_to(const struct queue *q, const struct task *p)
{
	u32 low = 0, high = q->nr;

	while (low < high) {
		u32 middle = (low + high) / 2;

		if (is_behind(&first_of(q)[middle], p))
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Room for one more at either end. */
static void make_room(struct queue *q)
{
	u32 most = q->nr * 2 + 16, first = (most - q->nr) / 2;
	struct place *places;

	if (q->first_place && q->first_place + q->nr < q->max_places)
		return;
	places = calloc(most, sizeof(struct place));
	if (q->nr)
		memcpy(places + first, first_of(q), q->nr * sizeof(struct place));
	free(q->places);
	q->places = places;
	q->first_place = first;
	q->max_places = most;
}

/* Runs before the task is in the queue. Returns the next task; NULL: none. */
struct task *take_place(struct queue *q, struct task *p)
{
	u32 at;

	p->queued_key = p->k.scx.dsq_vtime;
	make_room(q);
	at = nr_up_to(q, p);
	if (at < q->nr / 2) {
		q->first_place--;
		memmove(first_of(q), first_of(q) + 1, at * sizeof(struct place));
	} else {
		memmove(first_of(q) + at + 1, first_of(q) + at,
			(q->nr - at) * sizeof(struct place));
	}
	first_of(q)[at] = (struct place){ p->queued_key, p->insertion, p };
	return at < q->nr ? first_of(q)[at + 1].p : NULL;
}

/* While it is still in the queue. */
void leave_place(struct queue *q, const struct task *p)
{
	u32 at = nr_up_to(q, p) - 1;

	if (at >= q->nr || first_of(q)[at].p != p)
		violation("model", "task %d has no place in queue 0x%llx", p->k.pid, q->id);
	if (at < q->nr / 2) {
		memmove(first_of(q) + 1, first_of(q), at * sizeof(struct place));
		q->first_place++;
	} else {
		memmove(first_of(q) + at, first_of(q) + at + 1,
			(q->nr - at - 1) * sizeof(struct place));
	}
}
