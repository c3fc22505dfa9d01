/* SPDX-License-Identifier: GPL-2.0-only */
/* Events that are put aside in the middle: strand.c. */
#ifndef STRAND_H
#define STRAND_H

#include "machine.h"

extern bool fine; /* events can be put aside */
void begin_strand(struct event *e);
bool goes_on(const struct event *e);
bool is_between_events(void);
void end_strands(void);
void let_others_go_first(void);
u64 when_strand_goes_on(const struct cpu *c);
void acquire(struct guard *g);
void release(struct guard *g);
void forget_strands(void);

#endif /* STRAND_H */
