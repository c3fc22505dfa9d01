/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of the CPUs that rules guarantee, beside the limits of their cgroups. */
#ifndef GTHULHU_GUARANTEES_H
#define GTHULHU_GUARANTEES_H

struct object;

/*
 * Warns of each rule whose cgroup, by its cpu.max or that of one above, may use less than the rule
 * guarantees. Requires resolved pins. Limits that are set later are not noticed.
 */
void guarantees_check(const struct object *object);

#endif /* GTHULHU_GUARANTEES_H */
