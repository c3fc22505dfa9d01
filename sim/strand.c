/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * With fine events, an event happens on a stack of its own. It is put aside when the scheduler is
 * about to use memory and another CPU does something before that. The kernel's own work still
 * happens as a whole. A run-queue and a task that is woken belong to one event at a time, as with
 * the kernel's locks.
 */
#include "machine.h"
#include "cost.h"
#include "strand.h"

#include <ucontext.h>

enum { STACK_BYTES = 256 << 10, MOST_WAITS = 2 * MAX_CPUS };

/* The state of the event that happens. */
struct moment {
	u64 now_ns, event_ns, nr_accesses;
	struct cpu *here;
	struct call now_in;
	struct spent spent;
	struct kept kept;
};

struct strand {
	ucontext_t context;
	struct moment moment; /* when it was put aside */
	struct event *event;
	struct event goes_on; /* pending while it is put aside, unless it waits */
	struct cpu *cpu; /* whose other events wait for its end; NULL: it has none */
	struct guard *waits_for;
	struct strand *next_waiting; /* for the same */
	struct strand *next_free;
	bool has_ended;
};

bool fine;
static bool undisturbed;
static u32 nr_strands; /* that have not ended */
static ucontext_t outside;
static struct strand *current, *free_strands;

/* ---- From one to another ---- */

static struct moment moment_now(void)
{
	return (struct moment){ now_ns, event_ns, nr_accesses, here, now_in, spent, kept };
}

static void set_moment(const struct moment *m)
{
	now_ns = m->now_ns;
	event_ns = m->event_ns;
	nr_accesses = m->nr_accesses;
	here = m->here;
	now_in = m->now_in;
	spent = m->spent;
	kept = m->kept;
}

static void live(void)
{
	for (;;) {
		current->event->happen(current->event);
		current->has_ended = true;
		swapcontext(&current->context, &outside);
	}
}

static void go_on(struct event *e);

static struct strand *new_strand(void)
{
	struct strand *s = free_strands;

	if (s) {
		free_strands = s->next_free;
		return s;
	}
	s = calloc(1, sizeof(*s));
	if (!s || getcontext(&s->context))
		fail("there is no memory for an event");
	s->context.uc_stack.ss_sp = malloc(STACK_BYTES);
	s->context.uc_stack.ss_size = STACK_BYTES;
	if (!s->context.uc_stack.ss_sp)
		fail("there is no memory for an event");
	s->goes_on.happen = go_on;
	makecontext(&s->context, live, 0);
	return s;
}

/* Until its end, or until it is put aside. */
static void step(struct strand *s)
{
	struct moment before = moment_now();

	set_moment(&s->moment);
	current = s;
	swapcontext(&outside, &s->context);
	current = NULL;
	s->moment = moment_now();
	set_moment(&before);
	if (!s->has_ended)
		return;
	nr_strands--;
	if (s->cpu)
		s->cpu->strand = NULL;
	s->next_free = free_strands;
	free_strands = s;
}

static void go_on(struct event *e)
{
	step(container(e, struct strand, goes_on));
}

void begin_strand(struct event *e)
{
	struct strand *s = new_strand();

	nr_strands++;
	s->event = e;
	s->has_ended = false;
	s->cpu = e->where;
	if (s->cpu)
		s->cpu->strand = s;
	s->moment = (struct moment){ .now_ns = now_ns, .event_ns = event_ns };
	step(s);
}

bool goes_on(const struct event *e)
{
	return e->happen == go_on;
}

bool is_between_events(void)
{
	return !nr_strands;
}

/* All that were put aside end, one after the other. */
void end_strands(void)
{
	undisturbed = true;
	while (nr_strands)
		happen_next_that_goes_on();
	undisturbed = false;
}

/* ---- Waiting ---- */

/* The executing CPU is about to use memory: what happens before that comes first. */
void let_others_go_first(void)
{
	if (!current || undisturbed || next_event_ns() >= now_ns)
		return;
	post(&current->goes_on, now_ns);
	swapcontext(&current->context, &outside);
}

/* When a CPU that is in the middle of an event may go on, or when whom it waits for may. */
u64 when_strand_goes_on(const struct cpu *c)
{
	const struct strand *s = c->strand;
	u32 nr = 0;

	while (s->waits_for) {
		if (++nr > MOST_WAITS)
			violation("model", "events wait for each other");
		s = s->waits_for->holder;
	}
	return s->goes_on.at_ns;
}

void acquire(struct guard *g)
{
	struct strand **last = &g->first;

	if (!current)
		return;
	if (g->holder && g->holder != current) {
		u64 asked_ns = now_ns;

		while (*last)
			last = &(*last)->next_waiting;
		*last = current;
		current->next_waiting = NULL;
		current->waits_for = g;
		swapcontext(&current->context, &outside);
		/* The one before has made it the holder, at its own time. */
		if (here && now_ns < g->free_ns)
			spend(g->free_ns - asked_ns, &spent.lock_wait_ns);
		return;
	}
	g->holder = current;
	g->depth++;
}

void release(struct guard *g)
{
	struct strand *next = g->first;

	if (!current || --g->depth)
		return;
	g->free_ns = now_ns;
	g->holder = next;
	if (!next)
		return;
	g->first = next->next_waiting;
	g->depth = 1;
	next->waits_for = NULL;
	post(&next->goes_on, now_ns);
}

void forget_strands(void)
{
	while (free_strands) {
		struct strand *s = free_strands;

		free_strands = s->next_free;
		free(s->context.uc_stack.ss_sp);
		free(s);
	}
}
