/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory that is not to be used; only a build with AddressSanitizer guards it. */
#ifndef GTHULHU_SIM_SANITIZERS_H
#define GTHULHU_SIM_SANITIZERS_H

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size)
#define ASAN_UNPOISON_MEMORY_REGION(address, size)
#endif

#endif /* GTHULHU_SIM_SANITIZERS_H */
