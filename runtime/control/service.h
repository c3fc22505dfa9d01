/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_SERVICE_H
#define GTHULHU_SERVICE_H

/*
 * Tells a service manager (sd_notify(3)) that the policy is in force, and which
 * one; does nothing where none has started us.
 */
void service_notify_ready(const char *policy, unsigned int generation);

/* The same, at its end. */
void service_notify_stopped(void);

#endif /* GTHULHU_SERVICE_H */
