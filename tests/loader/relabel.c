// SPDX-License-Identifier: GPL-2.0-only
/*
 * A failure to reclassify tasks is reported with its own errno, whatever the cleanup after it does.
 * The linker puts these functions in place of libbpf's (see runtime/Makefile); they fail on demand.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "labels/label_maps.h"
#include "machine/processes.h"
#include "object/object.h"
#include "output/log.h"
#include "unit.h"

struct bpf_program *__wrap_bpf_object__find_program_by_name(const struct bpf_object *object,
							    const char *name);
struct bpf_link *__wrap_bpf_program__attach_iter(const struct bpf_program *program,
						 const struct bpf_iter_attach_opts *opts);
int __wrap_bpf_link__fd(const struct bpf_link *link);
int __wrap_bpf_iter_create(int link_fd);
int __wrap_bpf_link__destroy(struct bpf_link *link);

static char program, link;
static const char *iterator; /* a path that the iterator opens; NULL: there is no descriptor left */

struct bpf_program *__wrap_bpf_object__find_program_by_name(const struct bpf_object *object,
							    const char *name)
{
	(void)object;
	(void)name;
	return (struct bpf_program *)&program;
}

struct bpf_link *__wrap_bpf_program__attach_iter(const struct bpf_program *attached,
						 const struct bpf_iter_attach_opts *opts)
{
	(void)attached;
	(void)opts;
	return (struct bpf_link *)&link;
}

int __wrap_bpf_link__fd(const struct bpf_link *attached)
{
	(void)attached;
	return -1;
}

int __wrap_bpf_iter_create(int link_fd)
{
	(void)link_fd;
	if (iterator)
		return open(iterator, O_RDONLY | O_CLOEXEC);
	errno = EMFILE;
	return -1;
}

int __wrap_bpf_link__destroy(struct bpf_link *attached)
{
	(void)attached;
	errno = EBUSY;
	return 0;
}

void test_relabel(void)
{
	struct object object = { .policy.name = "fifo" };
	pid_t pid = 1;
	struct pids one = { .all = &pid, .nr = 1 };
	struct log_capture said;

	log_capture(&said);
	said.silent = true;
	iterator = NULL;
	EXPECT(relabel(&object, &one) == -EMFILE);
	EXPECT(strstr(said.error, strerror(EMFILE)));
	iterator = "/"; /* a directory cannot be read */
	EXPECT(relabel(&object, &one) == -EISDIR);
	iterator = "/dev/null";
	EXPECT(!relabel(&object, &one));
	log_capture(NULL);
}
