/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The scheduler's variables, by address. Each begins a line of its own, wherever the compiler puts
 * it.
 */
#include "line.h"

enum { MAX_VARIABLES = 256 };

static struct variable {
	u64 from, size, key;
} variables[MAX_VARIABLES];
static u32 nr_variables;
static u64 end_of_variables;

/* Keys for that many lines that are at no address. Returns the first. Places fit into a word, too. */
u64 new_keys(u64 nr)
{
	static u64 next_key = 1ULL << 57; /* no address is in a line as high */
	u64 key = next_key;

	next_key += nr;
	return key;
}

/* The last variable that begins there or before; NULL: none. */
static struct variable *variable_before(u64 address)
{
	u32 low = 0, high = nr_variables;

	while (low < high) {
		u32 middle = (low + high) / 2;

		if (variables[middle].from <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &variables[low - 1] : NULL;
}

/* NULL: the address is in none. */
static struct variable *variable_at(u64 address)
{
	static struct variable *last = variables;
	struct variable *v = last;

	/* Most accesses are elsewhere, or go on where the last one was. */
	if (!nr_variables || address < variables[0].from || address >= end_of_variables)
		return NULL;
	if (address - v->from >= v->size)
		v = variable_before(address);
	if (!v || address - v->from >= v->size)
		return NULL;
	return last = v;
}

void name_variable(const void *address, u64 size, const char *name)
{
	u64 from = (u64)address;
	struct variable *after;
	char text[64] = {};

	if (!costs_on || !size)
		return;
	if (nr_variables == MAX_VARIABLES)
		fail("the scheduler has more than %d variables", MAX_VARIABLES);
	/* glue.c makes `cpus` longer; a compiler adds a number to the name of a function's own. */
	if (!strncmp(name, "host_more_", 10))
		name += 10;
	strncpy(text, name, sizeof(text) - 1);
	text[strcspn(text, ".")] = 0;
	after = variable_before(from);
	after = after ? after + 1 : variables;
	memmove(after + 1, after, (variables + nr_variables++ - after) * sizeof(*after));
	*after = (struct variable){ from, size, new_keys((size >> LINE_SHIFT) + 1) };
	if (from + size > end_of_variables)
		end_of_variables = from + size;
	new_lines(after->key, size, account_of(text));
}

/* Another object is loaded. */
void forget_variables(void)
{
	nr_variables = end_of_variables = 0;
}

const char *name_of_variable(const void *address)
{
	const struct variable *v = variable_at((u64)address);
	const struct line *l = v ? line_of_key(v->key) : line_at((u64)address);

	return l ? l->account->name : "?";
}

/* The address as if the variable began a line; the line's key is in the upper bits. */
u64 place_of(u64 address)
{
	const struct variable *v = variable_at(address);

	return v ? (v->key << LINE_SHIFT) + (address - v->from) : address;
}
