/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The log of events: a line of JSON for each, in the file `events` of the state directory and, if
 * there is one, in systemd's journal, as the messages of `gthulhu-events`. The file is renamed to
 * `events.1` when it has EVENTS_BYTES.
 */
#ifndef GTHULHU_EVENTS_H
#define GTHULHU_EVENTS_H

#include "output/json.h"

enum events_limits {
	EVENTS_BYTES = 1 << 20,
};

struct session;
struct state;

/* Begins an event with the members `event`, `at`, `policy` and `generation`. */
void event_begin(struct json *json, const char *event, const char *policy, unsigned int generation);

/* Writes the event. A failure is logged, once. */
void event_end(const struct state *state, struct json *json);

/* Writes an event of the session's policy with one more member, `reason`; none if it is NULL. */
void event_write(const struct state *state, const char *event, const struct session *session,
		 const char *reason);

#endif /* GTHULHU_EVENTS_H */
