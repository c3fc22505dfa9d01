/* SPDX-License-Identifier: GPL-2.0-only */
/* Keeps facts about labels and pods, and answers the questions of a scheduler about them. */
#include "facts.h"

void add_fact(struct facts *facts, const char *text)
{
	facts->texts = realloc(facts->texts, (facts->nr + 1) * sizeof(*facts->texts));
	facts->texts[facts->nr++] = strdup(text);
}

void forget_facts(struct facts *facts)
{
	for (u32 i = 0; i < facts->nr; i++)
		free(facts->texts[i]);
	free(facts->texts);
	*facts = (struct facts){};
}

void answer(struct facts *facts, const struct questions *questions)
{
	facts->answers = answers_of(questions, (const char *const *)facts->texts, facts->nr,
				    facts->complete);
}
