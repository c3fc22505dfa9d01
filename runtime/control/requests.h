/* SPDX-License-Identifier: GPL-2.0-only */
/* Carries out the requests of control.h. */
#ifndef GTHULHU_REQUESTS_H
#define GTHULHU_REQUESTS_H

struct client;
struct context;

/*
 * Carries out the request of a client and answers it, except for `stop`, which is answered after
 * the cleanup, and for a trial, which keeps the client.
 */
void request_serve(struct context *ctx, struct client *client);

#endif /* GTHULHU_REQUESTS_H */
