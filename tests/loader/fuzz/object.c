// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzzes what reads an object before the kernel sees it: image.c, open.c with libbpf, and fill.c, for a
 * kernel that lacks some members of the object's sched_ext_ops. Built by `make -C runtime fuzzer`.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/btf.h>

#include "btf/kbtf.h"
#include "fill/fill.h"
#include "object/object.h"
#include "object/open.h"
#include "object/questions.h"
#include "object/tunables.h"
#include "output/json.h"
#include "output/log.h"
#include "scheduler/calls.h"
#include "scheduler/classes.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size); /* of libFuzzer */

static struct kbtf kernel;
static int file_fd;
static char file_path[32];

/* It has some of the policies' callbacks, each with another type than a policy expects. */
static struct btf *other_kernel(void)
{
	static const char *const members[] = { "select_cpu", "enqueue", "running", "init", "exit" };
	struct btf *btf = btf__new_empty();
	int number = btf__add_int(btf, "u64", 8, 0);

	btf__add_enum64(btf, "scx_dsq_id_flags", 8, false);
	btf__add_enum64_value(btf, "SCX_DSQ_LOCAL", 1ULL << 63 | 2);
	btf__add_enum(btf, "scx_ops_flags", 4);
	btf__add_enum_value(btf, "SCX_OPS_ENQ_LAST", 2);
	btf__add_struct(btf, "sched_ext_ops", 8 * 7);
	for (unsigned int i = 0; i < 5; i++)
		btf__add_field(btf, members[i], number, i * 64, 0);
	btf__add_field(btf, "flags", number, 5 * 64, 0);
	btf__add_field(btf, "hotplug_seq", number, 6 * 64, 0);
	return btf;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	log_init(LOG_QUIET);
	file_fd = memfd_create("object", MFD_CLOEXEC);
	snprintf(file_path, sizeof(file_path), "/proc/self/fd/%d", file_fd);
	if (file_fd < 0 || kbtf_index(&kernel, other_kernel()))
		abort();
	return 0;
}

/* Everything that the loader reads of an object that it has accepted. */
static void use(struct object *object)
{
	const char *text = "quantum=1ms";
	const struct settings settings = { .texts = &text, .nr = 1 };
	struct questions questions;
	struct calls calls = {};
	char owner[256];
	struct json json;

	json_begin(&json);
	tunables_set(object, &settings);
	tunables_write(object, &json);
	questions_find(object, &questions);
	for (size_t i = 0; i < questions.nr; i++)
		question_accepts(&questions, &questions.all[i], "gold");
	class_owner(object, 1, owner, sizeof(owner));
	if (!fill_object(object, &kernel, 7) && !calls_prepare(&calls, object, &kernel))
		calls_write(&calls, &json);
	calls_end(&calls);
	free(json_end(&json));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct log_capture said;
	struct object object;

	if (ftruncate(file_fd, 0) || pwrite(file_fd, data, size, 0) != (ssize_t)size)
		return -1;
	log_capture(&said);
	said.silent = true;
	if (!object_open(&object, file_path)) {
		use(&object);
		object_close(&object);
	}
	log_capture(NULL);
	return 0;
}

/* Changes some bytes at a place, as libFuzzer would change a small input. */
static void change_at(uint8_t *place, size_t size)
{
	uint8_t bytes[64];

	size = size < sizeof(bytes) ? size : sizeof(bytes);
	memcpy(bytes, place, size);
	LLVMFuzzerMutate(bytes, size, size);
	memcpy(place, bytes, size);
}

/*
 * Nearly every change of a byte at random breaks the ELF file. So this changes the contents of one
 * section, whose headers stay whole, and rarely anything.
 */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	Elf64_Shdr section;
	Elf64_Ehdr header;
	size_t at, table;

	srand(seed);
	if (size < sizeof(header) || rand() % 8 == 0)
		return LLVMFuzzerMutate(data, size, max_size);
	memcpy(&header, data, sizeof(header));
	if (!header.e_shnum || header.e_shoff > size)
		return LLVMFuzzerMutate(data, size, max_size);
	table = header.e_shoff + (size_t)(rand() % header.e_shnum) * sizeof(section);
	if (table > size - sizeof(section))
		return LLVMFuzzerMutate(data, size, max_size);
	memcpy(&section, data + table, sizeof(section));
	if (!section.sh_size || section.sh_size > size ||
	    section.sh_offset > size - section.sh_size)
		return LLVMFuzzerMutate(data, size, max_size);
	for (int changes = 1 + rand() % 3; changes; changes--) {
		at = section.sh_offset + (size_t)rand() % section.sh_size;
		change_at(data + at, section.sh_offset + section.sh_size - at);
	}
	return size;
}
