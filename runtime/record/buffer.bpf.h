/* SPDX-License-Identifier: GPL-2.0-only */
/* A buffer for each CPU: how the recorder's programs append to it, and what that costs. */
#ifndef GTHULHU_BUFFER_BPF_H
#define GTHULHU_BUFFER_BPF_H

#include "interrupts.bpf.h"

#include "event.h"
#include "kernel_types.bpf.h"

/* Set by the user half, which has the same structure (capture.c). */
const volatile struct constants {
	u64 key; /* hides addresses in ids */
	u64 mask_bytes;
} constants SEC(".rodata.record");

enum {
	COUNT_NMI = 0xf << 20,
	COUNT_IRQ = 0xf << 16,
	COST_PERIOD = 64, /* one in so many events is timed */
	BPF_MAP_TYPE_ARRAY_OF_MAPS = 12,
	BPF_RB_NO_WAKEUP = 1,
};

struct ring {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 12);
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, u32);
	__array(values, struct ring);
} rings SEC(".maps");

/* The state of a CPU. The user half has the same structure (capture.c). */
struct cpu_state {
	u64 lost;
	u64 events;
	u64 timed; /* of these events */
	u64 timed_ns; /* what they took */
	u32 vector; /* of the soft interrupt that began last */
	u32 irq; /* of the interrupt whose handler runs; 0: none */
	u32 timer; /* that has expired and whose function runs; 0: none */
	u32 entries; /* 1 + those of the task that runs, when it began to; 0: not known */
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct cpu_state);
} cpu_states SEC(".maps");

struct task_seen {
	u64 mark; /* of what was described last */
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct task_seen);
} seen SEC(".maps");

static __always_inline struct cpu_state *cpu_state(void)
{
	u32 zero = 0;

	return bpf_map_lookup_elem(&cpu_states, &zero);
}

/* `size`: of the whole event, in multiples of 8 bytes. */
static __always_inline void begin_event(struct record_event *event, u8 kind, u64 size, u32 task)
{
	event->at_ns = bpf_ktime_get_ns();
	event->task = task;
	event->other = 0;
	event->argument = 0;
	event->kind = kind;
	event->words = (size - sizeof(*event)) / 8;
	event->entries = 0;
}

/*
 * Begins an event in this CPU's buffer; the caller fills and submits it. NULL: the buffer is full,
 * which is counted, or `cpu` is NULL.
 */
static __always_inline void *reserve(struct cpu_state *cpu, u8 kind, u64 size, u32 task)
{
	u32 number = bpf_get_smp_processor_id();
	void *event = NULL, *ring;

	if (!cpu)
		return NULL;
	ring = bpf_map_lookup_elem(&rings, &number);
	if (ring)
		event = bpf_ringbuf_reserve(ring, size, 0);
	cpu->events++;
	if (event)
		begin_event(event, kind, size, task);
	else
		cpu->lost++;
	return event;
}

/* The user half looks by itself: to wake it would be an event of its own. */
static __always_inline void submit(void *event)
{
	bpf_ringbuf_submit(event, BPF_RB_NO_WAKEUP);
}

static __always_inline void end_timing(struct cpu_state *cpu, u64 begin_ns)
{
	if (cpu->events % COST_PERIOD)
		return;
	cpu->timed++;
	cpu->timed_ns += bpf_ktime_get_ns() - begin_ns;
}

/* A number for the structure that is the event's first argument. */
static __always_inline u32 id_of_first(const void *ctx)
{
	u64 address = 0;

	/* The verifier allows no arithmetic on a pointer. */
	bpf_probe_read_kernel(&address, sizeof(address), ctx);
	return ((address ^ constants.key) * 0x9e3779b97f4a7c15ull) >> (64 - RECORD_SOURCE_BITS) | 1;
}

/* The waker: the argument of RECORD_WAKING. */
static __always_inline u32 waker(const struct cpu_state *cpu)
{
	u32 count = interrupt_count(bpf_get_current_task_btf());

	if (count & COUNT_NMI)
		return RECORD_BY_NMI;
	if (!(count & (COUNT_SOFTIRQ | COUNT_IRQ)))
		return RECORD_BY_TASK;
	if (cpu->timer)
		return RECORD_BY_TIMER | cpu->timer << 8;
	if (count & COUNT_IRQ)
		return RECORD_BY_HARDIRQ | cpu->irq << 8;
	return RECORD_BY_SOFTIRQ | cpu->vector << 8;
}

#endif /* GTHULHU_BUFFER_BPF_H */
