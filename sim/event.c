/* SPDX-License-Identifier: GPL-2.0-only */
/* The events, in order of time; events of one time in the order of posting. */
#include "machine.h"

#include <stdarg.h>

u64 now_ns, event_ns;
static struct event **heap; /* those to come, the next one first */
static u32 nr_pending, max_pending;
u64 nr_events; /* that have happened */
static u64 nr_posted;
static u64 random_state;

void trace(const char *format, ...)
{
	static s32 wanted = -1;
	va_list args;

	if (wanted < 0)
		wanted = !!getenv("MACHINE_TRACE");
	if (!wanted)
		return;
	fprintf(stderr, "%10llu cpu %d: ", now_ns - EPOCH_NS, here ? here->id : -1);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

static bool goes_first(const struct event *a, const struct event *b)
{
	return a->at_ns != b->at_ns ? a->at_ns < b->at_ns : a->order < b->order;
}

static void put_at(u32 place, struct event *e)
{
	heap[place] = e;
	e->place = place;
}

/* Puts an event where it belongs, from a place that is free. */
static void settle(u32 place, struct event *e)
{
	u32 child;

	while (place && goes_first(e, heap[(place - 1) / 2])) {
		put_at(place, heap[(place - 1) / 2]);
		place = (place - 1) / 2;
	}
	while ((child = 2 * place + 1) < nr_pending) {
		if (child + 1 < nr_pending && goes_first(heap[child + 1], heap[child]))
			child++;
		if (!goes_first(heap[child], e))
			break;
		put_at(place, heap[child]);
		place = child;
	}
	put_at(place, e);
}

void cancel(struct event *e)
{
	if (!e->pending)
		return;
	e->pending = false;
	if (e->place != --nr_pending)
		settle(e->place, heap[nr_pending]);
}

void post(struct event *e, u64 at_ns)
{
	cancel(e);
	if (nr_pending == max_pending) {
		max_pending = max_pending * 2 + 64;
		heap = realloc(heap, max_pending * sizeof(struct event *));
	}
	e->at_ns = at_ns < now_ns ? now_ns : at_ns;
	e->order = ++nr_posted;
	e->pending = true;
	settle(nr_pending++, e);
}

/* False: nothing is left to happen before that time, which it is then. */
bool happen_next(u64 until_ns)
{
	struct event *e;

	while ((e = nr_pending ? heap[0] : NULL) && e->at_ns <= until_ns && e->where &&
	       e->where->busy_until_ns > e->at_ns) {
		now_ns = e->at_ns;
		post(e, e->where->busy_until_ns);
	}
	if (!e || e->at_ns > until_ns) {
		now_ns = event_ns = until_ns;
		return false;
	}
	cancel(e);
	nr_events++;
	now_ns = event_ns = e->at_ns;
	e->happen(e);
	return true;
}

void forget_events(void)
{
	free(heap);
	heap = NULL;
	nr_pending = max_pending = 0;
}

void seed_random(u64 seed)
{
	random_state = seed * 2 + 1;
}

/* xorshift64*, Vigna 2016. */
u64 random_below(u64 limit)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return limit ? (random_state * 0x2545f4914f6cdd1dULL >> 16) % limit : 0;
}
