/* SPDX-License-Identifier: GPL-2.0-only */
/* common.bpf.h has what schedulers expect of the header of this name. */
#include "common.bpf.h"
