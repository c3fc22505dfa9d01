/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_REQUESTS_H
#define GTHULHU_REQUESTS_H

#include <stdbool.h>

struct client;
struct context;

/* Does what a client asks for. Whether something else is in force then, or nothing. */
bool request_serve(struct context *ctx, struct client *client);

#endif /* GTHULHU_REQUESTS_H */
