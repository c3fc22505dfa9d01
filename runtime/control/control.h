/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The control socket of a loader. A client connects, sends one line, gets one
 * line of JSON, and the connection ends. Fields of a request are separated by
 * tabs, and may hold anything else but newlines and NULs:
 *
 *	status			what is in force
 *	set	NAME=VALUE	gives a tunable another value, at once
 *	swap	OBJECT [CALLED]	puts another object in force; its absolute path, and
 *				how messages call it; for the path `-` the file itself comes
 *				along with the request (SCM_RIGHTS)
 *	rollback		puts the generation before in force again
 *	label	PID CHANGE...	gives a process and what it has started a label, KEY=VALUE,
 *				or takes it away, KEY-; without a change: shows them
 *	cgroup	PATH all|some FACT...
 *				what is known of a cgroup: all that there is, or some of it;
 *				label:KEY=VALUE, namespace=NAME, pod=NAME, container=NAME;
 *				/a//b, /a/./b and /a/b/ are /a/b
 *	cgroup	PATH none	nothing any more
 *	stats			what has been counted, by class
 *	tasks	[TID]		the class of each task, or of one; and their labels, where
 *				the policy asks for some
 *	stop			ends the loader; the answer comes when all is cleaned up
 *
 * The answer has `ok`: true, or false with `error`, and `help`, `log` (the end of
 * what libbpf and the verifier said) and `then` (what is in force now) where
 * there is something to say.
 *
 * One request is carried out at a time. No client is waited for: who has not
 * sent a line within CONTROL_DEADLINE_MS, or does not take the answer, is hung up.
 */
#ifndef GTHULHU_CONTROL_H
#define GTHULHU_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum control_limits {
	CONTROL_CLIENTS = 16, /* at once; others wait for their turn */
	CONTROL_LINE = 65536, /* all labels of a container; a longer one is refused */
	CONTROL_FIELDS = 1024, /* a request with more is refused */
	CONTROL_DEADLINE_MS = 3000,
};

struct client {
	int fd; /* 0: the place is free; standard input is never a client */
	int file_fd; /* that came along; 0: none */
	int64_t deadline_ms; /* monotonic */
	size_t len; /* of what has come */
	bool asked; /* a whole line: it waits for its answer */
	bool too_long; /* the rest of the line is read to be refused */
	char *answer; /* owned; NULL: none yet */
	size_t answer_len, sent;
	char line[CONTROL_LINE];
};

struct control {
	int fd; /* it listens; negative: not open */
	char path[108]; /* of the socket, as in sockaddr_un */
	struct client *clients; /* CONTROL_CLIENTS of them; owned */
	int64_t paused_until_ms; /* nobody is let in; 0: all are */
};

/* Takes the place of a socket that is there: the caller holds the folder's lock. */
int control_open(struct control *control, const char *folder);

/* Removes the socket: nobody can ask any more, who has asked still gets an answer. */
void control_unlink(struct control *control);

/* Gives those who were answered a moment to take it, and hangs up. */
void control_close(struct control *control);

/*
 * Waits for a request, until one of two others is readable (negative: there is none)
 * or the time is over. NULL: there is no request. Whoever is returned has to be
 * answered; its line has no newline.
 */
struct client *control_wait(struct control *control, int signal_fd, int events_fd, int timeout_ms);

/* Answers with a text from json_end(), and takes it over. */
void control_answer(struct client *client, char *text);

#endif /* GTHULHU_CONTROL_H */
