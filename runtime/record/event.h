/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events as the BPF programs hand them to the user half, and as blocks of a record have them
 * (docs/record.md). The numbers here are part of the format: they never change.
 */
#ifndef GTHULHU_RECORD_EVENT_H
#define GTHULHU_RECORD_EVENT_H

enum record_kind {
	/* task: next; other: prev; argument: enum record_switch; words: prev's entries, unless 0 */
	RECORD_SWITCH = 1,
	RECORD_WAKING = 2, /* task: woken; other: current; argument: context | source << 8 */
	RECORD_FORK = 3, /* task: child; other: parent; argument: 1 for a thread */
	RECORD_TASK = 4, /* argument: session; words: struct record_task */
	RECORD_PROGRAM = 5, /* task: process; words: path, arguments, each with its NUL */
	RECORD_EXIT = 6, /* argument: exit code */
	RECORD_RENAME = 7, /* words: the name, 16 bytes */
	RECORD_CGROUP = 8, /* words: id, path with its NUL */
	RECORD_ATTACH = 9, /* argument: 1 for all threads of the process; words: id of the cgroup */
	RECORD_TIMER = 10, /* argument: enum record_timer | id << 8; words: ns from now, period */
	RECORD_IO_BEGIN = 11, /* argument: id; words: device << 32 | operation, bytes */
	RECORD_IO_END = 12, /* argument: id */
	RECORD_LOST = 13, /* argument: events of this CPU that did not fit into its buffer */
};

/* Where a wake-up comes from, and what its source is. */
enum record_context {
	RECORD_BY_TASK = 0, /* the current task; 0 is the idle one */
	RECORD_BY_SOFTIRQ = 1, /* source: its vector */
	RECORD_BY_HARDIRQ = 2, /* source: its number; 0: a timer's or another CPU's */
	RECORD_BY_NMI = 3,
	RECORD_BY_TIMER = 4, /* source: id of the timer, as in RECORD_TIMER */
};

/* Bits of a switch's argument. */
enum record_switch {
	RECORD_STATE_MASK = 0xffff, /* the kernel's bits of the state of prev; 0: still runnable */
	RECORD_PREEMPTED = 1 << 16,
	RECORD_IOWAIT = 1 << 17,
	RECORD_SYSCALL_SHIFT = 18, /* the system call in which prev sleeps */
	RECORD_NO_SYSCALL = 0x3fff, /* it sleeps in none: a page fault */
	RECORD_KERNEL = 0x3ffe, /* it is a kernel thread */
};

enum record_timer {
	RECORD_SLEEP = 1, /* of a sleeping task: nanosleep, or the time limit of a wait */
	RECORD_TIMERFD = 2,
	RECORD_POSIX = 3, /* timer_create */
	RECORD_ITIMER = 4, /* setitimer, alarm */
	RECORD_ABSOLUTE = 1 << 4, /* it was asked for as a time of the clock, not as a duration */
};

enum record_limits {
	RECORD_MASK_WORDS = 16, /* CPUs beyond 1024 are not in masks */
	RECORD_TEXT = 256, /* bytes of a path or of a program's arguments */
	RECORD_SOURCE_BITS = 24,
	RECORD_MOST_ENTRIES = 0xffff,
};

struct record_event {
	unsigned long long at_ns; /* CLOCK_MONOTONIC */
	unsigned int task;
	unsigned int other;
	unsigned int argument;
	unsigned char kind;
	unsigned char words; /* of 8 bytes after this structure */
	unsigned short entries; /* of a switch: how often prev entered the kernel while it ran */
};

enum record_task_flags {
	RECORD_KTHREAD = 1,
};

struct record_task {
	unsigned long long start_ns; /* CLOCK_MONOTONIC; tells tasks with one number apart */
	unsigned int process;
	unsigned int parent; /* process */
	unsigned int uid;
	unsigned int gid;
	unsigned long long cgroup; /* id, of cgroup v2 */
	unsigned short priority; /* the kernel's static_prio: 120 + nice */
	unsigned char policy; /* SCHED_*, as in sched(7) */
	unsigned char flags;
	unsigned int nr_cpus; /* that it may use */
	char name[16];
	unsigned long long mask[RECORD_MASK_WORDS]; /* of these CPUs */
};

#endif /* GTHULHU_RECORD_EVENT_H */
