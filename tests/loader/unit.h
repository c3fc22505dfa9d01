/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTHULHU_UNIT_H
#define GTHULHU_UNIT_H

#include <stdio.h>

extern int failures;

#define EXPECT(condition)                                                                          \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: expected: %s\n", __FILE__, __LINE__, #condition);  \
			failures++;                                                                \
		}                                                                                  \
	} while (0)

void remove_tree(const char *root);

/* What is about the loader's folder and socket. */
void test_control(void);

/* Labels; and what they answer to the questions of an object, from standard input. */
void test_labels(void);
int print_answers(const char *path);

/* Tasks that are classified again. */
void test_relabel(void);

/* Processes and cgroups. */
void test_family(void);

/* What is about the kernel's types. */
void test_btf(void);

#endif /* GTHULHU_UNIT_H */
