// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include <bpf/btf.h>

#include "kbtf.h"

/*
 * Constants of more than 32 bits whose values never changed. pahole before
 * 1.24 has no enum64 and writes only their lower halves into the BTF.
 */
static const struct {
	const char *name;
	uint64_t value;
} wide_constants[] = {
	{ "SCX_DSQ_FLAG_BUILTIN", 1ULL << 63 },	   { "SCX_DSQ_FLAG_LOCAL_ON", 1ULL << 62 },
	{ "SCX_DSQ_INVALID", 1ULL << 63 },	   { "SCX_DSQ_GLOBAL", 1ULL << 63 | 1 },
	{ "SCX_DSQ_LOCAL", 1ULL << 63 | 2 },	   { "SCX_DSQ_LOCAL_ON", 1ULL << 63 | 1ULL << 62 },
	{ "SCX_ENQ_PREEMPT", 1ULL << 32 },	   { "SCX_ENQ_IMMED", 1ULL << 33 },
	{ "SCX_ENQ_REENQ", 1ULL << 40 },	   { "SCX_ENQ_LAST", 1ULL << 41 },
	{ "SCX_DEQ_CORE_SCHED_EXEC", 1ULL << 32 }, { "SCX_SLICE_INF", UINT64_MAX },
	{ "SCX_ECODE_RSN_HOTPLUG", 1ULL << 32 },   { "SCX_ECODE_ACT_RESTART", 1ULL << 48 },
};

static uint64_t restore_wide(const char *name, uint64_t value)
{
	for (size_t i = 0; i < sizeof(wide_constants) / sizeof(wide_constants[0]); i++) {
		if (!strcmp(name, wide_constants[i].name) &&
		    (uint32_t)value == (uint32_t)wide_constants[i].value)
			return wide_constants[i].value;
	}
	return value;
}

static void match_constant(const char *name, uint64_t value, struct kbtf_constant *constants,
			   size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		if (!constants[i].found && !strcmp(name, constants[i].name)) {
			constants[i].found = true;
			constants[i].value = value;
		}
	}
}

static void match_enum(const struct btf *btf, const struct btf_type *type,
		       struct kbtf_constant *constants, size_t nr)
{
	const struct btf_enum *e = btf_enum(type);

	for (unsigned int i = 0; i < btf_vlen(type); i++) {
		const char *name = btf__name_by_offset(btf, e[i].name_off);
		uint64_t value = btf_kflag(type) ? (uint64_t)e[i].val : (uint32_t)e[i].val;

		if (name)
			match_constant(name, restore_wide(name, value), constants, nr);
	}
}

static void match_enum64(const struct btf *btf, const struct btf_type *type,
			 struct kbtf_constant *constants, size_t nr)
{
	const struct btf_enum64 *e = btf_enum64(type);

	for (unsigned int i = 0; i < btf_vlen(type); i++) {
		const char *name = btf__name_by_offset(btf, e[i].name_off);

		if (name)
			match_constant(name, btf_enum64_value(&e[i]), constants, nr);
	}
}

void kbtf_find_constants(const struct btf *kernel, struct kbtf_constant *constants, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		constants[i].found = false;
		constants[i].value = 0;
	}
	for (unsigned int id = 1; id < btf__type_cnt(kernel); id++) {
		const struct btf_type *type = btf__type_by_id(kernel, id);

		if (btf_is_enum(type))
			match_enum(kernel, type, constants, nr);
		else if (btf_is_enum64(type))
			match_enum64(kernel, type, constants, nr);
	}
}

const struct btf_type *kbtf_find_struct(const struct btf *kernel, const char *name)
{
	int id = btf__find_by_name_kind(kernel, name, BTF_KIND_STRUCT);

	return id < 0 ? NULL : btf__type_by_id(kernel, id);
}

