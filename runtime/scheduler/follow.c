// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "fill/pins.h"
#include "object/object.h"
#include "output/log.h"
#include "scheduler/follow.h"

/* The pins take effect in the kernel. Returns 0 or -errno. */
static int apply(const struct object *object, const struct bpf_program *program)
{
	size_t size = bpf_map__value_size(object->followed);
	LIBBPF_OPTS(bpf_test_run_opts, opts);
	unsigned int key = 0;
	int err;

	if (size != object->policy.nr_pins * sizeof(*object->pins))
		return log_error(EINVAL, NULL, "corrupt object: .data.pins has %zu bytes", size);
	err = bpf_map__update_elem(object->followed, &key, sizeof(key), object->pins, size, 0);
	if (!err)
		err = bpf_prog_test_run_opts(bpf_program__fd(program), &opts);
	if (err)
		return log_error(-err, NULL, "the kernel rejected the CPUs: %s", strerror(-err));
	return 0;
}

static void log_moves(const struct object *object, const struct gthulhu_pin *before)
{
	unsigned int number = 0;
	struct pin_text text;

	while (pins_next(object, &number, &text)) {
		size_t i = text.pin - object->pins;

		if (memcmp(before[i].cpus, text.pin->cpus, sizeof(text.pin->cpus)))
			log_info("%s: rule `%s`: `%s` is CPU %s now", object->policy.name,
				 text.pin->rule, text.asked, text.cpus);
	}
}

void follow_interrupts(struct follow *follow, struct object *object)
{
	const struct bpf_program *program =
		bpf_object__find_program_by_name(object->bpf, "gthulhu_follow");
	size_t size = object->policy.nr_pins * sizeof(*object->pins);
	struct gthulhu_pin *before;
	struct log_capture said;
	int err;

	if (!program || !object->followed)
		return;
	before = malloc(size);
	if (!before)
		return;
	memcpy(before, object->pins, size);
	log_capture(&said);
	said.silent = true;
	err = pins_resolve(object);
	if (!err && memcmp(before, object->pins, size))
		err = apply(object, program);
	log_capture(NULL);
	if (err) {
		memcpy(object->pins, before, size);
		if (!follow->stays)
			log_warning("%s: all CPUs of rules stay as they are: %s",
				    object->policy.name, said.error);
	} else {
		if (follow->stays)
			log_info("%s: CPUs of rules follow the interrupts again",
				 object->policy.name);
		log_moves(object, before);
	}
	follow->stays = err;
	free(before);
}
