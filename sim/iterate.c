/* SPDX-License-Identifier: GPL-2.0-only */
/* Going through a queue, moving tasks out of it, and queueing again what waits for a lost CPU. */
#include "machine.h"
#include "cost.h"
#include "strand.h"

/* Tasks that join the queue later are left out. */
struct iterator {
	struct queue *q;
	u64 insertion; /* the last that counts */
	u32 nr, at;
	u64 slice, key;
	bool has_slice, has_key;
	struct task *tasks[];
};

static struct iterator *iterator_of(struct bpf_iter_scx_dsq *it)
{
	return (struct iterator *)(uintptr_t)it->opaque[0];
}

int bpf_iter_scx_dsq_new(struct bpf_iter_scx_dsq *it, u64 dsq, u64 flags)
{
	struct queue *q = find_queue(dsq, here);
	struct iterator *iterator;

	it->opaque[0] = 0;
	if (!q || (dsq & DSQ_BUILTIN))
		return -2; /* ENOENT */
	walk(costs.function + costs.find);
	peek_lock(&q->lock);
	iterator = calloc(1, sizeof(*iterator) + q->nr * sizeof(struct task *));
	iterator->q = q;
	iterator->insertion = nr_insertions;
	for (struct task *p = q->first; p; p = p->next)
		iterator->tasks[iterator->nr++] = p;
	it->opaque[0] = (uintptr_t)iterator;
	hold(1);
	return 0;
}

struct task_struct *bpf_iter_scx_dsq_next(struct bpf_iter_scx_dsq *it)
{
	struct iterator *iterator = iterator_of(it);

	/* The iterator itself moves along the list. */
	if (iterator)
		hold_lock(&iterator->q->lock, costs.queue, NULL);
	while (iterator && iterator->at < iterator->nr) {
		struct task *p = iterator->tasks[iterator->at++];

		if (p->queue != iterator->q || p->insertion > iterator->insertion)
			continue;
		return &p->k;
	}
	return NULL;
}

void bpf_iter_scx_dsq_destroy(struct bpf_iter_scx_dsq *it)
{
	if (iterator_of(it)) {
		walk(costs.function);
		hold_lock(&iterator_of(it)->q->lock, costs.function, NULL);
		hold(-1);
	}
	free(iterator_of(it));
	it->opaque[0] = 0;
}

void scx_bpf_dsq_move_set_slice(struct bpf_iter_scx_dsq *it, u64 slice)
{
	iterator_of(it)->slice = slice;
	iterator_of(it)->has_slice = true;
}

void scx_bpf_dsq_move_set_vtime(struct bpf_iter_scx_dsq *it, u64 key)
{
	iterator_of(it)->key = key;
	iterator_of(it)->has_key = true;
}

static bool move(struct bpf_iter_scx_dsq *it, struct task_struct *k, u64 dsq, u64 flags,
		 bool by_key, const char *function)
{
	struct iterator *iterator = iterator_of(it);
	struct queue *to = queue_or_error(dsq, here);
	struct task *p = task_of(k);

	allow(IN_DISPATCH | IN_SLEEPABLE | IN_TIMER, function);
	walk(costs.function);
	if (p->queue != iterator->q || p->insertion > iterator->insertion)
		return false;
	hold_lock(&p->queue->lock, costs.queue, NULL);
	if (iterator->has_slice)
		k->scx.slice = iterator->slice;
	if (iterator->has_key)
		k->scx.dsq_vtime = iterator->key;
	iterator->has_slice = iterator->has_key = false;
	if (to->id == DSQ_LOCAL) {
		struct cpu *c = container(to, struct cpu, local);

		if (!may_run_on(p, c->id))
			violation("error", "task %d may not run on CPU %d", k->pid, c->id);
		move_to_cpu(p, c, flags);
		return true;
	}
	queue_remove(p);
	queue_insert(to, p, flags, by_key);
	return true;
}

bool scx_bpf_dsq_move(struct bpf_iter_scx_dsq *it, struct task_struct *k, u64 dsq, u64 flags)
{
	return move(it, k, dsq, flags, false, __func__);
}

bool scx_bpf_dsq_move_vtime(struct bpf_iter_scx_dsq *it, struct task_struct *k, u64 dsq, u64 flags)
{
	return move(it, k, dsq, flags, true, __func__);
}

/* ---- Giving back what waits for a CPU that another scheduling class has taken ---- */

static u32 reenqueue(struct queue *q)
{
	u32 nr = q->nr;
	struct task *tasks[nr + 1];

	/* All first: some come back to this queue. */
	for (u32 i = 0; i < nr; i++) {
		tasks[i] = q->first;
		queue_remove(tasks[i]);
	}
	for (u32 i = 0; i < nr; i++)
		enqueue_again(tasks[i], ENQ_REENQ);
	return nr;
}

u32 scx_bpf_reenqueue_local(void)
{
	allow(IN_RELEASE, __func__);
	return reenqueue(&here->local);
}

/* From 6.19 on, when the run-queue's lock is released. */
void reenqueue_now(struct event *e)
{
	struct cpu *c = container(e, struct cpu, reenqueue);

	here = c;
	acquire(&c->guard);
	reenqueue(&c->local);
	release(&c->guard);
	here = NULL;
}

void scx_bpf_reenqueue_local___v2___compat(void)
{
	if (!here->reenqueue.pending)
		post(&here->reenqueue, now_ns + random_below(300));
}

/* Its name for the linker alone: what it returns differs. */
bool reenqueue_queue(u64 dsq, u64 flags) asm("scx_bpf_dsq_reenq");
bool reenqueue_queue(u64 dsq, u64 flags)
{
	struct queue *q = queue_or_error(dsq, here);
	struct cpu *c = container(q, struct cpu, local);

	if (q->id != DSQ_LOCAL)
		return reenqueue(q);
	if (!c->reenqueue.pending)
		post(&c->reenqueue, now_ns + random_below(300));
	return true;
}
