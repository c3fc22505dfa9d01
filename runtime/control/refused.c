// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "control/refused.h"
#include "control/state.h"
#include "output/log.h"

/* FNV-1a: only root can write objects and the file, so no one gains by a collision. */
#define CHECKSUM_OF_NOTHING 0xcbf29ce484222325

enum { LINE_SIZE = 2048 };

static uint64_t checksum(uint64_t sum, unsigned char byte)
{
	return (sum ^ byte) * 0x100000001b3;
}

/* The checksum of a generation's object. Returns 0 or -errno. */
static int checksum_of(const struct state *state, unsigned int generation, uint64_t *sum)
{
	char path[PATH_MAX];
	FILE *object;
	int byte, err;

	state_object(state, generation, path);
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

/* Appends a whole line, or nothing: after a part of one the next line would not be read. */
static int append(const struct state *state, const char *line)
{
	ssize_t len = (ssize_t)strlen(line);
	char path[PATH_MAX];
	struct stat st;
	int fd, err = 0;

	state_path(state, "refused", path);
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0 || fstat(fd, &st) < 0)
		err = -errno;
	else if (write(fd, line, len) != len)
		err = ftruncate(fd, st.st_size) < 0 ? -errno : -ENOSPC;
	if (fd >= 0)
		close(fd);
	return err;
}

void refused_add(const struct state *state, unsigned int generation, const char *reason)
{
	char line[LINE_SIZE];
	uint64_t sum = 0;
	int err;

	err = checksum_of(state, generation, &sum);
	if (!err) {
		mark_all(state, sum);
		snprintf(line, sizeof(line), "%016" PRIx64 "\t%u\t%.*s\n", sum, generation,
			 LINE_SIZE - 64, reason);
		err = append(state, line);
	}
	if (err)
		log_error(-err, NULL, "cannot record that generation %u was taken out: %s",
			  generation, strerror(-err));
}

int refused_check(const struct state *state, const char *called, const void *image, size_t size)
{
	uint64_t wanted = CHECKSUM_OF_NOTHING, sum;
	const unsigned char *bytes = image;
	char path[PATH_MAX];
	FILE *list;
	unsigned int generation;
	char line[LINE_SIZE];
	int reason, err = 0;

	for (size_t i = 0; i < size; i++)
		wanted = checksum(wanted, bytes[i]);
	state_path(state, "refused", path);
	list = fopen(path, "re");
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
