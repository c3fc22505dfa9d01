// SPDX-License-Identifier: GPL-2.0-only
/*
 * ask FIELD...: sends a request to the loader, see runtime/control/control.h, and prints
 * the answer. For guests without Python, and where Python takes too long.
 */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct sockaddr_un address = { AF_UNIX, "/run/gthulhu/control" };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	char text[4096];
	ssize_t len;

	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0) {
		perror("ask");
		return 3;
	}
	for (int i = 1; i < argc; i++)
		dprintf(fd, "%s%c", argv[i], i + 1 < argc ? '\t' : '\n');
	while ((len = read(fd, text, sizeof(text))) > 0)
		fwrite(text, 1, len, stdout);
	return len < 0;
}
