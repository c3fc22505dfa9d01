/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The scheduler's accesses to memory, as calls of -fsanitize=thread. How often and in which order
 * it reads a variable is the compiler's choice. So each line counts once for a call of the
 * scheduler, when the call ends, and all as if they were fetched from the same moment. Fine events
 * fetch each line when it is used.
 *
 * The instructions of the scheduler itself are estimated from what all compilers agree on: the
 * branches of its text that a call reaches, the words of memory that it uses, and the functions that
 * it calls and that are not inline. The weights were fitted to callbacks in guests, whose
 * instructions an emulator counted (docs/simulation.md). A function saves and restores registers.
 */
#include "line.h"
#include "strand.h"

enum { STACK_SIZE = 1 << 14 };
enum { PER_BRANCH = 43, PER_WORD = 45, PER_FUNCTION = 245 }; /* tenths of an instruction */
enum { WORD_SIZE = 8 };
enum { WANT_READ = 1, WANT_WRITE = 2 };

static struct line **wanted;
static u32 nr_wanted, max_wanted;
u64 nr_accesses; /* since the scheduler was called */

void begin_accesses(void)
{
	nr_accesses = 0;
}

void host_branch(void)
{
	now_in.tenths += PER_BRANCH;
}

void host_branch_of_cells(void)
{
	if (nr_cells() > 1)
		host_branch();
}

void host_branch_of_cgroups(void)
{
	if (counts_cgroups())
		host_branch();
}

static void note_function(void)
{
	/* The first one is the callback itself. */
	if (now_in.is_in)
		now_in.tenths += PER_FUNCTION;
	now_in.is_in = true;
}

/* Charges the instructions of the scheduler since the last time. */
static void settle_code(void)
{
	u64 tenths = now_in.tenths;

	now_in.tenths = 0;
	if (tenths && here && now_in.context)
		spend(tenths * costs.code / 1000, &spent.path_ns);
}

/* The lines that the scheduler has used since the last time. */
static void settle_lines(void)
{
	struct fetched sum = {};

	if (!nr_wanted)
		return;
	for (u32 i = 0; i < nr_wanted; i++) {
		struct fetched each = access_line(wanted[i], wanted[i]->wanted & WANT_WRITE);

		wanted[i]->wanted = 0;
		sum.ns += each.ns;
		sum.wait_ns += each.wait_ns;
	}
	nr_wanted = 0;
	spend(sum.ns, &spent.transfer_ns);
	spend(sum.wait_ns, &spent.line_wait_ns);
}

void settle(void)
{
	settle_code();
	settle_lines();
}

void forget_wanted_lines(void)
{
	free(wanted);
	wanted = NULL;
	nr_wanted = max_wanted = 0;
}

/* A line that the CPU has costs nothing: how often it is used is the compiler's choice. */
static void use_now(struct line *l, bool write)
{
	struct fetched fetched;

	let_others_go_first();
	if (has_cpu(&l->holders, here->id) && (!write || l->owner == here->id))
		return;
	fetched = access_line(l, write);
	spend(fetched.ns, &spent.transfer_ns);
	spend(fetched.wait_ns, &spent.line_wait_ns);
	let_others_go_first();
}

/* A word counts once for a call. Lines of other calls that were put aside may count anew. */
static void note_word(struct line *l, u32 word)
{
	if (l->call != now_in.number)
		l->words = 0;
	l->call = now_in.number;
	if (!(l->words & word))
		now_in.tenths += PER_WORD;
	l->words |= word;
}

static void want(u64 address, bool write)
{
	u64 place = place_of(address);
	struct line *l = line_of_key(place >> LINE_SHIFT);

	if (!l)
		return;
	note_word(l, 1 << (place % LINE_SIZE / WORD_SIZE));
	if (++nr_accesses > MOST_ACCESSES)
		violation("error", "%s does not end: it goes on using %s", now_in.name,
			  l->account->name);
	if (fine)
		return use_now(l, write);
	if (!l->wanted) {
		if (nr_wanted == max_wanted) {
			max_wanted = max_wanted * 2 + 64;
			wanted = realloc(wanted, max_wanted * sizeof(struct line *));
		}
		wanted[nr_wanted++] = l;
	}
	l->wanted |= write ? WANT_WRITE : WANT_READ;
}

static bool counts(void *address)
{
	/* No other CPU uses the caller's stack. */
	return costs_on && here && now_in.context && (u64)address - (u64)&address >= STACK_SIZE;
}

static void want_range(void *address, u64 size, bool write)
{
	u64 first = (u64)address, last = first + (size ?: 1) - 1;

	if (!counts(address))
		return;
	for (u64 at = first; at < last; at += WORD_SIZE)
		want(at, write);
	want(last, write);
}

