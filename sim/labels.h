/* SPDX-License-Identifier: GPL-2.0-only */
/* Labels of cgroups and tasks, as the loader knows them. */
#ifndef LABELS_H
#define LABELS_H

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

/* Each time that a scheduler is loaded. The maps: label_sets and process_labels. */
void fill_labels(const struct questions *questions, void *label_sets, void *process_labels);
void forget_labels(void);

void answer(struct facts *facts, const struct questions *questions);
void forget_facts(struct facts *facts);

#endif /* LABELS_H */
