/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_OBJECT_H
#define GTHULHU_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi.h"

struct bpf_object;
struct bpf_map;
struct btf_type;

/* Whether cgroups count under a policy that leaves it to the machine: fill/cgroups.h. */
enum cgroups {
	CGROUPS_UNDECIDED,
	CGROUPS_COUNT,
	CGROUPS_ABSENT, /* none has the cpu controller */
	CGROUPS_IMPOSSIBLE, /* the kernel does not report them to schedulers, or refuses it */
};

/* A policy's object. object_open() (open.h) opens and checks it, object_close() closes it. */
struct object {
	struct bpf_object *bpf; /* owned */
	int excerpt_fd; /* the kernel's types, see excerpt.h; owned; negative: none */
	/* The maps are owned by bpf. */
	struct bpf_map *ops; /* the struct_ops */
	struct bpf_map *rodata;
	struct bpf_map *cpus; /* .data.cpus; NULL: the policy has none */
	struct bpf_map *followed; /* .data.pins; NULL: no CPUs move with interrupts */
	struct bpf_map *params; /* .data.params; NULL: the policy has no tunables or conditions */
	struct bpf_map *exit; /* .data.exit */
	size_t exit_offset; /* of exit_report in that map, in bytes */
	/* Copies with terminated, printable strings. */
	struct gthulhu_policy policy;
	struct gthulhu_pin *listed; /* policy.nr_pins of them; owned; NULL: none */
	struct gthulhu_pin *pins; /* the same, with the CPUs of groups; owned */
	char (*interrupts)[GTHULHU_NAME_LEN]; /* names that groups have; owned; NULL: none */
	unsigned int nr_interrupts;
	uint64_t *values; /* of tunables, policy.nr_tunables of them; owned; NULL: none */
	enum cgroups cgroups;
	char *params_live; /* .data.params in the kernel, mapped; owned; NULL: not loaded */
	size_t params_size;
};

/* Frees everything. A closed or a failed object may be closed again. */
void object_close(struct object *object);

/* The address in a variable of .data.params: in the image or, once loaded, in the scheduler. */
char *object_params(struct object *object, const char *name, size_t offset);

/* A variable of a data section, before the object is loaded. The object owns what it points to. */
struct variable {
	const char *name;
	const struct btf_type *type; /* without const and volatile */
	void *data; /* its initial value, which may be changed */
	size_t size;
};

/* Reads variable number i of a map's data section. Returns false past the last one. */
bool object_variable(const struct object *object, struct bpf_map *map, unsigned int i,
		     struct variable *variable);

/*
 * Finds a variable by its name. Returns false if there is none; `*variable` is unspecified then.
 */
bool object_find(const struct object *object, struct bpf_map *map, const char *name,
		 struct variable *variable);

/*
 * Gives a constant its value before the object is loaded; one that the object lacks is left out. Returns
 * 0, or -EINVAL if the constant has another size.
 */
int object_set(struct object *object, const char *name, const void *value, size_t size);

/* Whether the variable can be read as an array of TYPE in place; a damaged object can move it. */
#define variable_holds(variable, TYPE) (!((uintptr_t)(variable)->data % _Alignof(TYPE)))

#endif /* GTHULHU_OBJECT_H */
