// SPDX-License-Identifier: GPL-2.0-only
/* class-of OBJECT PID...: the numbers of the classes of tasks, on a line; see task_class.h. */
#include <stdio.h>
#include <stdlib.h>

#include "task_class.h"

int main(int argc, char **argv)
{
	if (argc < 2 || find_classes(argv[1]))
		return 1;
	for (int i = 2; i < argc; i++)
		printf("%s%d", i > 2 ? " " : "", class_of_task(atoi(argv[i])));
	puts("");
	return 0;
}
