/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Prints the size of all BPF in the kernel. The difference of two outputs is the
 * size of a scheduler that was loaded in between.
 *
 *   bpfsize OUTPUT
 *
 * OUTPUT gets five numbers, one a line: programs, their bytes after translation
 * (what bpftool calls "xlated"), the instructions that the verifier went
 * through, maps, and the bytes that the kernel charges for these.
 */
#include "workload.h"

#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PROGRAMS, BYTES, VERIFIED, MAPS, MEMORY, NR_SIZES };

static int bpf(enum bpf_cmd command, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, command, attr, sizeof(*attr));
}

/* The id after *id, in *id; 0 when there is none. */
static int next(enum bpf_cmd command, uint32_t *id)
{
	union bpf_attr attr = { .start_id = *id };

	if (bpf(command, &attr)) {
		if (errno == ENOENT)
			return 0;
		err(2, "cannot list BPF");
	}
	*id = attr.next_id;
	return 1;
}

static void add_program(int fd, uint64_t sizes[])
{
	struct bpf_prog_info info = {};
	union bpf_attr attr = {
		.info = { .bpf_fd = (uint32_t)fd,
			  .info_len = sizeof(info),
			  .info = (uint64_t)(uintptr_t)&info },
	};

	if (bpf(BPF_OBJ_GET_INFO_BY_FD, &attr))
		err(2, "cannot look at a program");
	sizes[PROGRAMS]++;
	sizes[BYTES] += info.xlated_prog_len;
	sizes[VERIFIED] += info.verified_insns;
}

/* Only fdinfo tells how much memory a map takes. */
static void add_map(int fd, uint64_t sizes[])
{
	unsigned long long bytes;
	char path[64], line[256];
	int found = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	file = fopen(path, "r");
	if (!file)
		err(2, "%s", path);
	while (!found && fgets(line, sizeof(line), file))
		found = sscanf(line, "memlock: %llu", &bytes) == 1;
	fclose(file);
	if (!found)
		errx(2, "%s has no memlock", path);
	sizes[MAPS]++;
	sizes[MEMORY] += bytes;
}

static void add_all(enum bpf_cmd list, enum bpf_cmd open_id, void (*add)(int, uint64_t *),
		    uint64_t sizes[])
{
	uint32_t id = 0;

	while (next(list, &id)) {
		union bpf_attr attr = { .prog_id = id };
		int fd = bpf(open_id, &attr);

		if (fd < 0 && errno == ENOENT) /* it has gone meanwhile */
			continue;
		if (fd < 0)
			err(2, "cannot open BPF %u", id);
		add(fd, sizes);
		close(fd);
	}
}

int main(int argc, char **argv)
{
	uint64_t sizes[NR_SIZES] = {};

	if (argc != 2)
		errx(2, "usage: bpfsize OUTPUT");
	add_all(BPF_PROG_GET_NEXT_ID, BPF_PROG_GET_FD_BY_ID, add_program, sizes);
	add_all(BPF_MAP_GET_NEXT_ID, BPF_MAP_GET_FD_BY_ID, add_map, sizes);
	write_samples(open_output(argv[1]), sizes, NR_SIZES);
	return 0;
}
