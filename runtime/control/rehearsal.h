/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tries an object in a sandbox first: if opening, filling in or loading it makes a parser crash, it
 * is refused, and the loader with the policy in force lives on.
 */
#ifndef GTHULHU_REHEARSAL_H
#define GTHULHU_REHEARSAL_H

#include <stddef.h>

struct labels;
struct settings;

/*
 * Opens the object in image, sets its tunables and loads it, all in a sandbox, where bpf(2) does
 * nothing. name is for messages. Returns 0 or -errno. The verifier has not seen the object yet.
 */
int rehearse(const char *name, const void *image, size_t size, const struct settings *settings,
	     const struct labels *labels);

#endif /* GTHULHU_REHEARSAL_H */
