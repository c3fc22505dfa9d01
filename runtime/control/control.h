/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The control socket of a loader. A client connects, sends one line, receives one
 * line of JSON, and the loader closes the connection. Tabs separate the fields of a
 * request. A field may contain anything but tabs, newlines and NULs:
 *
 *	status			the policy in force
 *	set	NAME=VALUE	sets a tunable at once
 *	swap	OBJECT [CALLED]	puts another object in force: its absolute path, and its
 *				name in messages; for the path `-` the request carries
 *				the file itself (SCM_RIGHTS)
 *	swap	OBJECT CALLED OPTION...
 *				`force`: also an object that was taken out by itself;
 *				`dry-run`: load it, and never enable it;
 *				`trial=MS`: see trial.h
 *	rollback [force]	puts the previous generation in force again
 *	label	PID CHANGE...	labels a process and its descendants with KEY=VALUE, or
 *				removes a label with KEY-; without a change: shows them
 *	cgroup	PATH all|some FACT...
 *				sets the facts about a cgroup: all that exist, or some of
 *				them; label:KEY=VALUE, namespace=NAME, pod=NAME,
 *				container=NAME; /a//b, /a/./b and /a/b/ are /a/b
 *	cgroup	PATH none	forgets the facts about a cgroup
 *	condition NAME VALUE	tells a fact for conditions: power saver|balanced|performance,
 *				battery N%, on-battery yes|no; each may be `unknown`
 *	stats			counters by class, and by cgroup if the policy keeps limits
 *	tasks	[TID]		the class of each task, or of one; and their labels, if
 *				the policy asks for some
 *	stop			ends the loader; the answer follows the cleanup
 *
 * The answer has `ok`: true, or false with `error`. It may also have `help`, `log` (the
 * end of the output of libbpf and the verifier) and `then` (what is in force now).
 *
 * The loader carries out one request at a time and waits for no client: it disconnects a
 * client that does not send a line, or does not read its answer, within CONTROL_DEADLINE_MS.
 */
#ifndef GTHULHU_CONTROL_H
#define GTHULHU_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum control_limits {
	CONTROL_CLIENTS = 16, /* at once; others wait in the socket's backlog */
	CONTROL_LINE = 65536, /* all labels of a container; a longer line is refused */
	CONTROL_FIELDS = 1024, /* a request with more is refused */
	CONTROL_DEADLINE_MS = 3000,
};

struct client {
	int fd; /* 0: the slot is free; standard input is never a client */
	int file_fd; /* received with the request; 0: none */
	int64_t deadline_ms; /* as clock_ms() */
	size_t len; /* bytes of line received so far */
	bool asked; /* the line is complete and waits for control_answer() */
	bool too_long; /* the rest of the line is read, then refused */
	char *answer; /* owned; NULL: none yet */
	size_t answer_len, sent;
	char line[CONTROL_LINE];
};

struct control {
	int fd; /* listening; negative: not open */
	char path[108]; /* of the socket, as in sockaddr_un */
	struct client *clients; /* CONTROL_CLIENTS slots; owned */
	int64_t paused_until_ms; /* accepts no client until then; 0: accepts */
};

/*
 * Creates the socket in directory and listens. Replaces an existing socket: the caller holds the
 * directory's lock. Returns 0 or -errno; after a failure `*control` may be passed to
 * control_close().
 */
int control_open(struct control *control, const char *directory);

/* Removes the socket: no new client can connect, those connected still get their answer. */
void control_unlink(struct control *control);

/*
 * Unlinks the socket, gives clients a moment to read their answers, then disconnects them and
 * frees everything. May be called on a control that was never opened or is closed already.
 */
void control_close(struct control *control);

/*
 * Waits for a request, at most timeout_ms (milliseconds), or until signal_fd or events_fd is
 * readable (negative: ignored). Returns the client, or NULL if there is no request. The client
 * stays owned by `control`; the caller must pass it to control_answer(). Its line has no newline.
 */
struct client *control_wait(struct control *control, int signal_fd, int events_fd, int timeout_ms);

/* Queues text, from json_end(), as the answer and takes ownership of it; NULL: disconnects. */
void control_answer(struct client *client, char *text);

/* Takes a client from the control: returns its socket, which the caller must close. */
int control_take(struct client *client);

#endif /* GTHULHU_CONTROL_H */
