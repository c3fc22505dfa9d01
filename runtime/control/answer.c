// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>

#include "control/answer.h"
#include "output/json.h"
#include "output/log.h"

char *answer_failure(const struct log_capture *said, const char *then)
{
	struct json json;

	json_begin(&json);
	json_bool(&json, "ok", false);
	json_string(&json, "error", said->error);
	if (said->help[0])
		json_string(&json, "help", said->help);
	if (said->tail[0])
		json_string(&json, "log", said->tail);
	if (then)
		json_string(&json, "then", then);
	return json_end(&json);
}

char *answer_refusal(const char *remedy, const char *text)
{
	struct log_capture said;

	log_capture(&said);
	said.silent = true;
	log_error(EINVAL, remedy, "%s", text);
	log_capture(NULL);
	return answer_failure(&said, NULL);
}
