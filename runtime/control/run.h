/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_RUN_H
#define GTHULHU_RUN_H

#include "loader.h"

struct run_options;

/*
 * Runs the object until a signal from signal_fd, a request or the kernel ends it.
 */
enum exit_status run_policy(const struct run_options *options, int signal_fd);

#endif /* GTHULHU_RUN_H */
