/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Carries out the requests about labels: of a process, or of all processes in a cgroup. Each function
 * returns the answer, for control_answer().
 */
#ifndef GTHULHU_LABELLING_H
#define GTHULHU_LABELLING_H

#include <stddef.h>

struct context;

/* `label PID CHANGE...`; without a change it shows the labels. */
char *label_process(struct context *ctx, char *const *fields, size_t nr);

/* `cgroup PATH all|some FACT...` or `cgroup PATH none`. */
char *label_cgroup(struct context *ctx, char *const *fields, size_t nr);

#endif /* GTHULHU_LABELLING_H */
