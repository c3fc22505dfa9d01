// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>

#include "object/object.h"
#include "object/questions.h"
#include "output/log.h"

static const char remedy_again[] = "compile the policy again, with a gthulhuc of this release";

enum { BYTES = 256 }; /* each byte has a column */

void questions_find(const struct object *object, struct questions *questions)
{
	struct variable var;

	memset(questions, 0, sizeof(*questions));
	if (object_find(object, object->rodata, "policy_questions", &var) &&
	    variable_holds(&var, struct gthulhu_question)) {
		questions->all = var.data;
		questions->nr = var.size / sizeof(*questions->all);
	}
	if (object_find(object, object->rodata, "policy_texts", &var)) {
		questions->texts = var.data;
		questions->texts_size = var.size;
	}
	if (object_find(object, object->rodata, "policy_tables", &var) &&
	    variable_holds(&var, uint16_t)) {
		questions->tables = var.data;
		questions->nr_cells = var.size / sizeof(*questions->tables);
	}
}

/* The table of a question about a pattern. */
struct automaton {
	const uint16_t *column, *accepts, *next_state;
	size_t nr_columns, nr_states;
};

static struct automaton automaton_of(const struct questions *questions,
				     const struct gthulhu_question *question)
{
	const uint16_t *table = questions->tables + question->table;

	return (struct automaton){
		.column = table,
		.accepts = table + BYTES,
		.next_state = table + BYTES + question->nr_states,
		.nr_columns = question->nr_columns,
		.nr_states = question->nr_states,
	};
}

static bool automaton_is_valid(const struct questions *questions,
			       const struct gthulhu_question *question)
{
	uint64_t cells = (uint64_t)question->nr_states * question->nr_columns;
	struct automaton automaton;

	if (!question->nr_states || !question->nr_columns ||
	    question->table > questions->nr_cells ||
	    BYTES + question->nr_states + cells > questions->nr_cells - question->table)
		return false;
	automaton = automaton_of(questions, question);
	for (size_t i = 0; i < BYTES; i++) {
		if (automaton.column[i] >= automaton.nr_columns)
			return false;
	}
	for (size_t i = 0; i < cells; i++) {
		if (automaton.next_state[i] >= automaton.nr_states)
			return false;
	}
	return true;
}

/* The key and the values must be terminated texts. */
static bool texts_are_valid(const struct questions *questions,
			    const struct gthulhu_question *question)
{
	size_t at = question->text;

	for (uint64_t i = 0; i <= question->nr_values; i++) {
		const char *end;

		if (at >= questions->texts_size)
			return false;
		end = memchr(questions->texts + at, '\0', questions->texts_size - at);
		if (!end)
			return false;
		at = end - questions->texts + 1;
	}
	return true;
}

int questions_check(const struct object *object, const char *path)
{
	struct questions questions;

	questions_find(object, &questions);
	for (size_t i = 0; i < questions.nr; i++) {
		const struct gthulhu_question *question = &questions.all[i];

		if (question->bit >= 64 || question->subject >= GTHULHU_NR_SUBJECTS ||
		    question->asks > GTHULHU_MATCHES || !texts_are_valid(&questions, question) ||
		    (question->asks == GTHULHU_MATCHES &&
		     !automaton_is_valid(&questions, question)))
			return log_error(EINVAL, remedy_again,
					 "%s: corrupt object: invalid policy_questions[%zu]", path,
					 i);
	}
	return 0;
}

bool questions_any(const struct object *object)
{
	struct questions questions;

	questions_find(object, &questions);
	return questions.nr;
}

bool questions_about(const struct object *object, const char *key, size_t len)
{
	struct questions questions;

	questions_find(object, &questions);
	for (size_t i = 0; i < questions.nr; i++) {
		const char *text = questions.texts + questions.all[i].text;

		if (questions.all[i].subject == GTHULHU_LABEL && strlen(text) == len &&
		    !strncmp(text, key, len))
			return true;
	}
	return false;
}

static bool is_one_of(const struct questions *questions, const struct gthulhu_question *question,
		      const char *value)
{
	const char *text = questions->texts + question->text;

	for (unsigned int i = 0; i < question->nr_values; i++) {
		text += strlen(text) + 1; /* the first one is the key */
		if (!strcmp(text, value))
			return true;
	}
	return false;
}

static bool matches(const struct automaton *automaton, const char *value)
{
	size_t state = 0;

	for (; *value; value++)
		state = automaton->next_state[state * automaton->nr_columns +
					      automaton->column[(unsigned char)*value]];
	return automaton->accepts[state];
}

bool question_accepts(const struct questions *questions, const struct gthulhu_question *question,
		      const char *value)
{
	struct automaton automaton;

	if (question->asks == GTHULHU_HAS)
		return true;
	if (question->asks == GTHULHU_IS)
		return is_one_of(questions, question, value);
	automaton = automaton_of(questions, question);
	return matches(&automaton, value);
}

const char *question_key(const struct questions *questions, const struct gthulhu_question *question)
{
	return questions->texts + question->text;
}
