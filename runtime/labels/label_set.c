// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "label_answers.h"
#include "labels/label_set.h"

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

/* Returns the length of a fact's kind; 0: not a fact. */
static size_t kind_len(const char *fact)
{
	size_t len = strcspn(fact, "=");
	const char *label = subject_name(GTHULHU_LABEL);
	size_t prefix = strlen(label);

	if (!fact[len])
		return 0;
	if (len > prefix && !strncmp(fact, label, prefix))
		return len;
	for (unsigned int i = GTHULHU_NAMESPACE; i < GTHULHU_NR_SUBJECTS; i++) {
		const char *name = subject_name(i);

		if (strlen(name) == len && !strncmp(fact, name, len))
			return len;
	}
	return 0;
}

/* Returns the index at which the fact of this kind is, or belongs. */
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
