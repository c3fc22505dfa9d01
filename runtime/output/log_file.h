/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages in a file, for a loader in the background. */
#ifndef GTHULHU_LOG_FILE_H
#define GTHULHU_LOG_FILE_H

enum { LOG_FILE_MOST = 256 << 10 }; /* bytes; the file may be longer until it is rotated */

/*
 * Redirects stdout and stderr to the file, which is emptied; to /dev/null if it cannot be written.
 * path must stay valid.
 */
void log_file_open(const char *path);

/* Once the file has more than LOG_FILE_MOST bytes, moves it to PATH.1, and begins it anew. */
void log_file_rotate(void);

#endif /* GTHULHU_LOG_FILE_H */
