/* SPDX-License-Identifier: GPL-2.0-only */
/* Labels in the maps of a policy, and in the classes of its tasks. */
#ifndef GTHULHU_LABEL_MAPS_H
#define GTHULHU_LABEL_MAPS_H

struct bpf_map;
struct bpf_program;
struct label_set;
struct object;
struct pids;

/* NULL: the policy has none. */
struct bpf_map *label_map(const struct object *object, const char *name);
struct bpf_program *relabel_program(const struct object *object);

/* What a set answers to the policy's questions is under a key then, where it has such a map. */
int label_map_answer(const struct object *object, const char *name, const void *key,
		     const struct label_set *set);
void label_map_erase(const struct object *object, const char *name, const void *key);

/* Has the tasks of processes classified again. */
int relabel(const struct object *object, const struct pids *processes);

#endif /* GTHULHU_LABEL_MAPS_H */
