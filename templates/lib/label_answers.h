/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Evaluates the questions of a policy about labels. The loader and the model of the machine use it.
 *
 * Facts are texts: `label:key=value`, `namespace=name`, `pod=name` and `container=name`. The part
 * before `=` is the kind of a fact.
 */
#ifndef GTHULHU_LABEL_ANSWERS_H
#define GTHULHU_LABEL_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "abi.h"

enum { GTHULHU_BYTE_VALUES = 256 }; /* each has a column in the table of a pattern */

/* The questions of an object, which owns everything that this points to. */
struct questions {
	const struct gthulhu_question *all; /* nr of them; NULL: none */
	size_t nr;
	const char *texts;
	size_t texts_size;
	const uint16_t *tables;
	size_t nr_cells;
};

/* Bits of the questions with a known answer, as in the maps of the object. */
struct label_answers {
	uint64_t known_true;
	uint64_t known_false;
};

/* The table of a question about a pattern. */
struct automaton {
	const uint16_t *column, *accepts, *next_state;
	size_t nr_columns, nr_states;
};

/* Returns the beginning of the facts about a subject. */
static inline const char *subject_name(enum gthulhu_subject subject)
{
	static const char *const names[GTHULHU_NR_SUBJECTS] = {
		[GTHULHU_LABEL] = "label:",
		[GTHULHU_NAMESPACE] = "namespace",
		[GTHULHU_POD] = "pod",
		[GTHULHU_CONTAINER] = "container",
	};

	return names[subject];
}

static inline struct automaton automaton_of(const struct questions *questions,
					    const struct gthulhu_question *question)
{
	const uint16_t *table = questions->tables + question->table;

	return (struct automaton){
		.column = table,
		.accepts = table + GTHULHU_BYTE_VALUES,
		.next_state = table + GTHULHU_BYTE_VALUES + question->nr_states,
		.nr_columns = question->nr_columns,
		.nr_states = question->nr_states,
	};
}

static inline bool is_one_of(const struct questions *questions,
			     const struct gthulhu_question *question, const char *value)
{
	const char *text = questions->texts + question->text;

	for (unsigned int i = 0; i < question->nr_values; i++) {
		text += strlen(text) + 1; /* the first one is the key */
		if (!strcmp(text, value))
			return true;
	}
	return false;
}

static inline bool automaton_accepts(const struct automaton *automaton, const char *value)
{
	size_t state = 0;

	for (; *value; value++)
		state = automaton->next_state[state * automaton->nr_columns +
					      automaton->column[(unsigned char)*value]];
	return automaton->accepts[state];
}

/* Returns true if this value answers the question with yes. */
static inline bool question_accepts(const struct questions *questions,
				    const struct gthulhu_question *question, const char *value)
{
	struct automaton automaton;

	if (question->asks == GTHULHU_HAS)
		return true;
	if (question->asks == GTHULHU_IS)
		return is_one_of(questions, question, value);
	automaton = automaton_of(questions, question);
	return automaton_accepts(&automaton, value);
}

/* Returns the value in the fact that a question is about, owned by the facts, or NULL without one. */
static inline const char *value_asked(const struct questions *questions,
				      const struct gthulhu_question *question,
				      const char *const *facts, size_t nr)
{
	const char *subject = subject_name(question->subject);
	const char *key = questions->texts + question->text; /* empty if it is not about a label */
	size_t subject_len = strlen(subject), len = subject_len + strlen(key);

	for (size_t i = 0; i < nr; i++) {
		if (!strncmp(facts[i], subject, subject_len) &&
		    !strncmp(facts[i] + subject_len, key, len - subject_len) &&
		    facts[i][len] == '=')
			return facts[i] + len + 1;
	}
	return NULL;
}

/* Returns the answers of facts. `complete`: other facts are false; otherwise they are unknown. */
static inline struct label_answers answers_of(const struct questions *questions,
					      const char *const *facts, size_t nr, bool complete)
{
	struct label_answers answers = {};

	for (size_t i = 0; i < questions->nr; i++) {
		const struct gthulhu_question *question = &questions->all[i];
		const char *value = value_asked(questions, question, facts, nr);
		uint64_t bit = 1ULL << question->bit;

		if (!value && !complete)
			continue;
		if (value && question_accepts(questions, question, value))
			answers.known_true |= bit;
		else
			answers.known_false |= bit;
	}
	return answers;
}

#endif /* GTHULHU_LABEL_ANSWERS_H */
