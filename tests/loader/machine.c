// SPDX-License-Identifier: GPL-2.0-only
/* Tests of what the loader reads about the machine: CPUs, groups, cells, interrupts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "machine/cells.h"
#include "machine/frequency.h"
#include "machine/interrupts.h"
#include "machine/kernel.h"
#include "machine/topology.h"
#include "unit.h"

static void test_cpu_lists(void)
{
	struct cpu_list cpus;
	char text[64];

	EXPECT(cpu_list_parse("0-3,5\n", &cpus));
	EXPECT(cpus.nr_cpus == 5 && cpus.words[0] == 0x2f);
	cpu_list_format(cpus.words, 16, text, sizeof(text));
	EXPECT(!strcmp(text, "0-3,5"));

	EXPECT(cpu_list_parse("63-64", &cpus));
	EXPECT(cpus.words[0] == 1ULL << 63 && cpus.words[1] == 1);
	cpu_list_format(cpus.words, 16, text, sizeof(text));
	EXPECT(!strcmp(text, "63-64"));

	/* CPUs beyond the bitmap are counted, too. */
	EXPECT(cpu_list_parse("1020-1027", &cpus) && cpus.nr_cpus == 8);

	EXPECT(cpu_list_parse("", &cpus) && cpus.nr_cpus == 0);
	EXPECT(!cpu_list_parse("3-1", &cpus));
	EXPECT(!cpu_list_parse("a", &cpus));
	EXPECT(!cpu_list_parse("1;2", &cpus));
	EXPECT(!cpu_list_parse("-", &cpus));

	/* The text is cut off between two numbers. */
	EXPECT(cpu_list_parse("1,3,5,7", &cpus));
	cpu_list_format(cpus.words, 16, text, 5);
	EXPECT(!strcmp(text, "1,3"));
}

/* The CPUs of a group as a list, or the groups that exist. */
static bool group_is(const char *system, unsigned int kind, unsigned int number,
		     const char *expected)
{
	struct gthulhu_group group = { .kind = kind, .number = number };
	struct cpu_list cpus;
	char text[128];

	if (!topology_group(system, &group, &cpus, text, sizeof(text)))
		cpu_list_format(cpus.words, GTHULHU_PIN_WORDS, text, sizeof(text));
	if (strcmp(text, expected))
		fprintf(stderr, "  group %u %u: %s\n", kind, number, text);
	return !strcmp(text, expected);
}

/* Two sockets; CPU 5 is offline, and node 2 has memory only. */
static void test_groups(void)
{
	char root[] = "/tmp/gthulhu-units-XXXXXX";

	EXPECT(mkdtemp(root));
	put(root, "cpu/online", "0-4,6-7\n");
	EXPECT(group_is(root, GTHULHU_GROUP_NODE, 0, "no nodes"));
	put(root, "node/has_cpu", "0-1\n");
	put(root, "node/node0/cpulist", "0-3\n");
	put(root, "node/node1/cpulist", "4,6-7\n");
	put(root, "node/node2/cpulist", "\n");
	EXPECT(group_is(root, GTHULHU_GROUP_NODE, 0, "0-3"));
	EXPECT(group_is(root, GTHULHU_GROUP_NODE, 1, "4,6-7"));
	EXPECT(group_is(root, GTHULHU_GROUP_NODE, 2, "node 0-1"));
	EXPECT(group_is(root, GTHULHU_GROUP_NODE, 7, "node 0-1"));

	/* Without caches in /sys each CPU is a group. */
	EXPECT(group_is(root, GTHULHU_GROUP_LLC, 5, "6"));
	EXPECT(group_is(root, GTHULHU_GROUP_LLC, 7, "llc 0-6"));
	/* The last level counts; caches are numbered by their first CPUs. */
	for (int cpu = 0; cpu < 8; cpu++) {
		char name[64];

		snprintf(name, sizeof(name), "cpu/cpu%d/cache/index0/shared_cpu_list", cpu);
		put(root, name, "0-7\n");
		snprintf(name, sizeof(name), "cpu/cpu%d/cache/index3/shared_cpu_list", cpu);
		put(root, name, cpu % 2 ? "1,3,7\n" : "0,2,4,6\n");
	}
	EXPECT(group_is(root, GTHULHU_GROUP_LLC, 0, "0,2,4,6"));
	EXPECT(group_is(root, GTHULHU_GROUP_LLC, 1, "1,3,7"));
	EXPECT(group_is(root, GTHULHU_GROUP_LLC, 2, "llc 0-1"));
	remove_tree(root);
}

