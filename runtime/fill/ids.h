/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_IDS_H
#define GTHULHU_IDS_H

#include <stdbool.h>
#include <stdint.h>

struct object;

/*
 * Looks up a user or group in /etc/passwd or /etc/group below root ("" except in tests). Returns 0,
 * -ENOENT (no such name) or another -errno, silently; on failure `*id` is unchanged.
 */
int ids_find(const char *root, bool is_group, const char *name, uint32_t *id);

/*
 * Writes the numbers of all users and groups that the policy names into the open object. Returns 0 or
 * -errno.
 */
int ids_fill(struct object *object);

#endif /* GTHULHU_IDS_H */
