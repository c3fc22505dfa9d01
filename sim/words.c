/* SPDX-License-Identifier: GPL-2.0-only */
/* The words of a line of a scenario. A word that is missing or wrong ends the program. */
#include "words.h"

u64 read_number(struct words *w)
{
	char *end;
	u64 value;

	if (w->at == w->nr)
		fail("%s lacks a word", w->verb);
	value = strtoull(w->args[w->at], &end, 0);
	if (*end || end == w->args[w->at])
		fail("%s: %s is not a number", w->verb, w->args[w->at]);
	w->at++;
	return value;
}

/* A number, or hexadecimal digits after 0x, as many as it takes. */
struct cpu_set read_cpus(const char *text)
{
	struct cpu_set set = {};
	const char *digits = text + 2, *end;
	u32 place = 0;

	if (strncmp(text, "0x", 2)) {
		char *rest;

		set.words[0] = strtoull(text, &rest, 10);
		if (*rest || rest == text)
			fail("%s is not a set of CPUs", text);
		return set;
	}
	end = digits + strspn(digits, "0123456789abcdef");
	if (*end || end == digits || end - digits > MAX_CPUS / 4)
		fail("%s is not a set of CPUs", text);
	for (; end-- > digits; place += 4) {
		unsigned long digit = *end <= '9' ? *end - '0' : *end - 'a' + 10;

		set.words[place / WORD_BITS] |= digit << place % WORD_BITS;
	}
	return set;
}

struct cpu_set read_set(struct words *w)
{
	if (w->at == w->nr)
		fail("%s lacks a word", w->verb);
	return read_cpus(w->args[w->at++]);
}

struct task *read_task(struct words *w)
{
	return find_task(read_number(w));
}

struct cpu *read_cpu(struct words *w)
{
	u64 id = read_number(w);

	if (id >= nr_cpus_)
		fail("there is no CPU %llu", id);
	return &cpus_[id];
}

/* %XX is a byte; a text begins with a dot, so that it may be empty. */
char *decoded(char *text)
{
	char *from = text, *to = text;

	while (*from) {
		char hex[3] = { from[0], from[0] ? from[1] : 0, from[0] && from[1] ? from[2] : 0 };

		if (*from == '%') {
			*to++ = strtoul((char[]){ hex[1], hex[2], 0 }, NULL, 16);
			from += 3;
		} else {
			*to++ = *from++;
		}
	}
	*to = 0;
	return text;
}

const char *read_text(struct words *w)
{
	return decoded((char *)w->args[w->at++] + 1);
}
