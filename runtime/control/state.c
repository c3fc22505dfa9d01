// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "control/state.h"
#include "object/object.h"
#include "object/tunables.h"
#include "output/log.h"

/* How long the machine may be without a policy before a loader that waits notices. */
#define LOCK_RETRY_MS 10

void state_path(const struct state *state, const char *name, char *path)
{
	if (snprintf(path, PATH_MAX, "%s/%s", state->directory, name) >= PATH_MAX)
		path[0] = '\0';
}

static int make_directory(const char *directory)
{
	struct stat st;

	if (mkdir(directory, 0700) < 0 && errno != EEXIST)
		return log_error(errno, errno == EACCES ? "run it as root" : "see --state",
				 "cannot create the state directory %s: %s", directory,
				 strerror(errno));
	/* Anyone who can write there chooses what the loader loads. */
	if (lstat(directory, &st) < 0 || !S_ISDIR(st.st_mode))
		return log_error(ENOTDIR, "see --state",
				 "the state directory %s is not a directory", directory);
	if (st.st_uid != geteuid() || st.st_mode & 077)
		return log_error(
			EPERM, "make it yours with mode 0700, or pass another one to --state",
			"the state directory %s is open to others (mode %o, user %u)", directory,
			(unsigned int)st.st_mode & 0777, (unsigned int)st.st_uid);
	return 0;
}

static int refuse_second_loader(const struct state *state, const char *called)
{
	char text[256] = "", remedy[PATH_MAX + 96];
	ssize_t len = pread(state->lock_fd, text, sizeof(text) - 1, 0);

	text[len > 0 ? len : 0] = '\0';
	log_printable(text);
	snprintf(remedy, sizeof(remedy),
		 "`gthulhu swap %s` puts this one in its place, `gthulhu stop` ends it",
		 called[0] == '/' ? called : "-");
	return log_error(EBUSY, remedy, "another gthulhu-loader is running: %s",
			 text[0] ? text : "it is starting");
}

static void write_holder(const struct state *state, const char *policy, unsigned int generation)
{
	char text[256];
	int len;

	len = snprintf(text, sizeof(text), "pid %d, ", (int)getpid());
	if (generation)
		len += snprintf(text + len, sizeof(text) - len, "policy %s, generation %u\n",
				policy, generation);
	else
		len += snprintf(text + len, sizeof(text) - len, "no policy in force yet\n");
	/* For people only: no program depends on it. */
	if (pwrite(state->lock_fd, text, len, 0) != len || ftruncate(state->lock_fd, len) < 0)
		log_verbose("cannot write to the lock: %s", strerror(errno));
}

/* Opens the lock, without taking it. */
static int open_lock(struct state *state, const char *directory)
{
	char path[PATH_MAX];
	int err;

	state->lock_fd = -1;
	err = make_directory(directory);
	if (err)
		return err;
	/* Absolute: a loader in the background has another working directory. */
	if (!realpath(directory, state->directory))
		return log_error(errno, "see --state", "%s: %s", directory, strerror(errno));
	state_path(state, "lock", path);
	state->lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (state->lock_fd < 0)
		return log_error(errno, NULL, "cannot open %s: %s", path, strerror(errno));
	return 0;
}

/* Takes the lock; the error is that of flock(). */
static int take_lock(const struct state *state)
{
	if (flock(state->lock_fd, LOCK_EX | LOCK_NB) < 0)
		return -errno;
	write_holder(state, NULL, 0);
	return 0;
}

static int lock_failed(struct state *state, int err)
{
	close(state->lock_fd);
	state->lock_fd = -1;
	return err;
}

int state_open(struct state *state, const char *directory, const char *called, int stop_fd)
{
	struct pollfd stop = { .fd = stop_fd, .events = POLLIN };
	int err = open_lock(state, directory);

	if (err)
		return err;
	while ((err = take_lock(state)) == -EWOULDBLOCK && stop_fd >= 0) {
		if (poll(&stop, 1, LOCK_RETRY_MS) > 0)
			return lock_failed(state, -EINTR);
	}
	if (!err)
		return 0;
	return lock_failed(state,
			   err == -EWOULDBLOCK ? refuse_second_loader(state, called)
					       : log_error(-err, NULL, "cannot lock %s/lock: %s",
							   state->directory, strerror(-err)));
}

