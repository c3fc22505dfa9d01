/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes labels to the maps of a policy, and has tasks reclassified. */
#ifndef GTHULHU_LABEL_MAPS_H
#define GTHULHU_LABEL_MAPS_H

struct bpf_map;
struct bpf_program;
struct label_set;
struct object;
struct pids;

/* Returns a map of the object, which owns it; NULL: the policy has none of this name. */
struct bpf_map *label_map(const struct object *object, const char *name);

/* Returns the program that reclassifies tasks, which the object owns; NULL: the policy has none. */
struct bpf_program *relabel_program(const struct object *object);

/*
 * Writes the answers of a set under key, if the object has such a map. Returns 0 or -errno; on failure
 * the map is unchanged.
 */
int label_map_answer(const struct object *object, const char *name, const void *key,
		     const struct label_set *set);

/* Removes the answers under key; nothing if the object has no such map or key. */
void label_map_erase(const struct object *object, const char *name, const void *key);

/*
 * Has the kernel reclassify the tasks of these processes. Returns 0 or -errno; on failure some tasks
 * may keep their class.
 */
int relabel(const struct object *object, const struct pids *processes);

#endif /* GTHULHU_LABEL_MAPS_H */
