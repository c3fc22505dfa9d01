/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The folder in which a loader keeps what others may want to know, and what
 * `rollback` needs:
 *
 *	lock			held by the loader; its text says who that is
 *	control			the socket, see control.h
 *	state.json		what is in force
 *	generation-N.bpf.o	a copy of the object of generation N
 *	generation-N.txt	what it is called, and its tunables; `.new` until it is in force
 *	log			the last words of a loader in the background
 *
 * A loader that ends leaves the last two generations and the log. One that was
 * killed leaves all, but not the lock: the kernel lets go of that.
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
	char folder[PATH_MAX];
	int lock_fd; /* negative: not open */
};

/*
 * Makes the folder where there is none, and takes the lock for a policy that is called so; says
 * who has it.
 */
int state_open(struct state *state, const char *folder, const char *called);

/* Removes what is not needed any more, and lets go of the lock. */
void state_close(struct state *state);

/*
 * The newest generation before the given one that was in force, 0: none; UINT_MAX gives the
 * newest of all.
 */
unsigned int state_previous(const struct state *state, unsigned int generation);

/* Where the object of a generation is. */
void state_object(const struct state *state, unsigned int generation, char *path, size_t size);

/* Keeps an object as a generation, which is not in force yet. */
int state_add(const struct state *state, unsigned int generation, const void *image, size_t size);

/* Keeps what a generation's object is called, and its tunables as they are now. */
int state_save_settings(const struct state *state, unsigned int generation, const char *called,
			const struct object *object);

/* What state_save_settings() has kept, for the object that has just been opened. */
int state_load_settings(const struct state *state, unsigned int generation, char *called,
			size_t size, struct object *object);

/* Forgets a generation. */
void state_remove(const struct state *state, unsigned int generation);

/* Forgets all generations but the given one, and the one before it. */
void state_prune(const struct state *state, unsigned int generation);

/*
 * A generation is in force. Makes the text of state.json, and takes it over; tells in the lock
 * who holds it.
 */
int state_publish(const struct state *state, const char *policy, unsigned int generation,
		  char *text);

#endif /* GTHULHU_STATE_H */