static void remove_file(const struct state *state, const char *name)
{
	char path[PATH_MAX];

	state_path(state, name, path);
	unlink(path);
}

void state_close(struct state *state)
{
	if (state->lock_fd < 0)
		return;
	remove_file(state, "state.json");
	/* The file stays: if another loader opens it just before its removal, there are two locks. */
	if (ftruncate(state->lock_fd, 0) < 0)
		log_verbose("cannot empty the lock: %s", strerror(errno));
	close(state->lock_fd);
	state->lock_fd = -1;
}

unsigned int state_previous(const struct state *state, unsigned int generation)
{
	const struct dirent *entry;
	unsigned int found = 0;
	DIR *directory;

	directory = opendir(state->directory);
	if (!directory)
		return 0;
	while ((entry = readdir(directory))) {
		unsigned int number;
		int end = 0;

		if (sscanf(entry->d_name, "generation-%u.txt%n", &number, &end) == 1 && end &&
		    !entry->d_name[end] && number < generation && number > found)
			found = number;
	}
	closedir(directory);
	return found;
}

static void generation_file(unsigned int generation, const char *ending, char *name, size_t size)
{
	snprintf(name, size, "generation-%u.%s", generation, ending);
}

void state_object(const struct state *state, unsigned int generation, char *path)
{
	char name[64];

	generation_file(generation, "bpf.o", name, sizeof(name));
	state_path(state, name, path);
}

