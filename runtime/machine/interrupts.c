// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "machine/interrupts.h"
#include "machine/kernel.h"

/* The names of those that share an interrupt, as in the last column of /proc/interrupts. */
#define NAMES_LEN 1024

/* One interrupt after the other. */
struct interrupts {
	const char *root;
	DIR *directory; /* owned; NULL: the kernel shows none */
	char number[16];
	char names[NAMES_LEN]; /* separated by commas */
};

static void interrupts_open(struct interrupts *all, const char *root)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/sys/kernel/irq", root);
	*all = (struct interrupts){ .root = root, .directory = opendir(path) };
}

/* Goes to the next interrupt; false: there are no more, and everything is freed. */
static bool interrupts_next(struct interrupts *all)
{
	const struct dirent *entry;
	char path[256];

	while (all->directory && (entry = readdir(all->directory))) {
		size_t len = strlen(entry->d_name);

		if (len >= sizeof(all->number))
			continue;
		memcpy(all->number, entry->d_name, len + 1);
		snprintf(path, sizeof(path), "%s/sys/kernel/irq/%s/actions", all->root,
			 all->number);
		/* Nobody serves an interrupt without a name. */
		if (!kernel_read_line(path, all->names, sizeof(all->names)) && all->names[0])
			return true;
	}
	if (all->directory)
		closedir(all->directory);
	return false;
}

/* Cuts the next name off a list; NULL: there are no more. */
static char *next_name(char **names)
{
	return strsep(names, ",");
}

static bool matches(const struct interrupts *at, const char *glob)
{
	char names[NAMES_LEN], *rest = names, *name;

	snprintf(names, sizeof(names), "%s", at->names);
	while ((name = next_name(&rest))) {
		if (!fnmatch(glob, name, FNM_NOESCAPE))
			return true;
	}
	return false;
}

static bool add_cpus(const struct interrupts *at, struct cpu_list *cpus)
{
	/* Where it goes, and if that is not known, where it may go. */
	static const char *const files[] = { "effective_affinity_list", "smp_affinity_list" };
	char path[256], text[4096];
	struct cpu_list found;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		snprintf(path, sizeof(path), "%s/proc/irq/%s/%s", at->root, at->number, files[i]);
		if (kernel_read_line(path, text, sizeof(text)) || !cpu_list_parse(text, &found) ||
		    !found.nr_cpus)
			continue;
		cpu_list_join(cpus, &found);
		return true;
	}
	return false;
}

/* Whether a list of names has this one, as a whole. */
static bool is_listed(const char *list, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = list; (at = strstr(at, name)); at += len) {
		if ((at == list || at[-1] == ' ') && (!at[len] || at[len] == ','))
			return true;
	}
	return false;
}

/* Lists the names that contain a text, as many as fit. */
static void list_names(const char *root, const char *part, char *have, size_t size)
{
	struct interrupts all;
	size_t len = 0;

	have[0] = '\0';
	for (interrupts_open(&all, root); interrupts_next(&all);) {
		char *rest = all.names, *name;

		while ((name = next_name(&rest))) {
			if (!strstr(name, part) || is_listed(have, name) ||
			    len + strlen(name) + sizeof(", ") > size)
				continue;
			len += snprintf(have + len, size - len, "%s%s", len ? ", " : "", name);
		}
	}
}

int interrupts_cpus(const char *root, const char *glob, struct cpu_list *cpus, char *have,
		    size_t size)
{
	struct interrupts all;
	bool found = false;
	char part[128];

	for (interrupts_open(&all, root); interrupts_next(&all);) {
		if (matches(&all, glob) && add_cpus(&all, cpus))
			found = true;
	}
	if (found)
		return 0;
	snprintf(part, sizeof(part), "%s", glob + strspn(glob, "*?"));
	part[strcspn(part, "*?[")] = '\0';
	list_names(root, part, have, size);
	if (!have[0])
		list_names(root, "", have, size);
	return -ENOENT;
}
