// SPDX-License-Identifier: GPL-2.0-only
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "machine/frequency.h"

static bool has_word(const char *path, const char *word)
{
	char text[64] = "";
	FILE *file = fopen(path, "re");

	if (!file)
		return false;
	if (fscanf(file, "%63s", text) != 1)
		text[0] = 0;
	fclose(file);
	return !strcmp(text, word);
}

bool frequency_follows_scheduler(const char *system)
{
	char pattern[512];
	bool found = false;
	glob_t paths;

	snprintf(pattern, sizeof(pattern), "%s/cpu/cpufreq/policy*/scaling_governor", system);
	if (glob(pattern, 0, NULL, &paths))
		return false;
	for (size_t i = 0; i < paths.gl_pathc && !found; i++)
		found = has_word(paths.gl_pathv[i], "schedutil");
	globfree(&paths);
	return found;
}
