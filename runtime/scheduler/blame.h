/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_BLAME_H
#define GTHULHU_BLAME_H

#include "object/object.h"

/*
 * Whose task the kernel's message is about, as in "rule `job` (shop.gpl:12)". The object is still
 * loaded. False: it names no task, or none that is still there.
 */
bool blame_find(const struct object *object, const char *msg, char *text, unsigned long size);

#endif /* GTHULHU_BLAME_H */
