/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The program that a process runs: the path of its file, and its arguments. Both are read where
 * they are known best: at exec, by the process itself, when the kernel has just written them.
 */
#ifndef GTHULHU_PROGRAM_BPF_H
#define GTHULHU_PROGRAM_BPF_H

#include "match.bpf.h"
#include "program_limits.h"

enum {
	MAX_CLIMB = 64, /* components, and mounts that the path goes through */
	PF_FORKNOEXEC = 0x40,
};

/* Other views of the kernel's structures than kernel.bpf.h has; CO-RE ignores what follows ___. */
#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct qstr {
	const unsigned char *name;
};

struct dentry {
	struct dentry *d_parent;
	struct qstr d_name;
};

struct vfsmount {
	struct dentry *mnt_root;
};

struct mount {
	struct mount *mnt_parent;
	struct dentry *mnt_mountpoint;
	struct vfsmount mnt;
};

struct path {
	struct vfsmount *mnt;
	struct dentry *dentry;
};

struct file {
	struct path f_path;
};

struct mm_struct {
	struct file *exe_file;
	unsigned long arg_start;
	unsigned long arg_end;
	unsigned long env_start;
};

struct task_struct___program {
	struct mm_struct *mm;
};

#pragma clang attribute pop

static __always_inline struct mm_struct *memory_of(struct task_struct *p)
{
	return BPF_CORE_READ((struct task_struct___program *)p, mm);
}

/* The file that a process runs; NULL: it is a kernel thread, or ends. */
static __always_inline struct file *program_file(struct task_struct *p)
{
	struct mm_struct *mm = memory_of(p);

	return mm ? BPF_CORE_READ(mm, exe_file) : NULL;
}

/*
 * The names of a program's path, the last one first, up to the root of its mounts. Returns their
 * number; 0: there is no program, or its path has more.
 */
static __noinline u32 program_path(struct task_struct *p, const unsigned char **names)
{
	struct file *file = program_file(p);
	struct dentry *dentry, *root, *parent;
	struct mount *mount, *above;
	struct vfsmount *mnt;
	u32 nr = zero;
	int step;

	if (!file)
		return 0;
	dentry = BPF_CORE_READ(file, f_path.dentry);
	mnt = BPF_CORE_READ(file, f_path.mnt);
	mount = (void *)mnt - bpf_core_field_offset(struct mount, mnt);
	root = BPF_CORE_READ(mnt, mnt_root);
	bpf_for(step, 0, MAX_CLIMB) {
		if (dentry == root) {
			above = BPF_CORE_READ(mount, mnt_parent);
			if (above == mount)
				return nr;
			dentry = BPF_CORE_READ(mount, mnt_mountpoint);
			mount = above;
			root = BPF_CORE_READ(mount, mnt.mnt_root);
			continue;
		}
		if (nr >= COMPONENTS_MAX)
			return 0;
		names[nr & (COMPONENTS_MAX - 1)] = BPF_CORE_READ(dentry, d_name.name);
		nr++;
		/* A file in memory alone is in no directory. */
		parent = BPF_CORE_READ(dentry, d_parent);
		if (parent == dentry)
			return nr;
		dentry = parent;
	}
	return 0;
}

/* Where a process has its arguments, each with a NUL at its end. Returns their size in bytes. */
static __always_inline u32 find_arguments(struct task_struct *p, u64 *start)
{
	struct mm_struct *mm = memory_of(p);
	u64 size;

	*start = mm ? BPF_CORE_READ(mm, arg_start) : 0;
	size = mm ? BPF_CORE_READ(mm, arg_end) - *start : 0;
	return size < CMDLINE_MAX ? size : CMDLINE_MAX;
}

/* Whether an exec has come so far that all arguments are there: the environment comes after them. */
static __always_inline bool has_arguments(struct task_struct *p)
{
	struct mm_struct *mm = memory_of(p);

	return mm && BPF_CORE_READ(mm, env_start);
}

/* Reads up to PATH_PIECE bytes of a task's memory: of its own, or of another one's. */
static __always_inline long read_memory(struct task_struct *p, char *piece, u32 size, u64 from,
					bool is_own)
{
	if (is_own)
		return bpf_probe_read_user(piece, size, (void *)from);
	return bpf_copy_from_user_task(piece, size, (void *)from, p, 0);
}

/* Whether a process was forked by another one, and still runs the same program. */
static __always_inline bool runs_same_program(struct task_struct *p, struct task_struct *parent)
{
	return p->flags & PF_FORKNOEXEC && program_file(p) == program_file(parent);
}

#endif /* GTHULHU_PROGRAM_BPF_H */
