// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output/log_file.h"

static const char *current; /* NULL: messages go elsewhere */

static void redirect(int flags)
{
	int fd =
		open(current, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | flags, 0600);

	if (fd < 0)
		fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	fflush(NULL);
	if (fd >= 0 && dup2(fd, STDOUT_FILENO) >= 0 && dup2(fd, STDERR_FILENO) >= 0)
		close(fd);
}

void log_file_open(const char *path)
{
	current = path;
	redirect(O_TRUNC);
}

void log_file_rotate(void)
{
	char last[PATH_MAX];
	struct stat st;

	if (!current || fstat(STDERR_FILENO, &st) || st.st_size <= LOG_FILE_MOST ||
	    snprintf(last, sizeof(last), "%s.1", current) >= (int)sizeof(last) ||
	    rename(current, last))
		return;
	redirect(0);
}
