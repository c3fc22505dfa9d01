/* SPDX-License-Identifier: GPL-2.0-only */
/* A model of templates/lib/program.bpf.h for the classifier on the host. */
#ifndef GTHULHU_PROGRAM_BPF_H
#define GTHULHU_PROGRAM_BPF_H

#include "match.bpf.h"
#include "program_limits.h"

/* The names of a path, the last one first. */
static inline u32 program_path(struct task_struct *p, const unsigned char **names)
{
	static char text[4096];
	u32 nr = 0;
	char *slash;

	strncpy(text, p->exe ? p->exe : "", sizeof(text) - 1);
	while ((slash = strrchr(text, '/'))) {
		if (nr == COMPONENTS_MAX)
			return 0;
		names[nr++] = (unsigned char *)slash + 1;
		*slash = 0;
	}
	return nr;
}

static inline u32 find_arguments(struct task_struct *p, u64 *start)
{
	*start = (uintptr_t)p->arguments;
	return p->arguments_size < CMDLINE_MAX ? p->arguments_size : CMDLINE_MAX;
}

static inline bool has_arguments(struct task_struct *p)
{
	return p->arguments;
}

static inline long read_memory(struct task_struct *p, char *piece, u32 size, u64 from, bool is_own)
{
	memcpy(piece, (const void *)(uintptr_t)from, size);
	return 0;
}

static inline bool runs_same_program(struct task_struct *p, struct task_struct *parent)
{
	return p->exe == parent->exe;
}

#endif /* GTHULHU_PROGRAM_BPF_H */
