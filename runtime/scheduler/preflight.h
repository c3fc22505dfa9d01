/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_PREFLIGHT_H
#define GTHULHU_PREFLIGHT_H

#include <stdbool.h>
#include <stddef.h>

struct kbtf;
struct object;

/*
 * Checks whether this machine can run the policy, apart from other schedulers. All checks return 0 or
 * -errno and log the first reason and its remedy. This one also resolves the CPUs of the object's
 * pins.
 */
int preflight_check(struct object *object);

/* Its parts. The first one: the kernel has sched_ext. */
int preflight_check_sched_ext(void);

/* The process may load BPF programs. */
int preflight_check_permission(void);

/* The policy fits the kernel's version and the machine's CPUs; resolves the object's pins. */
int preflight_check_policy(struct object *object);

/* Checks that no other scheduler is in force. */
int preflight_check_alone(void);

/* Checks the kernel's BTF for the functions that the object calls. */
int preflight_check_btf(const struct object *object, const struct kbtf *kernel);

/* Checks the kernel's BTF for all functions of sched_ext. */
int preflight_check_any_btf(const struct kbtf *kernel);

/* Writes the isolated CPUs, as in "2-3", to cpus. Returns false if no CPU is isolated. */
bool preflight_isolated(char *cpus, size_t size);

/*
 * Returns a remedy for an error (a positive errno value) of loading or attaching; NULL: none is
 * known. The text is static.
 */
const char *preflight_remedy(int err);

#endif /* GTHULHU_PREFLIGHT_H */
