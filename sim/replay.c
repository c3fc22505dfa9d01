/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tasks that do again what a record says they did. A course is a list of actions; a word of the
 * scenario is one action. Only compute, and what the kernel does, takes time:
 *
 *   c:NS          computes that long
 *   w:R           wakes the task of course R, or spares it the next sleep by t
 *   s:R           the same, and tells that it sleeps soon (WF_SYNC)
 *   t             sleeps until it is given a wake-up
 *   b:NS          from now on it is that long until u
 *   a:NS          u is at that time of the record; in a repeated lap, as much later as a lap takes
 *   u             sleeps until then; goes on if it has passed
 *   z:NS          sleeps that long
 *   p:N:LATE_NS   sleeps until timer N expires, and so much longer; see below
 *   f:R:FLAGS     forks a task that follows course R, with the flags of clone(2)
 *   n:NAME        takes another name; x:NAME executes a program of that name
 *   g:CGROUP      is moved to a cgroup
 *   i:NICE, m:CPUS, o:UID:GID  changes its nice value, affinity, users
 *   e             begins to exit; q: has ended
 *
 * A task that comes to the end of its course begins again, from an action that the course
 * names: in a shorter time than recorded it does more. Without such an action it sleeps for ever.
 *
 * A timer has a period. A task that comes late goes on at once, and all expiries up to now count as
 * one (READ, as timerfd has it); or sleeps until the next one (SKIP); or goes on at once for each
 * one that it has missed (EACH).
 */
#include "words.h"
#include "cost.h"

enum {
	MAX_COURSES = 1 << 22,
	MAX_TIMERS = 1 << 16,
	FIRST_AGAIN = 1 << 22,
	NEVER = ~0U,
	NO_GROUP = ~0U,
};

enum mode { READ, SKIP, EACH };

struct action {
	char kind;
	u32 other;
	u64 value;
	char *text; /* of names and cgroups; owned by the action */
	struct cpu_set *cpus; /* the same */
};

struct course {
	struct action *actions;
	u32 nr, again; /* the action from which it is repeated; NEVER: it is not */
	struct task *now; /* who follows it, the latest one */
	u64 nr_early; /* wake-ups that came before its task was forked */
	u32 group; /* of figures, for all who follow it; NO_GROUP: none */
	u64 enters_ns; /* it enters the kernel each time it has computed for so long; 0: never */
};

/* Where a task is in its course. */
struct replayed {
	struct course *r;
	u32 at, lap;
	bool has_worked; /* in this lap */
	u64 deadline_ns;
};

static struct timer_of_record {
	u64 first_ns, period_ns, last; /* last: the number of the expiry that was taken */
	enum mode mode;
} timers[MAX_TIMERS];

static struct course *courses;
static u32 nr_courses;
static u64 length_ns, repeated_ns;

static struct course *course_at(u64 number)
{
	if (number >= MAX_COURSES)
		fail("course %llu is one too many", number);
	if (number >= nr_courses) {
		u32 nr = number * 2 + 64;

		courses = realloc(courses, nr * sizeof(*courses));
		for (u32 i = nr_courses; i < nr; i++)
			courses[i] = (struct course){ .again = NEVER, .group = NO_GROUP };
		nr_courses = nr;
	}
	return &courses[number];
}

/* record NS: how long it is */
void do_record(struct words *w)
{
	length_ns = read_number(w);
}

static void add_action(struct course *r, char *word)
{
	char *name = strtok(word, ":"), *value = strtok(NULL, ":"), *more = strtok(NULL, ":");
	struct action *a;

	if (!(r->nr & (r->nr - 1)))
		r->actions = realloc(r->actions, (r->nr * 2 ?: 1) * sizeof(*a));
	a = &r->actions[r->nr++];
	*a = (struct action){ .kind = name[0] };
	if (!strchr("cwstbauzpfnxgimokeq", a->kind) || name[1])
		fail("no course can %s", name);
	if (strchr("nxg", a->kind)) {
		a->text = strdup(decoded((value ?: ".") + 1));
	} else if (a->kind == 'm') {
		a->cpus = malloc(sizeof(*a->cpus));
		*a->cpus = read_cpus(value ?: "");
	} else {
		a->value = value ? strtoull(value, NULL, 0) : 0;
	}
	if (more)
		a->other = strtoul(more, NULL, 0);
}

