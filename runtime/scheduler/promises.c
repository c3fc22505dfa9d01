// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "machine/clock.h"
#include "object/tunables.h"
#include "output/log.h"
#include "scheduler/promises.h"

static const char *const verdicts[] = {
	[VERDICT_SILENT] = "silent",
	[VERDICT_KEPT] = "kept",
	[VERDICT_BROKEN] = "broken",
};

static const char *const reactions[] = {
	[GTHULHU_ELSE_LOG] = "log",
	[GTHULHU_ELSE_ROLLBACK] = "rollback",
	[GTHULHU_ELSE_EEVDF] = "eevdf",
};

/* Adds up an element of a per-CPU array of numbers. Returns false if it cannot be read. */
static bool add_up(const struct object *object, const char *name, uint32_t key, void *sum,
		   size_t size)
{
	struct bpf_map *map = bpf_object__find_map_by_name(object->bpf, name);
	int nr_cpus = libbpf_num_possible_cpus();
	unsigned long long *to = sum, *values;
	bool is_read;

	values = nr_cpus > 0 ? calloc(nr_cpus, size) : NULL;
	is_read = values && !bpf_map_lookup_elem(bpf_map__fd(map), &key, values);
	memset(sum, 0, size);
	for (int cpu = 0; is_read && cpu < nr_cpus; cpu++) {
		for (size_t i = 0; i < size / sizeof(*to); i++)
			to[i] += values[cpu * (size / sizeof(*to)) + i];
	}
	free(values);
	return is_read;
}

static bool read_tally(const struct promises *promises, const struct object *object,
		       unsigned int number, struct tally *tally)
{
	const struct gthulhu_claim *claim = &promises->promised.claims[number];

	tally->beyond = 0;
	return add_up(object, "class_stats", claim->class, &tally->counters,
		      sizeof(tally->counters)) &&
		(claim->statistic != GTHULHU_QUANTILE ||
		 add_up(object, "claim_waits", number, &tally->beyond, sizeof(tally->beyond)));
}

int promises_begin(struct promises *promises, const struct object *object)
{
	struct promised *promised = &promises->promised;

	promises_end(promises);
	promised_find(object, promised);
	if (!promised->nr_promises)
		return 0;
	promises->promises = calloc(promised->nr_promises, sizeof(*promises->promises));
	promises->claims = calloc(promised->nr_claims + 1, sizeof(*promises->claims));
	if (!promises->promises || !promises->claims) {
		promises_end(promises);
		return log_error(ENOMEM, NULL, "out of memory");
	}
	for (unsigned int i = 0; i < promised->nr_claims; i++)
		read_tally(promises, object, i, &promises->claims[i].before);
	for (unsigned int i = 0; i < promised->nr_promises; i++)
		promises->promises[i].since_us = clock_us();
	return 0;
}

/* Judges a claim by its window, and begins the next one. */
static enum verdict close_claim(struct promises *promises, const struct object *object,
				unsigned int number, uint64_t cpu_ns)
{
	const struct gthulhu_claim *claim = &promises->promised.claims[number];
	struct judged_claim *judged = &promises->claims[number];
	struct tally now, window;

	judged->last.verdict = VERDICT_SILENT;
	if (!read_tally(promises, object, number, &now))
		return VERDICT_SILENT;
	window = now;
	tally_subtract(&window, &judged->before);
	judged->before = now;
	judged->last = judge_claim(claim, claim_bound(object, claim), &window, cpu_ns);
	return judged->last.verdict;
}

/* Judges a promise if its window is over. Returns true if it broke or recovered. */
static bool close_window(struct promises *promises, const struct object *object,
			 unsigned int number)
{
	struct judged_promise *judged = &promises->promises[number];
	int64_t now_us = clock_us(), length_us = now_us - judged->since_us;
	uint64_t cpu_ns = (uint64_t)length_us * 1000 * (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);

	if (length_us * 1000 < (int64_t)promises->promised.promises[number].window_ns)
		return false;
	judged->since_us = now_us;
	judged->last = VERDICT_SILENT;
	for (unsigned int i = 0; i < promises->promised.nr_claims; i++) {
		if (promises->promised.claims[i].promise == number)
			judged->last = judge_together(judged->last,
						      close_claim(promises, object, i, cpu_ns));
	}
	judged->windows[judged->last]++;
	return judge_window(&judged->history, judged->last);
}

int promises_follow(struct promises *promises, const struct object *object)
{
	if (!promises->promises)
		return -1;
	for (unsigned int i = 0; i < promises->promised.nr_promises; i++) {
		if (close_window(promises, object, i))
			return (int)i;
	}
	return -1;
}

bool promise_held(const struct promises *promises, unsigned int number)
{
	const struct judged_promise *judged = &promises->promises[number];

	return !judged->history.is_broken &&
		judged->windows[VERDICT_KEPT] > judged->windows[VERDICT_BROKEN];
}

