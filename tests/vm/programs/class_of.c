// SPDX-License-Identifier: GPL-2.0-only
/*
 * class-of OBJECT PID...: the numbers of the classes of tasks, on a line, under the
 * scheduler that was loaded last, which the object is of.
 */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int offset_of_class(const char *object)
{
	struct btf *btf = btf__parse(object, NULL);
	int id = btf ? btf__find_by_name_kind(btf, "task_ctx", BTF_KIND_STRUCT) : -1;
	const struct btf_type *type = id < 0 ? NULL : btf__type_by_id(btf, id);

	for (int i = 0; type && i < btf_vlen(type); i++) {
		if (!strcmp(btf__name_by_offset(btf, btf_members(type)[i].name_off), "class"))
			return btf_member_bit_offset(type, i) / 8;
	}
	return -1;
}

static int find_tasks(void)
{
	int found = -1;

	for (__u32 id = 0; !bpf_map_get_next_id(id, &id);) {
		struct bpf_map_info info = {};
		__u32 len = sizeof(info);
		int fd = bpf_map_get_fd_by_id(id);

		if (fd >= 0 && !bpf_map_get_info_by_fd(fd, &info, &len) &&
		    !strcmp(info.name, "task_ctxs"))
			found = fd;
	}
	return found;
}

int main(int argc, char **argv)
{
	int offset = argc > 1 ? offset_of_class(argv[1]) : -1, tasks = find_tasks();
	char value[4096];

	if (offset < 0 || tasks < 0)
		return 1;
	for (int i = 2; i < argc; i++) {
		int pidfd = syscall(SYS_pidfd_open, atoi(argv[i]), O_EXCL /* PIDFD_THREAD */);
		int class = -1;

		if (pidfd >= 0 && !bpf_map_lookup_elem(tasks, &pidfd, value))
			memcpy(&class, value + offset, sizeof(class));
		printf("%s%d", i > 2 ? " " : "", class);
	}
	puts("");
	return 0;
}