static void test_frequencies(void)
{
	char root[] = "/tmp/gthulhu-units-XXXXXX";

	EXPECT(mkdtemp(root));
	EXPECT(!frequency_follows_scheduler(root));
	put(root, "cpu/cpufreq/policy0/scaling_governor", "performance\n");
	put(root, "cpu/cpufreq/policy4/scaling_governor", "\n");
	EXPECT(!frequency_follows_scheduler(root));
	/* One part of the CPUs is enough. */
	put(root, "cpu/cpufreq/policy4/scaling_governor", "schedutil\n");
	EXPECT(frequency_follows_scheduler(root));
	remove_tree(root);
}

static bool choice_is(const char *system, unsigned int kind, unsigned int number, const char *free,
		      const char *expected)
{
	struct gthulhu_group group = { .kind = kind, .number = number };
	struct cpu_list from = {}, cpus = {};
	char text[128] = "none";

	EXPECT(cpu_list_parse(free, &from));
	if (!topology_choose(system, &group, &from, &cpus))
		cpu_list_format(cpus.words, GTHULHU_PIN_WORDS, text, sizeof(text));
	if (strcmp(text, expected))
		fprintf(stderr, "  choice %u %u of %s: %s\n", kind, number, free, text);
	return !strcmp(text, expected);
}

/* Two nodes with two caches each, and three cores of two threads (n and n + 12) to a cache. */
static void test_choices(void)
{
	static const char *const caches[] = { "0-2,12-14\n", "3-5,15-17\n", "6-8,18-20\n",
					      "9-11,21-23\n" };
	char root[] = "/tmp/gthulhu-units-XXXXXX";

	EXPECT(mkdtemp(root));
	put(root, "cpu/online", "0-23\n");
	put(root, "node/node0/cpulist", "0-5,12-17\n");
	put(root, "node/node1/cpulist", "6-11,18-23\n");
	for (int cpu = 0; cpu < 24; cpu++) {
		char name[64], text[16];

		snprintf(name, sizeof(name), "cpu/cpu%d/cache/index3/shared_cpu_list", cpu);
		put(root, name, caches[cpu % 12 / 3]);
		snprintf(name, sizeof(name), "cpu/cpu%d/topology/thread_siblings_list", cpu);
		snprintf(text, sizeof(text), "%d,%d\n", cpu % 12, cpu % 12 + 12);
		put(root, name, text);
	}
	/* Whole cores of one cache, from the end. */
	EXPECT(choice_is(root, GTHULHU_GROUP_ANY, 2, "0-23", "11,23"));
	EXPECT(choice_is(root, GTHULHU_GROUP_ANY, 3, "0-23", "10-11,23"));
	EXPECT(choice_is(root, GTHULHU_GROUP_OF_LLC, 6, "0-23", "9-11,21-23"));
	EXPECT(choice_is(root, GTHULHU_GROUP_OF_NODE, 4, "0-23", "10-11,22-23"));
	/* The last cache that has enough free ones; a CPU elsewhere that goes changes nothing. */
	EXPECT(choice_is(root, GTHULHU_GROUP_ANY, 4, "0-8,12-20,23", "7-8,19-20"));
	EXPECT(choice_is(root, GTHULHU_GROUP_ANY, 4, "1-8,12-20,23", "7-8,19-20"));
	/* None has: one node, if that may be; then any. */
	EXPECT(choice_is(root, GTHULHU_GROUP_OF_LLC, 7, "0-23", "none"));
	EXPECT(choice_is(root, GTHULHU_GROUP_ANY, 7, "0-23", "8-11,21-23"));
	EXPECT(choice_is(root, GTHULHU_GROUP_OF_NODE, 13, "0-23", "none"));
	EXPECT(choice_is(root, GTHULHU_GROUP_ANY, 13, "0-23", "5-11,18-23"));
	EXPECT(choice_is(root, GTHULHU_GROUP_ANY, 24, "0-23", "0-23"));
	EXPECT(choice_is(root, GTHULHU_GROUP_ANY, 25, "0-23", "none"));
	remove_tree(root);
}

