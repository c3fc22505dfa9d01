/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state directory: what other programs may want to know, and what `rollback` needs.
 *
 *	lock			held by the loader; its text names the holder
 *	control			the socket, see control.h
 *	state.json		the policy in force
 *	generation-N.bpf.o	a copy of the object of generation N
 *	generation-N.txt	its name and its tunables; `.new` until it is in force
 *	ejections		how many policies the kernel ejected since boot
 *	generation-N.broken	it broke a promise, or was taken out by itself
 *	refused			objects that were taken out by themselves, see refused.h
 *	taken-out		the last policy was taken out, by itself or on request
 *	events			what happened, see events.h
 *	log, log.1		messages of a loader in the background, see log_file.h
 *
 * A loader that ends leaves the last generations, the logs and the count of ejections. A killed
 * loader leaves all files, but the kernel releases its lock.
 */
#ifndef GTHULHU_STATE_H
#define GTHULHU_STATE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#define STATE_DIR "/run/gthulhu"

struct object;
struct settings;

struct state {
	char directory[PATH_MAX];
	int lock_fd; /* owned; negative: not open */
};

/*
 * Creates the directory if it is missing and takes its lock; `called`, the name of the policy, is
 * for messages. Returns 0 or -errno (-EBUSY: another loader holds the lock); on failure
 * `state->lock_fd` is negative and nothing needs to be closed. With a stop_fd, waits until the other
 * loader has ended; -EINTR: stop_fd could be read before.
 */
int state_open(struct state *state, const char *directory, const char *called, int stop_fd);

/* Removes state.json and releases the lock. Does nothing if the lock is not held. */
void state_close(struct state *state);

/*
 * Returns the newest generation before the given one that was in force; 0 if there is none.
 * UINT_MAX gives the newest of all.
 */
unsigned int state_previous(const struct state *state, unsigned int generation);

/*
 * Writes the path of a file in the directory to path, which has PATH_MAX bytes: empty if it is too
 * long, so that its use fails.
 */
void state_path(const struct state *state, const char *name, char *path);

/* Writes the path of a generation's object to path, as state_path() does. */
void state_object(const struct state *state, unsigned int generation, char *path);

/*
 * Stores an object's bytes as a generation that is not in force yet. Returns 0 or -errno; on
 * failure no such file exists.
 */
int state_add(const struct state *state, unsigned int generation, const void *image, size_t size);

/*
 * Stores the name of a generation's object and its current tunables. Returns 0 or -errno; on
 * failure the file keeps its previous content.
 */
int state_save_settings(const struct state *state, unsigned int generation, const char *called,
			const struct object *object);

/*
 * Reads what state_save_settings() stored: the name into called, the tunables into the open
 * object. Returns 0 or -errno; on failure some tunables may be set.
 */
int state_load_settings(const struct state *state, unsigned int generation, char *called,
			size_t size, struct object *object);

/* Counts an ejection, for all loaders since boot. A failure is logged and has no other effect. */
void state_count_ejection(const struct state *state);

/* Marks a generation that broke a promise or was taken out by itself, or removes the mark. */
void state_mark(const struct state *state, unsigned int generation, bool is_broken);

/*
 * Notes that the policy was taken out, by itself or on request, and not only because its loader
 * ended. state_publish() removes the note.
 */
void state_note_taken_out(const struct state *state);

/*
 * Returns the generation with which the next loader may go on: the newest that has no mark. Returns
 * 0 without one, or if the last policy was taken out.
 */
unsigned int state_last(const struct state *state);

/* Returns the newest generation before the given one that has no mark, or 0. */
unsigned int state_sound(const struct state *state, unsigned int generation);

/* Removes the files of a generation. */
void state_remove(const struct state *state, unsigned int generation);

/*
 * Removes the files of all generations but the given one, the one before it, and the last one before
 * it that has no mark.
 */
void state_prune(const struct state *state, unsigned int generation);

/*
 * Records that a generation is in force: text becomes state.json, and the lock names the holder.
 * Takes ownership of text (NULL: out of memory). Returns 0 or -errno; on failure state.json keeps
 * its previous content.
 */
int state_publish(const struct state *state, const char *policy, unsigned int generation,
		  char *text);

#endif /* GTHULHU_STATE_H */
