// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/audit.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include "machine/sandbox.h"

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#else
#define MACHINE 0 /* no filter: the other limits remain */
#endif

/* libbpf, libelf and the C library need these to read files and use memory. */
static const int allowed[] = {
	__NR_read,	   __NR_write,	      __NR_pread64,	   __NR_fstat,
	__NR_newfstatat,   __NR_lseek,	      __NR_faccessat,	   __NR_faccessat2,
	__NR_readlinkat,   __NR_getdents64,   __NR_fcntl,	   __NR_dup,
	__NR_dup3,	   __NR_memfd_create, __NR_ftruncate,	   __NR_mmap,
	__NR_munmap,	   __NR_mremap,	      __NR_mprotect,	   __NR_madvise,
	__NR_brk,	   __NR_futex,	      __NR_getrandom,	   __NR_clock_gettime,
	__NR_clock_getres, __NR_uname,	      __NR_getpid,	   __NR_gettid,
	__NR_geteuid,	   __NR_sysinfo,      __NR_rt_sigprocmask, __NR_rt_sigreturn,
	__NR_sigaltstack,  __NR_exit,	      __NR_exit_group,
#ifdef __NR_access
	__NR_access,	   __NR_readlink,     __NR_dup2,	   __NR_stat,
#endif
};

#define NR_ALLOWED (sizeof(allowed) / sizeof(allowed[0]))

/* Loops over identifiers end with this. */
static const int without_end[] = {
	BPF_PROG_GET_NEXT_ID, BPF_MAP_GET_NEXT_ID,  BPF_BTF_GET_NEXT_ID,
	BPF_LINK_GET_NEXT_ID, BPF_MAP_GET_NEXT_KEY,
};

#define NR_WITHOUT_END (sizeof(without_end) / sizeof(without_end[0]))

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, (value))
#define SKIP_IF(value, skipped) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), (skipped), 0)
#define SKIP_UNLESS(value, skipped) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (skipped))
#define SKIP_IF_ANY(bits, skipped) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (bits), (skipped), 0)
#define FAIL(err) (SECCOMP_RET_ERRNO | (err))

static const struct sock_filter of_this_machine[] = {
	LOAD(arch),
	SKIP_IF(MACHINE, 1),
	RETURN(FAIL(EPERM)),
	LOAD(nr),
};

static const struct sock_filter reads_only[] = {
	SKIP_UNLESS(__NR_openat, 4),
	LOAD(args[2]),
	SKIP_IF_ANY(O_ACCMODE | O_CREAT | O_TRUNC, 1),
	RETURN(SECCOMP_RET_ALLOW),
	RETURN(FAIL(EPERM)),
};

/* libbpf moves a descriptor 0 to a higher number and closes it; the next one comes from there. */
static const struct sock_filter keeps_0[] = {
	SKIP_UNLESS(__NR_close, 4), LOAD(args[0]),   SKIP_IF(0, 1),
	RETURN(SECCOMP_RET_ALLOW),  RETURN(FAIL(0)),
};

struct filter {
	struct sock_filter code[128];
	unsigned short len;
};

static void append(struct filter *filter, const struct sock_filter *code, size_t nr)
{
	memcpy(filter->code + filter->len, code, nr * sizeof(*code));
	filter->len += nr;
}

/* Adds: return this if the value at hand is this one. */
static void answer_to(struct filter *filter, unsigned int value, unsigned int answer)
{
	const struct sock_filter code[] = { SKIP_UNLESS(value, 1), RETURN(answer) };

	append(filter, code, 2);
}

