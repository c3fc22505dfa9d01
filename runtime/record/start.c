// SPDX-License-Identifier: GPL-2.0-only
#include "record/start.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/event.h"
#include "record/stream.h"

struct program_event {
	struct record_event event;
	char path[RECORD_TEXT];
	char arguments[RECORD_TEXT];
};

/* Reads the program of a process. Returns false if it has none, or has ended. */
static bool read_program(const char *process, struct program_event *to)
{
	char name[64];
	ssize_t length;
	int fd;

	snprintf(name, sizeof(name), "/proc/%.20s/exe", process);
	length = readlink(name, to->path, sizeof(to->path) - 1);
	if (length <= 0)
		return false;
	snprintf(name, sizeof(name), "/proc/%.20s/cmdline", process);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return true;
	length = read(fd, to->arguments, sizeof(to->arguments) - 1);
	close(fd);
	if (length < 0)
		to->arguments[0] = '\0';
	return true;
}

int start_programs(struct stream *stream, uint64_t at_ns)
{
	DIR *folder = opendir("/proc");
	struct dirent *entry;
	int err = 0;

	if (!folder)
		return -errno;
	while (!err && (entry = readdir(folder))) {
		struct program_event program = {
			.event = {
				.at_ns = at_ns,
				.task = strtoul(entry->d_name, NULL, 10),
				.kind = RECORD_PROGRAM,
				.words = 2 * RECORD_TEXT / 8,
			},
		};

		if (isdigit((unsigned char)entry->d_name[0]) &&
		    read_program(entry->d_name, &program))
			err = stream_add(stream, &program.event, sizeof(program));
	}
	closedir(folder);
	return err;
}

/* Finds where control groups are mounted. Returns false if they are not. */
static bool find_cgroups(char *folder, size_t size)
{
	FILE *mounts = setmntent("/proc/self/mounts", "r");
	struct mntent *mount;
	bool found = false;

	if (!mounts)
		return false;
	while (!found && (mount = getmntent(mounts))) {
		found = !strcmp(mount->mnt_type, "cgroup2");
		if (found)
			snprintf(folder, size, "%s", mount->mnt_dir);
	}
	endmntent(mounts);
	return found;
}

int start_cgroups(struct stream *stream, uint64_t at_ns)
{
	char folder[RECORD_TEXT];
	char *roots[] = { folder, NULL };
	size_t skipped;
	FTSENT *entry;
	int err = 0;
	FTS *tree;

	if (!find_cgroups(folder, sizeof(folder)))
		return 0;
	skipped = strlen(folder);
	tree = fts_open(roots, FTS_PHYSICAL | FTS_XDEV, NULL);
	if (!tree)
		return -errno;
	while (!err && (entry = fts_read(tree))) {
		struct {
			struct record_event event;
			uint64_t id;
			char path[RECORD_TEXT];
		} cgroup = {
			.event = {
				.at_ns = at_ns,
				.kind = RECORD_CGROUP,
				.words = 1 + RECORD_TEXT / 8,
			},
		};

		if (entry->fts_info != FTS_D)
			continue;
		cgroup.id = entry->fts_statp->st_ino;
		snprintf(cgroup.path, sizeof(cgroup.path), "%s",
			 entry->fts_path[skipped] ? entry->fts_path + skipped : "/");
		err = stream_add(stream, &cgroup.event, sizeof(cgroup));
	}
	fts_close(tree);
	return err;
}
