// SPDX-License-Identifier: GPL-2.0-only
/* A sandboxed function: its possibilities and limits. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "machine/sandbox.h"
#include "unit.h"

struct answer {
	int errs[8];
	char text[16];
};

static int err_of(long result)
{
	return result < 0 ? errno : 0;
}

static int reads_a_file(void *arg, void *answer)
{
	struct answer *said = answer;
	int fd = open(arg, O_RDONLY | O_CLOEXEC);

	return read(fd, said->text, sizeof(said->text) - 1) > 0 ? 7 : 8;
}

static int tries_to_do_harm(void *arg, void *answer)
{
	struct answer *said = answer;

	said->errs[0] = err_of(open(arg, O_WRONLY | O_CREAT, 0600));
	said->errs[1] = err_of(kill(getppid(), SIGTERM));
	said->errs[2] = err_of(socket(AF_UNIX, SOCK_STREAM, 0));
	said->errs[3] = err_of(unlink(arg));
	said->errs[4] = err_of(execl("/bin/sh", "sh", "-c", "exit 0", NULL));
	said->errs[5] = err_of(syscall(SYS_ptrace, 16, getppid(), 0, 0));
	said->errs[6] = err_of(fork());
	said->errs[7] = err_of(syscall(SYS_getppid));
	return 0;
}

static int loads_a_map(void *arg, void *answer)
{
	int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "map", 4, 8, 1, NULL);
	struct answer *said = answer;
	unsigned int id = 0;
	const char *memory;

	(void)arg;
	memory = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	said->errs[0] = fd < 3 || memory == MAP_FAILED || memory[0];
	/* libbpf asks for modules until the answer is ENOENT. */
	said->errs[1] = err_of(bpf_btf_get_next_id(id, &id));
	return 0;
}

static int crashes(void *arg, void *answer)
{
	(void)answer;
	return *(volatile int *)arg;
}

static int uses_memory(void *arg, void *answer)
{
	size_t size = 2UL * SANDBOX_MEMORY;

	(void)arg;
	(void)answer;
	return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
		MAP_FAILED;
}

static int sees_descriptors(void *arg, void *answer)
{
	(void)answer;
	return fcntl(*(int *)arg, F_GETFD) < 0;
}

static struct sandbox_result run(int (*work)(void *arg, void *answer), void *arg,
				 struct answer *said)
{
	struct sandbox_result result = { .value = -1 };

	EXPECT(!sandbox_run(work, arg, said, sizeof(*said), &result));
	return result;
}

void test_sandbox(void)
{
	char path[] = "/tmp/gthulhu-units-XXXXXX";
	struct sandbox_result result;
	struct answer said = {};
	int fd = mkstemp(path), high = fcntl(fd, F_DUPFD_CLOEXEC, 50);

	EXPECT(write(fd, "text", 4) == 4);
	result = run(reads_a_file, path, &said);
	EXPECT(result.ending == SANDBOX_RETURNED && result.value == 7);
	EXPECT(!strcmp(said.text, "text"));

	result = run(tries_to_do_harm, path, &said);
	EXPECT(result.ending == SANDBOX_RETURNED && !result.value);
	for (int i = 0; i < 8; i++)
		EXPECT(said.errs[i] == EPERM);

	result = run(loads_a_map, NULL, &said);
	EXPECT(!said.errs[0] && said.errs[1] == ENOENT);

	result = run(crashes, (void *)8, &said);
	EXPECT(result.ending == SANDBOX_KILLED && result.signal == SIGSEGV);

	EXPECT(run(uses_memory, NULL, &said).value == 1);
	/* Such as those that hold the policy. */
	EXPECT(run(sees_descriptors, &high, &said).value == 1);
	close(high);
	close(fd);
	unlink(path);
}
