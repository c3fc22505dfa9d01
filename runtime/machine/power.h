/* SPDX-License-Identifier: GPL-2.0-only */
/* The machine's power, as an agent has told this process. */
#ifndef GTHULHU_POWER_H
#define GTHULHU_POWER_H

/* Each fact is negative while it is unknown. */
struct power {
	int profile; /* enum gthulhu_profile */
	int battery; /* its charge in thousandths */
	int on_battery; /* 0 or 1 */
};

/* Returns the facts, which the caller may change. They stay when another policy is loaded. */
struct power *power_told(void);

#endif /* GTHULHU_POWER_H */
