// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "control/service.h"
#include "machine/clock.h"
#include "output/log.h"

static void notify(const char *text)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const char *path = getenv("NOTIFY_SOCKET");
	size_t len = path ? strlen(path) : 0;
	int fd;

	if (!len || len >= sizeof(address.sun_path))
		return;
	memcpy(address.sun_path, path, len);
	if (address.sun_path[0] == '@') /* a socket without a file */
		address.sun_path[0] = '\0';
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0 ||
	    sendto(fd, text, strlen(text), MSG_NOSIGNAL, (struct sockaddr *)&address,
		   offsetof(struct sockaddr_un, sun_path) + len) < 0)
		log_verbose("cannot notify the service manager: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
}

void service_notify_ready(const char *policy, unsigned int generation)
{
	char text[256];

	snprintf(text, sizeof(text), "READY=1\nSTATUS=%s, generation %u, is in force\n", policy,
		 generation);
	notify(text);
}

/* Half of the time after which the service manager kills the loader; 0: it does not. */
static int64_t watchdog_ms(void)
{
	static int64_t interval_ms = -1;
	const char *usec, *pid;

	if (interval_ms >= 0)
		return interval_ms;
	usec = getenv("WATCHDOG_USEC");
	pid = getenv("WATCHDOG_PID");
	interval_ms = usec && (!pid || atol(pid) == getpid()) ? atoll(usec) / 2000 : 0;
	return interval_ms;
}

void service_notify_alive(void)
{
	static int64_t next_ms;

	if (!watchdog_ms() || clock_ms() < next_ms)
		return;
	next_ms = clock_ms() + watchdog_ms();
	notify("WATCHDOG=1");
}

void service_notify_stopped(void)
{
	notify("STATUS=No policy is in force\n");
}
