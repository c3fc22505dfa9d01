/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libbpf's headers, and what those of its older releases (before 1.4; Debian 12
 * has 1.1) have nothing for yet. Where they have it, theirs is taken.
 */
#ifndef GTHULHU_LIBBPF_BPF_H
#define GTHULHU_LIBBPF_BPF_H

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>

#ifndef __arg_nonnull
#define __arg_nonnull __attribute__((btf_decl_tag("arg:nonnull")))
#endif

#ifndef __arg_trusted
#define __arg_trusted __attribute__((btf_decl_tag("arg:trusted")))
#endif

/* Whether the kernel has a function that is declared as weak. */
#ifndef bpf_ksym_exists
#define bpf_ksym_exists(function)                                                                  \
	({                                                                                         \
		_Static_assert(!__builtin_constant_p(!!function), #function " is not weak");       \
		!!function;                                                                        \
	})
#endif

#ifndef bpf_for_each
struct bpf_iter_num;

int bpf_iter_num_new(struct bpf_iter_num *it, int start, int end) __ksym __weak;
int *bpf_iter_num_next(struct bpf_iter_num *it) __ksym __weak;
void bpf_iter_num_destroy(struct bpf_iter_num *it) __ksym __weak;

/*
 * Loops over one of the kernel's iterators, which is destroyed however the loop
 * ends. clang describes the function for that only where it is named outside of
 * the attribute, too.
 */
#define ITERATOR(kind, ...)                                                                        \
	struct bpf_iter_##kind ___it                                                               \
		__attribute__((aligned(8), cleanup(bpf_iter_##kind##_destroy))),                   \
		*___begin __attribute__((unused)) = (bpf_iter_##kind##_new(&___it, __VA_ARGS__),   \
						     (void)bpf_iter_##kind##_destroy, (void *)0)

#define bpf_for_each(kind, each, ...)                                                              \
	for (ITERATOR(kind, __VA_ARGS__); ((each) = bpf_iter_##kind##_next(&___it));)

/* The verifier knows each number to be from begin to before end. */
#define bpf_for(each, begin, end)                                                                  \
	for (ITERATOR(num, begin, end); ({                                                         \
		     int *___next = bpf_iter_num_next(&___it);                                     \
		     (___next && ((each) = *___next, (each) >= (begin) && (each) < (end)));        \
	     });)
#endif

#endif /* GTHULHU_LIBBPF_BPF_H */
