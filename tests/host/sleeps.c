/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads struct step, one after the other, and writes the struct sleeps that follows from each. */
#include "kernel.bpf.h"
#include "sleeps.bpf.h"

#include <stdio.h>

struct step {
	u64 now_ns;
	u64 slept; /* it goes to sleep; otherwise somebody looks */
};

int main(void)
{
	struct sleeps sleeps = {};
	struct step step;

	while (fread(&step, sizeof(step), 1, stdin) == 1) {
		if (step.slept)
			count_sleep(&sleeps, step.now_ns);
		else
			decay_sleeps(&sleeps, step.now_ns);
		sleeps.often = are_often(&sleeps);
		fwrite(&sleeps, sizeof(sleeps), 1, stdout);
	}
	return 0;
}
