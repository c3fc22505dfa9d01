/* SPDX-License-Identifier: GPL-2.0-only */
/* What the running kernel says about itself in /sys and /proc. */
#ifndef GTHULHU_KERNEL_H
#define GTHULHU_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCHED_EXT_DIR "/sys/kernel/sched_ext"

/* Reads the first line of a small file into text; 0 or -errno, silently. */
int kernel_read_line(const char *path, char *text, size_t size);

/* uname's release ("7.2.13+deb14-amd64"), for people. */
const char *kernel_release(void);

/* The release as major << 16 | minor << 8, as in struct gthulhu_policy. */
unsigned int kernel_version(void);

/* CPUs in a bitmap of words, as in struct gthulhu_pin. */
struct cpu_list {
	uint64_t words[16];
	unsigned int nr_cpus; /* how many are set, also beyond the bitmap */
};

/* Beyond the bitmap a CPU is only counted, and never in the list. */
void cpu_list_add(struct cpu_list *cpus, unsigned long cpu);
bool cpu_list_has(const struct cpu_list *cpus, unsigned int cpu);

/* Parses "0-3,5". False where it is no such list. */
bool cpu_list_parse(const char *text, struct cpu_list *cpus);

/* The inverse; cuts off what does not fit. */
void cpu_list_format(const uint64_t *words, unsigned int nr_words, char *text, size_t size);

/* CPUs that are online now; 0 or -errno, silently. */
int kernel_online_cpus(struct cpu_list *cpus);

/* Name of the sched_ext scheduler in force; empty where there is none. */
void kernel_active_scheduler(char *name, size_t size);

/* Whether sched_ext is in this state ("enabled", "disabled", "disabling", "enabling"). */
bool kernel_sched_ext_is(const char *state);

/* Waits until no scheduler is on its way out, at most timeout_ms. */
void kernel_sched_ext_settle(unsigned int timeout_ms);

/* A counter in SCHED_EXT_DIR; 0 where there is none. */
uint64_t kernel_sched_ext_number(const char *file);

#endif /* GTHULHU_KERNEL_H */