bool promises_held(const struct promises *promises)
{
	if (!promises->promises)
		return false;
	for (unsigned int i = 0; i < promises->promised.nr_promises; i++) {
		if (!promise_held(promises, i))
			return false;
	}
	return true;
}

bool promises_any_broken(const struct promises *promises)
{
	for (unsigned int i = 0; promises->promises && i < promises->promised.nr_promises; i++) {
		if (promises->promises[i].history.is_broken)
			return true;
	}
	return false;
}

/* "p99(wakeup ran) < 300us: 1.2ms" */
static void describe_claim(const struct gthulhu_claim *claim, const struct finding *finding,
			   char *text, size_t size)
{
	double value = (double)finding->value;
	char number[64];

	if (claim->statistic == GTHULHU_SHARE)
		snprintf(number, sizeof(number), "%.1f%%", value / 10);
	else if (!finding->value)
		snprintf(number, sizeof(number), "%llu waits, too few",
			 (unsigned long long)finding->waits);
	else if (value >= 1e9)
		snprintf(number, sizeof(number), "%.3gs", value / 1e9);
	else if (value >= 1e6)
		snprintf(number, sizeof(number), "%.3gms", value / 1e6);
	else
		snprintf(number, sizeof(number), "%.3gus", value / 1e3);
	snprintf(text, size, "%s: %s", claim->text, number);
}

void promises_describe(const struct promises *promises, const struct object *object,
		       unsigned int number, const char *state, char *text, unsigned long size)
{
	const struct gthulhu_promise *promise = &promises->promised.promises[number];
	bool only_broken = promises->promises[number].last == VERDICT_BROKEN;
	const char *separator = ": ";
	size_t used;

	used = snprintf(text, size, "promise `%.*s` (%s:%u) %s", GTHULHU_NAME_LEN, promise->rule,
			object->policy.file, promise->line, state);
	for (unsigned int i = 0; i < promises->promised.nr_claims; i++) {
		const struct gthulhu_claim *claim = &promises->promised.claims[i];
		const struct finding *last = &promises->claims[i].last;
		char one[GTHULHU_CLAIM_LEN + 80];

		if (claim->promise != number || used >= size ||
		    (only_broken && last->verdict != VERDICT_BROKEN))
			continue;
		describe_claim(claim, last, one, sizeof(one));
		used += snprintf(text + used, size - used, "%s%s", separator, one);
		separator = ", ";
	}
	log_printable(text);
}

void promise_write_windows(const struct promises *promises, unsigned int number, struct json *json)
{
	const unsigned int *windows = promises->promises[number].windows;

	json_number(json, "windows_kept", windows[VERDICT_KEPT]);
	json_number(json, "windows_broken", windows[VERDICT_BROKEN]);
	json_number(json, "windows_silent", windows[VERDICT_SILENT]);
}

static void write_claim(const struct promises *promises, unsigned int number, struct json *json)
{
	const struct gthulhu_claim *claim = &promises->promised.claims[number];
	const struct finding *last = &promises->claims[number].last;
	char text[GTHULHU_CLAIM_LEN];

	snprintf(text, sizeof(text), "%s", claim->text);
	json_element_begin(json);
	json_string(json, "text", log_printable(text));
	json_number(json, "line", claim->line);
	json_string(json, "unit", claim->statistic == GTHULHU_SHARE ? "permille" : "ns");
	json_string(json, "last", verdicts[last->verdict]);
	json_number(json, "value", last->value);
	json_number(json, "bound", last->bound);
	json_number(json, "waits", last->waits);
	json_element_end(json);
}

static void write_promise(const struct promises *promises, unsigned int number, struct json *json)
{
	const struct gthulhu_promise *promise = &promises->promised.promises[number];
	const struct judged_promise *judged = &promises->promises[number];
	char rule[GTHULHU_NAME_LEN];

	snprintf(rule, sizeof(rule), "%s", promise->rule);
	json_element_begin(json);
	json_string(json, "rule", log_printable(rule));
	json_number(json, "line", promise->line);
	json_number(json, "window_ns", promise->window_ns);
	json_string(json, "else", reactions[promise->otherwise]);
	json_bool(json, "broken", judged->history.is_broken);
	json_string(json, "last", verdicts[judged->last]);
	promise_write_windows(promises, number, json);
	json_array_begin(json, "claims");
	for (unsigned int i = 0; i < promises->promised.nr_claims; i++) {
		if (promises->promised.claims[i].promise == number)
			write_claim(promises, i, json);
	}
	json_array_end(json);
	json_element_end(json);
}

void promises_write(const struct promises *promises, struct json *json)
{
	json_array_begin(json, "promises");
	for (unsigned int i = 0; promises->promises && i < promises->promised.nr_promises; i++)
		write_promise(promises, i, json);
	json_array_end(json);
}

void promises_end(struct promises *promises)
{
	free(promises->promises);
	free(promises->claims);
	memset(promises, 0, sizeof(*promises));
}
