/* SPDX-License-Identifier: GPL-2.0-only */
/* The costs of lines and locks, by the name of the object that they belong to. */
#include "line.h"

static struct account *accounts, *shared_accounts; /* of objects, by name */

struct account *new_account(const char *name, bool is_lock)
{
	struct account *a = calloc(1, sizeof(*a));

	strncpy(a->name, name, sizeof(a->name) - 1);
	a->is_lock = is_lock;
	a->next = accounts;
	accounts = a;
	return a;
}

/* The account of the lines of all objects with that name. */
struct account *account_of(const char *name)
{
	struct account *a = shared_accounts;

	while (a && strcmp(a->name, name))
		a = a->next_shared;
	if (a)
		return a;
	a = new_account(name, false);
	a->next_shared = shared_accounts;
	return shared_accounts = a;
}

void count(struct account *a, u64 ns, u64 wait_ns)
{
	a->nr++;
	a->ns += ns;
	a->wait_ns += wait_ns;
}

void note_worst(struct account *a, u64 ns)
{
	if (a && ns > a->worst_ns)
		a->worst_ns = ns;
}

void forget_accounts(void)
{
	for (struct account *a = accounts; a; a = a->next)
		a->nr = a->ns = a->wait_ns = a->worst_ns = 0;
	forget_spent_on_lines();
}

void print_accounts(void)
{
	note_worst_lines();
	for (struct account *a = accounts; a; a = a->next) {
		if (a->nr)
			printf("%s %llu %llu %llu %llu %s\n", a->is_lock ? "lock" : "line", a->nr,
			       a->ns, a->wait_ns, a->worst_ns, a->name);
	}
}

void free_accounts(void)
{
	shared_accounts = NULL;
	while (accounts) {
		struct account *a = accounts;

		accounts = a->next;
		free(a);
	}
}
