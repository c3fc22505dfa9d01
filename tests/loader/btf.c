// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <bpf/btf.h>

#include "btf/excerpt.h"
#include "btf/kbtf.h"
#include "unit.h"

static uint64_t constant(const struct kbtf *kernel, const char *name, bool *found)
{
	struct kbtf_constant wanted = { .name = name };

	kbtf_find_constants(kernel, &wanted, 1);
	*found = wanted.found;
	return wanted.value;
}

static void test_constants(void)
{
	struct btf *btf = btf__new_empty();
	struct kbtf kernel;
	bool found;

	btf__add_enum64(btf, "scx_dsq_id_flags", 8, false);
	btf__add_enum64_value(btf, "SCX_DSQ_LOCAL", 1ULL << 63 | 2);
	/* An old pahole truncates wide constants. */
	btf__add_enum(btf, "scx_enq_flags", 4);
	btf__add_enum_value(btf, "SCX_ENQ_PREEMPT", 0);
	btf__add_enum_value(btf, "SCX_ENQ_WAKEUP", 1);
	btf__add_enum(btf, "scx_public_consts", 4);
	btf__add_enum_value(btf, "SCX_SLICE_INF", (uint32_t)-1);
	btf__add_enum_value(btf, "SCX_DSQ_GLOBAL", 1);
	/* An unknown constant stays truncated. */
	btf__add_enum_value(btf, "SCX_ENQ_LAST", 77);

	kbtf_index(&kernel, btf);
	EXPECT(constant(&kernel, "SCX_DSQ_LOCAL", &found) == (1ULL << 63 | 2) && found);
	EXPECT(constant(&kernel, "SCX_ENQ_PREEMPT", &found) == 1ULL << 32 && found);
	EXPECT(constant(&kernel, "SCX_ENQ_WAKEUP", &found) == 1 && found);
	EXPECT(constant(&kernel, "SCX_SLICE_INF", &found) == UINT64_MAX && found);
	EXPECT(constant(&kernel, "SCX_DSQ_GLOBAL", &found) == (1ULL << 63 | 1) && found);
	EXPECT(constant(&kernel, "SCX_ENQ_LAST", &found) == 77 && found);
	EXPECT(constant(&kernel, "SCX_ENQ_PREEMPT_NOT", &found) == 0 && !found);
	kbtf_close(&kernel);
}

static void add_function(struct btf *btf, const char *name, const char *last, int last_type)
{
	int number = btf__find_by_name(btf, "int");
	int proto = btf__add_func_proto(btf, number);

	btf__add_func_param(btf, "first", number);
	if (last)
		btf__add_func_param(btf, last, last_type);
	btf__add_func(btf, name, BTF_FUNC_STATIC, proto);
}

/* A kernel's BTF; *aux becomes the type of a pointer to a const bpf_prog_aux. */
static struct btf *empty_kernel(int *aux)
{
	struct btf *btf = btf__new_empty();

	btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	*aux = btf__add_ptr(btf, btf__add_const(btf, btf__add_struct(btf, "bpf_prog_aux", 8)));
	return btf;
}

static struct btf *object_that_calls(const char *name)
{
	struct btf *btf = btf__new_empty();

	btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	add_function(btf, name, NULL, 0);
	return btf;
}

static enum kbtf_fault fault_of(const struct kbtf *kernel, const char *function)
{
	struct btf *object = object_that_calls(function);
	enum kbtf_fault fault;
	const char *name;

	fault = kbtf_check_functions(kernel, object, &name);
	if (fault != KBTF_FINE)
		EXPECT(!strcmp(name, function));
	btf__free(object);
	return fault;
}

