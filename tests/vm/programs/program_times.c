// SPDX-License-Identifier: GPL-2.0-only
/* program-times: of each BPF program its name, how often it ran, and how long in all, in ns. */
#include <bpf/bpf.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	for (__u32 id = 0; !bpf_prog_get_next_id(id, &id);) {
		struct bpf_prog_info info = {};
		__u32 len = sizeof(info);
		int fd = bpf_prog_get_fd_by_id(id);

		if (fd >= 0 && !bpf_prog_get_info_by_fd(fd, &info, &len))
			printf("%s %llu %llu\n", info.name, info.run_cnt, info.run_time_ns);
		if (fd >= 0)
			close(fd);
	}
	return 0;
}
