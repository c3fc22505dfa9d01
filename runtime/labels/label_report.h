/* SPDX-License-Identifier: GPL-2.0-only */
/* Labels as members of an answer. */
#ifndef GTHULHU_LABEL_REPORT_H
#define GTHULHU_LABEL_REPORT_H

#include <stdint.h>
#include <sys/types.h>

struct json;
struct labels;

/*
 * Writes `own`, the labels of a task, each with `from`, the process that it inherited the label
 * from, if any; and the facts about its container: `cgroup` (empty: none), `container` and
 * `complete`. Returns 0, or -ESRCH if there is no such task; nothing is written then.
 */
int label_report(const struct labels *labels, pid_t tid, struct json *json);

/* Returns the number of a task's set of labels; 0: it has none. */
uint32_t label_set_of_task(const struct labels *labels, pid_t tid);

/*
 * Writes `label_sets`, each with its `number` and `facts`, and `containers`, each with its
 * `cgroup`, `facts` and `complete`.
 */
void label_report_all(const struct labels *labels, struct json *json);

/* The same for one task, with `from` as above. */
void label_report_task(const struct labels *labels, pid_t tid, struct json *json);

#endif /* GTHULHU_LABEL_REPORT_H */
