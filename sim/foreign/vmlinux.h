/* SPDX-License-Identifier: GPL-2.0-only */
/* scx/common.bpf.h has the types of the kernel that the model knows. */
#include "scx/common.bpf.h"
