/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_RUN_H
#define GTHULHU_RUN_H

#include "loader.h"

struct run_options;

/*
 * Puts the object of the options in force and keeps it there until a signal on signal_fd, a
 * request or the kernel ends it. Everything is cleaned up when it returns; signal_fd stays the
 * caller's to close.
 */
enum exit_status run_policy(const struct run_options *options, int signal_fd);

#endif /* GTHULHU_RUN_H */
