/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_SWITCHING_H
#define GTHULHU_SWITCHING_H

struct context;

/* Switches to what holds under the present conditions, and reports those that have changed. */
void switching_follow(struct context *ctx);

#endif /* GTHULHU_SWITCHING_H */
