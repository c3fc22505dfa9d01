/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The user plane of a 5G network in one machine, with the kernel's own GTP-U
 * as the UPF's data plane, and the traffic that goes through it.
 *
 *   gtp-ping PING_US ASK_US BULK_RATE PHASE_US SECONDS RESULTS
 *
 *    UE            RAN             UPF              data network
 *   uesimtun0                      gtp0
 *   nr-ue ---------- nr-gnb ------------------------- server, sink
 *          radio              N3              N6
 *
 * Each is a network namespace. The UE sends to a host beyond N6 for SECONDS:
 * the public `ping`, every PING_US; a client's request to a server over UDP,
 * ASK_US after the last answer; and BULK_RATE packets a second. Each of the
 * three is left out if its number is 0. They begin PHASE_US after the first
 * packet has come through; the program then prints a line.
 *
 * "rate" has the rate at which bulk packets arrive, "time" ping's round trips,
 * and "requests" the client's. "unanswered" has the number of lost requests,
 * "ping" the output of ping, "nr-ue" and "nr-gnb" the role of each thread.
 */
#include "netlink.h"
#include "run.h"
#include "tool.h"

#include <fcntl.h>

#define UE_ADDRESS "10.45.0.2"
#define HOST_ADDRESS "10.60.6.2"
#define UPLINK_TEID "1"
#define DOWNLINK_TEID "2"

enum {
	SERVER_PORT = 7,
	SINK_PORT = 5001,
	BULK_SIZE = 1200,
	REQUEST_SIZE = 64,
	ANSWER_MS = 1000, /* an answer that takes longer counts as lost */
	PROBE_MS = 100,
	PROBE_GAP_NS = 20000000,
	UP_S = 60,
};

enum place { UE, RAN, UPF, DATA_NETWORK, NR_PLACES };

static int places[NR_PLACES];
static uint64_t ask_ns, bulk_gap_ns;
static struct counter *arrived, *unanswered;
static struct times requests;

/* ---- the network ------------------------------------------------------- */

static void enter(enum place place)
{
	if (setns(places[place], CLONE_NEWNET))
		err(2, "setns");
}

static void make_places(void)
{
	for (int i = 0; i < NR_PLACES; i++) {
		if (unshare(CLONE_NEWNET))
			err(2, "cannot make a network namespace, which takes root");
		places[i] = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
		if (places[i] < 0)
			err(2, "/proc/self/ns/net");
	}
}

/* A cable whose ends have the same name. */
static void lay(const char *name, enum place a, const char *a_address, enum place b,
		const char *b_address)
{
	enter(a);
	link_add_veth(name, places[b], name);
	address_add(name, a_address, 24);
	link_set_up(name);
	enter(b);
	address_add(name, b_address, 24);
	link_set_up(name);
}

static void forward_packets(void)
{
	static const char path[] = "/proc/sys/net/ipv4/ip_forward";
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, "1", 1) != 1 || close(fd))
		err(2, "%s", path);
}

static void make_network(void)
{
	make_places();
	lay("radio", UE, "10.60.1.1", RAN, "10.60.1.2");
	lay("n3", RAN, "10.60.3.1", UPF, "10.60.3.2");
	lay("n6", UPF, "10.60.6.1", DATA_NETWORK, HOST_ADDRESS);
	route_add("0.0.0.0", 0, "n6", "10.60.6.1");
	enter(UPF);
	link_add_gtp("gtp0");
	link_set_up("gtp0");
	gtp_add_tunnel("gtp0", "10.60.3.1", UE_ADDRESS, (uint32_t)atoi(UPLINK_TEID),
		       (uint32_t)atoi(DOWNLINK_TEID));
	route_add(UE_ADDRESS, 32, "gtp0", NULL);
	forward_packets();
}

/* ---- its users --------------------------------------------------------- */

static struct sockaddr_in host(uint16_t port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = ipv4(HOST_ADDRESS),
	};
}

static int listen_on(uint16_t port)
{
	struct sockaddr_in own = host(port);
	int fd;

	enter(DATA_NETWORK);
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || bind(fd, (void *)&own, sizeof(own)))
		err(2, "cannot open UDP port %d", port);
	return fd;
}

