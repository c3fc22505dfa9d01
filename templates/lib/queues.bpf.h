/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The numbers of queues. Each CPU has a queue of its own, whose number is the CPU's, for tasks
 * that can run nowhere else, or stay there by choice. Each domain has two for all its other tasks:
 * a wide one, whose tasks any of its CPUs may take, and a narrow one for tasks that may not use
 * all of them.
 */
#ifndef GTHULHU_QUEUES_BPF_H
#define GTHULHU_QUEUES_BPF_H

#include "kernel.bpf.h"

enum queue {
	FIRST_DOMAIN_QUEUE = 1 << 16, /* + 2 * a domain: its wide one, + 1: its narrow one */
	FIRST_RESCUE_QUEUE = 1 << 17, /* + a queue: its tasks that have waited too long */
};

static __always_inline u64 wide_queue(u32 domain)
{
	return FIRST_DOMAIN_QUEUE + 2ULL * domain;
}

static __always_inline u64 narrow_queue(u32 domain)
{
	return wide_queue(domain) + 1;
}

static __always_inline u32 domain_of(u64 queue)
{
	return (queue - FIRST_DOMAIN_QUEUE) / 2;
}

static __always_inline bool is_narrow(u64 queue)
{
	return queue >= FIRST_DOMAIN_QUEUE && queue & 1;
}

static __always_inline bool is_wide(u64 queue)
{
	return queue >= FIRST_DOMAIN_QUEUE && !(queue & 1);
}

#endif /* GTHULHU_QUEUES_BPF_H */
