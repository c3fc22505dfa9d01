/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_PREFLIGHT_H
#define GTHULHU_PREFLIGHT_H

#include <stdbool.h>
#include <stddef.h>

struct kbtf;
struct object;

/*
 * Can this machine run the policy, if it is the only one? Says the first reason why not, and its
 * remedy. Changes nothing but the CPUs of the object's pins, which it finds.
 */
int preflight_check(struct object *object);

/* Its parts: has this kernel sched_ext, may this process load BPF, does this policy fit? */
int preflight_check_sched_ext(void);
int preflight_check_permission(void);
int preflight_check_policy(struct object *object);

/* Is no other scheduler in force? */
int preflight_check_alone(void);

/* What preflight_check() cannot know before the kernel's BTF has been read. */
int preflight_check_btf(const struct object *object, const struct kbtf *kernel);

/* The same before there is an object: of all functions of sched_ext. */
int preflight_check_any_btf(const struct kbtf *kernel);

/* Which CPUs are isolated, as in "2-3"; false: none is. */
bool preflight_isolated(char *cpus, size_t size);

/* More about an error of loading or attaching, as far as it is known; NULL: nothing. */
const char *preflight_remedy(int err);

#endif /* GTHULHU_PREFLIGHT_H */