/* A socket of the UE, with this time-out for answers. */
static int call(uint16_t port, int wait_ms)
{
	struct sockaddr_in peer = host(port);
	struct timeval wait = {
		.tv_sec = wait_ms / 1000,
		.tv_usec = wait_ms % 1000 * 1000,
	};
	int fd;

	enter(UE);
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait)))
		err(2, "cannot open a UDP socket");
	/* There is no route before nr-ue has made its device. */
	if (connect(fd, (void *)&peer, sizeof(peer))) {
		close(fd);
		return -1;
	}
	return fd;
}

static void serve(void *argument)
{
	int fd = listen_on(SERVER_PORT);
	char message[REQUEST_SIZE];

	(void)argument;
	for (;;) {
		struct sockaddr_in peer;
		socklen_t length = sizeof(peer);
		ssize_t size = recvfrom(fd, message, sizeof(message), 0, (void *)&peer, &length);

		if (size > 0)
			sendto(fd, message, (size_t)size, 0, (void *)&peer, length);
	}
}

static void drain(void *argument)
{
	int fd = listen_on(SINK_PORT);
	char packet[BULK_SIZE];

	(void)argument;
	for (;;)
		if (recv(fd, packet, sizeof(packet), 0) == sizeof(packet))
			arrived->count++;
}

/* Returns 0 if this request got no answer in time. */
static int ask_once(int fd, uint64_t number)
{
	char request[REQUEST_SIZE] = "", answer[REQUEST_SIZE];

	memcpy(request, &number, sizeof(number));
	if (send(fd, request, sizeof(request), 0) != sizeof(request))
		return 0;
	while (recv(fd, answer, sizeof(answer), 0) == sizeof(answer))
		if (!memcmp(request, answer, sizeof(request)))
			return 1;
	return 0;
}

static void ask(void *argument)
{
	int fd = call(SERVER_PORT, ANSWER_MS);

	(void)argument;
	for (uint64_t number = 0;; number++) {
		uint64_t start;

		sleep_until_ns(now_ns() + ask_ns);
		start = now_ns();
		if (ask_once(fd, number))
			note_time(&requests, now_ns() - start);
		else
			unanswered->count++;
	}
}

static void send_bulk(void *argument)
{
	int fd = call(SINK_PORT, 0);
	char packet[BULK_SIZE] = "";

	(void)argument;
	for (uint64_t due = now_ns();; due += bulk_gap_ns) {
		sleep_until_ns(due);
		/* A packet that cannot be sent now is lost, as in any network. */
		(void)!send(fd, packet, sizeof(packet), 0);
	}
}

/* Returns when the first packet has come back through the UPF. */
static void probe(void *argument)
{
	(void)argument;
	for (uint64_t number = 0;; number++) {
		int fd = call(SERVER_PORT, PROBE_MS);

		if (fd >= 0 && ask_once(fd, number))
			return;
		if (fd >= 0)
			close(fd);
		sleep_until_ns(now_ns() + PROBE_GAP_NS);
	}
}

/* ---- the programs ------------------------------------------------------ */

/* Start a program that names itself, with its output in a file. */
static pid_t start_program(enum place place, const char *path, char *const *words, int output)
{
	pid_t pid = fork_tied();

	if (pid)
		return pid;
	enter(place);
	sigprocmask(SIG_SETMASK, &usual_signals, NULL);
	if (dup2(output, STDOUT_FILENO) < 0)
		err(2, "dup2");
	execvp(path, words);
	err(127, "%s", path);
}

static void start_nr(enum place place, const char *results, char *const *words)
{
	FILE *roles = open_result(results, words[0]);

	workers[nr_workers++] = start_program(place, words[0], words, fileno(roles));
	if (roles != stdout)
		fclose(roles);
}

/* Returns 0 if a signal came first. */
static int wait_for_packets(void)
{
	uint64_t end = now_ns() + UP_S * NSEC_PER_SEC;
	int got;

	start_worker("probe", probe, NULL);
	got = signal_until(end);
	if (got == SIGCHLD) {
		pid_t prober = workers[--nr_workers];
		int status;

		if (waitpid(prober, &status, WNOHANG) == prober && !status)
			return 1;
		kill(prober, SIGKILL);
	}
	end_workers();
	if (got == SIGCHLD)
		errx(2, "a part of the user plane has ended");
	if (!got)
		errx(2, "no packet comes through the user plane");
	return 0;
}

