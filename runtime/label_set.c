// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "label_set.h"
#include "log.h"
#include "object.h"

static const char remedy_again[] = "compile the policy again, with a gthulhuc of this release";

/* How facts begin. */
static const char *const kinds[GTHULHU_NR_SUBJECTS] = {
	[GTHULHU_LABEL] = "label:",
	[GTHULHU_NAMESPACE] = "namespace",
	[GTHULHU_POD] = "pod",
	[GTHULHU_CONTAINER] = "container",
};

enum { BYTES = 256 }; /* each has a column */

void label_set_clear(struct label_set *set)
{
	for (size_t i = 0; i < set->nr; i++)
		free(set->facts[i]);
	free(set->facts);
	memset(set, 0, sizeof(*set));
}

int label_set_copy(struct label_set *set, const struct label_set *from)
{
	int err = 0;

	memset(set, 0, sizeof(*set));
	set->complete = from->complete;
	for (size_t i = 0; i < from->nr && !err; i++)
		err = label_set_put(set, from->facts[i]);
	if (err)
		label_set_clear(set);
	return err;
}

/* How long the kind of a fact is, 0: it is none. */
static size_t kind_len(const char *fact)
{
	size_t len = strcspn(fact, "=");
	size_t prefix = strlen(kinds[GTHULHU_LABEL]);

	if (!fact[len])
		return 0;
	if (len > prefix && !strncmp(fact, kinds[GTHULHU_LABEL], prefix))
		return len;
	for (unsigned int i = GTHULHU_NAMESPACE; i < GTHULHU_NR_SUBJECTS; i++) {
		if (strlen(kinds[i]) == len && !strncmp(fact, kinds[i], len))
			return len;
	}
	return 0;
}

/* Where the fact of this kind is, or belongs. */
static size_t place_of(const struct label_set *set, const char *kind, size_t len, bool *found)
{
	size_t low = 0, high = set->nr;

	*found = false;
	while (low < high) {
		size_t middle = (low + high) / 2;
		const char *fact = set->facts[middle];
		size_t fact_len = strcspn(fact, "=");
		size_t shorter = len < fact_len ? len : fact_len;
		int order = memcmp(kind, fact, shorter);

		if (!order)
			order = (len > fact_len) - (len < fact_len);
		if (!order) {
			*found = true;
			return middle;
		}
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

int label_set_put(struct label_set *set, const char *fact)
{
	size_t len = kind_len(fact), place;
	char **facts, *copy;
	bool found;

	if (!len)
		return -EINVAL;
	copy = strdup(fact);
	if (!copy)
		return -ENOMEM;
	place = place_of(set, fact, len, &found);
	if (found) {
		free(set->facts[place]);
		set->facts[place] = copy;
		return 0;
	}
	facts = realloc(set->facts, (set->nr + 1) * sizeof(*facts));
	if (!facts) {
		free(copy);
		return -ENOMEM;
	}
	memmove(facts + place + 1, facts + place, (set->nr - place) * sizeof(*facts));
	facts[place] = copy;
	set->facts = facts;
	set->nr++;
	return 0;
}

void label_set_remove(struct label_set *set, const char *kind, size_t len)
{
	bool found;
	size_t place = place_of(set, kind, len, &found);

	if (!found)
		return;
	free(set->facts[place]);
	set->nr--;
	memmove(set->facts + place, set->facts + place + 1,
		(set->nr - place) * sizeof(*set->facts));
}

bool label_set_equal(const struct label_set *a, const struct label_set *b)
{
	if (a->nr != b->nr || a->complete != b->complete)
		return false;
	for (size_t i = 0; i < a->nr; i++) {
		if (strcmp(a->facts[i], b->facts[i]))
			return false;
	}
	return true;
}

/* ---- What a policy asks ---- */

struct questions {
	const struct gthulhu_question *all;
	size_t nr;
	const char *texts;
	size_t texts_size;
	const uint16_t *tables;
	size_t nr_cells;
};

static void find_questions(const struct object *object, struct questions *questions)
{
	struct variable var;

	memset(questions, 0, sizeof(*questions));
	if (object_find(object, object->rodata, "policy_questions", &var)) {
		questions->all = var.data;
		questions->nr = var.size / sizeof(*questions->all);
	}
	if (object_find(object, object->rodata, "policy_texts", &var)) {
		questions->texts = var.data;
		questions->texts_size = var.size;
	}
	if (object_find(object, object->rodata, "policy_tables", &var)) {
		questions->tables = var.data;
		questions->nr_cells = var.size / sizeof(*questions->tables);
	}
}

/* The table of a question that asks for a pattern. */
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

static bool automaton_is_sound(const struct questions *questions,
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

/* The key and the values are texts that end. */
static bool texts_are_sound(const struct questions *questions,
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

	find_questions(object, &questions);
	for (size_t i = 0; i < questions.nr; i++) {
		const struct gthulhu_question *question = &questions.all[i];

		if (question->bit >= 64 || question->subject >= GTHULHU_NR_SUBJECTS ||
		    question->asks > GTHULHU_MATCHES || !texts_are_sound(&questions, question) ||
		    (question->asks == GTHULHU_MATCHES &&
		     !automaton_is_sound(&questions, question)))
			return log_error(EINVAL, remedy_again,
					 "%s: damaged: policy_questions[%zu] is none", path, i);
	}
	return 0;
}

bool questions_any(const struct object *object)
{
	struct questions questions;

	find_questions(object, &questions);
	return questions.nr;
}

bool questions_about(const struct object *object, const char *key, size_t len)
{
	struct questions questions;

	find_questions(object, &questions);
	for (size_t i = 0; i < questions.nr; i++) {
		const char *text = questions.texts + questions.all[i].text;

		if (questions.all[i].subject == GTHULHU_LABEL && strlen(text) == len &&
		    !strncmp(text, key, len))
			return true;
	}
	return false;
}

/* The value that a question is about; NULL: it is not in the set. */
static const char *value_of(const struct questions *questions,
			    const struct gthulhu_question *question, const struct label_set *set)
{
	const char *prefix = kinds[question->subject];
	const char *key = questions->texts + question->text;
	size_t prefix_len = strlen(prefix), key_len = strlen(key);

	for (size_t i = 0; i < set->nr; i++) {
		const char *fact = set->facts[i];

		if (!strncmp(fact, prefix, prefix_len) &&
		    !strncmp(fact + prefix_len, key, key_len) && fact[prefix_len + key_len] == '=')
			return fact + prefix_len + key_len + 1;
	}
	return NULL;
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

static bool holds(const struct questions *questions, const struct gthulhu_question *question,
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

struct label_answers questions_answer(const struct object *object, const struct label_set *set)
{
	struct label_answers answers = {};
	struct questions questions;

	find_questions(object, &questions);
	for (size_t i = 0; i < questions.nr; i++) {
		const struct gthulhu_question *question = &questions.all[i];
		const char *value = value_of(&questions, question, set);
		uint64_t bit = 1ULL << question->bit;

		if (!value && !set->complete)
			continue;
		if (value && holds(&questions, question, value))
			answers.known_true |= bit;
		else
			answers.known_false |= bit;
	}
	return answers;
}
