// SPDX-License-Identifier: GPL-2.0-only
/*
 * A mutex of the kernel, that of a file's inode: a write holds it from its begin to its end.
 *
 *   inode hold FILE KIB       writes that much at once, again and again
 *   inode wait FILE MS        writes a byte every 7 ms, and prints how long the longest write took,
 *                             and their number
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long long now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static void write_at_start(int fd, const char *bytes, size_t size)
{
	if (pwrite(fd, bytes, size, 0) != (ssize_t)size)
		err(2, "pwrite");
}

int main(int argc, char **argv)
{
	long long end_ns, longest_ns = 0;
	int fd, nr = 0;

	if (argc != 4)
		errx(2, "usage: inode hold|wait FILE KIB|MS");
	fd = open(argv[2], O_WRONLY | O_CREAT, 0600);
	if (fd < 0)
		err(2, "%s", argv[2]);
	if (!strcmp(argv[1], "hold")) {
		size_t size = strtoul(argv[3], NULL, 10) << 10;
		char *bytes = calloc(1, size);

		for (;;)
			write_at_start(fd, bytes, size);
	}
	end_ns = now_ns() + strtoll(argv[3], NULL, 10) * 1000000;
	while (now_ns() < end_ns) {
		long long began_ns = now_ns(), ns;

		write_at_start(fd, "", 1);
		ns = now_ns() - began_ns;
		longest_ns = ns > longest_ns ? ns : longest_ns;
		nr++;
		usleep(7000);
	}
	printf("%lld %d\n", longest_ns, nr);
	return 0;
}
