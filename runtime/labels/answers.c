// SPDX-License-Identifier: GPL-2.0-only
#include "labels/answers.h"
#include "labels/label_set.h"
#include "object/questions.h"

struct label_answers label_answers(const struct object *object, const struct label_set *set)
{
	struct questions questions;

	questions_find(object, &questions);
	return answers_of(&questions, (const char *const *)set->facts, set->nr, set->complete);
}
