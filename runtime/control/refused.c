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

/* The checksum of a generation's object. Returns 0 or -errno. */
static int checksum_of(const struct state *state, unsigned int generation, uint64_t *sum)
{
	char path[PATH_MAX + 64];
	FILE *object;
	int byte, err;

	state_object(state, generation, path, sizeof(path));
	object = fopen(path, "re");
	if (!object)
		return -errno;
	*sum = CHECKSUM_OF_NOTHING;
	while ((byte = getc(object)) != EOF)
		*sum = checksum(*sum, (unsigned char)byte);
	err = ferror(object) ? -EIO : 0;
	fclose(object);
	return err;
}

/* The same object may have been in force before, by another number. */
static void mark_all(const struct state *state, uint64_t sum)
{
	unsigned int generation = UINT_MAX;
	uint64_t other;

	while ((generation = state_previous(state, generation))) {
		if (!checksum_of(state, generation, &other) && other == sum)
			state_mark(state, generation, true);
	}
}

void refused_add(const struct state *state, unsigned int generation, const char *reason)
{
	FILE *list = NULL;
	uint64_t sum = 0;
	int err;

	err = checksum_of(state, generation, &sum);
	if (!err)
		list = open_list(state, "ae");
	if (list)
		fprintf(list, "%016" PRIx64 "\t%u\t%s\n", sum, generation, reason);
	if (!err && (!list || fclose(list)))
		err = -errno;
	if (err)
		log_error(-err, NULL, "cannot record that generation %u was taken out: %s",
			  generation, strerror(-err));
	else
		mark_all(state, sum);
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
