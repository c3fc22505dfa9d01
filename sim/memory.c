/* SPDX-License-Identifier: GPL-2.0-only */
/* Maps, storage of tasks and cgroups, timers, and reading the kernel's memory. */
#include "machine.h"
#include "cgroup.h"
#include "cost.h"

struct storage {
	void *map;
	struct storage *next;
	_Alignas(64) char value[];
};

struct element {
	void *map;
	u64 nr, size;
	char *values;
	u32 *keys;
	struct element *next;
};

struct timer {
	void *address; /* of the struct bpf_timer */
	void *map;
	int (*callback)(void *map, void *key, void *value);
	struct cpu *c;
	struct event event;
	struct timer *next;
};

static struct element *maps;
static struct timer *timers;

static void *storage_get(struct storage **list, void *map, u64 size, const void *init, u64 flags)
{
	struct storage *s = *list;

	while (s && s->map != map)
		s = s->next;
	if (s || !(flags & BPF_LOCAL_STORAGE_GET_F_CREATE))
		return s ? s->value : NULL;
	/* Its end is the end of an allocation, which sanitizers guard. */
	s = aligned_alloc(64, (sizeof(*s) + size + 63) & ~63ULL);
	memset(s, 0, sizeof(*s) + size);
	if (init)
		memcpy(s->value, init, size);
	if (costs_on)
		name_object(s->value, size, name_of_variable(map));
	s->map = map;
	s->next = *list;
	*list = s;
	return s->value;
}

void free_storage(struct storage **list)
{
	while (*list) {
		struct storage *s = *list;

		*list = s->next;
		free(s);
	}
}

void *host_task_storage(void *map, u64 size, struct task_struct *k, const void *init, u64 flags)
{
	walk(costs.storage);
	return k ? storage_get(&task_of(k)->storage, map, size, init, flags) : NULL;
}

long host_task_storage_delete(void *map, struct task_struct *k)
{
	for (struct storage **at = &task_of(k)->storage; *at; at = &(*at)->next) {
		struct storage *s = *at;

		if (s->map != map)
			continue;
		*at = s->next;
		free(s);
		return 0;
	}
	return -2; /* ENOENT */
}

void *host_cgroup_storage(void *map, u64 size, struct cgroup *cgrp, const void *init, u64 flags)
{
	walk(costs.storage);
	return storage_get(&container(cgrp, struct cgroup_node, k)->storage, map, size, init,
			   flags);
}

static struct element *array(void *map, const char *name, u64 nr, u64 size, bool is_shared)
{
	struct element *e = maps;

	while (e && e->map != map)
		e = e->next;
	if (e)
		return e;
	e = calloc(1, sizeof(*e));
	e->map = map;
	e->nr = strncmp(name, "&percpu_", 8) ? nr : nr_cpus_;
	e->size = (size + 7) & ~7ULL;
	/* A CPU's part of a PERCPU_ARRAY is its own. */
	e->values = is_shared ? new_object(e->nr * e->size, name_of_variable(map))
			      : calloc(e->nr, e->size);
	e->keys = calloc(e->nr, sizeof(u32));
	for (u32 i = 0; i < e->nr; i++)
		e->keys[i] = i;
	e->next = maps;
	maps = e;
	return e;
}

void *host_array_element(void *map, const char *name, u32 type, u64 nr, u64 size, const void *key)
{
	bool percpu = type == BPF_MAP_TYPE_PERCPU_ARRAY;
	struct element *e;
	u32 index = *(const u32 *)key;

	walk(costs.element);
	if (type == BPF_MAP_TYPE_HASH && !strcmp(name, "&cgroup_labels"))
		return answers_of_cgroup(*(const u64 *)key);
	if (type == BPF_MAP_TYPE_HASH)
		return NULL; /* the loader has put nothing in */
	e = array(map, name, percpu ? nr * nr_cpus_ : nr, size, !percpu);
	if (type != BPF_MAP_TYPE_ARRAY && !percpu)
		fail("the model has no maps of type %u", type);
	if (percpu)
		index = index < nr ? here->id * nr + index : e->nr;
	return index < e->nr ? e->values + index * e->size : NULL;
}

/* Returns an element of a PERCPU_ARRAY, of which each CPU has `nr`; NULL if it does not exist. */
void *host_element_of_cpu(void *map, u64 nr, u64 size, const void *key, s32 cpu)
{
	struct element *e = array(map, "", nr * nr_cpus_, size, false);
	u32 index = *(const u32 *)key;

	walk(costs.small);
	if (cpu < 0 || cpu >= (s32)nr_cpus_ || index >= nr)
		return NULL;
	return e->values + (cpu * nr + index) * e->size;
}

