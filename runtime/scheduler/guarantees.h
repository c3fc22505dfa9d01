/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of the CPUs that rules guarantee, beside what the machine has and cgroups allow. */
#ifndef GTHULHU_GUARANTEES_H
#define GTHULHU_GUARANTEES_H

struct object;

/*
 * Warns of classes that are guaranteed more than all the CPUs that they have on this machine, and of
 * each rule whose cgroup, by its cpu.max or that of one above, may use less than the rule guarantees.
 * Requires resolved pins. Limits that are set later are not noticed. Returns 0 or -ENOMEM.
 */
int guarantees_check(const struct object *object);

#endif /* GTHULHU_GUARANTEES_H */
