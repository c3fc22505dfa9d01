/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_DOCTOR_H
#define GTHULHU_DOCTOR_H

#include "loader.h"

/*
 * Prints a line for each requirement of policies on this machine, and of the object at path if it is
 * not NULL. Changes nothing. Returns STATUS_REFUSED if one has an error.
 */
enum exit_status doctor(const char *path);

#endif /* GTHULHU_DOCTOR_H */
