// SPDX-License-Identifier: GPL-2.0-only
/* The control socket and the state directory. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "control/control.h"
#include "control/service.h"
#include "control/state.h"
#include "machine/clock.h"
#include "object/object.h"
#include "output/json.h"
#include "output/log.h"
#include "output/log_file.h"
#include "unit.h"

static void test_json(void)
{
	struct json json;
	char *text;

	json_begin(&json);
	json_string(&json, "a\"b", "tab\t back\\slash \x7f \xc3\xa4 \xe2\x82\xac");
	json_string(&json, "bad", "\xff|\xc0\x80|\xed\xa0\x80|\xf5|\xe2\x82");
	json_number(&json, "most", UINT64_MAX);
	json_bool(&json, "no", false);
	json_numbers(&json, "nrs", (const unsigned long long[]){ 1, 22 }, 2);
	json_array_begin(&json, "none");
	json_array_end(&json);
	json_array_begin(&json, "some");
	for (unsigned int i = 0; i < 2; i++) {
		json_element_begin(&json);
		json_number(&json, "i", i);
		json_bool(&json, "is", true);
		json_element_end(&json);
	}
	json_array_end(&json);
	text = json_end(&json);
	EXPECT(!strcmp(
		text,
		"{\"a\\\"b\": \"tab\\u0009 back\\\\slash \\u007f \xc3\xa4 \xe2\x82\xac\", "
		"\"bad\": \"\\ufffd|\\ufffd\\ufffd|\\ufffd\\ufffd\\ufffd|\\ufffd|\\ufffd"
		"\\ufffd\", \"most\": 18446744073709551615, \"no\": false, \"nrs\": [1, 22], \"none\": [], "
		"\"some\": [{\"i\": 0, \"is\": true}, {\"i\": 1, \"is\": true}]}\n"));
	free(text);
}

static int connect_to(const struct control *control)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	memcpy(address.sun_path, control->path, sizeof(address.sun_path));
	EXPECT(fd >= 0 && !connect(fd, (struct sockaddr *)&address, sizeof(address)));
	return fd;
}

/* Runs a few rounds of the loader's loop; returns the client of a request, if any. */
static struct client *rounds(struct control *control)
{
	for (unsigned int i = 0; i < 4; i++) {
		struct client *client = control_wait(control, -1, -1, 1);

		if (client)
			return client;
	}
	return NULL;
}

/* Returns what a client received before its disconnection; "" if it waits or received nothing. */
static const char *received(int fd)
{
	static char text[256];
	ssize_t len = recv(fd, text, sizeof(text) - 1, 0);

	text[len > 0 ? len : 0] = '\0';
	return text;
}

static bool is_hung_up(int fd)
{
	char byte;

	return recv(fd, &byte, 1, 0) == 0;
}

static void test_requests(struct control *control)
{
	char rubbish[CONTROL_LINE];
	struct client *client;
	int fd, other;

	/* A request in parts, followed by more data. */
	fd = connect_to(control);
	EXPECT(!rounds(control));
	EXPECT(send(fd, "set\ta", 5, 0) == 5);
	EXPECT(!rounds(control));
	EXPECT(send(fd, "=1\nmore", 7, 0) == 7);
	client = rounds(control);
	EXPECT(client && !strcmp(client->line, "set\ta=1"));
	/* It keeps waiting for its answer while others are served. */
	other = connect_to(control);
	EXPECT(rounds(control) == client);
	control_answer(client, strdup("{}\n"));
	EXPECT(!rounds(control));
	EXPECT(!strcmp(received(fd), "{}\n"));
	EXPECT(is_hung_up(fd) || errno == ECONNRESET);
	close(fd);

	/* A NUL, and no newline. */
	EXPECT(send(other, "a\0b\n", 4, 0) == 4);
	EXPECT(!rounds(control));
	EXPECT(strstr(received(other), "must not contain NUL"));
	close(other);

	/* Too long: the client is answered, not disconnected, once it has sent the line. */
	memset(rubbish, 'x', sizeof(rubbish));
	fd = connect_to(control);
	for (unsigned int i = 0; i < 5; i++) {
		EXPECT(send(fd, rubbish, sizeof(rubbish), MSG_NOSIGNAL) ==
		       (ssize_t)sizeof(rubbish));
		EXPECT(!rounds(control) && !*received(fd));
	}
	EXPECT(send(fd, "\n", 1, 0) == 1);
	EXPECT(!rounds(control));
	EXPECT(strstr(received(fd), "request too long: 65535 bytes at most"));
	EXPECT(is_hung_up(fd));
	close(fd);
	/* The longest line without a newline. */
	fd = connect_to(control);
	EXPECT(send(fd, rubbish, sizeof(rubbish), MSG_NOSIGNAL) == (ssize_t)sizeof(rubbish));
	EXPECT(!rounds(control));
	EXPECT(!shutdown(fd, SHUT_WR));
	EXPECT(!rounds(control));
	EXPECT(strstr(received(fd), "request too long"));
	close(fd);
	rubbish[sizeof(rubbish) - 1] = '\n';
	fd = connect_to(control);
	EXPECT(send(fd, rubbish, sizeof(rubbish), MSG_NOSIGNAL) == (ssize_t)sizeof(rubbish));
	client = rounds(control);
	EXPECT(client && strlen(client->line) == sizeof(rubbish) - 1);
	control_answer(client, strdup("{}\n"));
	EXPECT(!rounds(control));
	close(fd);

	/* A client that disconnects after its request leaves no descriptor open. */
	fd = connect_to(control);
	EXPECT(send(fd, "status\n", 7, 0) == 7);
	close(fd);
	client = rounds(control);
	EXPECT(client);
	control_answer(client, strdup("{}\n"));
	EXPECT(!rounds(control) && !client->fd);
}

