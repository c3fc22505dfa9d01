/* SPDX-License-Identifier: GPL-2.0-only */
/* The events, in order of time; events of one time in the order of posting. */
#include "machine.h"

#include <stdarg.h>

u64 now_ns;
static struct event *first;
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

void cancel(struct event *e)
{
	if (!e->pending)
		return;
	for (struct event **at = &first; *at; at = &(*at)->next) {
		if (*at == e) {
			*at = e->next;
			break;
		}
	}
	e->pending = false;
}

void post(struct event *e, u64 at_ns)
{
	struct event **at = &first;

	cancel(e);
	e->at_ns = at_ns < now_ns ? now_ns : at_ns;
	e->order = ++nr_posted;
	e->pending = true;
	while (*at && (*at)->at_ns <= e->at_ns)
		at = &(*at)->next;
	e->next = *at;
	*at = e;
}

/* False: nothing is left to happen before that time, which it is then. */
bool happen_next(u64 until_ns)
{
	struct event *e = first;

	if (!e || e->at_ns > until_ns) {
		now_ns = until_ns;
		return false;
	}
	first = e->next;
	e->pending = false;
	now_ns = e->at_ns;
	e->happen(e);
	return true;
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
