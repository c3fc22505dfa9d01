// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "control/refused.h"
#include "control/state.h"
#include "output/log.h"

/* FNV-1a: only root can write objects and the file, so no one gains by a collision. */
#define CHECKSUM_OF_NOTHING 0xcbf29ce484222325

static uint64_t checksum(uint64_t sum, unsigned char byte)
{
	return (sum ^ byte) * 0x100000001b3;
}

static FILE *open_list(const struct state *state, const char *mode)
{
	char path[PATH_MAX + 16];

	snprintf(path, sizeof(path), "%s/refused", state->directory);
	return fopen(path, mode);
}

void refused_add(const struct state *state, unsigned int generation, const char *reason)
{
	uint64_t sum = CHECKSUM_OF_NOTHING;
	char path[PATH_MAX + 64];
	FILE *object, *list = NULL;
	int byte;

	state_object(state, generation, path, sizeof(path));
	object = fopen(path, "re");
	while (object && (byte = getc(object)) != EOF)
		sum = checksum(sum, (unsigned char)byte);
	if (object && !ferror(object))
		list = open_list(state, "ae");
	if (list)
		fprintf(list, "%016" PRIx64 "\t%u\t%s\n", sum, generation, reason);
	if (!list || fclose(list))
		log_error(errno, NULL, "cannot record that generation %u was taken out: %s",
			  generation, strerror(errno));
	if (object)
		fclose(object);
}

int refused_check(const struct state *state, const char *called, const void *image, size_t size)
{
	uint64_t wanted = CHECKSUM_OF_NOTHING, sum;
	const unsigned char *bytes = image;
	FILE *list = open_list(state, "re");
	unsigned int generation;
	char line[2048];
	int reason, err = 0;

	for (size_t i = 0; i < size; i++)
		wanted = checksum(wanted, bytes[i]);
	while (list && !err && fgets(line, sizeof(line), list)) {
		line[strcspn(line, "\n")] = '\0';
		if (sscanf(line, "%" SCNx64 "\t%u\t%n", &sum, &generation, &reason) != 2 ||
		    sum != wanted)
			continue;
		log_printable(line + reason);
		err = log_error(EPERM, "mend the policy, or put it in force again with --force",
				"%s: it was taken out as generation %u: %s", called, generation,
				line + reason);
	}
	if (list)
		fclose(list);
	return err;
}
