// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/clock.h"
#include "machine/power.h"
#include "output/log.h"
#include "scheduler/conditions.h"

static const char *const answers[] = {
	[ANSWER_NO] = "no",
	[ANSWER_UNKNOWN] = "unknown",
	[ANSWER_YES] = "yes",
};

static enum answer answer_of(bool holds)
{
	return holds ? ANSWER_YES : ANSWER_NO;
}

static enum answer ask_pressure(const struct gthulhu_state *state, struct pressure *pressure)
{
	uint64_t total_us;
	int mean;

	if (pressure_total(state->of, &total_us))
		return ANSWER_UNKNOWN;
	pressure->resource = state->of;
	pressure->over_us = (int64_t)(state->over_ns / 1000);
	pressure_sample(pressure, clock_us(), total_us);
	mean = pressure_mean(pressure);
	if (mean < 0)
		return ANSWER_UNKNOWN;
	return answer_of((unsigned int)mean > state->low);
}

static enum answer ask_time(const struct gthulhu_state *state)
{
	unsigned int minute = clock_minute();
	bool is_after = minute >= state->low, is_before = minute < state->high;
	bool is_over_midnight = state->low > state->high;

	return answer_of(is_over_midnight ? is_after || is_before : is_after && is_before);
}

static enum answer ask_power(const struct gthulhu_state *state)
{
	const struct power *power = power_told();

	switch (state->asks) {
	case GTHULHU_POWER:
		if (power->profile < 0)
			return ANSWER_UNKNOWN;
		return answer_of(power->profile == (int)state->low);
	case GTHULHU_BATTERY:
		if (power->battery < 0)
			return ANSWER_UNKNOWN;
		return answer_of(power->battery < (int)state->high);
	}
	if (power->on_battery < 0)
		return ANSWER_UNKNOWN;
	return answer_of(power->on_battery);
}

static enum answer ask(void *machine, unsigned int number)
{
	struct conditions *conditions = machine;
	const struct gthulhu_state *state = &conditions->of.states[number];

	if (state->asks == GTHULHU_TIME)
		return ask_time(state);
	if (state->asks == GTHULHU_PRESSURE)
		return ask_pressure(state, &conditions->pressures[number]);
	return ask_power(state);
}

void conditions_apply(const struct conditions *conditions, struct object *object)
{
	if (conditions->conditions)
		whens_apply(object, conditions->holds, conditions->numbers);
}

/* Says once what this machine cannot answer. */
static void warn_of_unknown(const struct conditions *conditions, const struct object *object,
			    unsigned int number)
{
	const struct gthulhu_when *when = &conditions->of.whens[number];
	char text[GTHULHU_WHEN_LEN + 160];
	uint64_t total_us;

	conditions_describe(conditions, object, number, text, sizeof(text));
	for (unsigned int i = when->first; i < when->first + when->nr_states; i++) {
		const struct gthulhu_state *state = &conditions->of.states[i];
		bool is_power = state->asks == GTHULHU_POWER || state->asks == GTHULHU_BATTERY ||
			state->asks == GTHULHU_ON_BATTERY;
		int err;

		if (is_power && ask_power(state) == ANSWER_UNKNOWN)
			log_warning("%s: %s is unknown, so it does not hold until `gthulhu agent "
				    "--power` reports it",
				    object->policy.name, text);
		if (state->asks != GTHULHU_PRESSURE)
			continue;
		err = pressure_total(state->of, &total_us);
		if (err)
			log_warning("%s: %s is unknown, so it does not hold: %s: %s; boot a kernel "
				    "that has CONFIG_PSI with psi=1",
				    object->policy.name, text, pressure_file(state->of),
				    strerror(-err));
	}
}

int conditions_begin(struct conditions *conditions, struct object *object)
{
	struct whens *of = &conditions->of;

	conditions_end(conditions);
	whens_find(object, of);
	if (!of->nr_whens)
		return 0;
	conditions->conditions = calloc(of->nr_whens, sizeof(*conditions->conditions));
	conditions->holds = calloc(of->nr_whens, sizeof(*conditions->holds));
	conditions->pressures = calloc(of->nr_states, sizeof(*conditions->pressures));
	conditions->numbers = calloc(whens_room(object) + 1, sizeof(*conditions->numbers));
	if (!conditions->conditions || !conditions->holds || !conditions->pressures ||
	    !conditions->numbers) {
		conditions_end(conditions);
		return log_error(ENOMEM, NULL, "out of memory");
	}
	for (unsigned int i = 0; i < of->nr_whens; i++) {
		conditions->conditions[i].now = when_evaluate(of, i, ask, conditions);
		conditions->holds[i] = conditions->conditions[i].now == ANSWER_YES;
		warn_of_unknown(conditions, object, i);
	}
	conditions_apply(conditions, object);
	return 0;
}

bool conditions_follow(struct conditions *conditions, struct object *object)
{
	bool any = false;

	for (unsigned int i = 0; conditions->conditions && i < conditions->of.nr_whens; i++) {
		struct condition *condition = &conditions->conditions[i];

		condition->now = when_evaluate(&conditions->of, i, ask, conditions);
		condition->has_changed = (condition->now == ANSWER_YES) != conditions->holds[i];
		if (!condition->has_changed)
			continue;
		conditions->holds[i] = !conditions->holds[i];
		condition->since = time(NULL);
		condition->switches++;
		any = true;
	}
	if (any)
		conditions_apply(conditions, object);
	return any;
}

void conditions_describe(const struct conditions *conditions, const struct object *object,
			 unsigned int number, char *text, size_t size)
{
	const struct gthulhu_when *when = &conditions->of.whens[number];

	snprintf(text, size, "`when %s` (%s:%u)", when->text, object->policy.file, when->line);
	log_printable(text);
}

void conditions_write(const struct conditions *conditions, struct json *json)
{
	json_array_begin(json, "conditions");
	for (unsigned int i = 0; conditions->conditions && i < conditions->of.nr_whens; i++) {
		const struct condition *condition = &conditions->conditions[i];
		const struct gthulhu_when *when = &conditions->of.whens[i];
		char text[GTHULHU_WHEN_LEN];

		snprintf(text, sizeof(text), "%s", when->text);
		json_element_begin(json);
		json_string(json, "condition", log_printable(text));
		json_number(json, "line", when->line);
		json_string(json, "holds", answers[condition->now]);
		if (condition->since)
			json_time(json, "since", condition->since);
		json_number(json, "switches", condition->switches);
		json_element_end(json);
	}
	json_array_end(json);
}

void conditions_end(struct conditions *conditions)
{
	free(conditions->conditions);
	free(conditions->holds);
	free(conditions->pressures);
	free(conditions->numbers);
	memset(conditions, 0, sizeof(*conditions));
}
