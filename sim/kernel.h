/* SPDX-License-Identifier: GPL-2.0-only */
/* Which kernel the model is. */
#ifndef KERNEL_H
#define KERNEL_H

#include "kernel.bpf.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

extern u32 kernel_version; /* major << 8 | minor */

/* Gives a scheduler's variable the value of the kernel's constant; 0 if this kernel lacks it. */
void set_constant(const char *name, u64 *to);

#endif /* KERNEL_H */
