// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>

#include <bpf/libbpf.h>

#include "object/whens.h"
#include "output/log.h"

static const char remedy_again[] = "compile the policy again, with a gthulhuc of this release";

#define MOST_WHENS 64
#define MOST_STATES 256 /* of one condition */
#define MINUTES (24 * 60)
#define SHORTEST_NS 1000000000ULL
#define LONGEST_NS (600 * SHORTEST_NS)

void whens_find(const struct object *object, struct whens *whens)
{
	struct variable var;

	memset(whens, 0, sizeof(*whens));
	if (object_find(object, object->rodata, "policy_whens", &var) &&
	    variable_holds(&var, struct gthulhu_when)) {
		whens->whens = var.data;
		whens->nr_whens = var.size / sizeof(*whens->whens);
	}
	if (object_find(object, object->rodata, "policy_states", &var) &&
	    variable_holds(&var, struct gthulhu_state)) {
		whens->states = var.data;
		whens->nr_states = var.size / sizeof(*whens->states);
	}
	if (object_find(object, object->rodata, "policy_changes", &var) &&
	    variable_holds(&var, struct gthulhu_change)) {
		whens->changes = var.data;
		whens->nr_changes = var.size / sizeof(*whens->changes);
	}
}

/* How many results a step takes, of those before it. */
static unsigned int nr_operands(const struct gthulhu_state *state)
{
	if (state->asks == GTHULHU_NOT)
		return 1;
	return state->asks == GTHULHU_AND || state->asks == GTHULHU_OR ? 2 : 0;
}

static bool state_is_valid(const struct gthulhu_state *state)
{
	switch (state->asks) {
	case GTHULHU_NOT:
	case GTHULHU_AND:
	case GTHULHU_OR:
		return true;
	case GTHULHU_PRESSURE:
		return state->of < GTHULHU_NR_RESOURCES && state->over_ns >= SHORTEST_NS &&
			state->over_ns <= LONGEST_NS;
	case GTHULHU_POWER:
		return state->low < GTHULHU_NR_PROFILES;
	case GTHULHU_BATTERY:
		return state->high <= 1000;
	case GTHULHU_ON_BATTERY:
		return true;
	case GTHULHU_TIME:
		return state->low < MINUTES && state->high < MINUTES;
	}
	return false;
}

static bool when_is_valid(const struct whens *whens, const struct gthulhu_when *when)
{
	unsigned int results = 0;

	if (when->nr_states > MOST_STATES || when->first > whens->nr_states ||
	    when->nr_states > whens->nr_states - when->first ||
	    !memchr(when->text, '\0', sizeof(when->text)))
		return false;
	for (unsigned int i = 0; i < when->nr_states; i++) {
		const struct gthulhu_state *state = &whens->states[when->first + i];

		if (!state_is_valid(state) || results < nr_operands(state))
			return false;
		results += 1 - nr_operands(state);
	}
	return results == 1;
}

static bool change_is_valid(const struct object *object, const struct whens *whens,
			    const struct gthulhu_change *change)
{
	struct variable var;

	return change->when <= whens->nr_whens && change->tunable <= object->policy.nr_tunables &&
		(change->size == sizeof(uint8_t) || change->size == sizeof(uint32_t) ||
		 change->size == sizeof(uint64_t)) &&
		object->params && object_find(object, object->params, "class_params", &var) &&
		change->offset <= var.size && change->size <= var.size - change->offset &&
		((uintptr_t)var.data + change->offset) % change->size == 0;
}

int whens_check(const struct object *object, const char *path)
{
	struct whens whens;

	whens_find(object, &whens);
	if (whens.nr_whens > MOST_WHENS)
		return log_error(EINVAL, remedy_again, "%s: corrupt object: too many conditions",
				 path);
	for (unsigned int i = 0; i < whens.nr_whens; i++) {
		if (!when_is_valid(&whens, &whens.whens[i]))
			return log_error(EINVAL, remedy_again,
					 "%s: corrupt object: policy_whens[%u] is invalid", path,
					 i);
	}
	for (unsigned int i = 0; i < whens.nr_changes; i++) {
		if (!change_is_valid(object, &whens, &whens.changes[i]))
			return log_error(EINVAL, remedy_again,
					 "%s: corrupt object: policy_changes[%u] is invalid", path,
					 i);
	}
	return 0;
}

static enum answer join(unsigned int how, enum answer one, enum answer other)
{
	if (how == GTHULHU_AND)
		return one < other ? one : other;
	return one > other ? one : other;
}

enum answer when_evaluate(const struct whens *whens, unsigned int when, when_ask *ask,
			  void *machine)
{
	unsigned int first = whens->whens[when].first, nr = whens->whens[when].nr_states;
	enum answer results[MOST_STATES];
	unsigned int top = 0;

	for (unsigned int i = first; i < first + nr; i++) {
		switch (whens->states[i].asks) {
		case GTHULHU_NOT:
			results[top - 1] = ANSWER_YES - results[top - 1];
			break;
		case GTHULHU_AND:
		case GTHULHU_OR:
			top--;
			results[top - 1] =
				join(whens->states[i].asks, results[top - 1], results[top]);
			break;
		default:
			results[top++] = ask(machine, i);
		}
	}
	return results[0];
}

/* In one store: the scheduler may read it meanwhile. */
static void store(char *at, unsigned int size, uint64_t value)
{
	if (size == sizeof(uint8_t))
		__atomic_store_n((uint8_t *)at, (uint8_t)value, __ATOMIC_RELAXED);
	else if (size == sizeof(uint32_t))
		__atomic_store_n((uint32_t *)at, (uint32_t)value, __ATOMIC_RELAXED);
	else
		__atomic_store_n((uint64_t *)at, value, __ATOMIC_RELAXED);
}

void whens_apply(struct object *object, const bool *holds, uint64_t *numbers)
{
	struct whens whens;

	whens_find(object, &whens);
	for (unsigned int i = 0; i < whens.nr_changes; i++) {
		const struct gthulhu_change *change = &whens.changes[i];

		if (!change->when || holds[change->when - 1])
			numbers[change->offset] = change->tunable
				? object->values[change->tunable - 1]
				: change->value;
	}
	for (unsigned int i = 0; i < whens.nr_changes; i++) {
		const struct gthulhu_change *change = &whens.changes[i];

		store(object_params(object, "class_params", change->offset), change->size,
		      numbers[change->offset]);
	}
}

size_t whens_room(const struct object *object)
{
	struct variable var;

	return object->params && object_find(object, object->params, "class_params", &var)
		? var.size
		: 0;
}