/* The cells as text: the CPUs of each, and the cells of its node. */
static bool cells_are(const struct gthulhu_cells *cells, const char *expected)
{
	char found[512] = "";

	for (unsigned int cell = 0; cell < cells->nr; cell++) {
		uint64_t words[GTHULHU_PIN_WORDS] = {}, near = cells->near[cell];
		char text[128], nearby[64];

		for (unsigned int cpu = 0; cpu < 24; cpu++)
			words[0] |= (uint64_t)(cells->of_cpu[cpu] == cell) << cpu;
		cpu_list_format(words, GTHULHU_PIN_WORDS, text, sizeof(text));
		cpu_list_format(&near, 1, nearby, sizeof(nearby));
		snprintf(found + strlen(found), sizeof(found) - strlen(found), "%s%s near %s",
			 cell ? "; " : "", text, nearby);
	}
	if (strcmp(found, expected))
		fprintf(stderr, "  cells: %s\n", found);
	return !strcmp(found, expected);
}

/* CPUs that share a cache, at most 16, are a cell; caches of few CPUs share one; cores stay whole. */
static void test_cells(void)
{
	static const char *const caches[] = { "0-5,12-17\n", "6-7,18-19\n", "8-9,20-21\n",
					      "10-11,22-23\n" };
	struct gthulhu_cpu_place places[GTHULHU_CPUS_MAX] = {};
	struct gthulhu_cells cells;
	char root[] = "/tmp/gthulhu-units-XXXXXX";

	EXPECT(mkdtemp(root));
	/* Nothing is known: one cell, of CPUs that are in no list. */
	cells_read(root, &cells);
	EXPECT(cells.nr == 1);
	put(root, "cpu/online", "0-23\n");
	cells_read(root, &cells);
	EXPECT(cells_are(&cells, "0-15 near 0-1; 16-23 near 0-1"));
	EXPECT(!cells.has_siblings && cells.siblings[23] == 23);
	put(root, "node/node0/cpulist", "0-5,12-17\n");
	put(root, "node/node3/cpulist", "6-11,18-23\n");
	put(root, "node/has_cpu", "0,3\n");
	for (int cpu = 0; cpu < 24; cpu++) {
		int core = cpu % 12;
		char name[64], text[16];

		snprintf(name, sizeof(name), "cpu/cpu%d/cache/index3/shared_cpu_list", cpu);
		put(root, name, caches[core < 6 ? 0 : core / 2 - 2]);
		snprintf(name, sizeof(name), "cpu/cpu%d/topology/thread_siblings_list", cpu);
		snprintf(text, sizeof(text), "%d,%d\n", core, core + 12);
		put(root, name, text);
	}
	cells_read(root, &cells);
	EXPECT(cells_are(
		&cells,
		"0-5,12-17 near 0; 6-7,18-19 near 1-3; 8-9,20-21 near 1-3; 10-11,22-23 near 1-3"));
	EXPECT(cells.has_siblings && cells.siblings[3] == 15 && cells.siblings[15] == 3);
	/* Three CPUs are left of each of the last caches: they share a cell. */
	put(root, "cpu/online", "0-5,7-8,10,12-23\n");
	cells_read(root, &cells);
	EXPECT(cells.nr == 2 && cells.of_cpu[7] == 1 && cells.of_cpu[22] == 1);
	EXPECT(cells.siblings[18] == 18 && cells.siblings[7] == 19);
	remove_tree(root);

	/* A large cache becomes cells of equal size, and a core is never split. */
	for (int cpu = 0; cpu < 40; cpu++)
		places[cpu] = (struct gthulhu_cpu_place){ .core = cpu % 20, .online = 1 };
	gthulhu_divide(places, 40, &cells);
	EXPECT(cells.nr == 3 && cells.of_cpu[0] == 0 && cells.of_cpu[20] == 0);
	EXPECT(cells.of_cpu[19] == 2 && cells.of_cpu[39] == 2);
	/* No more cells than there are bits. */
	for (int cpu = 0; cpu < GTHULHU_CPUS_MAX; cpu++)
		places[cpu] = (struct gthulhu_cpu_place){
			.node = cpu / 512, .llc = cpu / 4, .core = cpu, .online = 1
		};
	gthulhu_divide(places, GTHULHU_CPUS_MAX, &cells);
	EXPECT(cells.nr == GTHULHU_CELLS_MAX && cells.of_cpu[GTHULHU_CPUS_MAX - 1] == 63);
	EXPECT(cells.near[0] == 0xffffffff && cells.near[63] == ~0ULL << 32);
}