/* actions R ACTION...: further ones of a course */
void do_actions(struct words *w)
{
	struct course *r = course_at(read_number(w));

	while (w->at < w->nr)
		add_action(r, (char *)w->args[w->at++]);
}

/* again R ACTION: its number, from 0 */
void do_again(struct words *w)
{
	struct course *r = course_at(read_number(w));

	r->again = read_number(w);
	if (r->again >= r->nr)
		fail("a course has no action %u", r->again);
}

/* enters R NS: who follows a course enters the kernel once in so much computing, to read and so on */
void do_enters(struct words *w)
{
	struct course *r = course_at(read_number(w));

	r->enters_ns = read_number(w);
}

/* How long a task that runs still computes until it enters the kernel; 0: it does not. */
u64 until_it_enters(const struct task *p)
{
	u64 every_ns = p->replayed && !(p->k.flags & EXITING) ? p->replayed->r->enters_ns : 0;

	return every_ns ? every_ns - p->k.se.sum_exec_runtime % every_ns : 0;
}

/* course R GROUP: the tasks that follow it from now on count in that group, see watch */
void do_course(struct words *w)
{
	struct course *r = course_at(read_number(w));

	r->group = read_number(w);
	open_group(r->group);
}

/* timer N FIRST_NS PERIOD_NS MODE: it expires from FIRST_NS of the record on */
void do_timer(struct words *w)
{
	u64 number = read_number(w);
	struct timer_of_record *t = &timers[number];

	if (number >= MAX_TIMERS)
		fail("timer %llu is one too many", number);
	t->first_ns = EPOCH_NS + read_number(w);
	t->period_ns = read_number(w);
	t->mode = read_number(w);
	if (!t->period_ns)
		fail("timer %llu has no period", number);
}

/* ---- Sleeping ---- */

/* True: it sleeps. */
static bool sleep_until(struct task *p, u64 at_ns)
{
	if (at_ns <= now_ns)
		return false;
	p->until_ns = at_ns;
	sleep_now(p);
	return true;
}

/* The number of the last expiry up to now, from 1; 0: none. */
static u64 expired(const struct timer_of_record *t)
{
	return now_ns < t->first_ns ? 0 : (now_ns - t->first_ns) / t->period_ns + 1;
}

static bool sleep_for_timer(struct task *p, struct timer_of_record *t, u64 late_ns)
{
	u64 nr = expired(t);

	if (t->mode == READ && nr > t->last) {
		t->last = nr;
		return false;
	}
	t->last = t->mode == SKIP ? nr + 1 : t->last + 1;
	return sleep_until(p, t->first_ns + (t->last - 1) * t->period_ns + late_ns);
}

static bool take(struct task *p)
{
	if (p->nr_given) {
		p->nr_given--;
		return false;
	}
	p->takes = true;
	p->sleep_ns = p->until_ns = 0;
	sleep_now(p);
	return true;
}

static void give(struct course *r, struct cpu *waker, u64 flags)
{
	struct task *p = r->now;

	if (!p) {
		r->nr_early++;
		return;
	}
	if (p->gone)
		return;
	if (!p->takes) {
		p->nr_given++;
		return;
	}
	p->takes = false;
	wake(p, waker, flags);
}

/* give R CPU SYNC: from outside, by an interrupt of that CPU */
void do_give(struct words *w)
{
	struct course *r = course_at(read_number(w));
	struct cpu *c = read_cpu(w);

	here = c;
	walk(costs.interrupt);
	here = NULL;
	give(r, c, WAKE_TTWU | (read_number(w) ? WAKE_SYNC : 0));
}

/* ---- Following ---- */

static void follow(struct task *p, struct course *r)
{
	p->replayed = p->replayed ?: calloc(1, sizeof(struct replayed));
	*p->replayed = (struct replayed){ .r = r };
	p->burst_ns = 1;
	p->sleep_ns = 0;
	p->nr_given = r->nr_early;
	r->nr_early = 0;
	r->now = p;
	if (r->group != NO_GROUP)
		watch(p, r->group);
}

