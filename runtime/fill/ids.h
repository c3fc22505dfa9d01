/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_IDS_H
#define GTHULHU_IDS_H

#include <stdbool.h>
#include <stdint.h>

struct object;

/*
 * The number of a user or group in /etc/passwd or /etc/group below root ("", but
 * for tests); -ENOENT: it is not there, or another -errno.
 */
int ids_find(const char *root, bool is_group, const char *name, uint32_t *id);

/* Looks up the users and groups that the policy names. */
int ids_fill(struct object *object);

#endif /* GTHULHU_IDS_H */