static bool served_is(const char *root, const char *glob, const char *expected)
{
	struct cpu_list cpus = {};
	char text[128];

	if (!interrupts_cpus(root, glob, &cpus, text, sizeof(text)))
		cpu_list_format(cpus.words, GTHULHU_PIN_WORDS, text, sizeof(text));
	if (strcmp(text, expected))
		fprintf(stderr, "  interrupt %s: %s\n", glob, text);
	return !strcmp(text, expected);
}

/* A network card with two queues, a line that two devices share, and one that nobody serves. */
static void test_interrupts(void)
{
	char root[] = "/tmp/gthulhu-units-XXXXXX";

	EXPECT(mkdtemp(root));
	EXPECT(served_is(root, "eth0", ""));
	put(root, "sys/kernel/irq/30/actions", "eth0-TxRx-0\n");
	put(root, "proc/irq/30/effective_affinity_list", "3\n");
	put(root, "proc/irq/30/smp_affinity_list", "0-7\n");
	put(root, "sys/kernel/irq/31/actions", "eth0-TxRx-1\n");
	put(root, "proc/irq/31/effective_affinity_list", "\n");
	put(root, "proc/irq/31/smp_affinity_list", "4-5\n");
	put(root, "sys/kernel/irq/9/actions", "acpi,i801_smbus\n");
	put(root, "proc/irq/9/smp_affinity_list", "1\n");
	put(root, "sys/kernel/irq/5/actions", "\n");
	put(root, "proc/irq/5/smp_affinity_list", "0-7\n");
	EXPECT(served_is(root, "eth0-TxRx-0", "3"));
	EXPECT(served_is(root, "eth0-TxRx-[!0]", "4-5"));
	EXPECT(served_is(root, "eth0*", "3-5"));
	EXPECT(served_is(root, "i801*", "1"));
	EXPECT(served_is(root, "*", "1,3-5"));
	/* Names that are alike, or all of them. */
	EXPECT(served_is(root, "i801", "i801_smbus"));
	EXPECT(served_is(root, "*smb", "i801_smbus"));
	EXPECT(served_is(root, "acpi*?x", "acpi"));
	remove_tree(root);
	EXPECT(mkdtemp(strcpy(root, "/tmp/gthulhu-units-XXXXXX")));
	put(root, "sys/kernel/irq/9/actions", "acpi,i801_smbus\n");
	EXPECT(served_is(root, "eth?", "acpi, i801_smbus"));
	remove_tree(root);
}

/* Favoured cores among four fast ones; capacities take precedence over frequencies. */
static void test_speeds(void)
{
	static const char *const frequencies[] = { "5400", "5000", "5000", "5200", "3900", "3800" };
	char root[] = "/tmp/gthulhu-units-XXXXXX";
	char name[64];

	EXPECT(mkdtemp(root));
	put(root, "cpu/online", "0-5\n");
	EXPECT(group_is(root, GTHULHU_GROUP_FAST, 0, "0-5"));
	EXPECT(group_is(root, GTHULHU_GROUP_SLOW, 0, "0-5"));
	for (int cpu = 0; cpu < 6; cpu++) {
		/* The speeds of all CPUs must be known. */
		EXPECT(group_is(root, GTHULHU_GROUP_SLOW, 0, "0-5"));
		snprintf(name, sizeof(name), "cpu/cpu%d/cpufreq/cpuinfo_max_freq", cpu);
		put(root, name, frequencies[cpu]);
	}
	EXPECT(group_is(root, GTHULHU_GROUP_FAST, 0, "0-3"));
	EXPECT(group_is(root, GTHULHU_GROUP_SLOW, 0, "4-5"));
	for (int cpu = 0; cpu < 6; cpu++) {
		snprintf(name, sizeof(name), "cpu/cpu%d/cpu_capacity", cpu);
		put(root, name, cpu ? "1024\n" : "512\n");
	}
	EXPECT(group_is(root, GTHULHU_GROUP_FAST, 0, "1-5"));
	EXPECT(group_is(root, GTHULHU_GROUP_SLOW, 0, "0"));
	remove_tree(root);
}

void test_machine(void)
{
	test_cpu_lists();
	test_groups();
	test_frequencies();
	test_choices();
	test_cells();
	test_interrupts();
	test_speeds();
}
