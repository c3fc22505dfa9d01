// SPDX-License-Identifier: GPL-2.0-only
/* Generations that broke a promise, objects that are refused, and the log of events. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "control/events.h"
#include "control/refused.h"
#include "control/state.h"
#include "object/object.h"
#include "scheduler/session.h"
#include "unit.h"

static void add(const struct state *state, unsigned int generation, const char *image)
{
	const struct object object = {};

	EXPECT(!state_add(state, generation, image, strlen(image)));
	EXPECT(!state_save_settings(state, generation, "/p.gpl", &object));
	EXPECT(!state_publish(state, "p", generation, strdup("{}\n")));
}

static void test_sound_generations(const struct state *state)
{
	for (unsigned int i = 1; i <= 5; i++)
		add(state, i, "object");
	EXPECT(state_sound(state, 5) == 4);
	state_mark(state, 4, true);
	state_mark(state, 3, true);
	EXPECT(state_sound(state, 5) == 2);
	/* The last sound one stays although two are newer. */
	state_prune(state, 5);
	EXPECT(state_previous(state, 5) == 4 && state_previous(state, 4) == 2);
	EXPECT(state_previous(state, 2) == 0);
	state_mark(state, 4, false);
	EXPECT(state_sound(state, 5) == 4);
	state_mark(state, 4, true);
	state_mark(state, 2, true);
	EXPECT(state_sound(state, 5) == 0);
}

static void test_refused_objects(const struct state *state)
{
	add(state, 6, "bad object");
	add(state, 7, "other object");
	EXPECT(!refused_check(state, "p", "bad object", 10));
	refused_add(state, 6, "promise `a` (p.gpl:3) is broken");
	EXPECT(refused_check(state, "p", "bad object", 10) == -EPERM);
	EXPECT(!refused_check(state, "p", "bad objecT", 10));
	EXPECT(!refused_check(state, "p", "bad object", 9));
	refused_add(state, 7, "ejected");
	EXPECT(refused_check(state, "p", "bad object", 10) == -EPERM);
	EXPECT(refused_check(state, "p", "other object", 12) == -EPERM);
}

static void test_a_full_disk_hides_no_later_object(const struct state *state)
{
	struct rlimit limit, full;
	char path[PATH_MAX];
	struct stat before, after;

	state_path(state, "refused", path);
	add(state, 8, "third object");
	EXPECT(!stat(path, &before));
	signal(SIGXFSZ, SIG_IGN);
	EXPECT(!getrlimit(RLIMIT_FSIZE, &limit));
	full = (struct rlimit){ .rlim_cur = before.st_size + 10, .rlim_max = limit.rlim_max };
	EXPECT(!setrlimit(RLIMIT_FSIZE, &full));
	refused_add(state, 8, "ejected");
	EXPECT(!setrlimit(RLIMIT_FSIZE, &limit));
	EXPECT(!stat(path, &after) && after.st_size == before.st_size);
	refused_add(state, 8, "ejected");
	EXPECT(refused_check(state, "p", "third object", 12) == -EPERM);
}

static void test_the_log_is_renamed(const struct state *state)
{
	const struct session session = { .generation = 7, .object.policy.name = "p" };
	char path[PATH_MAX + 16], long_reason[4096];
	struct stat now, before;

	memset(long_reason, 'x', sizeof(long_reason) - 1);
	long_reason[sizeof(long_reason) - 1] = '\0';
	for (unsigned int i = 0; i < 3 * EVENTS_BYTES / sizeof(long_reason); i++)
		event_write(state, "went-back", &session, long_reason);
	snprintf(path, sizeof(path), "%s/events", state->directory);
	EXPECT(!stat(path, &now) && (now.st_mode & 0777) == 0600);
	snprintf(path, sizeof(path), "%s/events.1", state->directory);
	EXPECT(!stat(path, &before));
	EXPECT(before.st_size >= EVENTS_BYTES && before.st_size < EVENTS_BYTES + 8192);
	EXPECT(now.st_size < EVENTS_BYTES + 8192);
}

void test_fallback(void)
{
	char directory[] = "/tmp/gthulhu-units-XXXXXX";
	struct state state;

	EXPECT(mkdtemp(directory));
	EXPECT(!state_open(&state, directory, "/p.gpl", -1));
	test_sound_generations(&state);
	test_refused_objects(&state);
	test_a_full_disk_hides_no_later_object(&state);
	test_the_log_is_renamed(&state);
	state_close(&state);
	remove_tree(directory);
}
