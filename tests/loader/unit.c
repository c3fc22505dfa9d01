// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the loader's files that need neither a kernel nor a whole object: `make -C runtime check`.
 * tests/unit and tests/vm test the loader as a program.
 */
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi.h"
#include "fill/ids.h"
#include "object/tunables.h"
#include "output/log.h"
#include "scheduler/classes.h"
#include "scheduler/report.h"
#include "unit.h"

int failures;

void put(const char *root, const char *name, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	file = fopen(path, "w");
	EXPECT(file && fputs(text, file) >= 0 && !fclose(file));
}

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st;
	(void)kind;
	(void)ftw;
	return remove(path);
}

void remove_tree(const char *root)
{
	nftw(root, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static void test_ids(void)
{
	char root[] = "/tmp/gthulhu-units-XXXXXX";
	uint32_t id;

	EXPECT(mkdtemp(root));
	EXPECT(ids_find(root, false, "root", &id) == -ENOENT);
	put(root, "etc/passwd",
	    "# users\nroot:x:0:0:root:/root:/bin/sh\n\nbroken\n"
	    "worker:x:4294967294:7::/:/bin/false\ncrew:x:3:3::/:/bin/false\n");
	put(root, "etc/group", "root:x:0:\ncrew:x:1042:worker,root\n");
	EXPECT(!ids_find(root, false, "root", &id) && id == 0);
	EXPECT(!ids_find(root, false, "worker", &id) && id == 4294967294U);
	EXPECT(!ids_find(root, false, "crew", &id) && id == 3);
	EXPECT(!ids_find(root, true, "crew", &id) && id == 1042);
	EXPECT(ids_find(root, true, "worker", &id) == -ENOENT);
	EXPECT(ids_find(root, false, "work", &id) == -ENOENT);
	remove_tree(root);
}

static bool value_is(const char *text, enum gthulhu_unit unit, uint64_t expected)
{
	uint64_t value;

	return tunable_parse(text, unit, &value) && value == expected;
}

static void test_values(void)
{
	uint64_t value;

	EXPECT(value_is("500us", GTHULHU_NS, 500000));
	EXPECT(value_is("2ms", GTHULHU_NS, 2000000));
	EXPECT(value_is("0.75ms", GTHULHU_NS, 750000));
	EXPECT(value_is("1s", GTHULHU_NS, 1000000000));
	EXPECT(value_is("999999999s", GTHULHU_NS, 999999999000000000));
	EXPECT(value_is("0.001us", GTHULHU_NS, 1));
	EXPECT(value_is("10000", GTHULHU_NUMBER, 10000));
	EXPECT(value_is("20%", GTHULHU_PERMILLE, 200));
	EXPECT(value_is("0.5%", GTHULHU_PERMILLE, 5));
	EXPECT(!tunable_parse("0.05%", GTHULHU_PERMILLE, &value));
	EXPECT(!tunable_parse("20", GTHULHU_PERMILLE, &value));
	/* Less than a nanosecond; too many digits; empty, or more than a number. */
	EXPECT(!tunable_parse("0.0001us", GTHULHU_NS, &value));
	EXPECT(!tunable_parse("9999999999s", GTHULHU_NS, &value));
	EXPECT(!tunable_parse("1.0000000000s", GTHULHU_NS, &value));
	for (const char *const *text =
		     (const char *const[]){ "", "ms", ".5ms", "1.ms", "-1ms", "+1ms", " 1ms",
					    "1 ms", "1ms ", "1m", "1MS", "0x1ms", "5", NULL };
	     *text; text++)
		EXPECT(!tunable_parse(*text, GTHULHU_NS, &value));
	EXPECT(!tunable_parse("5us", GTHULHU_NUMBER, &value));
	EXPECT(!tunable_parse("1.5", GTHULHU_NUMBER, &value));
}

static void test_reports(void)
{
	struct gthulhu_exit *report = calloc(1, sizeof(*report));
	char text[1280];

	EXPECT(report_ending(report) == ENDING_NONE);
	report->kind = 64;
	EXPECT(report_ending(report) == ENDING_STOPPED);
	report->kind = 66;
	EXPECT(report_ending(report) == ENDING_DISABLED);
	report->exit_code = 1LL << 48 | 1LL << 32;
	EXPECT(report_ending(report) == ENDING_RESTART);
	report->kind = 1026;
	EXPECT(report_ending(report) == ENDING_ERROR);

	report_format(report, text, sizeof(text));
	EXPECT(!strcmp(text, "exit kind 1026"));
	strcpy(report->reason, "runnable task stall\n");
	report_format(report, text, sizeof(text));
	EXPECT(!strcmp(text, "runnable task stall"));
	strcpy(report->msg, "a\033[2J\tb\n\n");
	report_format(report, text, sizeof(text));
	EXPECT(!strcmp(text, "runnable task stall (a?[2J b)"));

	/* None of its texts may be terminated. */
	memset(report, 'x', sizeof(*report));
	report_format(report, text, sizeof(text));
	EXPECT(strlen(text) < sizeof(text));
	free(report);
}

/* As many classes as an imported policy has; searching from the start for each would take seconds. */
static void test_class_owners(void)
{
	enum { MANY = 15000, SIZE = 16 };
	char *names = calloc(MANY, SIZE), *end = names;
	struct class_owners owners;
	char text[64], expected[64];
	unsigned int nr = 0;

	for (unsigned int i = 0; i < MANY; i++)
		end += sprintf(end, "rule `r%u`", i) + 1;
	owners = (struct class_owners){ .next = names, .end = end };
	while (class_owners_next(&owners, text, sizeof(text))) {
		sprintf(expected, "rule `r%u`", nr++);
		EXPECT(!strcmp(text, expected));
	}
	EXPECT(nr == MANY);

	/* The last text of a corrupt object may not be terminated; an empty text ends the list. */
	owners = (struct class_owners){ .next = names, .end = names + 4 };
	EXPECT(class_owners_next(&owners, text, sizeof(text)) && !strcmp(text, "rule"));
	EXPECT(!class_owners_next(&owners, text, sizeof(text)));
	names[0] = 0;
	owners = (struct class_owners){ .next = names, .end = end };
	EXPECT(!class_owners_next(&owners, text, sizeof(text)));
	owners = (struct class_owners){};
	EXPECT(!class_owners_next(&owners, text, sizeof(text)));
	free(names);
}

/* unit-tests; or unit-tests OBJECT, which prints answers */
int main(int argc, char **argv)
{
	log_init(LOG_NORMAL);
	if (argc == 2)
		return print_answers(argv[1]);
	test_machine();
	test_sandbox();
	test_judge();
	test_btf();
	test_ids();
	test_values();
	test_reports();
	test_class_owners();
	test_control();
	test_fallback();
	test_conditions();
	test_labels();
	test_relabel();
	test_family();
	if (!failures)
		puts("runtime: unit tests passed");
	return failures ? 1 : 0;
}
