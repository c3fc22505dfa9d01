/* SPDX-License-Identifier: GPL-2.0-only */
/* What the running kernel's BTF says: values of constants, members, functions. */
#ifndef GTHULHU_KBTF_H
#define GTHULHU_KBTF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct btf;
struct btf_type;

/* An enumerator that is looked for, by its name. */
struct kbtf_constant {
	const char *name; /* in */
	bool found; /* out */
	uint64_t value; /* out; 0 where it was not found */
};

/*
 * Fills in the values, in one pass over the types. Constants of more than 32
 * bits that an old pahole has cut off are restored where they are known.
 */
void kbtf_find_constants(const struct btf *kernel, struct kbtf_constant *constants, size_t nr);

/* A structure of the kernel, owned by its BTF; NULL where there is none. */
const struct btf_type *kbtf_find_struct(const struct btf *kernel, const char *name);

/* Whether that structure has this member. */
bool kbtf_has_member(const struct btf *kernel, const struct btf_type *structure,
		     const char *member);

/* What is wrong with the kernel's description of a function that BPF may call. */
enum kbtf_fault {
	KBTF_FINE,
	KBTF_HIDDEN_ARGUMENT, /* shows the argument that only the verifier passes */
	KBTF_NO_PUBLIC_FORM, /* has NAME_impl, and no NAME */
};

/*
 * Looks at the kernel's functions that the object calls. On a fault name points
 * to that function's name, owned by the object's BTF.
 */
enum kbtf_fault kbtf_check_functions(const struct btf *kernel, const struct btf *object,
				     const char **name);

#endif /* GTHULHU_KBTF_H */
