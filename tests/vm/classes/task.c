/* SPDX-License-Identifier: GPL-2.0-only */
#define _GNU_SOURCE
#include "task.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "abi.h"

#define CGROUPS "/sys/fs/cgroup"

static unsigned int class_offset;
static int tasks_fd = -1;
static int stats_fd = -1;

void fail(const char *what)
{
	fprintf(stderr, "classes: %s: %s\n", what, strerror(errno));
	_exit(1);
}

static void read_layout(const char *object)
{
	struct btf *btf;
	const struct btf_type *type;
	int id;

	btf = btf__parse(object, NULL);
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

static int find_map(const char *name)
{
	struct bpf_map_info info;
	__u32 id = 0, len;

	while (!bpf_map_get_next_id(id, &id)) {
		int fd = bpf_map_get_fd_by_id(id);

		len = sizeof(info);
		memset(&info, 0, sizeof(info));
		if (fd >= 0 && !bpf_map_get_info_by_fd(fd, &info, &len) && !strcmp(info.name, name))
			return fd;
		close(fd);
	}
	fail(name);
	return -1;
}

void find_scheduler(const char *object)
{
	read_layout(object);
	tasks_fd = find_map("task_ctxs");
	stats_fd = find_map("class_stats");
}

int class_of(pid_t tid)
{
	int pidfd = syscall(SYS_pidfd_open, tid, O_EXCL /* PIDFD_THREAD */);
	char value[4096];
	int class = -1;

	if (pidfd >= 0 && !bpf_map_lookup_elem(tasks_fd, &pidfd, value))
		memcpy(&class, value + class_offset, sizeof(class));
	close(pidfd);
	return class;
}

static bool run_first;

void let_tasks_run(void)
{
	run_first = true;
}

void stay(void)
{
	for (;;) {
		if (run_first)
			usleep(1000);
		else
			pause();
	}
}

void show(const char *step, pid_t tid)
{
	for (int i = 0; run_first && i < 50; i++)
		usleep(1000);
	printf("class %s %d\n", step, class_of(tid));
	fflush(stdout);
}

void print_count(const char *name, long long count)
{
	printf("count %s %lld\n", name, count);
	fflush(stdout);
}

static struct gthulhu_class_stats counted(int class)
{
	int nr_cpus = libbpf_num_possible_cpus();
	struct gthulhu_class_stats values[nr_cpus], sum = {};

	if (bpf_map_lookup_elem(stats_fd, &class, values))
		fail("class_stats");
	for (int i = 0; i < nr_cpus; i++) {
		sum.entered += values[i].entered;
		sum.left += values[i].left;
		sum.ran_ns += values[i].ran_ns;
	}
	return sum;
}

void show_counts(const char *step, int class)
{
	struct gthulhu_class_stats sum = counted(class);
	char name[64];

	snprintf(name, sizeof(name), "%s-entered", step);
	print_count(name, sum.entered);
	snprintf(name, sizeof(name), "%s-left", step);
	print_count(name, sum.left);
}

long long counted_ms(int class)
{
	return counted(class).ran_ns / 1000000;
}

pid_t self(void)
{
	return syscall(SYS_gettid);
}

long long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ll + now.tv_nsec / 1000000;
}

void call_me(const char *name)
{
	if (prctl(PR_SET_NAME, name))
		fail("prctl");
}

void make_cgroup(const char *cgroup)
{
	char path[512];

	snprintf(path, sizeof(path), CGROUPS "%s", cgroup);
	if (mkdir(path, 0755) && errno != EEXIST)
		fail(path);
}

void move_to(const char *cgroup)
{
	char path[512];
	int fd;

	snprintf(path, sizeof(path), CGROUPS "%s/cgroup.procs", cgroup);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, "0", 1) < 0)
		fail(path);
	close(fd);
}

static void run_child(pid_t pid, void (*step)(void))
{
	if (pid < 0)
		fail("fork");
	if (!pid) {
		step();
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

void in_child(void (*step)(void))
{
	run_child(fork(), step);
}

void in_child_in(const char *cgroup, void (*step)(void))
{
	struct clone_args args = { .flags = CLONE_INTO_CGROUP, .exit_signal = SIGCHLD };
	char path[512];
	int fd;

	snprintf(path, sizeof(path), CGROUPS "%s", cgroup);
	fd = open(path, O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		fail(path);
	args.cgroup = fd;
	run_child(syscall(SYS_clone3, &args, sizeof(args)), step);
	close(fd);
}

void in_thread(void *(*step)(void *))
{
	pthread_t handle;

	if (pthread_create(&handle, NULL, step, NULL))
		fail("pthread_create");
	pthread_join(handle, NULL);
}
