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

/* A policy's object, open and found to follow the ABI. */
struct object {
	struct bpf_object *bpf; /* owned */
	int excerpt_fd; /* of the kernel's types, see excerpt.h; owned; negative: none */
	/* Below: owned by bpf. */
	struct bpf_map *ops; /* the struct_ops */
	struct bpf_map *rodata;
	struct bpf_map *cpus; /* .data.cpus; NULL where the policy has none */
	struct bpf_map *params; /* .data.params; NULL where the policy has no tunables */
	struct bpf_map *exit; /* .data.exit */
	size_t exit_offset; /* of exit_report in it */
	/* Copies, with all strings terminated and printable. */
	struct gthulhu_policy policy;
	struct gthulhu_pin *pins; /* policy.nr_pins of them, owned */
	uint64_t *values; /* of tunables, policy.nr_tunables of them, owned */
	char *params_live; /* .data.params as the kernel has it, see tunables.h; owned */
	size_t params_size;
};

void object_close(struct object *object);

/* A variable of a data section, before the object is loaded. */
struct variable {
	const char *name;
	const struct btf_type *type; /* without const and volatile */
	void *data; /* its initial value */
	size_t size;
};

/*
 * The variable number i of a map's data section; false past the last one.
 */
bool object_variable(const struct object *object, struct bpf_map *map, unsigned int i,
		     struct variable *variable);

/* The one with that name; false: there is none. */
bool object_find(const struct object *object, struct bpf_map *map, const char *name,
		 struct variable *variable);

#endif /* GTHULHU_OBJECT_H */
