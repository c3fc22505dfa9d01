// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "machine/kernel.h"

int kernel_read_line(const char *path, char *text, size_t size)
{
	ssize_t len;
	int err;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	len = read(fd, text, size - 1);
	err = len < 0 ? -errno : 0;
	close(fd);
	if (err)
		return err;
	text[len] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return 0;
}

const char *kernel_release(void)
{
	static struct utsname name;

	if (!name.release[0] && uname(&name) < 0)
		return "unknown";
	return name.release;
}

unsigned int kernel_version(void)
{
	unsigned int major;
	unsigned int minor;

	if (sscanf(kernel_release(), "%u.%u", &major, &minor) != 2)
		return 0;
	return major << 16 | minor << 8;
}

void cpu_list_add(struct cpu_list *cpus, unsigned long cpu)
{
	if (cpu / 64 < sizeof(cpus->words) / sizeof(cpus->words[0]))
		cpus->words[cpu / 64] |= 1ULL << (cpu % 64);
	cpus->nr_cpus++;
}

static bool cpu_is_set(const uint64_t *words, unsigned int nr_words, unsigned int cpu)
{
	return cpu < nr_words * 64 && words[cpu / 64] >> (cpu % 64) & 1;
}

bool cpu_list_has(const struct cpu_list *cpus, unsigned int cpu)
{
	return cpu_is_set(cpus->words, sizeof(cpus->words) / sizeof(cpus->words[0]), cpu);
}

void cpu_list_join(struct cpu_list *cpus, const struct cpu_list *others)
{
	for (unsigned int cpu = 0; cpu < sizeof(others->words) * 8; cpu++) {
		if (cpu_list_has(others, cpu) && !cpu_list_has(cpus, cpu))
			cpu_list_add(cpus, cpu);
	}
}

bool cpu_list_parse(const char *text, struct cpu_list *cpus)
{
	memset(cpus, 0, sizeof(*cpus));
	while (*text && *text != '\n') {
		unsigned long first, last;
		char *end;

		first = last = strtoul(text, &end, 10);
		if (end == text)
			return false;
		if (*end == '-') {
			text = end + 1;
			last = strtoul(text, &end, 10);
			if (end == text)
				return false;
		}
		if (last < first || last >= 1UL << 20)
			return false;
		for (unsigned long cpu = first; cpu <= last; cpu++)
			cpu_list_add(cpus, cpu);
		if (*end == ',')
			end++;
		else if (*end && *end != '\n')
			return false;
		text = end;
	}
	return true;
}

void cpu_list_format(const uint64_t *words, unsigned int nr_words, char *text, size_t size)
{
	size_t len = 0;

	text[0] = '\0';
	for (unsigned int cpu = 0; cpu < nr_words * 64; cpu++) {
		unsigned int first = cpu;
		int n;

		if (!cpu_is_set(words, nr_words, cpu))
			continue;
		while (cpu_is_set(words, nr_words, cpu + 1))
			cpu++;
		n = snprintf(text + len, size - len, cpu > first ? "%s%u-%u" : "%s%u",
			     len ? "," : "", first, cpu);
		if (n < 0 || (size_t)n >= size - len) {
			text[len] = '\0';
			return;
		}
		len += n;
	}
}

int kernel_online_cpus(struct cpu_list *cpus)
{
	char text[4096];
	int err;

	err = kernel_read_line("/sys/devices/system/cpu/online", text, sizeof(text));
	if (err)
		return err;
	return cpu_list_parse(text, cpus) ? 0 : -EINVAL;
}

void kernel_active_scheduler(char *name, size_t size)
{
	if (kernel_read_line(SCHED_EXT_DIR "/root/ops", name, size))
		name[0] = '\0';
}

bool kernel_sched_ext_is(const char *state)
{
	char now[32];

	if (kernel_read_line(SCHED_EXT_DIR "/state", now, sizeof(now)))
		return false;
	return !strcmp(now, state);
}

void kernel_sched_ext_settle(unsigned int timeout_ms)
{
	const unsigned int step_ms = 1;

	for (unsigned int waited_ms = 0; waited_ms < timeout_ms; waited_ms += step_ms) {
		if (!kernel_sched_ext_is("disabling"))
			return;
		usleep(step_ms * 1000);
	}
}

uint64_t kernel_sched_ext_number(const char *file)
{
	char path[128];
	char text[32];

	snprintf(path, sizeof(path), SCHED_EXT_DIR "/%s", file);
	if (kernel_read_line(path, text, sizeof(text)))
		return 0;
	return strtoull(text, NULL, 10);
}
