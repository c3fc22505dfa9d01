/* SPDX-License-Identifier: GPL-2.0-only */
/* Dispatch queues (DSQs), and the kernel's functions that fill and drain them. */
#include "machine.h"
#include "cost.h"

enum { NR_BUCKETS = 4096 };

static struct queue *user_queues[NR_BUCKETS]; /* by the low bits of their numbers */
struct queue global_queue = { .id = DSQ_GLOBAL };
u64 nr_insertions;

struct queue *find_queue(u64 id, struct cpu *local_of)
{
	if (id == DSQ_LOCAL)
		return &local_of->local;
	if (id == DSQ_GLOBAL)
		return &global_queue;
	if ((id & DSQ_LOCAL_ON) == DSQ_LOCAL_ON) {
		u32 cpu = id & 0xffffffff;

		return cpu < nr_cpus_ ? &cpus_[cpu].local : NULL;
	}
	for (struct queue *q = user_queues[id % NR_BUCKETS]; q; q = q->next) {
		if (q->id == id)
			return q;
	}
	return NULL;
}

struct queue *queue_or_error(u64 id, struct cpu *local_of)
{
	struct queue *q = find_queue(id, local_of);

	if (!q)
		violation("error", "no queue 0x%llx", id);
	return q;
}

/* A queue that the kernel looks up by its number. */
static struct queue *look_up(u64 id)
{
	if (!(id & DSQ_BUILTIN))
		walk(costs.find);
	return queue_or_error(id, here);
}

/* The links that the scheduler sees lead on, and from the last task to the queue. */
static struct list_head *link_of(struct queue *q, struct task *p)
{
	return p ? &p->k.scx.dsq_list.node : &q->k.list;
}

static void link_between(struct queue *q, struct task *p, struct task *prev, struct task *next)
{
	p->prev = prev;
	p->next = next;
	*(prev ? &prev->next : &q->first) = p;
	*(next ? &next->prev : &q->last) = p;
	link_of(q, prev)->next = link_of(q, p);
	link_of(q, p)->next = link_of(q, next);
	p->k.scx.dsq = &q->k;
	q->k.id = q->id;
}

static void local_has_more(struct cpu *c, struct task *p, u64 flags)
{
	if (c->in_balance)
		return;
	if ((flags & ENQ_PREEMPT) && c->curr && c->curr != p)
		c->curr->k.scx.slice = 0;
	else if (c->curr || c->real_time)
		return;
	resched(c);
}

void queue_insert(struct queue *q, struct task *p, u64 flags, bool by_key)
{
	struct task *next = NULL;

	trace("task %d into 0x%llx of CPU %d", p->k.pid, q->id, p->cpu);
	if (p->queue)
		violation("I1", "task %d is put into queue 0x%llx and waits in 0x%llx", p->k.pid,
			  q->id, p->queue->id);
	if (q->nr && q->by_key != by_key)
		violation("error", "queue 0x%llx has tasks with and without a key", q->id);
	p->insertion = ++nr_insertions;
	if (by_key) {
		next = take_place(q, p);
	} else if (flags & (ENQ_HEAD | ENQ_PREEMPT)) {
		next = q->first;
	}
	link_between(q, p, next ? next->prev : q->last, next);
	if (!(q->id & DSQ_BUILTIN))
		walk(costs.find);
	if (q->id != DSQ_LOCAL)
		hold_lock(&q->lock, costs.queue, p);
	q->nr++;
	q->by_key = by_key;
	p->queue = q;
	p->queued_ns = now_ns;
	p->in_custody = false;
	p->direct_dsq = DSQ_INVALID;
	if (q->id == DSQ_LOCAL)
		local_has_more(container(q, struct cpu, local), p, flags);
}

/* Its cgroup has used up its quota: the queue of templates/limits.j2. */
bool is_held(const struct task *p)
{
	return p->queue && p->queue->id == 1 << 18;
}

