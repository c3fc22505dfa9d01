/* SPDX-License-Identifier: GPL-2.0-only */
/* CPUs of rules that move with interrupts, while the scheduler is in force. */
#ifndef GTHULHU_FOLLOW_H
#define GTHULHU_FOLLOW_H

#include <stdbool.h>

struct object;

struct follow {
	bool stays; /* the CPUs stay as they are, for those of the interrupts cannot be taken */
};

/*
 * Looks where the interrupts are that a loaded object names, and moves the CPUs of its rules there. An
 * error is logged once, and all CPUs stay as they are. Without such rules it does nothing.
 */
void follow_interrupts(struct follow *follow, struct object *object);

#endif /* GTHULHU_FOLLOW_H */
