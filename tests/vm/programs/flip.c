// SPDX-License-Identifier: GPL-2.0-only
/*
 * flip MS: sets the clock to night and to noon, in turns, once a ms, and has the loader look at it
 * each time. Prints how often.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { NIGHT = 1800000000 - 1800000000 % 86400, NOON = NIGHT + 12 * 3600 };

static void ask_for_status(void)
{
	struct sockaddr_un address = { AF_UNIX, "/run/gthulhu/control" };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	char text[4096];

	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0)
		err(3, "connect");
	dprintf(fd, "status\n");
	while (read(fd, text, sizeof(text)) > 0)
		;
	close(fd);
}

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int main(int argc, char **argv)
{
	long end_ms = now_ms() + (argc > 1 ? atol(argv[1]) : 0);
	long nr = 0;

	for (; now_ms() < end_ms; nr++) {
		struct timespec set = { .tv_sec = nr % 2 ? NIGHT : NOON };

		if (clock_settime(CLOCK_REALTIME, &set) < 0)
			err(2, "clock_settime");
		ask_for_status();
		usleep(1000);
	}
	printf("%ld\n", nr);
	return 0;
}
