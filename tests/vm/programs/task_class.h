/* SPDX-License-Identifier: GPL-2.0-only */
/* The classes of tasks, under the scheduler that was loaded last. */
#ifndef TASK_CLASS_H
#define TASK_CLASS_H

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int class_offset = -1, tasks_fd = -1;

/* The object, which the scheduler is of, has the layout; 0: done. */
static int find_classes(const char *object)
{
	struct btf *btf = btf__parse(object, NULL);
	int id = btf ? btf__find_by_name_kind(btf, "task_ctx", BTF_KIND_STRUCT) : -1;
	const struct btf_type *type = id < 0 ? NULL : btf__type_by_id(btf, id);

	for (int i = 0; type && i < btf_vlen(type); i++) {
		if (!strcmp(btf__name_by_offset(btf, btf_members(type)[i].name_off), "class"))
			class_offset = btf_member_bit_offset(type, i) / 8;
	}
	for (__u32 map = 0; !bpf_map_get_next_id(map, &map);) {
		struct bpf_map_info info = {};
		__u32 len = sizeof(info);
		int fd = bpf_map_get_fd_by_id(map);

		if (fd >= 0 && !bpf_map_get_info_by_fd(fd, &info, &len) &&
		    !strcmp(info.name, "task_ctxs"))
			tasks_fd = fd;
	}
	return class_offset < 0 || tasks_fd < 0;
}

/* The number of a task's class; negative: it has none. */
static int class_of_task(int tid)
{
	int pidfd = syscall(SYS_pidfd_open, tid, O_EXCL /* PIDFD_THREAD */);
	char value[4096];
	int class = -1;

	if (pidfd >= 0 && !bpf_map_lookup_elem(tasks_fd, &pidfd, value))
		memcpy(&class, value + class_offset, sizeof(class));
	if (pidfd >= 0)
		close(pidfd);
	return class;
}

#endif /* TASK_CLASS_H */
