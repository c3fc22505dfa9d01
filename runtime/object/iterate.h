/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs an object's programs that go through tasks. */
#ifndef GTHULHU_ITERATE_H
#define GTHULHU_ITERATE_H

struct bpf_program;
union bpf_iter_link_info;

/*
 * Runs a loaded program for the tasks that info names, or for all tasks if info is NULL. Returns 0
 * or -errno; does not log.
 */
int iterate_tasks(struct bpf_program *program, union bpf_iter_link_info *info);

#endif /* GTHULHU_ITERATE_H */