static pid_t start_ping(uint64_t gap_us, FILE *output)
{
	char gap[32];
	char *words[] = { "ping", "-I", "uesimtun0", "-i", gap, HOST_ADDRESS, NULL };

	snprintf(gap, sizeof(gap), "%g", (double)gap_us / 1e6);
	link_tool("/bin/ping");
	atexit(unlink_tool);
	return start_program(UE, tool_link, words, fileno(output));
}

/* When interrupted, ping prints the number of packets that it has sent. */
static void end_ping(pid_t ping)
{
	kill(ping, SIGINT);
	waitpid(ping, NULL, 0);
}

/* Copy the output of ping, and write its round trips in ns. */
static void write_ping(FILE *output, const char *results)
{
	FILE *copy = open_result(results, "ping"), *time = open_result(results, "time");
	char line[256], *at;
	double ms;

	rewind(output);
	while (fgets(line, sizeof(line), output)) {
		fputs(line, copy);
		at = strstr(line, " time=");
		if (at && sscanf(at, " time=%lf ms", &ms) == 1)
			fprintf(time, "%.0f\n", ms * 1e6);
	}
	close_result(copy);
	close_result(time);
}

static void write_requests(const char *results)
{
	FILE *file = open_result(results, "requests");

	for (uint64_t i = 0; i < requests.done->count && i < MAX_TIMES; i++)
		fprintf(file, "%llu\n", (unsigned long long)requests.ns[i]);
	close_result(file);
	file = open_result(results, "unanswered");
	fprintf(file, "%llu\n", (unsigned long long)unanswered->count);
	close_result(file);
}

int main(int argc, char **argv)
{
	char *gnb[] = { "nr-gnb",    "10.60.1.2",   "10.60.3.1", "10.60.3.2",
			UPLINK_TEID, DOWNLINK_TEID, NULL };
	char *ue[] = { "nr-ue", "uesimtun0", UE_ADDRESS, "10.60.1.1", "10.60.1.2", NULL };
	uint64_t ping_us, bulk_rate, phase_ns, seconds;
	const char *results;
	FILE *rate_file, *output;
	pid_t ping = 0;
	double rate;

	if (argc != 7)
		errx(2, "usage: gtp-ping PING_US ASK_US BULK_RATE PHASE_US SECONDS RESULTS");
	ping_us = number("PING_US", argv[1], 0, 10000000);
	ask_ns = number("ASK_US", argv[2], 0, 10000000) * 1000;
	bulk_rate = number("BULK_RATE", argv[3], 0, 1000000);
	phase_ns = number("PHASE_US", argv[4], 0, 10000000) * 1000;
	seconds = number("SECONDS", argv[5], 1, MAX_SECONDS);
	results = argv[6];
	rate_file = open_result(results, "rate");
	output = tmpfile();
	if (!output)
		err(2, "tmpfile");

	begin("gtp-ping");
	arrived = share(sizeof(*arrived));
	unanswered = share(sizeof(*unanswered));
	requests = share_times(share(sizeof(*requests.done)));
	make_network();
	start_worker("server", serve, NULL);
	start_worker("sink", drain, NULL);
	start_nr(RAN, results, gnb);
	start_nr(UE, results, ue);
	if (!wait_for_packets())
		return 0;
	puts("up");
	fflush(stdout);

	sleep_until_ns(now_ns() + phase_ns);
	if (ask_ns)
		start_worker("client", ask, NULL);
	if (bulk_rate) {
		bulk_gap_ns = NSEC_PER_SEC / bulk_rate;
		start_worker("bulk", send_bulk, NULL);
	}
	if (ping_us)
		ping = start_ping(ping_us, output);
	rate = measure(seconds, arrived, 1);
	if (ping)
		end_ping(ping);
	end_workers();
	write_rate(rate_file, rate);
	write_ping(output, results);
	write_requests(results);
	return 0;
}
