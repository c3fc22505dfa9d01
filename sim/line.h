/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the files about the costs of memory: lines, the accounts that their costs go to, and the
 * times at which they are taken.
 */
#ifndef LINE_H
#define LINE_H

#include "machine.h"
#include "cost.h"

enum { LINE_SHIFT = 6, LINE_SIZE = 1 << LINE_SHIFT };

/* ---- calendar.c ---- */

/* Times at which others wait, in order. */
struct calendar {
	struct span {
		u64 from_ns, to_ns;
	} *spans;
	u32 nr, max;
};

u64 find_gap(const struct calendar *c, u64 at_ns, u64 length_ns);
void book(struct calendar *c, u64 from_ns, u64 to_ns);

/* ---- account.c ---- */

struct account {
	char name[64];
	bool is_lock;
	u64 nr, ns, wait_ns; /* of transfers, or of times when a lock was held */
	u64 worst_ns; /* of one line or lock, waits included */
	struct account *next, *next_shared;
};

struct account *new_account(const char *name, bool is_lock);
struct account *account_of(const char *name);
void count(struct account *a, u64 ns, u64 wait_ns);
void note_worst(struct account *a, u64 ns);
void free_accounts(void);

/* ---- line.c ---- */

struct line {
	s32 owner; /* the CPU that may write it, -1: none */
	u32 wanted; /* by the call of the scheduler, WANT_... */
	u64 call; /* the number of the last call that used it, */
	u32 words; /* and which of its words */
	bool is_known; /* any CPU has it */
	struct cpu_set holders;
	struct calendar calendar;
	struct account *account, *lock_account;
	u64 spent_ns, lock_ns; /* for it, and for the lock that is in it */
};

struct fetched {
	u64 ns, wait_ns;
};

struct line *new_line(u64 key, struct account *account);
void new_lines(u64 key, u64 size, struct account *account);
struct line *line_of_key(u64 key);
struct line *line_at(u64 address);
u64 fetch(struct line *l, bool write);
void count_transfer(struct line *l, u64 ns, u64 wait_ns);
struct fetched access_line(struct line *l, bool write);
void forget_spent_on_lines(void);
void note_worst_lines(void);

/* ---- variable.c ---- */

u64 new_keys(u64 nr);
u64 place_of(u64 address);

/* ---- access.c ---- */

void forget_wanted_lines(void);

#endif /* LINE_H */