/* When the scheduler goes, so do its maps. */
void forget_maps(void)
{
	while (maps) {
		struct element *e = maps;

		maps = e->next;
		free(e->values);
		free(e->keys);
		free(e);
	}
	while (timers) {
		struct timer *t = timers;

		timers = t->next;
		cancel(&t->event);
		free(t);
	}
}

/* ---- Timers: they expire on the CPU that started them ---- */

/* A timer's memory belongs to its map, and is 0 at first; then it leads here. */
static struct timer *timer_at(void *address)
{
	return (struct timer *)(uintptr_t)((struct bpf_timer *)address)->opaque[0];
}

static void expire(struct event *event)
{
	struct timer *t = container(event, struct timer, event);
	struct spent spent_before;
	struct call before;

	for (struct element *e = maps; e; e = e->next) {
		u64 index = ((char *)t->address - e->values) / e->size;

		if (e->map != t->map)
			continue;
		if (!t->c->online)
			t->c = &cpus_[any_cpu(&possible_cpus)];
		spent_before = begin_operation();
		before = enter(t->c, IN_TIMER, "timer", NULL);
		walk(costs.interrupt);
		t->callback(t->map, &e->keys[index], e->values + index * e->size);
		leave(before);
		end_operation(OP_TIMER, spent_before);
		return;
	}
	violation("error", "a timer that is in no map");
}

long host_timer_init(void *address, void *map, u64 flags)
{
	struct timer *t;

	if (timer_at(address))
		return -16; /* EBUSY */
	t = calloc(1, sizeof(*t));
	t->address = address;
	((struct bpf_timer *)address)->opaque[0] = (uintptr_t)t;
	t->map = map;
	t->event.happen = expire;
	t->next = timers;
	timers = t;
	return 0;
}

long host_timer_set_callback(void *address, void *callback)
{
	struct timer *t = timer_at(address);

	if (!t)
		return -22; /* EINVAL */
	t->callback = callback;
	return 0;
}

long host_timer_start(void *address, u64 after_ns, u64 flags)
{
	struct timer *t = timer_at(address);

	if (!t || !t->callback)
		return -22; /* EINVAL */
	trace("timer starts, for %llu ns", after_ns);
	walk(costs.timer);
	t->c = here;
	t->event.where = here;
	post(&t->event, (flags & 1 ? after_ns : now_ns + after_ns) + random_below(5000));
	return 0;
}

long host_timer_cancel(void *address)
{
	struct timer *t = timer_at(address);
	bool pending = t && t->event.pending;

	if (now_in.context & (IN_SELECT_CPU | IN_ENQUEUE | IN_DISPATCH | IN_OPS))
		violation("error", "%s cancels a timer, which may deadlock", now_in.name);
	if (t)
		cancel(&t->event);
	return pending;
}

/* ---- The rest of the helpers ---- */

u64 bpf_jiffies64(void)
{
	return 1 + now_ns / TICK_NS;
}

/* Nobody waits for what is written. */
long bpf_ringbuf_output(void *map, void *data, u64 size, u64 flags)
{
	return 0;
}

u64 bpf_ktime_get_ns(void)
{
	walk(costs.clock);
	return now_ns;
}

/* While a run-queue is locked the kernel remembers its clock, until that CPU looks for a task. */
u64 scx_bpf_now(void)
{
	bool is_known = now_in.context & (IN_ENQUEUE | IN_OPS) && !here->has_looked;

	walk(is_known ? costs.small : costs.clock);
	return now_ns;
}

u32 bpf_get_smp_processor_id(void)
{
	return here->id;
}

u32 bpf_get_prandom_u32(void)
{
	return random_below(1ULL << 32);
}

struct task_struct *bpf_get_current_task_btf(void)
{
	static struct task idle_task = { .k.flags = PF_IDLE | PF_KTHREAD };

	if (now_in.context == IN_TRACING && now_in.subject)
		return &now_in.subject->k;
	return here && here->curr ? &here->curr->k : &idle_task.k;
}

long bpf_probe_read_kernel(void *to, u32 size, const void *from)
{
	memcpy(to, from, size);
	return 0;
}

long bpf_probe_read_kernel_str(void *to, u32 size, const void *from)
{
	size_t length = strnlen(from, size - 1);

	memcpy(to, from, length);
	((char *)to)[length] = 0;
	return length + 1;
}
