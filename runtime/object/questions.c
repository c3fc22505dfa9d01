// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>

#include "object/object.h"
#include "object/questions.h"
#include "output/log.h"

static const char remedy_again[] = "compile the policy again, with a gthulhuc of this release";

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

static bool automaton_is_valid(const struct questions *questions,
			       const struct gthulhu_question *question)
{
	uint64_t cells = (uint64_t)question->nr_states * question->nr_columns;
	struct automaton automaton;

	if (!question->nr_states || !question->nr_columns ||
	    question->table > questions->nr_cells ||
	    GTHULHU_BYTE_VALUES + question->nr_states + cells >
		    questions->nr_cells - question->table)
		return false;
	automaton = automaton_of(questions, question);
	for (size_t i = 0; i < GTHULHU_BYTE_VALUES; i++) {
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