/* Whether the check of all functions of a kernel finds a fault with this name. */
static enum kbtf_fault fault_of_all(const char *function, const char *last, bool is_cut_off,
				    char *name, size_t size)
{
	int aux;
	struct btf *btf = empty_kernel(&aux);
	enum kbtf_fault fault;
	struct kbtf kernel;

	add_function(btf, "scx_bpf_sound", NULL, 0);
	add_function(btf, "scx_bpf_sound_impl", "aux", aux);
	add_function(btf, "bpf_of_others_impl", "aux", aux);
	add_function(btf, function, last, aux);
	if (is_cut_off)
		btf__add_enum(btf, "scx_dsq_id_flags", 4);
	else
		btf__add_enum64(btf, "scx_dsq_id_flags", 8, false);
	kbtf_index(&kernel, btf);
	fault = kbtf_check_all_functions(&kernel, name, size);
	EXPECT(kbtf_is_truncated(&kernel) == is_cut_off);
	kbtf_close(&kernel);
	return fault;
}

static void test_all_functions(void)
{
	char name[64];

	EXPECT(fault_of_all("scx_bpf_good", NULL, false, name, sizeof(name)) == KBTF_FINE);
	EXPECT(fault_of_all("scx_bpf_bare", "aux", true, name, sizeof(name)) ==
	       KBTF_HIDDEN_ARGUMENT);
	EXPECT(!strcmp(name, "scx_bpf_bare"));
	EXPECT(fault_of_all("scx_bpf_half_impl", "aux", false, name, sizeof(name)) ==
	       KBTF_NO_PUBLIC_FORM);
	EXPECT(!strcmp(name, "scx_bpf_half"));
}

static void test_functions(void)
{
	int aux;
	struct btf *btf = empty_kernel(&aux);
	struct kbtf kernel;

	add_function(btf, "scx_bpf_sound", NULL, 0);
	add_function(btf, "scx_bpf_sound_impl", "aux", aux);
	add_function(btf, "scx_bpf_bare", "aux", aux);
	add_function(btf, "scx_bpf_number", "aux", 1);
	add_function(btf, "scx_bpf_half_impl", "aux", aux);
	add_function(btf, "bpf_only_impl", "aux__prog", aux);
	add_function(btf, "scx_bpf_two___v2", "aux", aux);
	add_function(btf, "scx_bpf_two", NULL, 0);

	kbtf_index(&kernel, btf);
	EXPECT(fault_of(&kernel, "scx_bpf_sound") == KBTF_FINE);
	EXPECT(fault_of(&kernel, "scx_bpf_bare") == KBTF_HIDDEN_ARGUMENT);
	EXPECT(fault_of(&kernel, "scx_bpf_bare___compat") == KBTF_HIDDEN_ARGUMENT);
	EXPECT(fault_of(&kernel, "scx_bpf_number") == KBTF_FINE);
	EXPECT(fault_of(&kernel, "scx_bpf_half") == KBTF_NO_PUBLIC_FORM);
	/* The kernel's own name, from before arguments were hidden. */
	EXPECT(fault_of(&kernel, "bpf_only") == KBTF_FINE);
	EXPECT(fault_of(&kernel, "bpf_only_impl") == KBTF_FINE);
	EXPECT(fault_of(&kernel, "scx_bpf_sound_impl") == KBTF_FINE);
	EXPECT(fault_of(&kernel, "scx_bpf_two") == KBTF_FINE);
	EXPECT(fault_of(&kernel, "scx_bpf_two___v2___compat") == KBTF_HIDDEN_ARGUMENT);
	EXPECT(fault_of(&kernel, "scx_bpf_absent") == KBTF_FINE);
	kbtf_close(&kernel);
}

