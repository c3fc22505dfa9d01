/* SPDX-License-Identifier: GPL-2.0-only */
/* templates/lib/program.bpf.h for the host: the tasks of the model run no program. */
#ifndef HOST_PROGRAM_BPF_H
#define HOST_PROGRAM_BPF_H

#include "match.bpf.h"
#include "program_limits.h"

struct file;

static inline struct file *program_file(struct task_struct *p)
{
	return NULL;
}

static inline u32 program_path(struct task_struct *p, const unsigned char **names)
{
	return 0;
}

static inline u32 find_arguments(struct task_struct *p, u64 *start)
{
	*start = 0;
	return 0;
}

static inline bool has_arguments(struct task_struct *p)
{
	return false;
}

static inline long read_memory(struct task_struct *p, char *piece, u32 size, u64 from, bool is_own)
{
	return -14; /* EFAULT */
}

static inline bool runs_same_program(struct task_struct *p, struct task_struct *parent)
{
	return false;
}

#endif /* HOST_PROGRAM_BPF_H */
