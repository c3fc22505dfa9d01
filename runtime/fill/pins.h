/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_PINS_H
#define GTHULHU_PINS_H

struct object;

/*
 * Adds the CPUs of groups to the pins of an open object. Checks that each rule has a CPU that is
 * online, that exclusive CPUs leave one for each other rule, and that no two rules have the same one.
 * Returns 0 or -errno; on failure some pins may lack their groups.
 */
int pins_resolve(struct object *object);

/* Copies the resolved pins to the object's .rodata. */
void pins_fill(struct object *object);

#endif /* GTHULHU_PINS_H */
