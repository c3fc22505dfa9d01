/* SPDX-License-Identifier: GPL-2.0-only */
/* The running kernel: its release, its CPUs and the state of sched_ext. Nothing here logs. */
#ifndef GTHULHU_KERNEL_H
#define GTHULHU_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCHED_EXT_DIR "/sys/kernel/sched_ext"

/*
 * Reads the first line of a small file into text, which has size bytes. Returns 0 or -errno; on
 * failure text is unspecified.
 */
int kernel_read_line(const char *path, char *text, size_t size);

/* Returns uname's release ("7.2.13+deb14-amd64"), a static text. */
const char *kernel_release(void);

/* Returns the release as major << 16 | minor << 8, as in struct gthulhu_policy; 0: unknown. */
unsigned int kernel_version(void);

/* CPUs in a bitmap of words, as in struct gthulhu_pin. */
struct cpu_list {
	uint64_t words[16];
	unsigned int nr_cpus; /* number of CPUs in the list, also of those beyond the bitmap */
};

/* Adds a CPU; one beyond the bitmap is only counted. */
void cpu_list_add(struct cpu_list *cpus, unsigned long cpu);

/* Returns true if the CPU is in the bitmap; false for every CPU beyond it. */
bool cpu_list_has(const struct cpu_list *cpus, unsigned int cpu);

/* Adds all CPUs of another list within the bitmap. */
void cpu_list_join(struct cpu_list *cpus, const struct cpu_list *others);

/* Parses "0-3,5". Returns false if text is invalid; `*cpus` is unspecified then. */
bool cpu_list_parse(const char *text, struct cpu_list *cpus);

/* The inverse; cuts off between two numbers what does not fit into size bytes. */
void cpu_list_format(const uint64_t *words, unsigned int nr_words, char *text, size_t size);

/* Reads the CPUs that are online. Returns 0 or -errno; on failure `*cpus` is unspecified. */
int kernel_online_cpus(struct cpu_list *cpus);

/* Writes the name of the sched_ext scheduler in force to name; empty: none. */
void kernel_active_scheduler(char *name, size_t size);

/* Returns true if sched_ext is in this state ("enabled", "disabled", "disabling", "enabling"). */
bool kernel_sched_ext_is(const char *state);

/* Waits until the kernel is not disabling a scheduler, at most timeout_ms (milliseconds). */
void kernel_sched_ext_settle(unsigned int timeout_ms);

/* Returns a counter in SCHED_EXT_DIR; 0: none. */
uint64_t kernel_sched_ext_number(const char *file);

#endif /* GTHULHU_KERNEL_H */
