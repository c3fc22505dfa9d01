/* SPDX-License-Identifier: GPL-2.0-only */
/* The programs of processes, and the control groups, that are there when a recording begins. */
#ifndef GTHULHU_START_H
#define GTHULHU_START_H

#include <stdint.h>

struct stream;

/* Adds RECORD_PROGRAM for each process of /proc that has a program. Returns 0 or -errno. */
int start_programs(struct stream *stream, uint64_t at_ns);

/* Adds RECORD_CGROUP for each control group of version 2, if mounted. Returns 0 or -errno. */
int start_cgroups(struct stream *stream, uint64_t at_ns);

#endif /* GTHULHU_START_H */
