// SPDX-License-Identifier: GPL-2.0-only
/*
 * The types of a kernel that lacks a member of a structure.
 *
 *   without-member NAME >FILE
 *
 * Writes the running kernel's BTF, in which members and functions of that name have another one.
 */
#define _GNU_SOURCE
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	static char types[32 << 20];
	FILE *file = fopen("/sys/kernel/btf/vmlinux", "r");
	size_t size, length;
	char *at = types;

	if (argc != 2 || !file)
		errx(2, "usage: without-member NAME, where the kernel has BTF");
	size = fread(types, 1, sizeof(types), file);
	length = strlen(argv[1]) + 1;
	while ((at = memmem(at, types + size - at, argv[1], length))) {
		if (!at[-1])
			at[0] = '_';
		at += length;
	}
	return fwrite(types, 1, size, stdout) == size ? 0 : 2;
}
