// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records what the scheduler decides and why it was asked. The programs only read and append to a
 * buffer of their CPU; the user half (capture.c) empties it. They are BTF-typed: the kernels that have
 * sched_ext have BTF, and a typed read costs one instruction.
 */
#include "describe.bpf.h"

char LICENSE[] SEC("license") = "GPL";

/* The task that starts a timer or a request; 0: an interrupt starts it. */
static __always_inline u32 requester(void)
{
	return in_interrupt() ? 0 : bpf_get_current_task_btf()->pid;
}

/* ---- Tasks ---- */

/* The tasks that are there: read by the user half before it attaches the other programs. */
SEC("iter/task")
int record_tasks(struct bpf_iter__task *ctx)
{
	struct task_struct *p = ctx->task;
	struct task_event event = {};
	struct task_seen *was;

	if (!p)
		return 0;
	begin_event(&event.event, RECORD_TASK, sizeof(event), p->pid);
	event.event.argument = session_of(p);
	fill_task(&event.task, p);
	if (bpf_seq_write(ctx->meta->seq, &event, sizeof(event)))
		return 0;
	was = bpf_task_storage_get(&seen, p, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (was)
		was->mark = mark_of(p);
	return 0;
}

/* The system call in which a task sleeps. */
static __always_inline u32 syscall_of(struct task_struct *p)
{
	const struct pt_regs *regs;
	long number = -1;

	if (p->flags & PF_KTHREAD)
		return RECORD_KERNEL;
	regs = (const void *)bpf_task_pt_regs(p);
	if (bpf_core_field_exists(((struct pt_regs___x86 *)0)->orig_ax))
		number = ((const struct pt_regs___x86 *)regs)->orig_ax;
	else if (bpf_core_field_exists(((struct pt_regs___arm64 *)0)->syscallno))
		number = ((const struct pt_regs___arm64 *)regs)->syscallno;
	return number >= 0 && number < RECORD_KERNEL ? number : RECORD_NO_SYSCALL;
}

/*
 * How often a task has entered the kernel, as far as that is counted: to read, to write, and by page
 * faults. To count all system calls would take a program for each of them.
 */
static __always_inline u32 entries_of(struct task_struct *p)
{
	struct task_struct___record *r = (void *)p;
	u32 entries = r->min_flt + r->maj_flt;

	if (bpf_core_field_exists(r->ioac.syscr))
		entries += r->ioac.syscr + r->ioac.syscw;
	return entries;
}

/* Returns those of the task that leaves, since it began to run here. */
static __always_inline u32 count_entries(struct cpu_state *cpu, struct task_struct *prev,
					 struct task_struct *next)
{
	u32 entries = cpu->entries ? entries_of(prev) + 1 - cpu->entries : 0;

	cpu->entries = entries_of(next) + 1;
	return entries < RECORD_MOST_ENTRIES ? entries : RECORD_MOST_ENTRIES;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(record_switch, bool preempt, struct task_struct *prev, struct task_struct *next,
	     unsigned int prev_state)
{
	struct cpu_state *cpu = cpu_state();
	struct record_event *event = reserve(cpu, RECORD_SWITCH, sizeof(*event), next->pid);
	u64 begin_ns;

	if (!event) {
		if (cpu)
			cpu->entries = 0;
		return 0;
	}
	begin_ns = event->at_ns;
	event->other = prev->pid;
	event->entries = count_entries(cpu, prev, next);
	if (preempt) {
		event->argument = RECORD_PREEMPTED;
	} else if (prev_state && prev->pid) {
		struct task_struct___record *r = (void *)prev;

		event->argument = prev_state & RECORD_STATE_MASK;
		event->argument |= syscall_of(prev) << RECORD_SYSCALL_SHIFT;
		if (BPF_CORE_READ_BITFIELD(r, in_iowait))
			event->argument |= RECORD_IOWAIT;
	}
	submit(event);
	if (next->pid)
		look_at(cpu, next);
	end_timing(cpu, begin_ns);
	return 0;
}

SEC("tp_btf/sched_waking")
int BPF_PROG(record_waking, struct task_struct *p)
{
	struct cpu_state *cpu = cpu_state();
	struct record_event *event = reserve(cpu, RECORD_WAKING, sizeof(*event), p->pid);
	u64 begin_ns;

	if (!event)
		return 0;
	begin_ns = event->at_ns;
	event->other = bpf_get_current_task_btf()->pid;
	event->argument = waker(cpu);
	submit(event);
	end_timing(cpu, begin_ns);
	return 0;
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(record_fork, struct task_struct *parent, struct task_struct *child)
{
	struct cpu_state *cpu = cpu_state();
	struct record_event *event = reserve(cpu, RECORD_FORK, sizeof(*event), child->pid);

	if (!event)
		return 0;
	event->other = parent->pid;
	event->argument = child->pid != child->tgid;
	submit(event);
	look_at(cpu, child);
	return 0;
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(record_exit, struct task_struct *p)
{
	struct record_event *event = reserve(cpu_state(), RECORD_EXIT, sizeof(*event), p->pid);

	if (!event)
		return 0;
	event->argument = ((struct task_struct___record *)p)->exit_code;
	submit(event);
	return 0;
}

SEC("tp_btf/task_rename")
int BPF_PROG(record_rename, struct task_struct *p, const char *name)
{
	struct {
		struct record_event event;
		char name[TASK_COMM_LEN];
	} *event;

	event = reserve(cpu_state(), RECORD_RENAME, sizeof(*event), p->pid);
	if (!event)
		return 0;
	__builtin_memset(event->name, 0, sizeof(event->name));
	bpf_probe_read_kernel_str(event->name, sizeof(event->name), name);
	submit(event);
	return 0;
}

struct text_event {
	struct record_event event;
	char first[RECORD_TEXT]; /* path */
	char rest[RECORD_TEXT]; /* arguments, of a program */
};

SEC("tp_btf/sched_process_exec")
int BPF_PROG(record_exec, struct task_struct *p, int old_pid, struct linux_binprm *program)
{
	struct mm_struct___record *mm = ((struct task_struct___record *)p)->mm;
	struct text_event *event;
	u64 size;

	event = reserve(cpu_state(), RECORD_PROGRAM, sizeof(*event), p->tgid);
	if (!event)
		return 0;
	__builtin_memset(event->first, 0, sizeof(event->first));
	__builtin_memset(event->rest, 0, sizeof(event->rest));
	bpf_probe_read_kernel_str(event->first, sizeof(event->first), program->filename);
	if (mm) {
		size = mm->arg_end - mm->arg_start;
		if (size > RECORD_TEXT - 1)
			size = RECORD_TEXT - 1;
		bpf_probe_read_user(event->rest, size, (const void *)mm->arg_start);
	}
	submit(event);
	return 0;
}

/* ---- Control groups ---- */

/* Cgroups of version 1 have ids of their own, which are not in records. */
static __always_inline bool is_v2(const struct cgroup *cgrp)
{
	return !((const struct cgroup___record *)cgrp)->root->hierarchy_id;
}

static __always_inline int tell_cgroup(struct cgroup *cgrp, const char *path)
{
	struct {
		struct record_event event;
		u64 id;
		char path[RECORD_TEXT];
	} *event;

	if (!is_v2(cgrp))
		return 0;
	event = reserve(cpu_state(), RECORD_CGROUP, sizeof(*event), 0);
	if (!event)
		return 0;
	event->id = cgrp->kn->id;
	__builtin_memset(event->path, 0, sizeof(event->path));
	bpf_probe_read_kernel_str(event->path, sizeof(event->path), path);
	submit(event);
	return 0;
}

SEC("tp_btf/cgroup_mkdir")
int BPF_PROG(record_cgroup, struct cgroup *cgrp, const char *path)
{
	return tell_cgroup(cgrp, path);
}

SEC("tp_btf/cgroup_rename")
int BPF_PROG(record_cgroup_name, struct cgroup *cgrp, const char *path)
{
	return tell_cgroup(cgrp, path);
}

SEC("tp_btf/cgroup_attach_task")
int BPF_PROG(record_attach, struct cgroup *cgrp, const char *path, struct task_struct *p,
	     bool threadgroup)
{
	struct {
		struct record_event event;
		u64 id;
	} *event;

	if (!is_v2(cgrp))
		return 0;
	event = reserve(cpu_state(), RECORD_ATTACH, sizeof(*event), p->pid);
	if (!event)
		return 0;
	event->event.argument = threadgroup;
	event->id = cgrp->kn->id;
	submit(event);
	return 0;
}

/* ---- Timers ---- */

/* The functions that the timers of tasks call; libbpf finds the addresses, 0: the kernel does not have it. */
extern const void hrtimer_wakeup __ksym __weak;
extern const void timerfd_tmrproc __ksym __weak;
extern const void posix_timer_fn __ksym __weak;
extern const void it_real_fn __ksym __weak;

/* The call that asked for a timer (enum record_timer), and its period in ns; 0: the kernel itself. */
static __always_inline u32 timer_kind(struct hrtimer *timer, u64 *period_ns)
{
	const void *function = timer->function;
	s64 period = 0;
	u32 kind = 0;

	if (!function)
		return 0;
	if (function == &hrtimer_wakeup) {
		kind = RECORD_SLEEP;
	} else if (function == &timerfd_tmrproc) {
		kind = RECORD_TIMERFD;
		bpf_core_read(&period, sizeof(period), &((struct timerfd_ctx *)timer)->tintv);
	} else if (function == &posix_timer_fn) {
		struct k_itimer *whole =
			(void *)timer - bpf_core_field_offset(struct k_itimer, it.real.timer);

		kind = RECORD_POSIX;
		bpf_core_read(&period, sizeof(period), &whole->it_interval);
	} else if (function == &it_real_fn) {
		struct signal_struct___record *whole = (void *)timer -
			bpf_core_field_offset(struct signal_struct___record, real_timer);

		kind = RECORD_ITIMER;
		bpf_core_read(&period, sizeof(period), &whole->it_real_incr);
	}
	*period_ns = period;
	return kind;
}

SEC("tp_btf/hrtimer_start")
int BPF_PROG(record_timer, struct hrtimer *timer, u32 mode)
{
	struct {
		struct record_event event;
		s64 from_now_ns;
		u64 period_ns;
	} *event;
	u64 period_ns;
	u32 kind = timer_kind(timer, &period_ns);

	if (!kind)
		return 0;
	event = reserve(cpu_state(), RECORD_TIMER, sizeof(*event), requester());
	if (!event)
		return 0;
	if (!(mode & 1 /* HRTIMER_MODE_REL */))
		kind |= RECORD_ABSOLUTE;
	event->event.argument = kind | id_of_first(ctx) << 8;
	event->from_now_ns = timer->_softexpires - timer->base->offset - event->event.at_ns;
	event->period_ns = period_ns;
	submit(event);
	return 0;
}

SEC("tp_btf/hrtimer_expire_entry")
int BPF_PROG(record_expiry, struct hrtimer *timer)
{
	struct cpu_state *cpu;
	u64 period_ns;

	if (!timer_kind(timer, &period_ns))
		return 0;
	cpu = cpu_state();
	if (cpu)
		cpu->timer = id_of_first(ctx);
	return 0;
}

SEC("tp_btf/hrtimer_expire_exit")
int BPF_PROG(record_expired, struct hrtimer *timer)
{
	struct cpu_state *cpu = cpu_state();

	if (cpu)
		cpu->timer = 0;
	return 0;
}

/* ---- Interrupts and devices ---- */

SEC("tp_btf/softirq_entry")
int BPF_PROG(record_softirq, unsigned int vector)
{
	struct cpu_state *cpu = cpu_state();

	if (cpu)
		cpu->vector = vector;
	return 0;
}

SEC("tp_btf/irq_handler_entry")
int BPF_PROG(record_irq, int irq)
{
	struct cpu_state *cpu = cpu_state();

	if (cpu)
		cpu->irq = irq;
	return 0;
}

SEC("tp_btf/irq_handler_exit")
int BPF_PROG(record_irq_end, int irq)
{
	struct cpu_state *cpu = cpu_state();

	if (cpu)
		cpu->irq = 0;
	return 0;
}

SEC("tp_btf/block_io_start")
int BPF_PROG(record_io, struct request *request)
{
	struct {
		struct record_event event;
		u64 device;
		u64 bytes;
	} *event;

	event = reserve(cpu_state(), RECORD_IO_BEGIN, sizeof(*event), requester());
	if (!event)
		return 0;
	event->event.argument = id_of_first(ctx);
	event->device = (u64)(request->q->disk->major << 20 | request->q->disk->first_minor) << 32 |
		(request->cmd_flags & 0xff);
	event->bytes = request->__data_len;
	submit(event);
	return 0;
}

SEC("tp_btf/block_io_done")
int BPF_PROG(record_io_end, struct request *request)
{
	struct record_event *event = reserve(cpu_state(), RECORD_IO_END, sizeof(*event), 0);

	if (!event)
		return 0;
	event->argument = id_of_first(ctx);
	submit(event);
	return 0;
}
