/* SPDX-License-Identifier: GPL-2.0-only */
/* What there is of labels, as members of an answer. */
#ifndef GTHULHU_LABEL_REPORT_H
#define GTHULHU_LABEL_REPORT_H

#include <stdint.h>
#include <sys/types.h>

struct json;
struct labels;

/*
 * `own`, the labels that a task was given, each with `from` where it has them from the one that
 * started it; and what is known of its container: `cgroup`, empty where nothing is, `container`
 * and `complete`.
 */
int label_report(const struct labels *labels, pid_t tid, struct json *json);

/* The number of the set of labels that a task was given; 0: it was given none. */
uint32_t label_set_of_task(const struct labels *labels, pid_t tid);

/*
 * What these numbers stand for, and what is known of containers: `label_sets`, each with its
 * `number` and `facts`, and `containers`, each with its `cgroup`, `facts` and `complete`.
 */
void label_report_all(const struct labels *labels, struct json *json);

/* The same of what one task has, with `from` as above. */
void label_report_task(const struct labels *labels, pid_t tid, struct json *json);

#endif /* GTHULHU_LABEL_REPORT_H */
