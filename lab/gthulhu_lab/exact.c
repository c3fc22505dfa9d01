// SPDX-FileCopyrightText: The gthulhuc authors
// SPDX-License-Identifier: Apache-2.0
//
// Preloaded into QEMU on the deterministic clock, whose turns it ends (`tick`). Two threads of QEMU
// act on the guest whenever the host happens to run them (QEMU 10.0, accel/tcg/icount-common.c and
// util/rcu.c):
//
// - The main loop moves the clock on to the next timer when all virtual CPUs are halted. A CPU that
//   has just been halted still has its last instructions to account for; they would be added to
//   the time of that timer, which is then late. So the main loop waits until the thread of the
//   virtual CPUs waits, too: by then all is accounted for.
// - The thread that frees what is no longer read ends the turn of the running CPU, so that it need
//   not wait. So it frees nothing: a guest lives for a minute, and leaves some megabytes.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// ---- the metronome ----

// QEMU exports its functions for its modules (include/qemu/timer.h and others). They are missing in
// the programs that start QEMU.
#pragma weak all_cpu_threads_idle
#pragma weak icount_get_raw
#pragma weak icount_to_ns
#pragma weak qemu_clock_get_ns
#pragma weak qemu_clock_deadline_ns_all
#pragma weak qemu_shutdown_requested_get
#pragma weak timer_init_full
#pragma weak timer_mod
#pragma weak timers_state
enum { QEMU_CLOCK_VIRTUAL = 1, SCALE_US = 1000, PERIOD_NS = METRONOME_US * SCALE_US };
bool all_cpu_threads_idle(void);
int64_t icount_get_raw(void);
int64_t icount_to_ns(int64_t count);
int64_t qemu_clock_get_ns(int clock);
int64_t qemu_clock_deadline_ns_all(int clock, int attributes);
int qemu_shutdown_requested_get(void);
void timer_init_full(void *timer, void *group, int clock, int scale, int attributes,
		     void (*callback)(void *), void *opaque);
void timer_mod(void *timer, int64_t expires);

// A QEMUTimer, of about 60 bytes.
static _Alignas(16) char metronome[256];

// A turn of a virtual CPU lasts until the next timer, so this one ends it. While all CPUs are idle
// there is no turn to end: the next tick is the first that does not come before another timer.
static void tick(void *unused)
{
	const int64_t now_ns = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
	int64_t next_us = now_ns / SCALE_US + METRONOME_US;
	int64_t early_ns = 0;

	(void)unused;
	if (all_cpu_threads_idle())
		early_ns = now_ns + qemu_clock_deadline_ns_all(QEMU_CLOCK_VIRTUAL, -1) -
			next_us * SCALE_US;
	if (early_ns > 0)
		next_us += (early_ns + PERIOD_NS - 1) / PERIOD_NS * METRONOME_US;
	timer_mod(metronome, next_us);
}

static void give_up(const char *why)
{
	fputs(why, stderr);
	_exit(1);
}

// The begin of QEMU's TimersState (timers-state.h, which is private): checked before and after it is
// changed.
extern struct timers_state {
	int64_t cpu_ticks_prev, cpu_ticks_offset;
	int32_t vm_clock_seqlock, vm_clock_lock;
	int16_t cpu_ticks_enabled, icount_time_shift;
	int64_t last_delta, qemu_icount_bias;
} timers_state;

// The kernel has booted: from now on an instruction takes 1 << SHIFT ns, and turns end.
static void start_metronome(void *unused)
{
	static const char other[] = "This QEMU keeps its clock otherwise than 10.0 does.\n";
	const int64_t now_ns = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
	const int64_t count = icount_get_raw();

	(void)unused;
	if (timers_state.icount_time_shift != BOOT_SHIFT)
		give_up(other);
	timers_state.qemu_icount_bias += (count << BOOT_SHIFT) - (count << SHIFT);
	timers_state.icount_time_shift = SHIFT;
	if (icount_to_ns(1) != 1 << SHIFT || qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) != now_ns)
		give_up(other);
	timer_init_full(metronome, NULL, QEMU_CLOCK_VIRTUAL, SCALE_US, 0, tick, NULL);
	tick(NULL);
}

// Until then an instruction takes 1 << BOOT_SHIFT ns. A kernel that boots waits for given times, in
// loops whose `pause` takes QEMU long. And no turn ends early: QEMU translates the instructions
// before the end of a turn for this one turn, and all code of a kernel that boots is new.
static void start_boot(void)
{
	if (!strstr(program_invocation_short_name, "qemu-system"))
		return;
	if (!timer_init_full || !icount_get_raw || !&timers_state)
		give_up("This QEMU, built without modules, exports no timers to the lab.\n");
	timer_init_full(metronome, NULL, QEMU_CLOCK_VIRTUAL, SCALE_US, 0, start_metronome, NULL);
	timer_mod(metronome, BOOT_US);
}

// ---- threads in step ----

static atomic_int cpus_wait;

static int in_main_loop(void)
{
	return syscall(SYS_gettid) == getpid();
}

// Of the other threads only that of the virtual CPUs waits for a condition.
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
	static int (*wait)(pthread_cond_t *, pthread_mutex_t *);
	static bool has_begun;
	int error;

	if (!wait)
		wait = dlvsym(RTLD_NEXT, "pthread_cond_wait", "GLIBC_2.3.2");
	if (in_main_loop())
		return wait(condition, mutex);
	// It waits for the first time before the guest begins.
	if (!has_begun)
		start_boot();
	has_begun = true;
	// The mutex is held, and the main loop needs it: it goes on when `wait` has let go of it.
	atomic_store(&cpus_wait, 1);
	syscall(SYS_futex, &cpus_wait, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	error = wait(condition, mutex);
	atomic_store(&cpus_wait, 0);
	return error;
}

// Whether the main loop has to wait for the CPUs. A guest that has ended has no idle moment.
static bool cpus_run(void)
{
	return in_main_loop() && !atomic_load(&cpus_wait) && qemu_shutdown_requested_get &&
		!qemu_shutdown_requested_get();
}

int ppoll(struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *mask)
{
	enum { LOOKS = 100 };
	const struct timespec pause = { .tv_nsec = 10000000 };
	static int (*poll)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
	int ready, error, looks;

	if (!poll)
		poll = dlsym(RTLD_NEXT, "ppoll");
	ready = poll(files, count, timeout, mask);
	error = errno;
	for (looks = 0; looks < LOOKS && cpus_run(); looks++)
		syscall(SYS_futex, &cpus_wait, FUTEX_WAIT_PRIVATE, 0, &pause, NULL, 0);
	errno = error;
	return ready;
}

// GLib's, which only the thread that frees calls.
void g_usleep(unsigned long duration_us)
{
	(void)duration_us;
	for (;;)
		pause();
}