bool kbtf_has_member(const struct btf *kernel, const struct btf_type *structure, const char *member)
{
	const struct btf_member *members = btf_members(structure);

	for (unsigned int i = 0; i < btf_vlen(structure); i++) {
		const char *name = btf__name_by_offset(kernel, members[i].name_off);

		if (name && !strcmp(name, member))
			return true;
	}
	return false;
}

/* Functions in this table are looked for in the kernel, in one pass over its types. */
struct function {
	const char *name;
	size_t len; /* of the kernel's name in it */
	bool public_form;
	bool impl_form;
	bool hidden_argument;
};

/*
 * What stands after the last three underscores is the object's own: libbpf
 * looks for scx_bpf_dsq_insert___v2 when it meets scx_bpf_dsq_insert___v2___new.
 */
static size_t essential_len(const char *name)
{
	size_t len = strlen(name);

	for (size_t i = len; i > 1; i--) {
		if (!strncmp(name + i - 1, "___", 3) && name[i - 2] != '_')
			return i - 1;
	}
	return len;
}

static bool ends_in_prog_aux(const struct btf *btf, const struct btf_type *func)
{
	const struct btf_type *proto = btf__type_by_id(btf, func->type);
	const struct btf_type *type;
	const struct btf_param *last;
	const char *name;

	if (!proto || !btf_is_func_proto(proto) || !btf_vlen(proto))
		return false;
	last = btf_params(proto) + btf_vlen(proto) - 1;
	name = btf__name_by_offset(btf, last->name_off);
	type = btf__type_by_id(btf, last->type);
	if (!name || strcmp(name, "aux") || !type || !btf_is_ptr(type))
		return false;
	do {
		type = btf__type_by_id(btf, type->type);
	} while (type && btf_is_mod(type));
	name = type ? btf__name_by_offset(btf, type->name_off) : NULL;
	return name && !strcmp(name, "bpf_prog_aux");
}

static void match_function(const struct btf *kernel, const struct btf_type *type,
			   struct function *functions, size_t nr)
{
	const char *name = btf__name_by_offset(kernel, type->name_off);

	for (size_t i = 0; i < nr; i++) {
		struct function *f = &functions[i];

		if (strncmp(name, f->name, f->len))
			continue;
		if (!name[f->len]) {
			f->public_form = true;
			f->hidden_argument |= ends_in_prog_aux(kernel, type);
		} else if (!strcmp(name + f->len, "_impl")) {
			f->impl_form = true;
		}
	}
}

/*
 * All functions in the object's BTF. Its own are among them, for libbpf removes
 * what distinguishes them; they are not called like the kernel's.
 * Allocates *functions: the caller's to free(). Returns how many there are.
 */
static size_t object_functions(const struct btf *object, struct function **functions)
{
	size_t nr = 0;

	*functions = calloc(btf__type_cnt(object), sizeof(**functions));
	for (unsigned int id = 1; *functions && id < btf__type_cnt(object); id++) {
		const struct btf_type *type = btf__type_by_id(object, id);
		const char *name = btf__name_by_offset(object, type->name_off);

		if (!btf_is_func(type) || !name || !name[0])
			continue;
		(*functions)[nr].name = name;
		(*functions)[nr++].len = essential_len(name);
	}
	return nr;
}

enum kbtf_fault kbtf_check_functions(const struct btf *kernel, const struct btf *object,
				     const char **name)
{
	enum kbtf_fault fault = KBTF_FINE;
	struct function *functions;
	size_t nr;

	nr = object_functions(object, &functions);
	for (unsigned int id = 1; nr && id < btf__type_cnt(kernel); id++) {
		const struct btf_type *type = btf__type_by_id(kernel, id);

		if (btf_is_func(type))
			match_function(kernel, type, functions, nr);
	}
	for (size_t i = 0; i < nr && fault == KBTF_FINE; i++) {
		*name = functions[i].name;
		if (functions[i].hidden_argument)
			fault = KBTF_HIDDEN_ARGUMENT;
		else if (functions[i].impl_form && !functions[i].public_form)
			fault = KBTF_NO_PUBLIC_FORM;
	}
	free(functions);
	return fault;
}
