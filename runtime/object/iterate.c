// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "object/iterate.h"

/* 0 or -errno. */
static int read_to_end(int fd)
{
	char nothing[8];
	ssize_t n;

	do
		n = read(fd, nothing, sizeof(nothing));
	while (n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR)));
	return n < 0 ? -errno : 0;
}

int iterate_tasks(struct bpf_program *program, union bpf_iter_link_info *info)
{
	LIBBPF_OPTS(bpf_iter_attach_opts, opts, .link_info = info,
		    .link_info_len = info ? sizeof(*info) : 0);
	struct bpf_link *link = bpf_program__attach_iter(program, &opts);
	int err, fd;

	if (!link)
		return -errno;
	fd = bpf_iter_create(bpf_link__fd(link));
	/* Before the cleanup, which may change errno. */
	err = fd < 0 ? -errno : read_to_end(fd);
	if (fd >= 0)
		close(fd);
	bpf_link__destroy(link);
	return err;
}
