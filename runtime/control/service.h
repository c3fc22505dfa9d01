/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Notifies the service manager that started the loader (sd_notify(3)). Does nothing without one;
 * a failure is logged and has no other effect.
 */
#ifndef GTHULHU_SERVICE_H
#define GTHULHU_SERVICE_H

/* The policy is in force: ready. */
void service_notify_ready(const char *policy, unsigned int generation);

/* The loader still runs: for WatchdogSec=. Most calls cost nothing. */
void service_notify_alive(void);

/* No policy is in force any more. */
void service_notify_stopped(void);

#endif /* GTHULHU_SERVICE_H */