void queue_remove(struct task *p)
{
	struct queue *q = p->queue;

	if (!q)
		return;
	if (q->by_key)
		leave_place(q, p);
	if (is_held(p))
		p->released_ns = now_ns;
	*(p->prev ? &p->prev->next : &q->first) = p->next;
	*(p->next ? &p->next->prev : &q->last) = p->prev;
	link_of(q, p->prev)->next = link_of(q, p->next);
	p->k.scx.dsq = NULL;
	q->nr--;
	p->queue = NULL;
	p->next = p->prev = NULL;
}

/* A task goes to a CPU's own queue, wherever it was. */
void move_to_cpu(struct task *p, struct cpu *c, u64 flags)
{
	queue_remove(p);
	p->cpu = c->id;
	queue_insert(&c->local, p, flags, false);
}

/* Takes a task out while the queue is locked; another CPU's has to leave that one's, too. */
static void take(struct queue *q, struct task *p, struct cpu *c, u32 nr_looked_at)
{
	hold_lock(&q->lock, costs.queue + (nr_looked_at - 1) * costs.function, p);
	walk(costs.take);
	/* The event that inserts it may not have ended yet. */
	if (costs_on && p->queued_ns > now_ns)
		spend(p->queued_ns - now_ns, &spent.lock_wait_ns);
	if (p->cpu != c->id)
		hold_lock(&cpus_[p->cpu].lock, costs.queue, NULL);
	move_to_cpu(p, c, 0);
}

bool consume(struct queue *q, struct cpu *c)
{
	u32 nr_looked_at = 0;

	peek_lock(&q->lock);
	for (struct task *p = q->first; p; p = p->next) {
		nr_looked_at++;
		if (p->cpu != c->id && (!may_run_on(p, c->id) || is_running(p)))
			continue;
		take(q, p, c, nr_looked_at);
		return true;
	}
	if (nr_looked_at)
		hold_lock(&q->lock, costs.queue + nr_looked_at * costs.function, NULL);
	return false;
}

void flush_dispatched(struct cpu *own)
{
	for (u32 i = 0; i < own->nr_dispatched; i++) {
		const struct insertion *wanted = &own->dispatched[i];
		struct queue *q = queue_or_error(wanted->dsq, own);
		struct task *p = wanted->p;
		struct cpu *c;

		/* Another event has taken it back meanwhile. */
		if (!p->in_custody)
			continue;
		if (q->id != DSQ_LOCAL) {
			queue_insert(q, p, wanted->flags, wanted->by_key);
			continue;
		}
		c = container(q, struct cpu, local);
		if (!may_run_on(p, c->id))
			violation("error", "task %d may not run on CPU %d", p->k.pid, c->id);
		if (c != here)
			hold_lock(&c->lock, costs.queue, NULL);
		move_to_cpu(p, c, wanted->flags);
	}
	own->nr_dispatched = 0;
}

void forget_queues(void)
{
	for (u32 i = 0; i < NR_BUCKETS; i++) {
		while (user_queues[i]) {
			struct queue *q = user_queues[i];

			user_queues[i] = q->next;
			free(q->places);
			free(q);
		}
	}
	for_each_cpu(c) c->nr_dispatched = 0;
}

/* ---- The kernel's functions ---- */

s32 scx_bpf_create_dsq(u64 id, s32 node)
{
	struct queue *q;
	char name[32];

	allow(IN_SLEEPABLE, __func__);
	if (id & DSQ_BUILTIN)
		return -22; /* EINVAL */
	if (find_queue(id, NULL))
		return -17; /* EEXIST */
	q = calloc(1, sizeof(*q));
	q->id = id;
	snprintf(name, sizeof(name), "queue 0x%llx", id);
	init_lock(&q->lock, name);
	q->next = user_queues[id % NR_BUCKETS];
	user_queues[id % NR_BUCKETS] = q;
	return 0;
}

