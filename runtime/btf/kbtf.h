/* SPDX-License-Identifier: GPL-2.0-only */
/* What the running kernel's BTF says: values of constants, members, functions. */
#ifndef GTHULHU_KBTF_H
#define GTHULHU_KBTF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct btf;
struct btf_type;

/*
 * The kernel's types, with an index of their names: there are some 150,000, and
 * libbpf goes through all of them for each name.
 */
struct kbtf {
	struct btf *btf; /* owned, unless it was given away */
	uint32_t *first; /* by a name's hash: the lowest id of a type, 0: none */
	uint32_t *next; /* by id: the next one with that hash */
	uint32_t nr_types;
};

/* Reads /sys/kernel/btf/vmlinux; 0 or -errno, silently. The caller has to kbtf_close() it. */
int kbtf_open(struct kbtf *kernel);

/* The same for types that are in memory already; takes btf over, also on error. */
int kbtf_index(struct kbtf *kernel, struct btf *btf);

void kbtf_close(struct kbtf *kernel);

/* The first type with that name and kind (BTF_KIND_*), as libbpf finds it; -ENOENT: there is none. */
int kbtf_find(const struct kbtf *kernel, const char *name, uint32_t kind);

/* The next one after that, with the same name and kind; -ENOENT: there is none. */
int kbtf_find_next(const struct kbtf *kernel, uint32_t id);

/*
 * What stands after a name's last three underscores is the object's own: libbpf
 * looks for scx_bpf_dsq_insert___v2 when it meets scx_bpf_dsq_insert___v2___new.
 */
size_t kbtf_base_name_len(const char *name);

/*
 * From here to kbtf_close(), libbpf uses these types instead of reading them
 * once more, and their index. Where libbpf is a shared library this does nothing.
 */
void kbtf_share(struct kbtf *kernel);

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
void kbtf_find_constants(const struct kbtf *kernel, struct kbtf_constant *constants, size_t nr);

/* A structure of the kernel, owned by its BTF; NULL where there is none. */
const struct btf_type *kbtf_find_struct(const struct kbtf *kernel, const char *name);

/* Whether that structure has this member. */
bool kbtf_has_member(const struct kbtf *kernel, const struct btf_type *structure,
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
enum kbtf_fault kbtf_check_functions(const struct kbtf *kernel, const struct btf *object,
				     const char **name);

/* The same for all functions of sched_ext; on a fault name has that function's, without _impl. */
enum kbtf_fault kbtf_check_all_functions(const struct kbtf *kernel, char *name, size_t size);

/* Whether wide constants have lost their upper halves, which kbtf_find_constants() restores. */
bool kbtf_is_cut_off(const struct kbtf *kernel);

#endif /* GTHULHU_KBTF_H */
