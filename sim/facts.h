/* SPDX-License-Identifier: GPL-2.0-only */
/* Facts about labels and pods, and what they answer. */
#ifndef FACTS_H
#define FACTS_H

#include "machine.h"

#include "label_answers.h"

/* Facts, and their answers to the questions of the scheduler. */
struct facts {
	char **texts; /* as label_answers.h has them; nr of them, owned */
	u32 nr;
	bool is_container; /* that the loader was told of */
	bool complete; /* there are no other facts */
	struct label_answers answers;
};

void add_fact(struct facts *facts, const char *text);
void answer(struct facts *facts, const struct questions *questions);
void forget_facts(struct facts *facts);

#endif /* FACTS_H */
