/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_PREFLIGHT_H
#define GTHULHU_PREFLIGHT_H

struct kbtf;
struct object;

/*
 * Can this machine run the policy, if it is the only one? Says the first reason why not, and its
 * remedy. Changes nothing but the CPUs of the object's pins, which it finds.
 */
int preflight_check(struct object *object);

/* Is no other scheduler in force? */
int preflight_check_alone(void);

/* What preflight_check() cannot know before the kernel's BTF has been read. */
int preflight_check_btf(const struct object *object, const struct kbtf *kernel);

/* More about an error of loading or attaching, as far as it is known; NULL: nothing. */
const char *preflight_explain(int err);

#endif /* GTHULHU_PREFLIGHT_H */
