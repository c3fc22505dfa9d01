// SPDX-License-Identifier: GPL-2.0-only
/*
 * first_call OBJECT CLASS: says `ready`, and after SIGTERM a line for each thread that called:
 * its number, its class before, how many dispatches it took to be in CLASS, and whether it was.
 * OBJECT is the scheduler's; first_call.bpf.o is in the present folder.
 */
#include <bpf/libbpf.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "task_class.h"

struct seen {
	__u32 class_before, dispatches, in_force, goes_on;
};

static int load(struct bpf_object *object, __u32 class)
{
	struct bpf_map *asked = bpf_object__find_map_by_name(object, ".rodata.asked");
	struct bpf_program *program;
	size_t size;
	__u32 *values = asked ? bpf_map__initial_value(asked, &size) : NULL;

	if (!values || size != 2 * sizeof(*values))
		return 1;
	values[0] = class_offset;
	values[1] = class;
	if (bpf_map__reuse_fd(bpf_object__find_map_by_name(object, "task_ctxs"), tasks_fd) ||
	    bpf_object__load(object))
		return 1;
	bpf_object__for_each_program(program, object)
		if (!bpf_program__attach(program))
			return 1;
	return 0;
}

int main(int argc, char **argv)
{
	struct bpf_object *object;
	__u32 key, *last = NULL;
	sigset_t end;
	int got, fd;

	if (argc != 3 || find_classes(argv[1]))
		return 1;
	sigemptyset(&end);
	sigaddset(&end, SIGTERM);
	sigprocmask(SIG_BLOCK, &end, NULL);
	object = bpf_object__open("first_call.bpf.o");
	if (!object || load(object, atoi(argv[2])))
		return 1;
	puts("ready");
	fflush(stdout);
	sigwait(&end, &got);
	fd = bpf_map__fd(bpf_object__find_map_by_name(object, "first_calls"));
	for (; !bpf_map_get_next_key(fd, last, &key); last = &key) {
		struct seen seen;

		if (!bpf_map_lookup_elem(fd, &key, &seen))
			printf("%u %u %u %u\n", key, seen.class_before, seen.dispatches,
			       seen.in_force);
	}
	return 0;
}