void scx_bpf_destroy_dsq(u64 id)
{
	struct queue *q = queue_or_error(id, here);

	if (q->nr)
		violation("error", "queue 0x%llx is destroyed with %u tasks", id, q->nr);
	for (struct queue **at = &user_queues[id % NR_BUCKETS]; *at; at = &(*at)->next) {
		if (*at == q) {
			*at = q->next;
			free(q->places);
			free(q);
			return;
		}
	}
}

s32 scx_bpf_dsq_nr_queued(u64 id)
{
	struct queue *q = find_queue(id, here);

	walk(costs.function + (id & DSQ_BUILTIN ? 0 : costs.find));
	if (q)
		peek_lock(q->id == DSQ_LOCAL ? &container(q, struct cpu, local)->lock : &q->lock);
	return q ? (s32)q->nr : -2; /* ENOENT */
}

static void insert(struct task_struct *k, u64 dsq, u64 slice_ns, u64 flags, bool by_key, u64 key,
		   const char *function)
{
	struct task *p = task_of(k);

	allow(IN_SELECT_CPU | IN_ENQUEUE | IN_DISPATCH, function);
	walk(costs.insert);
	queue_or_error(dsq, here);
	if (by_key && (dsq & DSQ_BUILTIN))
		violation("error", "a key for the built-in queue 0x%llx", dsq);
	if (now_in.context == IN_DISPATCH) {
		if (here->nr_dispatched == MAX_DISPATCHED)
			violation("error", "dispatch inserts more than %d tasks", MAX_DISPATCHED);
		here->dispatched[here->nr_dispatched++] =
			(struct insertion){ p, dsq, flags, by_key };
	} else {
		if (now_in.subject != p)
			violation("error", "%s inserts task %d", now_in.name, k->pid);
		if (p->direct_dsq != DSQ_INVALID)
			violation("error", "task %d is inserted twice", k->pid);
		p->direct_dsq = dsq;
		p->direct_flags = flags | (by_key ? BY_KEY : 0);
	}
	k->scx.slice = slice_ns ?: k->scx.slice ?: 1;
	if (by_key)
		k->scx.dsq_vtime = key;
}

void scx_bpf_dsq_insert(struct task_struct *k, u64 dsq, u64 slice_ns, u64 flags)
{
	insert(k, dsq, slice_ns, flags, false, 0, __func__);
}

bool scx_bpf_dsq_insert___v2___compat(struct task_struct *k, u64 dsq, u64 slice_ns, u64 flags)
{
	insert(k, dsq, slice_ns, flags, false, 0, __func__);
	return true;
}

void scx_bpf_dsq_insert_vtime(struct task_struct *k, u64 dsq, u64 slice_ns, u64 key, u64 flags)
{
	insert(k, dsq, slice_ns, flags, true, key, __func__);
}

bool __scx_bpf_dsq_insert_vtime(struct task_struct *k, struct scx_bpf_dsq_insert_vtime_args *args)
{
	insert(k, args->dsq_id, args->slice, args->enq_flags, true, args->vtime, __func__);
	return true;
}

bool scx_bpf_dsq_move_to_local(u64 dsq)
{
	allow(IN_DISPATCH, __func__);
	walk(costs.function);
	flush_dispatched(here);
	return consume(look_up(dsq), here);
}

bool scx_bpf_dsq_move_to_local___v2___compat(u64 dsq, u64 flags)
{
	return scx_bpf_dsq_move_to_local(dsq);
}

u32 scx_bpf_dispatch_nr_slots(void)
{
	return MAX_DISPATCHED - here->nr_dispatched;
}

struct task_struct *scx_bpf_dsq_peek(u64 dsq)
{
	struct queue *q = look_up(dsq);

	if (dsq & DSQ_BUILTIN)
		violation("error", "peek into the built-in queue 0x%llx", dsq);
	walk(costs.function);
	peek_lock(&q->lock);
	return q->first ? &q->first->k : NULL;
}
