// SPDX-FileCopyrightText: The gthulhuc authors
// SPDX-License-Identifier: Apache-2.0
//
// Preloaded into QEMU on the deterministic clock. Two of its threads act on the guest whenever the
// host happens to run them (QEMU 10.0, accel/tcg/icount-common.c and util/rcu.c):
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
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int cpus_wait;

static int in_main_loop(void)
{
	return syscall(SYS_gettid) == getpid();
}

// Of the other threads only that of the virtual CPUs waits for a condition.
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
	int (*wait)(pthread_cond_t *, pthread_mutex_t *);
	int error;

	wait = dlvsym(RTLD_NEXT, "pthread_cond_wait", "GLIBC_2.3.2");
	if (in_main_loop())
		return wait(condition, mutex);
	// The mutex is held, and the main loop needs it: it goes on when `wait` has let go of it.
	atomic_store(&cpus_wait, 1);
	syscall(SYS_futex, &cpus_wait, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	error = wait(condition, mutex);
	atomic_store(&cpus_wait, 0);
	return error;
}

int ppoll(struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *mask)
{
	// A guest without an idle moment may want to end.
	const struct timespec patience = { .tv_sec = 1 };
	int (*poll)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
	int ready, error;

	poll = dlsym(RTLD_NEXT, "ppoll");
	ready = poll(files, count, timeout, mask);
	error = errno;
	if (in_main_loop() && !atomic_load(&cpus_wait))
		syscall(SYS_futex, &cpus_wait, FUTEX_WAIT_PRIVATE, 0, &patience, NULL, 0);
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
