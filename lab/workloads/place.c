/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Starts a program with the facts that a policy's rule asks for.
 *
 *   place --pidfile FILE [--above NAME]... [--cgroup PATH] [--nice N] [--gid N]
 *         [--uid N] -- PROGRAM [ARGUMENT]...
 *
 * NAMEs are processes above it, the parent last. FILE gets the number of the
 * process that becomes PROGRAM. It leads a session, which identifies all that it
 * starts. PROGRAM names itself (TASK_PROCESS and TASK_COMM, workload.h).
 */
#include "workload.h"

#include <getopt.h>
#include <grp.h>
#include <limits.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define CGROUPS "/sys/fs/cgroup"

/* A policy sees the names that ancestors have when they fork. */
static void be_child_of(const char *name)
{
	pid_t parent = getpid(), pid;

	set_name(name);
	pid = fork();
	if (pid < 0)
		err(2, "fork");
	if (pid) {
		waitpid(pid, NULL, 0);
		_exit(0);
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
}

static void make_folders(char *path)
{
	for (char *slash = path + strlen(CGROUPS) + 1; slash; slash = strchr(slash + 1, '/')) {
		char kept = *slash;

		*slash = '\0';
		if (mkdir(path, 0755) && errno != EEXIST)
			err(2, "%s", path);
		*slash = kept;
	}
	if (mkdir(path, 0755) && errno != EEXIST)
		err(2, "%s", path);
}

static void enter_cgroup(const char *name)
{
	char path[PATH_MAX];
	FILE *file;

	snprintf(path, sizeof(path), CGROUPS "%s", name);
	make_folders(path);
	strncat(path, "/cgroup.procs", sizeof(path) - strlen(path) - 1);
	file = fopen(path, "w");
	if (!file || fprintf(file, "%d", getpid()) < 0 || fclose(file))
		err(2, "%s", path);
}

static void write_pid(const char *path)
{
	char whole[PATH_MAX];
	FILE *file;

	/* A reader that sees the file sees all of it. */
	snprintf(whole, sizeof(whole), "%s.part", path);
	file = fopen(whole, "w");
	if (!file || fprintf(file, "%d\n", getpid()) < 0 || fclose(file) || rename(whole, path))
		err(2, "%s", path);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "pidfile", required_argument, NULL, 'p' },
		{ "above", required_argument, NULL, 'a' },
		{ "cgroup", required_argument, NULL, 'c' },
		{ "nice", required_argument, NULL, 'n' },
		{ "gid", required_argument, NULL, 'g' },
		{ "uid", required_argument, NULL, 'u' },
		{},
	};
	const char *pidfile = NULL, *cgroup = NULL, *nice = "0";
	gid_t gid = 0;
	uid_t uid = 0;
	int option;

	while ((option = getopt_long(argc, argv, "+", options, NULL)) != -1) {
		if (option == 'p')
			pidfile = optarg;
		else if (option == 'a')
			be_child_of(optarg);
		else if (option == 'c')
			cgroup = optarg;
		else if (option == 'n')
			nice = optarg;
		else if (option == 'g')
			gid = (gid_t)number("--gid", optarg, 0, UINT32_MAX - 1);
		else if (option == 'u')
			uid = (uid_t)number("--uid", optarg, 0, UINT32_MAX - 1);
		else
			return 2;
	}
	if (!pidfile || optind == argc)
		errx(2, "usage: place --pidfile FILE [OPTION]... -- PROGRAM [ARGUMENT]...");
	if (setsid() < 0)
		err(2, "setsid");
	if (cgroup)
		enter_cgroup(cgroup);
	if (setpriority(PRIO_PROCESS, 0, atoi(nice)))
		err(2, "setpriority");
	write_pid(pidfile);
	if (gid && (setgroups(0, NULL) || setgid(gid)))
		err(2, "setgid");
	if (uid && setuid(uid))
		err(2, "setuid");
	execvp(argv[optind], argv + optind);
	err(127, "%s", argv[optind]);
}
