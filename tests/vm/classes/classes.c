/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Does what gives a task another class, and prints the class's number after each step:
 *
 *	classes OBJECT LOADER
 *
 * Reads the classes from the scheduler's task storage, whose layout is in the
 * object's BTF.
 */
#define _GNU_SOURCE
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CGROUPS "/sys/fs/cgroup"

static unsigned int class_offset;
static int map_fd = -1;

static void fail(const char *what)
{
	fprintf(stderr, "classes: %s: %s\n", what, strerror(errno));
	_exit(1);
}

static void read_layout(const char *object)
{
	struct btf *btf = btf__parse(object, NULL);
	const struct btf_type *type;
	int id;

	id = btf ? btf__find_by_name_kind(btf, "task_ctx", BTF_KIND_STRUCT) : -1;
	if (id < 0)
		fail("no struct task_ctx");
	type = btf__type_by_id(btf, id);
	for (int i = 0; i < btf_vlen(type); i++) {
		if (!strcmp(btf__name_by_offset(btf, btf_members(type)[i].name_off), "class"))
			class_offset = btf_member_bit_offset(type, i) / 8;
	}
	btf__free(btf);
}

static void find_map(void)
{
	struct bpf_map_info info;
	__u32 id = 0, len;

	while (!bpf_map_get_next_id(id, &id)) {
		int fd = bpf_map_get_fd_by_id(id);

		len = sizeof(info);
		memset(&info, 0, sizeof(info));
		if (fd >= 0 && !bpf_map_get_info_by_fd(fd, &info, &len) &&
		    !strcmp(info.name, "task_ctxs")) {
			map_fd = fd;
			return;
		}
		close(fd);
	}
	fail("no task storage");
}

/* The number of a thread's class, printed after the name of the step. */
static void show(const char *step, pid_t tid)
{
	int pidfd = syscall(SYS_pidfd_open, tid, O_EXCL /* PIDFD_THREAD */);
	char value[4096];
	int class = -1;

	if (pidfd >= 0 && !bpf_map_lookup_elem(map_fd, &pidfd, value))
		memcpy(&class, value + class_offset, sizeof(class));
	printf("%s %d\n", step, class);
	fflush(stdout);
	close(pidfd);
}

static pid_t self(void)
{
	return syscall(SYS_gettid);
}

static void call_me(const char *name)
{
	if (prctl(PR_SET_NAME, name))
		fail("prctl");
}

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		fail(path);
	close(fd);
}

static void move_to(const char *cgroup)
{
	char path[512];

	snprintf(path, sizeof(path), CGROUPS "%s/cgroup.procs", cgroup);
	write_file(path, "0");
}

static void make_cgroup(const char *cgroup)
{
	char path[512];

	snprintf(path, sizeof(path), CGROUPS "%s", cgroup);
	if (mkdir(path, 0755) && errno != EEXIST)
		fail(path);
}

/* Runs a step in a process of its own. */
static void in_child(void (*step)(void))
{
	pid_t pid = fork();

	if (!pid) {
		step();
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

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
	execl("/tmp/vm-exec", "/tmp/vm-exec", "30", NULL);
	fail("exec");
}

static void *thread_main(void *arg)
{
	*(pid_t *)arg = self();
	pause();
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
	pthread_t handle;

	call_me("vm-child");
	show("child", self());
	pthread_create(&handle, NULL, parent_thread, NULL);
	pthread_join(handle, NULL);
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

/* A process, its child and its grandchild, there before the scheduler is. */
static void start_tree(volatile pid_t *child, volatile pid_t *grandchild)
{
	if (!fork()) {
		call_me("vm-parent");
		pid_t pid = fork();

		if (pid) {
			*child = pid;
		} else {
			call_me("vm-child");
			pid = fork();
			if (pid)
				*grandchild = pid;
		}
		for (;;)
			pause();
	}
	while (!*child || !*grandchild)
		usleep(1000);
}

static void start_loader(const char *loader, const char *object)
{
	char state[32] = "";

	if (!fork()) {
		dup2(STDERR_FILENO, STDOUT_FILENO);
		execl(loader, loader, object, NULL);
		fail(loader);
	}
	for (int i = 0; i < 1200 && strncmp(state, "enabled", 7); i++) {
		int fd = open("/sys/kernel/sched_ext/state", O_RDONLY);

		usleep(100000);
		if (read(fd, state, sizeof(state)) < 0)
			fail("state");
		close(fd);
	}
}

int main(int argc, char **argv)
{
	volatile pid_t *tree;
	pid_t pid;

	if (argc != 3)
		return 2;
	tree = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (tree == MAP_FAILED)
		fail("mmap");
	read_layout(argv[1]);
	start_tree(&tree[0], &tree[1]);
	start_loader(argv[2], argv[1]);
	find_map();

	show("loaded-child", tree[0]);
	show("loaded-grandchild", tree[1]);
	show("kthreadd", 2);
	show("kthread", 3);
	in_child(rename_steps);
	pid = fork();
	if (!pid)
		exec_step();
	usleep(300000);
	show("exec", pid);
	kill(pid, SIGKILL);
	in_child(thread_steps);
	in_child(cgroup_steps);
	in_child(fork_in_cgroup);
	in_child(user_steps);
	in_child(nice_steps);
	in_child(parent_steps);
	in_child(ancestor_steps);
	return 0;
}
