/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_PINS_H
#define GTHULHU_PINS_H

struct object;

/*
 * Finds the CPUs of the groups that rules name, and makes sure that a rule has
 * a CPU that is online, and others have one that is not exclusive.
 */
int pins_resolve(struct object *object);

/* Tells the object what was found. */
void pins_fill(struct object *object);

#endif /* GTHULHU_PINS_H */
