/* SPDX-License-Identifier: GPL-2.0-only */
/* The events, in order of time; events of one time in the order of posting. */
#include "machine.h"
#include "strand.h"

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

/* Its CPU is busy, or in the middle of another event. */
static bool is_early(const struct event *e)
{
	const struct cpu *c = e->where;

	return c && (c->strand || c->busy_until_ns > e->at_ns);
}

static void happen(struct event *e)
{
	cancel(e);
	now_ns = event_ns = e->at_ns;
	if (goes_on(e))
		return e->happen(e);
	nr_events++;
	if (fine)
		begin_strand(e);
	else
		e->happen(e);
}

/* False: nothing is left to happen before that time, which it is then. */
bool happen_next(u64 until_ns)
{
	struct event *e;

	for (;;) {
		while ((e = nr_pending ? heap[0] : NULL) && e->at_ns <= until_ns && is_early(e)) {
			now_ns = e->at_ns;
			post(e,
			     e->where->strand ? when_strand_goes_on(e->where)
					      : e->where->busy_until_ns);
		}
		if (e && e->at_ns <= until_ns) {
			happen(e);
			return true;
		}
		if (is_between_events())
			break;
		end_strands();
	}
	now_ns = event_ns = until_ns;
	return false;
}

/* The next event that was put aside; all others wait. */
void happen_next_that_goes_on(void)
{
	struct event *first = NULL;

	for (u32 i = 0; i < nr_pending; i++) {
		if (goes_on(heap[i]) && (!first || goes_first(heap[i], first)))
			first = heap[i];
	}
	if (!first)
		violation("model", "events wait for each other");
	happen(first);
}

u64 next_event_ns(void)
{
	return nr_pending ? heap[0]->at_ns : FOREVER;
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