/* The index finds what libbpf finds for every name. */
static void test_index(void)
{
	struct btf *btf = btf__new_empty();
	struct kbtf kernel;
	char name[32];

	btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	for (int i = 0; i < 3000; i++) {
		/* Long and short names, many of which differ only in the middle. */
		snprintf(name, sizeof(name), i % 2 ? "n%d" : "scx_bpf_%d_something_long", i / 2);
		btf__add_struct(btf, name, 8);
		btf__add_typedef(btf, name, 1);
		btf__add_struct(btf, name, 16);
	}
	EXPECT(!kbtf_index(&kernel, btf));
	for (int i = -10; i < 3010; i++) {
		snprintf(name, sizeof(name), i % 2 ? "n%d" : "scx_bpf_%d_something_long", i / 2);
		for (uint32_t kind = BTF_KIND_INT; kind <= BTF_KIND_TYPEDEF; kind++) {
			int expected = btf__find_by_name_kind(btf, name, kind);

			EXPECT(kbtf_find(&kernel, name, kind) == expected);
		}
	}
	EXPECT(kbtf_find(&kernel, "", BTF_KIND_STRUCT) == -ENOENT);

	/* libbpf uses the same index, and gets the types only once. */
	kbtf_share(&kernel);
	EXPECT(btf__load_vmlinux_btf() == btf);
	EXPECT(btf__find_by_name_kind(btf, "n7", BTF_KIND_TYPEDEF) ==
	       kbtf_find(&kernel, "n7", BTF_KIND_TYPEDEF));
	kbtf_close(&kernel);
	EXPECT(btf__find_by_name_kind(btf, "n7", BTF_KIND_TYPEDEF) > 0);
	btf__free(btf);
}

/* The excerpt has the fields at the offsets of the kernel, and no other types. */
static void test_excerpt(void)
{
	struct btf *btf = btf__new_empty(), *object = btf__new_empty(), *read;
	int number, inner, pointer, array, fd;
	const struct btf_type *type;
	struct kbtf kernel;
	char path[64];

	number = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	btf__add_struct(btf, "unasked", 4);
	btf__add_field(btf, "of_it", number, 0, 0);
	inner = btf__add_struct(btf, NULL, 8);
	btf__add_field(btf, "deep", number, 32, 0);
	array = btf__add_array(btf, number, btf__add_const(btf, inner), 3);
	pointer = btf__add_ptr(btf, 2);
	btf__add_ptr(btf, pointer + 2);
	EXPECT(btf__add_struct(btf, "asked", 40) == pointer + 2);
	btf__add_field(btf, "pointer", pointer, 0, 0);
	btf__add_field(btf, "array", array, 64, 0);
	btf__add_field(btf, "itself", pointer + 1, 256, 0);
	/* Several structures may have one name. */
	btf__add_struct(btf, "asked", 4);
	EXPECT(!kbtf_index(&kernel, btf));
	btf__add_struct(object, "asked___mine", 0);
	btf__add_struct(object, "own", 0);

	fd = excerpt_open(path, sizeof(path));
	EXPECT(fd >= 0 && !excerpt_write(fd, &kernel, object));
	read = btf__parse(path, NULL);
	EXPECT(read && btf__find_by_name(read, "unasked") < 0);
	EXPECT(btf__find_by_name(read, "own") < 0);
	type = btf__type_by_id(read, btf__find_by_name_kind(read, "asked", BTF_KIND_STRUCT));
	EXPECT(type && btf_vlen(type) == 3 && type->size == 40);
	EXPECT(btf_member_bit_offset(type, 2) == 256);
	EXPECT(btf__resolve_size(read, btf_members(type)[1].type) == 24);
	type = btf__type_by_id(read, btf_members(type)[1].type);
	type = btf__type_by_id(read, btf__resolve_type(read, btf_array(type)->type));
	EXPECT(type && btf_vlen(type) == 1 && btf_member_bit_offset(type, 0) == 32);
	/* Two structures of that name, with int, array, const, inner and two pointers. */
	EXPECT(btf__type_cnt(read) == 1 + 8);
	btf__free(read);
	close(fd);
	btf__free(object);
	kbtf_close(&kernel);
}

void test_btf(void)
{
	test_constants();
	test_functions();
	test_all_functions();
	test_index();
	test_excerpt();
}
