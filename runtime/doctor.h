/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_DOCTOR_H
#define GTHULHU_DOCTOR_H

#include "loader.h"

/*
 * Prints a line for each thing that a policy needs of this machine, and for what
 * the object at path needs more; NULL: none is given. Changes nothing.
 */
enum exit_status doctor(const char *path);

#endif /* GTHULHU_DOCTOR_H */
