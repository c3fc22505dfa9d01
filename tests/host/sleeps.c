/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads struct step, one after the other, and writes the struct sleeps that follows from each. */
#include "kernel.bpf.h"
#include "sleeps.bpf.h"

#include <stdio.h>

enum { LOOK, SLEEP, START };

struct step {
	u64 now_ns;
	u64 what; /* somebody looks, it goes to sleep, or it starts a thread, which takes its place */
};

int main(void)
{
	struct sleeps sleeps = {}, from;
	struct step step;

	while (fread(&step, sizeof(step), 1, stdin) == 1) {
		if (step.what == SLEEP)
			count_sleep(&sleeps, step.now_ns);
		else
			decay_sleeps(&sleeps, step.now_ns);
		if (step.what == START) {
			from = sleeps;
			start_sleeps(&sleeps, &from);
		}
		sleeps.often = are_often(&sleeps);
		fwrite(&sleeps, sizeof(sleeps), 1, stdout);
	}
	return 0;
}
