/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state kept with a task: its starter, the rules that count it, how often it
 * sleeps. Numbers of classes, CLASS_NAME, come from the command line.
 */
#define _GNU_SOURCE
#include "task.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Shared with children. */
static struct {
	volatile pid_t boss, worker, thread, heir;
} *family;

static void *wait_in_thread(void *arg)
{
	family->thread = self();
	pause();
	return arg;
}

static void worker(void)
{
	pthread_t handle;

	call_me("vm-worker");
	if (!fork()) {
		call_me("vm-heir");
		family->heir = self();
		stay();
	}
	pthread_create(&handle, NULL, wait_in_thread, NULL);
	family->worker = self();
	stay();
}

/* A process that a rule takes, its child with a thread, and a child of that: before the scheduler. */
void start_family(void)
{
	family = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (family == MAP_FAILED)
		fail("mmap");
	if (!fork()) {
		call_me("vm-job");
		family->boss = self();
		if (!fork())
			worker();
		stay();
	}
	while (!family->boss || !family->worker || !family->thread || !family->heir)
		usleep(1000);
}

void show_loaded_family(void)
{
	show("loaded-job", family->boss);
	show("loaded-worker", family->worker);
	show("loaded-worker-thread", family->thread);
	show("loaded-heir", family->heir);
	kill(family->heir, SIGKILL);
	kill(family->worker, SIGKILL);
	kill(family->boss, SIGKILL);
	waitpid(family->boss, NULL, 0);
}

static void *show_thread(void *arg)
{
	call_me("vm-thread");
	show("job-thread", self());
	return arg;
}

static void exec_sleep(void)
{
	execlp("vm-plain", "vm-plain", "30", NULL);
	fail("exec");
}

static void grandchild_steps(void)
{
	show("job-grandchild-named", self());
	call_me("vm-grandchild");
	show("job-grandchild", self());
}

static void heir_steps(void)
{
	pid_t pid;

	call_me("vm-heir");
	show("job-heir", self());
	in_thread(show_thread);
	make_cgroup("/vm.slice");
	move_to("/vm.slice");
	show("job-heir-earlier-rule", self());
	move_to("/");
	show("job-heir-back", self());
	call_me("vm-named");
	in_child(grandchild_steps);
	call_me("vm-heir");
	pid = fork();
	if (!pid)
		exec_sleep();
	usleep(300000);
	show("job-exec", pid);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void after_job(void)
{
	show("after-job-child", self());
}

/* Once it does not match, it is not taken, for nobody of the rule started it; its heirs are. */
void inherit_steps(void)
{
	pid_t heir;

	call_me("vm-job");
	show("job", self());
	in_child(heir_steps);
	heir = fork();
	if (!heir) {
		call_me("vm-heir");
		stay();
	}
	call_me("vm-after");
	show("after-job", self());
	in_child(after_job);
	usleep(10000);
	show("after-job-heir", heir);
	kill(heir, SIGKILL);
	waitpid(heir, NULL, 0);
}

static void compute_ms(int ms)
{
	long long start = now_ms();

	while (now_ms() - start < ms)
		;
}

static void watched_child(void)
{
	show_counts("watch-child", CLASS_WATCH);
	call_me("vm-heir");
	show_counts("watch-child-away", CLASS_WATCH);
	show_counts("census-child-away", CLASS_CENSUS);
	call_me("vm-watch2");
}

void monitor_steps(void)
{
	long long before;

	show_counts("watch-before", CLASS_WATCH);
	call_me("vm-watch1");
	show("watched", self());
	show_counts("watch", CLASS_WATCH);
	before = counted_ms(CLASS_WATCH);
	compute_ms(100);
	usleep(1000);
	print_count("watch-ran-ms", counted_ms(CLASS_WATCH) - before);
	in_child(watched_child);
	/* The rest of a process disappears a moment after its end. */
	usleep(300000);
	show_counts("watch-child-gone", CLASS_WATCH);
	call_me("vm-named");
	show("watched-named", self());
	show_counts("watch-after", CLASS_WATCH);
	show_counts("behind", CLASS_BEHIND);
	before = counted_ms(CLASS_WATCH);
	compute_ms(50);
	usleep(1000);
	print_count("watch-after-ran-ms", counted_ms(CLASS_WATCH) - before);
}

/* How long it takes until a task is in a class, or is not, to one that sleeps in between. */
static long long until_ms(pid_t tid, int class, int want, useconds_t sleep_us)
{
	long long start = now_ms();

	while ((class_of(tid) == class) != want && now_ms() - start < 1500)
		usleep(sleep_us);
	return now_ms() - start;
}

/* Computes, without a single sleep, while another process watches its class. */
static void compute_watched(const char *step)
{
	pid_t tid = self(), pid = fork();

	if (!pid) {
		print_count(step, until_ms(tid, CLASS_LIVELY, 0, 2000));
		_exit(0);
	}
	compute_ms(1500);
	waitpid(pid, NULL, 0);
}

/* A thread that has never slept. */
static void *lively_thread(void *unused)
{
	(void)unused;
	compute_watched("lively-thread-until-ms");
	return NULL;
}

static void lively_child(void)
{
	show("lively-child", self());
}

void sleep_steps(void)
{
	long long start;

	call_me("vm-lively");
	show("lively-before", self());
	/* To be put aside for a moment is not to sleep. */
	for (int i = 0; i < 40; i++)
		setpriority(PRIO_PROCESS, 0, i % 2);
	show("lively-reniced", self());
	print_count("lively-in-ms", until_ms(self(), CLASS_LIVELY, 1, 50000));
	start = now_ms();
	while (now_ms() - start < 1500)
		usleep(50000);
	/* 7 times a second: not as often as it takes to become interactive, enough to stay so. */
	start = now_ms();
	while (now_ms() - start < 3000)
		usleep(142000);
	show("lively-stays", self());
	compute_watched("lively-until-ms");
	start = now_ms();
	while (now_ms() - start < 3000)
		usleep(142000);
	show("lively-not-yet", self());
	start = now_ms();
	while (now_ms() - start < 2000)
		usleep(10000);
	in_child(lively_child);
	in_thread(lively_thread);
	sleep(3);
	show("lively-slept", self());
}
