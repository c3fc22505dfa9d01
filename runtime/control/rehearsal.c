// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>

#include "control/rehearsal.h"
#include "labels/labels.h"
#include "machine/sandbox.h"
#include "object/open.h"
#include "object/tunables.h"
#include "output/log.h"
#include "scheduler/session.h"

struct rehearsal {
	const char *name;
	const void *image;
	size_t size;
	const struct settings *settings;
	const struct labels *labels;
};

/*
 * Only what needs nothing of the kernel can be refused here: the load is one in appearance, so that
 * its errors may be, too. They count when the object is loaded in earnest.
 */
static int load_in_sandbox(void *arg, void *answer)
{
	const struct rehearsal *rehearsal = arg;
	struct labels labels = *rehearsal->labels;
	struct log_capture *said = answer;
	struct session session;
	int err;

	log_capture(said);
	said->silent = true;
	session_init(&session);
	err = object_open_image(&session.object, rehearsal->name, rehearsal->image,
				rehearsal->size);
	if (!err)
		err = tunables_set(&session.object, rehearsal->settings);
	if (err)
		return 1;
	/* Its descriptor is closed here. */
	labels.processes_fd = -1;
	return session_load(&session, &labels) == -ENOMEM;
}

int rehearse(const char *name, const void *image, size_t size, const struct settings *settings,
	     const struct labels *labels)
{
	struct rehearsal rehearsal = { name, image, size, settings, labels };
	struct sandbox_result result;
	struct log_capture said;
	int err;

	err = sandbox_run(load_in_sandbox, &rehearsal, &said, sizeof(said), &result);
	if (err)
		return log_error(-err, NULL, "%s: cannot start a process that checks it: %s", name,
				 strerror(-err));
	if (result.ending == SANDBOX_TIMED_OUT)
		return log_error(ETIMEDOUT, "compile the policy again",
				 "%s: corrupt object: reading it took more than %d s", name,
				 SANDBOX_SECONDS);
	if (result.ending == SANDBOX_KILLED)
		return log_error(EINVAL, "compile the policy again, and report the object",
				 "%s: corrupt object: reading it ended in a crash (%s)", name,
				 strsignal(result.signal));
	if (result.value)
		return log_again(EINVAL, &said);
	return 0;
}
