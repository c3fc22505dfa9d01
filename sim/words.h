/* SPDX-License-Identifier: GPL-2.0-only */
/* A line of a scenario, in words. Each function reads the next one. */
#ifndef WORDS_H
#define WORDS_H

#include "machine.h"

enum { MAX_ARGS = 16 };

struct words {
	u64 at_ns;
	const char *verb;
	const char *args[MAX_ARGS];
	u32 nr, at;
};

u64 read_number(struct words *w);
struct cpu_set read_set(struct words *w);
struct task *read_task(struct words *w);
struct cpu *read_cpu(struct words *w);
char *decoded(char *text); /* %XX is a byte; in place */
const char *read_text(struct words *w);

/* Verbs of replay.c. */
void do_record(struct words *w);
void do_actions(struct words *w);
void do_again(struct words *w);
void do_enters(struct words *w);
void do_course(struct words *w);
void do_timer(struct words *w);
void do_give(struct words *w);
void do_follow(struct words *w);

/* Verbs of labels.c. */
void do_container(struct words *w);
void do_fact(struct words *w);
void do_label(struct words *w);
void do_labelled(struct words *w);

#endif /* WORDS_H */
