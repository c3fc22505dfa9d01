/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernel functions whose calls a policy asks about. The object has two programs for each, of
 * which one is loaded: fentry takes about half of a kprobe's time, and is for functions of the
 * kernel itself. It would keep a module from being unloaded, and could not come back with it; a
 * kprobe does neither, and is attached again when modules come and go.
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
	struct bpf_program *kprobe; /* NULL: it has an fentry */
	struct bpf_link *link; /* of the kprobe, owned; NULL: there is none */
	int err; /* why there is none, an errno */
};

struct calls {
	struct traced *traced; /* owned */
	size_t nr;
	struct ring_buffer *events; /* of modules; owned; NULL: they do not matter */
};

/* Decides which programs are loaded. */
int calls_prepare(struct calls *calls, struct object *object, const struct kbtf *kernel);

/* When all other programs are attached: attaches kprobes, and warns of what is missing. */
int calls_attach(struct calls *calls, const struct object *object);

/* Readable when calls_follow() has something to do; negative: it never has. */
int calls_fd(const struct calls *calls);

/* Attaches what has come with a module, and lets go of what has gone. */
void calls_follow(struct calls *calls, const struct object *object);

void calls_end(struct calls *calls);

/* Members of an answer: the functions, and how they are traced, or why not. */
void calls_write(const struct calls *calls, struct json *json);

/* What becomes of a function here, as far as that can be said without loading anything. */
enum traced_where { TRACED_KERNEL, TRACED_MODULE, TRACED_NOWHERE };

/* The function number i of an object, and where it is; NULL past the last one. */
const char *calls_find(const struct object *object, const struct kbtf *kernel, unsigned int i,
		       enum traced_where *where);

#endif /* GTHULHU_CALLS_H */