static void fork_follower(struct task *p, const struct action *a)
{
	static u32 again = FIRST_AGAIN;
	struct course *r = course_at(a->value);
	bool is_first = !r->now;
	u32 pid = is_first ? a->value : again++;
	struct task *child = new_task(pid, p, a->other);

	if (!is_first)
		printf("again %u %llu\n", pid, a->value);
	child->family = p->family ?: p;
	follow(child, r);
	fork_task(child, p, a->other);
	here = &cpus_[p->cpu];
}

static void change(struct task *p, const struct action *a)
{
	switch (a->kind) {
	case 'x':
		p->k.self_exec_id++;
		rename_task(p, a->text);
		break;
	case 'n':
		rename_task(p, a->text);
		break;
	case 'g':
		move_to_cgroup(p, a->text, false);
		break;
	case 'i':
		set_nice(p, (s32)a->value);
		break;
	case 'm':
		if (any_online(a->cpus))
			set_affinity(p, a->cpus);
		break;
	case 'o':
		set_ids(p, a->value, a->other);
		break;
	case 'k':
		set_autogroup(p, a->value);
		break;
	case 'e':
		p->k.flags |= EXITING;
		leave_children(p);
		break;
	}
}

/* True: it sleeps, or has ended. */
static bool act(struct task *p, const struct action *a)
{
	struct replayed *s = p->replayed;

	switch (a->kind) {
	case 'w':
	case 's':
		give(course_at(a->value), here, WAKE_TTWU | (a->kind == 's' ? WAKE_SYNC : 0));
		return false;
	case 't':
		return take(p);
	case 'b':
		s->deadline_ns = now_ns + a->value;
		return false;
	case 'a':
		s->deadline_ns = EPOCH_NS + a->value + s->lap * length_ns;
		return false;
	case 'u':
		return sleep_until(p, s->deadline_ns);
	case 'z':
		return sleep_until(p, now_ns + a->value);
	case 'p':
		return sleep_for_timer(p, &timers[a->value], a->other);
	case 'f':
		fork_follower(p, a);
		return false;
	case 'q':
		p->k.flags |= EXITING;
		exit_task(p);
		return true;
	default:
		change(p, a);
		return false;
	}
}

/* The next action; NULL: the course has ended, or no action of it would take time. */
static const struct action *next_action(struct replayed *s)
{
	if (s->at == s->r->nr) {
		if (s->r->again == NEVER || !s->has_worked)
			return NULL;
		s->at = s->r->again;
		s->lap++;
		s->has_worked = false;
	}
	return &s->r->actions[s->at++];
}

/* Its next burst. A task that sleeps has it when it is woken. */
static void compute(struct task *p, const struct action *a)
{
	struct replayed *s = p->replayed;

	s->has_worked = true;
	if (s->lap)
		repeated_ns += a->value;
	p->left_ns = a->value ?: 1;
}

/* The running task has done what its last actions took. */
void follow_course(struct task *p)
{
	const struct action *a;
	bool sleeps = false;

	p->left_ns = 0;
	while (!sleeps) {
		here = &cpus_[p->cpu];
		a = next_action(p->replayed);
		if (a && a->kind == 'c') {
			compute(p, a);
			break;
		}
		sleeps = a ? act(p, a) : take(p);
	}
	here = NULL;
	if (!sleeps && is_running(p) && !p->burst.pending)
		run(&cpus_[p->cpu], p);
}

/* follow PID R: it begins with its first action when it is woken, or at once if that is to sleep */
void do_follow(struct words *w)
{
	struct task *p = read_task(w);
	struct course *r = course_at(read_number(w));

	follow(p, r);
	if (r->nr && strchr("tapz", r->actions[0].kind))
		follow_course(p);
}

void print_repeated(void)
{
	/* The rest of a burst was not computed. */
	for_each_task(p)
	{
		if (p->replayed && p->replayed->lap && !p->gone)
			repeated_ns -= p->left_ns < repeated_ns ? p->left_ns : repeated_ns;
	}
	if (repeated_ns)
		printf("repeated %llu\n", repeated_ns);
}

void forget_courses(void)
{
	for (u32 i = 0; i < nr_courses; i++) {
		struct course *r = &courses[i];

		for (u32 j = 0; j < r->nr; j++) {
			free(r->actions[j].text);
			free(r->actions[j].cpus);
		}
		free(r->actions);
	}
	free(courses);
	courses = NULL;
	nr_courses = 0;
}
