/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_FREQUENCY_H
#define GTHULHU_FREQUENCY_H

#include <stdbool.h>

/*
 * Whether any CPU runs at what the scheduler asks for, by its cpufreq governor. system is SYSTEM_DIR
 * except in tests.
 */
bool frequency_follows_scheduler(const char *system);

#endif /* GTHULHU_FREQUENCY_H */
