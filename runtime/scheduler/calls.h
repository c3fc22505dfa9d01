/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernel functions whose calls a policy asks about. The object has two programs for each, and the
 * loader loads one of them. fentry, for functions of the kernel itself, takes about half of a
 * kprobe's time. On a function of a module it would keep the module from being unloaded and would
 * not return with it. A kprobe does neither; the loader reattaches it when modules come and go.
 */
#ifndef GTHULHU_CALLS_H
#define GTHULHU_CALLS_H

#include <stdbool.h>
#include <stddef.h>

struct bpf_link;
struct bpf_program;
struct json;
struct kbtf;
struct object;
struct ring_buffer;

struct traced {
	const char *function; /* owned by the object */
	struct bpf_program *kprobe; /* owned by the object; NULL: traced by fentry */
	struct bpf_link *link; /* of the kprobe; owned; NULL: not attached */
	int err; /* why it is not attached, a positive errno value; 0: attached */
};

struct calls {
	struct traced *traced; /* owned */
	size_t nr;
	struct ring_buffer *events; /* of modules; owned; NULL: modules do not matter */
};

/*
 * Selects the programs to load. `*calls` must be zeroed before. Returns 0 or -errno; the caller must
 * call calls_end() also after a failure.
 */
int calls_prepare(struct calls *calls, struct object *object, const struct kbtf *kernel);

/*
 * Attaches the kprobes and warns about missing functions. The object must be loaded and all other
 * programs attached. Returns 0 or -errno; a missing function is not a failure.
 */
int calls_attach(struct calls *calls, const struct object *object);

/* Returns a descriptor that is readable when calls_follow() is needed; negative: never needed. */
int calls_fd(const struct calls *calls);

/* Reattaches the kprobes after modules were loaded or unloaded. */
void calls_follow(struct calls *calls, const struct object *object);

/* Frees everything and zeroes `*calls`. */
void calls_end(struct calls *calls);

/* Writes an array `calls`: each function, how it is traced, or why not. */
void calls_write(const struct calls *calls, struct json *json);

/* The place of a function on this machine, as far as it is known without loading anything. */
enum traced_where { TRACED_KERNEL, TRACED_MODULE, TRACED_NOWHERE };

/*
 * Returns function number i of an object, owned by the object, and its place; NULL past the last
 * one. kernel may be NULL.
 */
const char *calls_find(const struct object *object, const struct kbtf *kernel, unsigned int i,
		       enum traced_where *where);

#endif /* GTHULHU_CALLS_H */