/* Sends text together with files. */
static void send_files(int fd, char *text, const int *files, size_t nr)
{
	struct iovec part = { .iov_base = text, .iov_len = strlen(text) };
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(2 * sizeof(int))];
	} along = { .header = { .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS } };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = &along };

	message.msg_controllen = along.header.cmsg_len = CMSG_LEN(nr * sizeof(int));
	memcpy(CMSG_DATA(&along.header), files, nr * sizeof(int));
	EXPECT(sendmsg(fd, &message, MSG_NOSIGNAL) == (ssize_t)part.iov_len);
}

static unsigned int count_files(void)
{
	unsigned int nr = 0;

	for (int fd = 0; fd < 1024; fd++)
		nr += fcntl(fd, F_GETFD) >= 0;
	return nr;
}

/* A request may carry one file, which is closed with it; others are refused. */
static void test_files(struct control *control)
{
	int fd = connect_to(control), pipes[2];
	struct client *client;
	unsigned int before;
	char byte;

	EXPECT(!pipe(pipes));
	EXPECT(!rounds(control));
	before = count_files();
	send_files(fd, "swap\t-", pipes, 2);
	EXPECT(!rounds(control));
	EXPECT(count_files() == before + 1);
	send_files(fd, "\tp\n", &pipes[1], 1);
	client = rounds(control);
	EXPECT(client && !strcmp(client->line, "swap\t-\tp"));
	EXPECT(count_files() == before + 1);
	if (client) {
		EXPECT(fcntl(client->file_fd, F_GETFD) == FD_CLOEXEC);
		/* The last file counts. */
		EXPECT(write(client->file_fd, "x", 1) == 1 && read(pipes[0], &byte, 1) == 1);
		control_answer(client, strdup("{}\n"));
	}
	EXPECT(!rounds(control));
	close(fd);
	/* The connection and the file. */
	EXPECT(count_files() == before - 2);
	close(pipes[0]);
	close(pipes[1]);
}

/* Without a free file descriptor the loader waits, does not spin, and accepts again later. */
static void test_no_descriptors(struct control *control)
{
	struct rlimit before, few;
	struct client *client = NULL;
	unsigned int nr_waits = 0;
	int64_t began;
	int fds[64], nr = 0, fd;

	fd = connect_to(control);
	EXPECT(send(fd, "status\n", 7, 0) == 7);
	EXPECT(!getrlimit(RLIMIT_NOFILE, &before));
	few = before;
	few.rlim_cur = 64;
	EXPECT(!setrlimit(RLIMIT_NOFILE, &few));
	while (nr < 64 && (fds[nr] = dup(fd)) >= 0)
		nr++;
	began = clock_ms();
	for (; clock_ms() < began + 150; nr_waits++)
		EXPECT(!control_wait(control, -1, -1, 10));
	EXPECT(nr_waits < 30);
	while (nr)
		close(fds[--nr]);
	EXPECT(!setrlimit(RLIMIT_NOFILE, &before));
	while (!client && clock_ms() < began + 4 * CONTROL_DEADLINE_MS)
		client = control_wait(control, -1, -1, 10);
	EXPECT(client && !strcmp(client->line, "status"));
	control_answer(client, strdup("{}\n"));
	EXPECT(!rounds(control));
	EXPECT(!strcmp(received(fd), "{}\n"));
	close(fd);
}

