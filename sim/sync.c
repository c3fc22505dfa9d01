/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Mutexes, conditions, barriers and semaphores for tasks, as POSIX threads have them. Tasks are
 * woken in the order in which they began to wait. A mutex goes to the first task that asks for it:
 * a task that was woken for it asks again.
 */
#include "machine.h"

enum { MAX_OBJECTS = 65536 };

static struct object {
	struct task *holder; /* of a mutex; NULL: it is free */
	struct task *first; /* of those that wait */
	u64 count; /* that are at a barrier, or wake-ups that a semaphore has kept */
	u64 next_ns; /* of a timer: when it expires; 0: nobody has used it */
} objects[MAX_OBJECTS];

static struct object *object_at(u64 number)
{
	if (number >= MAX_OBJECTS)
		fail("object %llu is one too many", number);
	return &objects[number];
}

static void sleep_at(struct object *o, struct task *p)
{
	struct task **end = &o->first;

	while (*end)
		end = &(*end)->next_waiting;
	*end = p;
	p->next_waiting = NULL;
	p->sleep_ns = 0;
	sleep_now(p);
}

static bool wake_first(struct object *o)
{
	struct task *p = o->first;

	if (!p)
		return false;
	o->first = p->next_waiting;
	wake(p, here, WAKE_TTWU);
	return true;
}

static void wake_all(struct object *o)
{
	/* The woken may come back before the last one is. */
	struct object woken = { .first = o->first };

	o->first = NULL;
	while (wake_first(&woken))
		;
}

/* False: it sleeps, and has to ask again. */
bool lock_mutex(u64 number, struct task *p)
{
	struct object *o = object_at(number);

	if (o->holder) {
		sleep_at(o, p);
		return false;
	}
	o->holder = p;
	return true;
}

/* Without effect for a task that does not hold it. */
void unlock_mutex(u64 number, struct task *p)
{
	struct object *o = object_at(number);

	if (o->holder != p)
		return;
	o->holder = NULL;
	wake_first(o);
}

/* mutex: is unlocked meanwhile; 0: none. The task locks it again by itself. */
void wait_for_condition(u64 number, u64 mutex, struct task *p)
{
	if (mutex)
		unlock_mutex(mutex, p);
	sleep_at(object_at(number), p);
}

void signal_condition(u64 number, bool all)
{
	if (all)
		wake_all(object_at(number));
	else
		wake_first(object_at(number));
}

void arrive_at_barrier(u64 number, u64 users, struct task *p)
{
	struct object *o = object_at(number);

	if (++o->count < users) {
		sleep_at(o, p);
		return;
	}
	o->count = 0;
	wake_all(o);
}

void post_semaphore(u64 number)
{
	struct object *o = object_at(number);

	if (!wake_first(o))
		o->count++;
}

void wait_for_semaphore(u64 number, struct task *p)
{
	struct object *o = object_at(number);

	if (o->count)
		o->count--;
	else
		sleep_at(o, p);
}

/* When a timer expires that all tasks share. */
u64 *timer_of_all(u64 number)
{
	return &object_at(number)->next_ns;
}