/* Writes the whole file, or leaves it unchanged. */
static int write_file(const struct state *state, const char *name, const void *data, size_t size)
{
	char scratch[PATH_MAX], path[PATH_MAX];
	const char *at = data;
	int err = 0;
	int fd;

	state_path(state, "scratch", scratch);
	state_path(state, name, path);
	fd = open(scratch, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return log_error(errno, NULL, "cannot write %s: %s", scratch, strerror(errno));
	while (size && !err) {
		ssize_t n = write(fd, at, size);

		if (n > 0) {
			at += n;
			size -= n;
		} else if (n == 0 || errno != EINTR) {
			err = n == 0 ? ENOSPC : errno;
		}
	}
	if (close(fd) < 0 && !err)
		err = errno;
	if (!err && rename(scratch, path) < 0)
		err = errno;
	if (!err)
		return 0;
	unlink(scratch);
	return log_error(err, err == ENOSPC ? "free space in its file system" : NULL,
			 "cannot write %s: %s", path, strerror(err));
}

int state_add(const struct state *state, unsigned int generation, const void *image, size_t size)
{
	char name[64];

	generation_file(generation, "bpf.o", name, sizeof(name));
	return write_file(state, name, image, size);
}

/*
 * The name of the settings file of a generation. It ends in `.new` until the generation is in force:
 * one that was only loaded when its loader was killed is not a generation to go back to.
 */
static void settings_file(const struct state *state, unsigned int generation, char *name,
			  size_t size)
{
	char path[PATH_MAX];

	generation_file(generation, "txt", name, size);
	state_path(state, name, path);
	if (access(path, F_OK) < 0)
		generation_file(generation, "new", name, size);
}

/* The first line is the name, others are settings. */
int state_save_settings(const struct state *state, unsigned int generation, const char *called,
			const struct object *object)
{
	unsigned int number = 0;
	char setting[128];
	char name[64];
	char *text;
	size_t len;
	FILE *file;
	int err;

	file = open_memstream(&text, &len);
	if (!file)
		return log_error(ENOMEM, NULL, "out of memory");
	fprintf(file, "%s\n", called);
	while (tunables_changed(object, &number, setting, sizeof(setting)))
		fprintf(file, "%s\n", setting);
	if (fclose(file))
		return log_error(ENOMEM, NULL, "out of memory");
	settings_file(state, generation, name, sizeof(name));
	err = write_file(state, name, text, len);
	free(text);
	return err;
}

int state_load_settings(const struct state *state, unsigned int generation, char *called,
			size_t size, struct object *object)
{
	char path[PATH_MAX], name[64], line[PATH_MAX];
	bool is_setting = false;
	FILE *file;
	int err = 0;

	settings_file(state, generation, name, sizeof(name));
	state_path(state, name, path);
	file = fopen(path, "re");
	if (!file)
		return log_error(errno, NULL, "cannot read %s: %s", path, strerror(errno));
	while (!err && fgets(line, sizeof(line), file)) {
		const char *text = line;
		const struct settings settings = { .texts = &text, .nr = 1 };

		line[strcspn(line, "\n")] = '\0';
		if (is_setting)
			err = tunables_set(object, &settings);
		else
			snprintf(called, size, "%s", line);
		is_setting = true;
	}
	fclose(file);
	return err;
}

void state_count_ejection(const struct state *state)
{
	char path[PATH_MAX], text[32];
	unsigned long long nr = 0;
	FILE *file;

	state_path(state, "ejections", path);
	file = fopen(path, "re");
	if (file && fscanf(file, "%llu", &nr) != 1)
		nr = 0;
	if (file)
		fclose(file);
	snprintf(text, sizeof(text), "%llu\n", nr + 1);
	write_file(state, "ejections", text, strlen(text));
}

static const char broken[] = "broken";

void state_mark(const struct state *state, unsigned int generation, bool is_broken)
{
	char name[64];

	generation_file(generation, broken, name, sizeof(name));
	if (is_broken)
		write_file(state, name, "", 0);
	else
		remove_file(state, name);
}

static bool is_marked(const struct state *state, unsigned int generation)
{
	char path[PATH_MAX], name[64];

	generation_file(generation, broken, name, sizeof(name));
	state_path(state, name, path);
	return !access(path, F_OK);
}

unsigned int state_sound(const struct state *state, unsigned int generation)
{
	do {
		generation = state_previous(state, generation);
	} while (generation && is_marked(state, generation));
	return generation;
}

static const char taken_out[] = "taken-out";

void state_note_taken_out(const struct state *state)
{
	write_file(state, taken_out, "", 0);
}

unsigned int state_last(const struct state *state)
{
	char path[PATH_MAX];

	state_path(state, taken_out, path);
	return access(path, F_OK) ? state_sound(state, UINT_MAX) : 0;
}

void state_remove(const struct state *state, unsigned int generation)
{
	char name[64];

	state_mark(state, generation, false);
	generation_file(generation, "bpf.o", name, sizeof(name));
	remove_file(state, name);
	settings_file(state, generation, name, sizeof(name));
	remove_file(state, name);
}

void state_prune(const struct state *state, unsigned int generation)
{
	unsigned int other = UINT_MAX;
	unsigned int before = state_previous(state, generation);
	unsigned int sound = state_sound(state, generation);

	while ((other = state_previous(state, other))) {
		if (other != generation && other != before && other != sound)
			state_remove(state, other);
	}
}

int state_publish(const struct state *state, const char *policy, unsigned int generation,
		  char *text)
{
	char new[PATH_MAX], final[PATH_MAX], name[64];
	int err;

	generation_file(generation, "new", name, sizeof(name));
	state_path(state, name, new);
	generation_file(generation, "txt", name, sizeof(name));
	state_path(state, name, final);
	if (rename(new, final) < 0 && errno != ENOENT)
		log_verbose("cannot rename %s: %s", new, strerror(errno));
	remove_file(state, taken_out);
	if (!text)
		return log_error(ENOMEM, NULL, "out of memory");
	write_holder(state, policy, generation);
	err = write_file(state, "state.json", text, strlen(text));
	free(text);
	return err;
}