static void want_plain(void *address, u64 size, bool write)
{
	/* Where it is aligned, it is within a word. */
	if (size > WORD_SIZE || (u64)address % size)
		want_range(address, size, write);
	else if (counts(address))
		want((u64)address, write);
}

#define PLAIN(size)                                                                                \
	void __tsan_read##size(void *a)                                                            \
	{                                                                                          \
		want_plain(a, size, false);                                                        \
	}                                                                                          \
	void __tsan_write##size(void *a)                                                           \
	{                                                                                          \
		want_plain(a, size, true);                                                         \
	}                                                                                          \
	void __tsan_unaligned_read##size(void *a)                                                  \
	{                                                                                          \
		want_plain(a, size, false);                                                        \
	}                                                                                          \
	void __tsan_unaligned_write##size(void *a)                                                 \
	{                                                                                          \
		want_plain(a, size, true);                                                         \
	}                                                                                          \
	void __tsan_read_write##size(void *a)                                                      \
	{                                                                                          \
		want_plain(a, size, true);                                                         \
	}                                                                                          \
	void __tsan_unaligned_read_write##size(void *a)                                            \
	{                                                                                          \
		want_plain(a, size, true);                                                         \
	}

PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

void __tsan_read_range(void *a, u64 size)
{
	want_range(a, size, false);
}

void __tsan_write_range(void *a, u64 size)
{
	want_range(a, size, true);
}

void *__tsan_memcpy(void *to, const void *from, u64 size)
{
	want_range((void *)from, size, false);
	want_range(to, size, true);
	return memcpy(to, from, size);
}

void *__tsan_memset(void *to, int byte, u64 size)
{
	want_range(to, size, true);
	return memset(to, byte, size);
}

void __tsan_init(void)
{
}

void __tsan_func_entry(void *caller)
{
	note_function();
}

void __tsan_func_exit(void *caller)
{
}

/* The types are those of gcc's built-in declarations. */
typedef uint8_t word8;
typedef uint16_t word16;
typedef uint32_t word32;
typedef unsigned long word64;

#define FETCH(bits, name)                                                                          \
	word##bits __tsan_atomic##bits##_fetch_##name(volatile void *a, word##bits value,          \
						      int order)                                   \
	{                                                                                          \
		want_range((void *)a, sizeof(value), true);                                        \
		return __atomic_fetch_##name((volatile word##bits *)a, value, __ATOMIC_SEQ_CST);   \
	}

#define ATOMIC(bits)                                                                               \
	word##bits __tsan_atomic##bits##_load(const volatile void *a, int order)                   \
	{                                                                                          \
		want_range((void *)a, bits / 8, false);                                            \
		return *(volatile word##bits *)a;                                                  \
	}                                                                                          \
                                                                                                   \
	void __tsan_atomic##bits##_store(volatile void *a, word##bits value, int order)            \
	{                                                                                          \
		want_range((void *)a, sizeof(value), true);                                        \
		*(volatile word##bits *)a = value;                                                 \
	}                                                                                          \
                                                                                                   \
	word##bits __tsan_atomic##bits##_exchange(volatile void *a, word##bits value, int order)   \
	{                                                                                          \
		want_range((void *)a, sizeof(value), true);                                        \
		return __atomic_exchange_n((volatile word##bits *)a, value, __ATOMIC_SEQ_CST);     \
	}                                                                                          \
                                                                                                   \
	/* gcc's, which wants whether it did, and the old value at `expected` */                   \
	bool __tsan_atomic##bits##_compare_exchange_strong(volatile void *a, void *expected,       \
							   word##bits value, int order, int other) \
	{                                                                                          \
		want_range((void *)a, sizeof(value), true);                                        \
		return __atomic_compare_exchange_n((volatile word##bits *)a,                       \
						   (word##bits *)expected, value, false,           \
						   __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);            \
	}                                                                                          \
                                                                                                   \
	/* clang's, which wants the old value */                                                   \
	word##bits __tsan_atomic##bits##_compare_exchange_val(                                     \
		volatile void *a, word##bits expected, word##bits value, int order, int other)     \
	{                                                                                          \
		__tsan_atomic##bits##_compare_exchange_strong(a, &expected, value, order, other);  \
		return expected;                                                                   \
	}                                                                                          \
                                                                                                   \
	FETCH(bits, add)                                                                           \
	FETCH(bits, sub)                                                                           \
	FETCH(bits, and)                                                                           \
	FETCH(bits, or)                                                                            \
	FETCH(bits, xor)

ATOMIC(8)
ATOMIC(16)
ATOMIC(32)
ATOMIC(64)

void __tsan_atomic_thread_fence(int order)
{
}
