/* SPDX-License-Identifier: Apache-2.0
 *
 * A task that is there while loaders come and go: `worker BUSY_US SLEEP_US` computes and sleeps, again
 * and again. A shell that forks `usleep` would keep an emulated CPU busy.
 */
#include "workload.h"

int main(int argc, char **argv)
{
	uint64_t busy_ns, sleep_ns;

	if (argc != 3)
		errx(2, "usage: worker BUSY_US SLEEP_US");
	busy_ns = number("BUSY_US", argv[1], 0, 1000000) * 1000;
	sleep_ns = number("SLEEP_US", argv[2], 1, 1000000) * 1000;

	for (;;) {
		uint64_t end = now_ns() + busy_ns;

		while (now_ns() < end)
			spin();
		sleep_until_ns(now_ns() + sleep_ns);
	}
}