static void write_filter(struct filter *filter)
{
	const struct sock_filter otherwise = RETURN(FAIL(EPERM)), pretend = RETURN(FAIL(0)),
				 command = LOAD(args[0]),
				 unless_bpf = SKIP_UNLESS(__NR_bpf, 2 + 2 * NR_WITHOUT_END);

	filter->len = 0;
	append(filter, of_this_machine, sizeof(of_this_machine) / sizeof(of_this_machine[0]));
	for (size_t i = 0; i < NR_ALLOWED; i++)
		answer_to(filter, allowed[i], SECCOMP_RET_ALLOW);
	append(filter, reads_only, sizeof(reads_only) / sizeof(reads_only[0]));
	append(filter, keeps_0, sizeof(keeps_0) / sizeof(keeps_0[0]));
	append(filter, &unless_bpf, 1);
	append(filter, &command, 1);
	for (size_t i = 0; i < NR_WITHOUT_END; i++)
		answer_to(filter, without_end[i], FAIL(ENOENT));
	append(filter, &pretend, 1); /* 0 is a descriptor of an empty file */
	append(filter, &otherwise, 1);
}

static void forbid_calls(void)
{
	struct sock_fprog program;
	struct filter filter;

	write_filter(&filter);
	program = (struct sock_fprog){ .len = filter.len, .filter = filter.code };
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void drop_capabilities(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {};

	syscall(SYS_capset, &header, none);
}

static void limit(int resource, rlim_t most)
{
	const struct rlimit limits = { .rlim_cur = most, .rlim_max = most };

	setrlimit(resource, &limits);
}

static void limit_memory(void)
{
	unsigned long pages = 0;
	FILE *file = fopen("/proc/self/statm", "re");

	if (!file)
		return;
	if (fscanf(file, "%lu", &pages) == 1)
		limit(RLIMIT_AS, pages * sysconf(_SC_PAGESIZE) + SANDBOX_MEMORY);
	fclose(file);
}

/* Closes all descriptors but the answer's, which becomes 3; 0 to 2 are an empty file. */
static void close_all(int answer_fd)
{
	int empty = memfd_create("empty", MFD_CLOEXEC);

	/* Far longer than what libbpf maps; it has no pages until something is written. */
	if (empty >= 0 && ftruncate(empty, 1L << 32) < 0)
		_exit(1);
	for (int fd = 0; fd < 3; fd++)
		dup2(empty, fd);
	dup2(answer_fd, 3);
	close_range(4, ~0U, 0);
}

static void work_in_child(int answer_fd, int (*work)(void *arg, void *answer), void *arg,
			  void *answer, size_t size)
{
	int value;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	close_all(answer_fd);
	limit_memory();
	limit(RLIMIT_CORE, 0);
	/* A sanitizer handles those of a crash. */
	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
	alarm(SANDBOX_SECONDS);
	drop_capabilities();
	forbid_calls();
	value = work(arg, answer);
	if (write(3, answer, size) != (ssize_t)size)
		value = 1;
	_exit(value);
}

/* Reads the answer to its end, or to that of the process. */
static void read_answer(int fd, char *answer, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = read(fd, answer + done, size - done);

		if (n > 0)
			done += n;
		else if (n == 0 || errno != EINTR)
			break;
	}
	memset(answer + done, 0, size - done);
}

static void wait_for(pid_t child, struct sandbox_result *result)
{
	int status = 0;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	result->ending = SANDBOX_RETURNED;
	result->signal = 0;
	result->value = WEXITSTATUS(status);
	if (!WIFSIGNALED(status))
		return;
	result->signal = WTERMSIG(status);
	result->ending = result->signal == SIGALRM ? SANDBOX_TIMED_OUT : SANDBOX_KILLED;
}

int sandbox_run(int (*work)(void *arg, void *answer), void *arg, void *answer, size_t size,
		struct sandbox_result *result)
{
	int ends[2];
	pid_t child;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	fflush(NULL);
	child = fork();
	if (child < 0) {
		int err = errno;

		close(ends[0]);
		close(ends[1]);
		return -err;
	}
	if (!child)
		work_in_child(ends[1], work, arg, answer, size);
	close(ends[1]);
	read_answer(ends[0], answer, size);
	close(ends[0]);
	wait_for(child, result);
	return 0;
}
