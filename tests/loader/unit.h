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

/* Writes a file below the directory of a test, with the directories that it needs. */
void put(const char *root, const char *name, const char *text);
void remove_tree(const char *root);

/* CPUs, their groups and cells, and interrupts. */
void test_machine(void);

/* The state directory and the control socket. */
void test_control(void);

/* Labels; and their answers to the questions of an object, from standard input. */
void test_labels(void);
int print_answers(const char *path);

/* Reclassification of tasks. */
void test_relabel(void);

/* Processes and cgroups. */
void test_family(void);

/* The process in which an object is tried. */
void test_sandbox(void);

/* Promises, and going back from a policy. */
void test_judge(void);
void test_fallback(void);

/* Conditions on the machine. */
void test_conditions(void);

/* The kernel's types. */
void test_btf(void);

#endif /* GTHULHU_UNIT_H */
