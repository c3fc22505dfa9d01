/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Programs made of tasks, like UERANSIM: each task is a thread with a queue, and
 * a packet goes from one to the next. All threads have the program's name.
 */
#ifndef GTHULHU_NTS_H
#define GTHULHU_NTS_H

#include "gtp.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

struct nts_task {
	const char *role;
	void (*handle)(struct packet *packet); /* takes over the packet */
	pthread_mutex_t lock;
	pthread_cond_t filled;
	struct packet *first, **end;
};

#define NTS_TASK(name, handler)                                                                    \
	static struct nts_task name##_task = {                                                     \
		.role = #name,                                                                     \
		.handle = handler,                                                                 \
		.lock = PTHREAD_MUTEX_INITIALIZER,                                                 \
		.filled = PTHREAD_COND_INITIALIZER,                                                \
		.end = &name##_task.first,                                                         \
	}

static inline void nts_push(struct nts_task *task, struct packet *packet)
{
	packet->next = NULL;
	pthread_mutex_lock(&task->lock);
	*task->end = packet;
	task->end = &packet->next;
	pthread_cond_signal(&task->filled);
	pthread_mutex_unlock(&task->lock);
}

static inline struct packet *nts_take(struct nts_task *task)
{
	struct packet *packet;

	pthread_mutex_lock(&task->lock);
	while (!task->first)
		pthread_cond_wait(&task->filled, &task->lock);
	packet = task->first;
	task->first = packet->next;
	if (!task->first)
		task->end = &task->first;
	pthread_mutex_unlock(&task->lock);
	return packet;
}

/* Only the thread's number tells one from another: they all have the same name. */
static inline void nts_tell_role(const char *role)
{
	printf("%ld %s\n", syscall(SYS_gettid), role);
	fflush(stdout);
}

static inline void nts_work(void *argument)
{
	struct nts_task *task = argument;

	nts_tell_role(task->role);
	for (;;)
		task->handle(nts_take(task));
}

static inline struct in_addr address_of(const char *text)
{
	struct in_addr address;

	if (inet_pton(AF_INET, text, &address) != 1)
		errx(2, "%s is not an IPv4 address", text);
	return address;
}

static inline struct sockaddr_in peer_of(const char *text, uint16_t port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr = address_of(text),
	};
}

static inline int udp_socket(const char *address, uint16_t port)
{
	struct sockaddr_in own = peer_of(address, port);
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (void *)&own, sizeof(own)))
		err(2, "cannot open UDP port %d of %s", port, address);
	return fd;
}

/* A packet that cannot be sent now is lost, as in a network. */
static inline void udp_send(int fd, const void *data, size_t size, const struct sockaddr_in *peer)
{
	if (sendto(fd, data, size, 0, (const void *)peer, sizeof(*peer)) < 0 && errno != EINTR)
		warn("a packet is lost");
}

/* Read the next datagram. An ICMP error about an earlier one does not matter. */
static inline struct packet *udp_receive(int fd, int direction, struct sockaddr_in *peer)
{
	struct packet *packet = packet_new(direction);
	socklen_t length = sizeof(*peer);
	ssize_t size;

	do
		size = recvfrom(fd, packet->start, MAX_PACKET, 0, (void *)peer, &length);
	while (size < 0 && (errno == EINTR || errno == ECONNREFUSED));
	if (size < 0)
		err(2, "recvfrom");
	packet->size = (size_t)size;
	return packet;
}

#endif /* GTHULHU_NTS_H */
