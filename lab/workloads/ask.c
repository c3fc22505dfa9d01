/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Asks the loader of the policy in force (runtime/control/control.h has the protocol).
 *
 *   ask FIELD...
 *
 * Prints its answer.
 */
#include "workload.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct sockaddr_un address = { AF_UNIX, "/run/gthulhu/control" };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	char text[65536];
	ssize_t len;

	if (argc < 2)
		errx(2, "usage: ask FIELD...");
	if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)))
		err(2, "cannot ask the loader");
	for (int i = 1; i < argc; i++)
		dprintf(fd, "%s%c", argv[i], i + 1 < argc ? '\t' : '\n');
	while ((len = read(fd, text, sizeof(text))) > 0)
		fwrite(text, 1, (size_t)len, stdout);
	return len < 0 ? 2 : 0;
}
