/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The running kernel's BTF: values of constants, members of structures, functions. No function here
 * logs anything.
 */
#ifndef GTHULHU_KBTF_H
#define GTHULHU_KBTF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct btf;
struct btf_type;

/*
 * The kernel's types, with an index of their names: there are about 150,000, and libbpf searches all
 * of them for each name.
 */
struct kbtf {
	struct btf *btf; /* owned, unless libbpf took it, see kbtf_share() */
	uint32_t *first; /* by the hash of a name: the lowest type id; 0: none; owned */
	uint32_t *next; /* by type id: the next id with that hash; 0: none; owned */
	uint32_t nr_types;
};

/*
 * Reads /sys/kernel/btf/vmlinux. Returns 0 or -errno. On success the caller must kbtf_close() it; on
 * failure there is nothing to close.
 */
int kbtf_open(struct kbtf *kernel);

/* The same for types in memory. Takes ownership of btf, also on failure. */
int kbtf_index(struct kbtf *kernel, struct btf *btf);

/* Frees everything and zeroes `*kernel`. */
void kbtf_close(struct kbtf *kernel);

/* Returns the first type id with a name and kind (BTF_KIND_*), as libbpf does; -ENOENT: none. */
int kbtf_find(const struct kbtf *kernel, const char *name, uint32_t kind);

/* Returns the next type id with the name and kind of id; -ENOENT: none. */
int kbtf_find_next(const struct kbtf *kernel, uint32_t id);

/*
 * Returns the length of a name without its last suffix after three underscores, which libbpf
 * ignores: for scx_bpf_dsq_insert___v2___new it looks up scx_bpf_dsq_insert___v2.
 */
size_t kbtf_base_name_len(const char *name);

/*
 * Until kbtf_close(), libbpf uses these types and their index instead of reading the types again.
 * Has no effect with a shared libbpf.
 */
void kbtf_share(struct kbtf *kernel);

/* An enumerator to look up. */
struct kbtf_constant {
	const char *name; /* in; not owned */
	bool found; /* out */
	uint64_t value; /* out; 0 if not found */
};

/*
 * Looks up nr constants in one pass over the types. Restores known constants of more than 32 bits
 * that an old pahole truncated.
 */
void kbtf_find_constants(const struct kbtf *kernel, struct kbtf_constant *constants, size_t nr);

/* Returns a structure of the kernel, owned by its BTF; NULL: none. */
const struct btf_type *kbtf_find_struct(const struct kbtf *kernel, const char *name);

/* Returns true if the structure has this member. */
bool kbtf_has_member(const struct kbtf *kernel, const struct btf_type *structure,
		     const char *member);

/* A defect in the kernel's description of a function that BPF may call. */
enum kbtf_fault {
	KBTF_FINE,
	KBTF_HIDDEN_ARGUMENT, /* exposes the argument that only the verifier passes */
	KBTF_NO_PUBLIC_FORM, /* has NAME_impl, and no NAME */
};

/*
 * Checks the kernel functions that the object calls. On a fault `*name` is that function's name,
 * owned by the object's BTF.
 */
enum kbtf_fault kbtf_check_functions(const struct kbtf *kernel, const struct btf *object,
				     const char **name);

/* The same for all functions of sched_ext; on a fault name has that name, without _impl. */
enum kbtf_fault kbtf_check_all_functions(const struct kbtf *kernel, char *name, size_t size);

/* Returns true if constants are truncated, which kbtf_find_constants() restores. */
bool kbtf_is_truncated(const struct kbtf *kernel);

#endif /* GTHULHU_KBTF_H */