/* All slots are taken by silent clients: the next client is served after their deadline. */
static void test_silent_clients(struct control *control)
{
	static const char endless[CONTROL_LINE];
	int fds[CONTROL_CLIENTS], late;
	int64_t began = clock_ms();
	struct client *client = NULL;

	for (unsigned int i = 0; i < CONTROL_CLIENTS; i++) {
		fds[i] = connect_to(control);
		EXPECT(!rounds(control));
	}
	EXPECT(send(fds[1], endless, sizeof(endless), 0) == (ssize_t)sizeof(endless));
	late = connect_to(control);
	EXPECT(send(late, "status\n", 7, 0) == 7);
	EXPECT(!rounds(control));
	while (!client && clock_ms() < began + 4 * CONTROL_DEADLINE_MS)
		client = control_wait(control, -1, -1, 50);
	EXPECT(client && clock_ms() >= began + CONTROL_DEADLINE_MS);
	EXPECT(is_hung_up(fds[0]));
	control_answer(client, strdup("{}\n"));
	/* Also while the loader ends. */
	control_close(control);
	EXPECT(strstr(received(fds[1]), "request too long"));
	EXPECT(!strcmp(received(late), "{}\n"));
	close(late);
	for (unsigned int i = 0; i < CONTROL_CLIENTS; i++)
		close(fds[i]);
}

static void test_socket(const char *directory)
{
	struct control control = { .fd = -1 };
	struct stat st;

	EXPECT(!control_open(&control, directory));
	EXPECT(!stat(control.path, &st) && (st.st_mode & 0777) == 0600);
	/* A killed loader leaves its socket. */
	control_close(&(struct control){ .fd = control.fd, .clients = control.clients });
	EXPECT(!control_open(&control, directory));
	test_requests(&control);
	test_files(&control);
	test_no_descriptors(&control);
	test_silent_clients(&control);
	EXPECT(access(control.path, F_OK) < 0);
}

static void test_state(const char *directory)
{
	struct stat st;
	struct object object = {};
	struct state state, second;
	char called[PATH_MAX];
	char path[PATH_MAX];
	int stop[2];

	EXPECT(!state_open(&state, directory, "/p.gpl", -1));
	EXPECT(state_open(&second, directory, "/p.gpl", -1) == -EBUSY);
	/* One that waits for the lock ends on request. */
	EXPECT(!pipe(stop) && write(stop[1], "", 1) == 1);
	EXPECT(state_open(&second, directory, "/p.gpl", stop[0]) == -EINTR);
	close(stop[0]);
	close(stop[1]);
	EXPECT(state_previous(&state, UINT_MAX) == 0);
	for (unsigned int i = 1; i <= 11; i++)
		EXPECT(!state_add(&state, i, "object", 6) &&
		       !state_save_settings(&state, i, "/a b", &object) &&
		       !state_publish(&state, "p", i, strdup("{}\n")));
	/* A generation that was never in force is not one to go back to, but can be read. */
	EXPECT(!state_add(&state, 12, "object", 6) &&
	       !state_save_settings(&state, 12, "/c", &object));
	EXPECT(!state_load_settings(&state, 12, called, sizeof(called), &object));
	EXPECT(!strcmp(called, "/c"));
	EXPECT(state_previous(&state, UINT_MAX) == 11 && state_previous(&state, 10) == 9);
	EXPECT(!state_load_settings(&state, 10, called, sizeof(called), &object));
	EXPECT(!strcmp(called, "/a b"));
	state_remove(&state, 10);
	state_prune(&state, 11);
	EXPECT(state_previous(&state, 11) == 9 && state_previous(&state, 9) == 0);
	snprintf(path, sizeof(path), "%s/state.json", directory);
	EXPECT(!access(path, F_OK));
	state_count_ejection(&state);
	state_count_ejection(&state);
	state_close(&state);
	EXPECT(access(path, F_OK) < 0);
	snprintf(path, sizeof(path), "%s/ejections", directory);
	EXPECT(!stat(path, &st) && st.st_size == 2);
	/* The next loader continues the numbers, and with the policy unless that was taken out. */
	EXPECT(!state_open(&second, directory, "/p.gpl", -1));
	EXPECT(state_previous(&second, UINT_MAX) == 11);
	EXPECT(state_last(&second) == 11);
	state_note_taken_out(&second);
	EXPECT(state_last(&second) == 0);
	EXPECT(!state_publish(&second, "p", 11, strdup("{}\n")) && state_last(&second) == 11);
	state_mark(&second, 11, true);
	EXPECT(state_last(&second) == 9);
	state_mark(&second, 11, false);
	state_close(&second);

	/* A directory that others may write to is not trusted. */
	EXPECT(!chmod(directory, 0770));
	EXPECT(state_open(&state, directory, "/p.gpl", -1) == -EPERM);
	EXPECT(!chmod(directory, 0700));
}

