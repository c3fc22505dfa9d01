// SPDX-License-Identifier: GPL-2.0-only
#include "machine/power.h"

struct power *power_told(void)
{
	static struct power power = { .profile = -1, .battery = -1, .on_battery = -1 };

	return &power;
}
