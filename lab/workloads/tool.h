/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Starts public tools under the wanted name: the kernel names a process after the
 * path that it was started from, and that may be a link.
 */
#ifndef GTHULHU_TOOL_H
#define GTHULHU_TOOL_H

#include "workload.h"

#include <libgen.h>
#include <limits.h>
#include <unistd.h>

#define TOOL_FOLDER "/tmp/tool-XXXXXX"

static char tool_folder[sizeof(TOOL_FOLDER)], tool_link[PATH_MAX];

static inline void unlink_tool(void)
{
	unlink(tool_link);
	rmdir(tool_folder);
}

/*
 * Make the link tool_link to the path of a tool. The caller removes it at the end, or before the
 * next call.
 */
static inline void link_tool(const char *tool)
{
	const char *comm = wanted_name("TASK_COMM"), *process = wanted_name("TASK_PROCESS");
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s", tool);
	strcpy(tool_folder, TOOL_FOLDER);
	if (!mkdtemp(tool_folder))
		err(2, "%s", tool_folder);
	snprintf(tool_link, sizeof(tool_link), "%s/%s", tool_folder,
		 comm ? comm
			 : process ? process
				   : basename(path));
	if (symlink(tool, tool_link))
		err(2, "%s", tool_link);
}

#endif /* GTHULHU_TOOL_H */
