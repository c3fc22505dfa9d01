/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_PINS_H
#define GTHULHU_PINS_H

#include <stdbool.h>

#include "abi.h"

struct cpu_list;
struct json;
struct object;

/*
 * Finds the CPUs of the groups of an open object's pins, also again. Checks that each rule has a CPU
 * that is online, that exclusive CPUs leave one for each other rule, and that no two rules have the
 * same one. Returns 0 or -errno; on failure some pins may lack their groups.
 */
int pins_resolve(struct object *object);

/*
 * Finds the CPUs that are online and that the tasks of resolved pin number - 1 may use; with number 0,
 * those of tasks without a pin. The list is empty if there is no such pin, or /sys cannot be read.
 */
void pins_cpus(const struct object *object, unsigned int number, struct cpu_list *cpus);

/* Copies the resolved pins to the object's data. */
void pins_fill(struct object *object);

/* CPUs that this machine decides: as the rule asks for them, and as they are. */
struct pin_text {
	const struct gthulhu_pin *pin; /* of the object */
	char asked[GTHULHU_PIN_GROUPS * (GTHULHU_NAME_LEN + 16) + 256]; /* "0, any 1" */
	char cpus[256]; /* "0,3" */
};

/*
 * Writes the next pin with groups to `*text`. `*number` is the position, 0 at first. Returns false if
 * there are no more.
 */
bool pins_next(const struct object *object, unsigned int *number, struct pin_text *text);

/* Writes an array `cpus` of the pins with groups; nothing if no pin has groups. */
void pins_write(const struct object *object, struct json *json);

#endif /* GTHULHU_PINS_H */
