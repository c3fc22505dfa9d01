// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the kernel's types once and searches them by an index. libbpf would read them again and
 * compare all names for each function that an object calls, which took half of the time to load a
 * policy. So the linker replaces the two functions that do that (-Wl,--wrap, which has no effect
 * inside a shared libbpf).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/btf.h>

#include "btf/kbtf.h"

#define HASH_BITS 16

struct btf *__real_btf__load_vmlinux_btf(void);
struct btf *__wrap_btf__load_vmlinux_btf(void);
__s32 __real_btf__find_by_name_kind(const struct btf *btf, const char *name, __u32 kind);
__s32 __wrap_btf__find_by_name_kind(const struct btf *btf, const char *name, __u32 kind);

/* Also used by libbpf, which asks for it once and frees it; NULL: not shared. */
static struct kbtf *shared;
static bool given_away;

/* Names with a common beginning differ in their end: hash the length and the end, too. */
static uint32_t hash_of(const char *name)
{
	size_t len = strlen(name);
	uint64_t head = 0, tail = 0;
	size_t part = len < sizeof(tail) ? len : sizeof(tail);

	memcpy(&head, name, part);
	memcpy(&tail, name + len - part, part);
	return (tail * 0x9e3779b97f4a7c15ULL ^ (head + len) * 0xc2b2ae3d27d4eb4fULL) >>
		(64 - HASH_BITS);
}

int kbtf_index(struct kbtf *kernel, struct btf *btf)
{
	kernel->btf = btf;
	kernel->nr_types = btf__type_cnt(btf);
	kernel->first = calloc(1U << HASH_BITS, sizeof(*kernel->first));
	kernel->next = calloc(kernel->nr_types, sizeof(*kernel->next));
	if (!kernel->first || !kernel->next) {
		kbtf_close(kernel);
		return -ENOMEM;
	}
	/* Backwards, so that a search finds the lowest id first. */
	for (uint32_t id = kernel->nr_types - 1; id; id--) {
		const struct btf_type *type = btf__type_by_id(btf, id);
		const char *name;
		uint32_t hash;

		if (!type->name_off)
			continue;
		name = btf__name_by_offset(btf, type->name_off);
		if (!name)
			continue;
		hash = hash_of(name);
		kernel->next[id] = kernel->first[hash];
		kernel->first[hash] = id;
	}
	return 0;
}

/* Maps the file, without a copy; the kernel allows that since 6.16. */
static struct btf *load_mapped(void)
{
	struct btf *btf = NULL;
	struct stat st;
	void *data;
	int fd;

	fd = open("/sys/kernel/btf/vmlinux", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && st.st_size > 0) {
		data = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (data != MAP_FAILED) {
			btf = btf__new(data, st.st_size);
			munmap(data, st.st_size);
		}
	}
	close(fd);
	return btf;
}

int kbtf_open(struct kbtf *kernel)
{
	struct btf *btf = load_mapped();

	memset(kernel, 0, sizeof(*kernel));
	if (!btf)
		btf = __real_btf__load_vmlinux_btf();
	return btf ? kbtf_index(kernel, btf) : -errno;
}

void kbtf_close(struct kbtf *kernel)
{
	if (!(shared == kernel && given_away))
		btf__free(kernel->btf);
	if (shared == kernel)
		shared = NULL;
	free(kernel->first);
	free(kernel->next);
	memset(kernel, 0, sizeof(*kernel));
}

/* The first type with that name and kind, from id on. */
static int find_from(const struct kbtf *kernel, uint32_t id, const char *name, uint32_t kind)
{
	for (; id; id = kernel->next[id]) {
		const struct btf_type *type = btf__type_by_id(kernel->btf, id);

		if (btf_kind(type) == kind &&
		    !strcmp(btf__name_by_offset(kernel->btf, type->name_off), name))
			return id;
	}
	return -ENOENT;
}

int kbtf_find(const struct kbtf *kernel, const char *name, uint32_t kind)
{
	return find_from(kernel, kernel->first[hash_of(name)], name, kind);
}

int kbtf_find_next(const struct kbtf *kernel, uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(kernel->btf, id);

	return find_from(kernel, kernel->next[id], btf__name_by_offset(kernel->btf, type->name_off),
			 btf_kind(type));
}

void kbtf_share(struct kbtf *kernel)
{
	shared = kernel;
	given_away = false;
}

struct btf *__wrap_btf__load_vmlinux_btf(void)
{
	if (!shared || given_away)
		return __real_btf__load_vmlinux_btf();
	given_away = true;
	return shared->btf;
}

__s32 __wrap_btf__find_by_name_kind(const struct btf *btf, const char *name, __u32 kind)
{
	if (shared && btf == shared->btf && strcmp(name, "void"))
		return kbtf_find(shared, name, kind);
	return __real_btf__find_by_name_kind(btf, name, kind);
}
