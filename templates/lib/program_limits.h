/* SPDX-License-Identifier: GPL-2.0-only */
/* How much of a program is compared. compiler/gthulhuc/fields.py has the same numbers. */
#ifndef GTHULHU_PROGRAM_LIMITS_H
#define GTHULHU_PROGRAM_LIMITS_H

enum {
	COMPONENTS_MAX = 32, /* of a path, a power of two; one with more counts as unknown */
	ARGUMENT_MAX = 255, /* bytes of an argument */
	ARGUMENTS_MAX = 64,
	CMDLINE_MAX = 16384, /* bytes of all arguments together */
};

#endif /* GTHULHU_PROGRAM_LIMITS_H */
