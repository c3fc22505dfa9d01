// SPDX-License-Identifier: GPL-2.0-only
#include "labels/answers.h"
#include "labels/label_set.h"
#include "object/questions.h"

struct label_answers label_answers(const struct object *object, const struct label_set *set)
{
	struct label_answers answers = {};
	struct questions questions;

	questions_find(object, &questions);
	for (size_t i = 0; i < questions.nr; i++) {
		const struct gthulhu_question *question = &questions.all[i];
		const char *value =
			label_set_value(set, question->subject, question_key(&questions, question));
		uint64_t bit = 1ULL << question->bit;

		if (!value && !set->complete)
			continue;
		if (value && question_accepts(&questions, question, value))
			answers.known_true |= bit;
		else
			answers.known_false |= bit;
	}
	return answers;
}
