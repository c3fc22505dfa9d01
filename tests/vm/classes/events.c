/* SPDX-License-Identifier: GPL-2.0-only */
/* Events that give a task another class. */
#define _GNU_SOURCE
#include "task.h"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void rename_steps(void)
{
	show("fork", self());
	call_me("vm-named");
	show("rename", self());
	call_me("vm-ex12");
	show("rename-glob", self());
	call_me("vm-ex123");
	show("rename-no-glob", self());
	call_me("vm-rereregex");
	show("rename-regex", self());
	call_me("vm-nothing");
	show("rename-away", self());
}

static void exec_step(void)
{
	execlp("vm-exec", "vm-exec", "30", NULL);
	fail("exec");
}

static void *thread_main(void *arg)
{
	*(pid_t *)arg = self();
	stay();
	return NULL;
}

static void thread_steps(void)
{
	static volatile pid_t thread;
	pthread_t handle;

	pthread_create(&handle, NULL, thread_main, (void *)&thread);
	while (!thread)
		usleep(1000);
	show("thread-before", thread);
	call_me("vm-main");
	show("main-renamed", self());
	show("thread-after", thread);
	make_cgroup("/vm.slice");
	call_me("vm-plain");
	move_to("/vm.slice");
	show("thread-cgroup", thread);
}

static void cgroup_steps(void)
{
	make_cgroup("/vm.slice");
	make_cgroup("/vm.slice/out");
	make_cgroup("/web.service");
	make_cgroup("/web.service/inner");
	make_cgroup("/web.service/old.scope");
	make_cgroup("/kubepods.slice");
	make_cgroup("/kubepods.slice/kubepods-burstable.slice");
	make_cgroup("/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1_2.slice");
	move_to("/vm.slice");
	show("cgroup-slice", self());
	move_to("/vm.slice/out");
	show("cgroup-out", self());
	move_to("/web.service/inner");
	show("cgroup-unit", self());
	move_to("/web.service/old.scope");
	show("cgroup-other-unit", self());
	move_to("/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1_2.slice");
	show("cgroup-pod", self());
	move_to("/kubepods.slice/kubepods-burstable.slice");
	show("cgroup-no-pod", self());
	move_to("/");
	show("cgroup-root", self());
}

static void forked_in_cgroup(void)
{
	show("fork-in-cgroup", self());
}

static void fork_in_cgroup(void)
{
	make_cgroup("/vm.slice");
	move_to("/vm.slice");
	in_child(forked_in_cgroup);
}

static void cloned_into_cgroup(void)
{
	show("clone-into-cgroup", self());
}

static void user_steps(void)
{
	if (setegid(77))
		fail("setegid");
	show("setegid", self());
	if (setegid(0) || seteuid(1234))
		fail("seteuid");
	show("seteuid", self());
	if (seteuid(0))
		fail("seteuid");
	show("seteuid-back", self());
}

static void nice_steps(void)
{
	setpriority(PRIO_PROCESS, 0, -5);
	show("renice", self());
	setpriority(PRIO_PROCESS, 0, -4);
	show("renice-back", self());
}

static void grandchild(void)
{
	show("grandchild", self());
	/* Its parent ends, and it becomes the child of another; that changes nothing. */
	kill(getppid(), SIGKILL);
	usleep(100000);
	call_me("vm-orphan");
	show("orphan", self());
	_exit(0);
}

static void *parent_thread(void *arg)
{
	show("child-thread", self());
	return arg;
}

static void parent_child(void)
{
	call_me("vm-child");
	show("child", self());
	in_thread(parent_thread);
	in_child(grandchild);
}

static void parent_steps(void)
{
	call_me("vm-parent");
	show("parent", self());
	in_child(parent_child);
	usleep(500000);
}

static void ancestor_child(void)
{
	show("offspring", self());
}

static void ancestor_steps(void)
{
	call_me("vm-ancestor");
	show("no-offspring", self());
	in_child(ancestor_child);
}

void event_steps(void)
{
	pid_t pid;

	in_child(rename_steps);
	pid = fork();
	if (!pid)
		exec_step();
	usleep(300000);
	show("exec", pid);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	in_child(thread_steps);
	in_child(cgroup_steps);
	in_child(fork_in_cgroup);
	in_child_in("/vm.slice", cloned_into_cgroup);
	in_child(user_steps);
	in_child(nice_steps);
	in_child(parent_steps);
	in_child(ancestor_steps);
}
