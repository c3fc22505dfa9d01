/* SPDX-License-Identifier: GPL-2.0-only */
/* Answers to requests that failed. Each is a line as from json_end(), for control_answer(). */
#ifndef GTHULHU_ANSWER_H
#define GTHULHU_ANSWER_H

struct log_capture;

/* Returns what was logged as errors, and `then`, what is in force now; NULL: nothing changed. */
char *answer_failure(const struct log_capture *said, const char *then);

/* Returns an error, which only the client reads; remedy may be NULL. */
char *answer_refusal(const char *remedy, const char *text);

#endif /* GTHULHU_ANSWER_H */
