/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Objects that were taken out by themselves: each is put in force again only with --force. The file
 * `refused` of the state directory has a line for each: a checksum, the generation and the reason.
 */
#ifndef GTHULHU_REFUSED_H
#define GTHULHU_REFUSED_H

#include <stdbool.h>
#include <stddef.h>

struct state;

/*
 * Adds the object of a generation, and marks all generations that have it, so that the loader does
 * not go back to one of them. A failure is logged.
 */
void refused_add(const struct state *state, unsigned int generation, const char *reason);

/* Logs an error and returns -EPERM if the object is refused, else 0. `called` is for messages. */
int refused_check(const struct state *state, const char *called, const void *image, size_t size);

#endif /* GTHULHU_REFUSED_H */