static void hear(const char *path, size_t len, bool is_first)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
	char text[256];
	ssize_t n;

	memcpy(address.sun_path, path, len);
	if (path[0] == '@')
		address.sun_path[0] = '\0';
	EXPECT(!bind(fd, (struct sockaddr *)&address,
		     offsetof(struct sockaddr_un, sun_path) + len));
	setenv("NOTIFY_SOCKET", path, 1);
	service_notify_ready("shop", 3);
	service_notify_stopped();
	service_notify_alive();
	service_notify_alive(); /* too soon */
	unsetenv("NOTIFY_SOCKET");
	service_notify_ready("shop", 4);
	n = recv(fd, text, sizeof(text) - 1, 0);
	text[n > 0 ? n : 0] = '\0';
	EXPECT(!strcmp(text, "READY=1\nSTATUS=shop, generation 3, is in force\n"));
	n = recv(fd, text, sizeof(text) - 1, 0);
	text[n > 0 ? n : 0] = '\0';
	EXPECT(!strcmp(text, "STATUS=No policy is in force\n"));
	if (is_first) {
		n = recv(fd, text, sizeof(text) - 1, 0);
		EXPECT(n == 10 && !memcmp(text, "WATCHDOG=1", 10));
	}
	EXPECT(recv(fd, text, sizeof(text), 0) < 0);
	close(fd);
}

static void test_service(void)
{
	char directory[] = "/tmp/gthulhu-units-XXXXXX";
	char path[64];

	EXPECT(mkdtemp(directory) != NULL);
	snprintf(path, sizeof(path), "%s/notify", directory);
	setenv("WATCHDOG_USEC", "60000000", 1);
	hear(path, strlen(path), true);
	remove_tree(directory);
	snprintf(path, sizeof(path), "@gthulhu-units-%d", (int)getpid());
	hear(path, strlen(path), false);
	/* No service manager listens. */
	setenv("NOTIFY_SOCKET", "/nowhere/notify", 1);
	service_notify_ready("shop", 5);
	unsetenv("NOTIFY_SOCKET");
}

/* In a process of its own, whose output goes to the file. */
static void test_log_file(const char *directory)
{
	char path[PATH_MAX], last[PATH_MAX];
	struct log_capture said;
	struct stat st;
	pid_t child;
	int status;

	snprintf(path, sizeof(path), "%s/log", directory);
	snprintf(last, sizeof(last), "%s/log.1", directory);
	child = fork();
	if (!child) {
		log_file_open(path);
		/* Clients can cause this by their requests. */
		for (int i = 0; i < 10000; i++) {
			log_capture(&said);
			log_error(EINVAL, NULL, "an error of a request");
			log_capture(NULL);
		}
		status = stat(path, &st) || st.st_size > 100 * LOG_REQUESTS;
		for (int i = 0; i < 10000; i++) {
			log_error(EINVAL, NULL, "an error of the loader's own: %d", i);
			log_file_rotate();
		}
		_exit(status);
	}
	EXPECT(waitpid(child, &status, 0) == child && !status);
	EXPECT(!stat(path, &st) && st.st_size < LOG_FILE_MOST + 100);
	EXPECT(!stat(last, &st) && st.st_size < LOG_FILE_MOST + 100);
}

void test_control(void)
{
	test_service();
	char directory[] = "/tmp/gthulhu-units-XXXXXX";

	EXPECT(mkdtemp(directory));
	test_json();
	test_socket(directory);
	test_state(directory);
	test_log_file(directory);
	remove_tree(directory);
}
