/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The only process of a micro-VM whose boot is the workload: powers it off.
 */
#include <err.h>
#include <sys/reboot.h>

int main(void)
{
	reboot(RB_POWER_OFF);
	err(1, "reboot");
}
