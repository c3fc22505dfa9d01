// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include <bpf/btf.h>

#include "btf/kbtf.h"

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

/* truncated: the upper half of the value may be missing. */
static void match_constant(const char *name, uint64_t value, bool truncated,
			   struct kbtf_constant *constants, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		if (constants[i].found || strcmp(name, constants[i].name))
			continue;
		constants[i].found = true;
		constants[i].value = truncated ? restore_wide(name, value) : value;
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
			match_constant(name, value, true, constants, nr);
	}
}

static void match_enum64(const struct btf *btf, const struct btf_type *type,
			 struct kbtf_constant *constants, size_t nr)
{
	const struct btf_enum64 *e = btf_enum64(type);

	for (unsigned int i = 0; i < btf_vlen(type); i++) {
		const char *name = btf__name_by_offset(btf, e[i].name_off);

		if (name)
			match_constant(name, btf_enum64_value(&e[i]), false, constants, nr);
	}
}

void kbtf_find_constants(const struct kbtf *kernel, struct kbtf_constant *constants, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		constants[i].found = false;
		constants[i].value = 0;
	}
	for (uint32_t id = 1; id < kernel->nr_types; id++) {
		const struct btf_type *type = btf__type_by_id(kernel->btf, id);

		if (btf_is_enum(type))
			match_enum(kernel->btf, type, constants, nr);
		else if (btf_is_enum64(type))
			match_enum64(kernel->btf, type, constants, nr);
	}
}

const struct btf_type *kbtf_find_struct(const struct kbtf *kernel, const char *name)
{
	int id = kbtf_find(kernel, name, BTF_KIND_STRUCT);

	return id < 0 ? NULL : btf__type_by_id(kernel->btf, id);
}

bool kbtf_has_member(const struct kbtf *kernel, const struct btf_type *structure,
		     const char *member)
{
	const struct btf_member *members = btf_members(structure);

	for (unsigned int i = 0; i < btf_vlen(structure); i++) {
		const char *name = btf__name_by_offset(kernel->btf, members[i].name_off);

		if (name && !strcmp(name, member))
			return true;
	}
	return false;
}

size_t kbtf_base_name_len(const char *name)
{
	size_t len = strlen(name);

	for (size_t i = len; i > 1; i--) {
		if (!strncmp(name + i - 1, "___", 3) && name[i - 2] != '_')
			return i - 1;
	}
	return len;
}

static bool ends_in_prog_aux(const struct btf *btf, int func)
{
	const struct btf_type *proto = btf__type_by_id(btf, btf__type_by_id(btf, func)->type);
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

/* The whole form of a function, with the hidden argument. */
static const char whole_form[] = "_impl";

static bool is_whole_form(const char *name)
{
	size_t len = strlen(name);

	return len >= sizeof(whole_form) &&
		!strcmp(name + len - (sizeof(whole_form) - 1), whole_form);
}

/* A function of the object itself is not in the kernel's BTF, or has the form there. */
static enum kbtf_fault check_function(const struct kbtf *kernel, const char *name)
{
	char text[256];
	int id;

	/* An object that names the whole form uses it only where there is no other. */
	if (is_whole_form(name) ||
	    snprintf(text, sizeof(text), "%.*s%s", (int)kbtf_base_name_len(name), name,
		     whole_form) >= (int)sizeof(text))
		return KBTF_FINE;
	text[kbtf_base_name_len(name)] = '\0';
	id = kbtf_find(kernel, text, BTF_KIND_FUNC);
	if (id >= 0)
		return ends_in_prog_aux(kernel->btf, id) ? KBTF_HIDDEN_ARGUMENT : KBTF_FINE;
	text[kbtf_base_name_len(name)] = '_';
	id = kbtf_find(kernel, text, BTF_KIND_FUNC);
	return id >= 0 && ends_in_prog_aux(kernel->btf, id) ? KBTF_NO_PUBLIC_FORM : KBTF_FINE;
}

enum kbtf_fault kbtf_check_functions(const struct kbtf *kernel, const struct btf *object,
				     const char **name)
{
	for (unsigned int id = 1; id < btf__type_cnt(object); id++) {
		const struct btf_type *type = btf__type_by_id(object, id);
		enum kbtf_fault fault;

		if (!btf_is_func(type))
			continue;
		*name = btf__name_by_offset(object, type->name_off);
		fault = *name && **name ? check_function(kernel, *name) : KBTF_FINE;
		if (fault != KBTF_FINE)
			return fault;
	}
	return KBTF_FINE;
}

enum kbtf_fault kbtf_check_all_functions(const struct kbtf *kernel, char *name, size_t size)
{
	static const char prefix[] = "scx_bpf_";

	for (uint32_t id = 1; id < kernel->nr_types; id++) {
		const struct btf_type *type = btf__type_by_id(kernel->btf, id);
		enum kbtf_fault fault;
		const char *text;
		size_t len;

		if (!btf_is_func(type))
			continue;
		text = btf__name_by_offset(kernel->btf, type->name_off);
		len = text ? strlen(text) : 0;
		if (len >= size || len < sizeof(whole_form) ||
		    strncmp(text, prefix, sizeof(prefix) - 1))
			continue;
		memcpy(name, text, len + 1);
		if (is_whole_form(name))
			name[len - strlen(whole_form)] = '\0';
		fault = check_function(kernel, name);
		if (fault != KBTF_FINE)
			return fault;
	}
	return KBTF_FINE;
}

bool kbtf_is_truncated(const struct kbtf *kernel)
{
	/* All its values except zero have the highest bits set: without enum64 it is an enum. */
	return kbtf_find(kernel, "scx_dsq_id_flags", BTF_KIND_ENUM) >= 0;
}
