// SPDX-License-Identifier: GPL-2.0-only
/* Sets of labels, and their answers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "labels/answers.h"
#include "labels/label_set.h"
#include "object/open.h"
#include "unit.h"

static bool is(const struct label_set *set, const char *expected)
{
	char text[256] = "";

	for (size_t i = 0; i < set->nr; i++) {
		strcat(text, set->facts[i]);
		strcat(text, "|");
	}
	return !strcmp(text, expected);
}

void test_labels(void)
{
	struct label_set set = {}, copy;

	for (const char *const *fact =
		     (const char *const[]){ "", "label:", "label:=x", "label:k", "color=red", "pod",
					    "pods=a", "Label:k=v", "=", NULL };
	     *fact; fact++)
		EXPECT(label_set_put(&set, *fact) == -22);
	EXPECT(!set.nr);

	EXPECT(!label_set_put(&set, "pod=web-1"));
	EXPECT(!label_set_put(&set, "label:b=2"));
	EXPECT(!label_set_put(&set, "label:bb="));
	EXPECT(!label_set_put(&set, "label:a=1=2"));
	EXPECT(is(&set, "label:a=1=2|label:b=2|label:bb=|pod=web-1|"));
	EXPECT(!label_set_put(&set, "label:b=3"));
	EXPECT(is(&set, "label:a=1=2|label:b=3|label:bb=|pod=web-1|"));

	EXPECT(!label_set_copy(&copy, &set));
	EXPECT(label_set_equal(&copy, &set));
	copy.complete = true;
	EXPECT(!label_set_equal(&copy, &set));
	copy.complete = false;
	label_set_remove(&copy, "label:b", 7);
	label_set_remove(&copy, "label:none", 10);
	label_set_remove(&copy, "container", 9);
	EXPECT(is(&copy, "label:a=1=2|label:bb=|pod=web-1|"));
	EXPECT(!label_set_equal(&copy, &set));
	label_set_clear(&copy);
	label_set_clear(&set);
	EXPECT(!set.nr && !set.facts);
}

/*
 * For a test that compares them with the reference: reads lines with `all` or `some`
 * and facts, separated by tabs, and writes the bits that are true and false.
 */
int print_answers(const char *path)
{
	struct object object;
	size_t size = 0;
	char *line = NULL;

	if (object_open(&object, path))
		return 1;
	while (getline(&line, &size, stdin) > 0) {
		struct label_set set = {};
		struct label_answers answers;
		char *rest = line;

		line[strcspn(line, "\n")] = '\0';
		set.complete = !strcmp(strsep(&rest, "\t"), "all");
		while (rest)
			EXPECT(!label_set_put(&set, strsep(&rest, "\t")));
		answers = label_answers(&object, &set);
		printf("%llu %llu\n", (unsigned long long)answers.known_true,
		       (unsigned long long)answers.known_false);
		label_set_clear(&set);
	}
	free(line);
	object_close(&object);
	return failures ? 1 : 0;
}
