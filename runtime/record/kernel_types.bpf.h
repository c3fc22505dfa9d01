/* SPDX-License-Identifier: GPL-2.0-only */
/* Types of the kernel that the recorder reads, besides those of kernel.bpf.h. */
#ifndef GTHULHU_KERNEL_TYPES_BPF_H
#define GTHULHU_KERNEL_TYPES_BPF_H

#include "kernel.bpf.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct bpf_iter_meta {
	struct seq_file *seq;
};

struct task_io_accounting___record {
	u64 syscr;
	u64 syscw;
};

struct task_struct___record {
	unsigned long min_flt;
	unsigned long maj_flt;
	struct task_io_accounting___record ioac;
	unsigned int policy;
	u64 start_time;
	int exit_code;
	unsigned in_iowait : 1;
	struct cpumask cpus_mask;
	struct mm_struct___record *mm;
};

struct mm_struct___record {
	unsigned long arg_start;
	unsigned long arg_end;
};

struct pt_regs___x86 {
	long orig_ax;
};

struct pt_regs___arm64 {
	int syscallno;
};

struct hrtimer_clock_base {
	s64 offset;
};

struct hrtimer {
	s64 _softexpires;
	void *function;
	struct hrtimer_clock_base *base;
};

struct timerfd_ctx {
	s64 tintv;
};

struct k_itimer {
	s64 it_interval;
	union {
		struct {
			struct hrtimer timer;
		} real;
	} it;
};

struct signal_struct___record {
	struct hrtimer real_timer;
	s64 it_real_incr;
};

struct gendisk {
	int major;
	int first_minor;
};

struct request_queue {
	struct gendisk *disk;
};

struct request {
	struct request_queue *q;
	unsigned int cmd_flags;
	unsigned int __data_len;
};

struct linux_binprm {
	const char *filename;
};

struct cgroup_root {
	int hierarchy_id;
};

struct cgroup___record {
	struct cgroup_root *root;
};

#pragma clang attribute pop

#endif /* GTHULHU_KERNEL_TYPES_BPF_H */
