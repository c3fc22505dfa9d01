/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The packets of a 5G user plane: GTP-U (3GPP TS 29.281) between the radio's
 * base station and the core, and our own frame between the base station and the
 * UE, where UERANSIM has its radio link simulation.
 */
#ifndef GTHULHU_GTP_H
#define GTHULHU_GTP_H

#include "workload.h"

#include <arpa/inet.h>

enum {
	GTPU_PORT = 2152,
	RADIO_PORT = 4997, /* UERANSIM's */
	HEADROOM = 32, /* for any header that a packet gets on its way */
	MAX_PACKET = 2048, /* IP packets are smaller: no MTU here is above 1,500 */
};

/* A packet on its way through the tasks of a program. */
struct packet {
	struct packet *next;
	enum { UPLINK, DOWNLINK } direction;
	size_t size;
	uint8_t *start; /* in room */
	uint8_t room[HEADROOM + MAX_PACKET];
};

static inline struct packet *packet_new(int direction)
{
	struct packet *packet = malloc(sizeof(*packet));

	if (!packet)
		err(2, "malloc");
	packet->next = NULL;
	packet->direction = direction;
	packet->size = 0;
	packet->start = packet->room + HEADROOM;
	return packet;
}

/* Put a header before what is there. */
static inline void packet_push(struct packet *packet, const void *header, size_t size)
{
	packet->start -= size;
	packet->size += size;
	memcpy(packet->start, header, size);
}

/* Remove @size bytes from its start. Returns 0 if it has fewer. */
static inline int packet_pull(struct packet *packet, size_t size)
{
	if (packet->size < size)
		return 0;
	packet->start += size;
	packet->size -= size;
	return 1;
}

enum {
	GTP_VERSION_MASK = 0xe0,
	GTP_VERSION_1 = 0x20,
	GTP_PROTOCOL = 0x10, /* GTP, not GTP' */
	GTP_EXTENSION = 0x04,
	GTP_SEQUENCE = 0x02,
	GTP_NPDU = 0x01,

	GTP_ECHO_REQUEST = 1,
	GTP_ECHO_RESPONSE = 2,
	GTP_G_PDU = 255,

	GTP_RECOVERY = 14, /* the only element of an echo response */
};

struct gtp_header {
	uint8_t flags;
	uint8_t type;
	uint16_t length; /* of the rest, without these eight bytes */
	uint32_t teid;
};

/* Present if any of the three lowest flags is set. */
struct gtp_options {
	uint16_t sequence;
	uint8_t npdu;
	uint8_t extension;
};

struct gtp_echo {
	struct gtp_header header;
	struct gtp_options options;
	uint8_t recovery[2]; /* of a response only */
} __attribute__((packed));

/* The content of a datagram. */
enum gtp_kind {
	GTP_BAD, /* truncated, of another version, or of an unexpected type */
	GTP_DATA, /* the packet is now the inner one; teid identifies the tunnel */
	GTP_ASKED, /* for an echo of this sequence number */
	GTP_ANSWERED,
};

struct gtp_message {
	uint32_t teid;
	uint16_t sequence;
};

static inline void gtp_encapsulate(struct packet *packet, uint32_t teid)
{
	struct gtp_header header = {
		.flags = GTP_VERSION_1 | GTP_PROTOCOL,
		.type = GTP_G_PDU,
		.length = htons((uint16_t)packet->size),
		.teid = htonl(teid),
	};

	packet_push(packet, &header, sizeof(header));
}

/* Make an echo request or response. Returns its size. */
static inline size_t gtp_echo(struct gtp_echo *echo, uint8_t type, uint16_t sequence)
{
	size_t size =
		type == GTP_ECHO_RESPONSE ? sizeof(*echo) : sizeof(*echo) - sizeof(echo->recovery);

	*echo = (struct gtp_echo){
		.header = {
			.flags = GTP_VERSION_1 | GTP_PROTOCOL | GTP_SEQUENCE,
			.type = type,
			.length = htons((uint16_t)(size - sizeof(echo->header))),
		},
		.options.sequence = htons(sequence),
		.recovery = { GTP_RECOVERY, 0 },
	};
	return size;
}

/* Skip extension headers: each says its size in units of four bytes, and its last byte the next. */
static inline int gtp_skip_extensions(struct packet *packet, uint8_t type)
{
	while (type) {
		size_t size = packet->size ? packet->start[0] * 4 : 0;

		if (!size || packet->size < size)
			return 0;
		type = packet->start[size - 1];
		packet_pull(packet, size);
	}
	return 1;
}

/* Read a datagram and remove its headers. */
static inline enum gtp_kind gtp_read(struct packet *packet, struct gtp_message *message)
{
	struct gtp_header header;
	struct gtp_options options = {};

	if (packet->size < sizeof(header))
		return GTP_BAD;
	memcpy(&header, packet->start, sizeof(header));
	packet_pull(packet, sizeof(header));
	if ((header.flags & (GTP_VERSION_MASK | GTP_PROTOCOL)) != (GTP_VERSION_1 | GTP_PROTOCOL) ||
	    ntohs(header.length) > packet->size)
		return GTP_BAD;
	packet->size = ntohs(header.length);
	if (header.flags & (GTP_EXTENSION | GTP_SEQUENCE | GTP_NPDU)) {
		if (packet->size < sizeof(options))
			return GTP_BAD;
		memcpy(&options, packet->start, sizeof(options));
		packet_pull(packet, sizeof(options));
		if (header.flags & GTP_EXTENSION && !gtp_skip_extensions(packet, options.extension))
			return GTP_BAD;
	}
	*message = (struct gtp_message){
		.teid = ntohl(header.teid),
		.sequence = ntohs(options.sequence),
	};
	switch (header.type) {
	case GTP_G_PDU:
		return GTP_DATA;
	case GTP_ECHO_REQUEST:
		return GTP_ASKED;
	case GTP_ECHO_RESPONSE:
		return GTP_ANSWERED;
	default:
		return GTP_BAD;
	}
}

/* The frame between UE and base station. */
struct radio_header {
	uint8_t magic;
	uint8_t type;
	uint16_t size; /* of the packet after this header */
};

enum {
	RADIO_MAGIC = 0x03, /* UERANSIM's frames begin with it, too */
	RADIO_HELLO = 4, /* a UE is there */
	RADIO_DATA = 6,
};

static inline void radio_encapsulate(struct packet *packet, uint8_t type)
{
	struct radio_header header = {
		.magic = RADIO_MAGIC,
		.type = type,
		.size = htons((uint16_t)packet->size),
	};

	packet_push(packet, &header, sizeof(header));
}

/* Read a frame and remove its header. Returns its type, 0 if it is no frame. */
static inline int radio_read(struct packet *packet)
{
	struct radio_header header;

	if (packet->size < sizeof(header))
		return 0;
	memcpy(&header, packet->start, sizeof(header));
	packet_pull(packet, sizeof(header));
	if (header.magic != RADIO_MAGIC || ntohs(header.size) != packet->size)
		return 0;
	return header.type == RADIO_HELLO || header.type == RADIO_DATA ? header.type : 0;
}

static inline int is_ipv4(const struct packet *packet)
{
	return packet->size >= 20 && packet->start[0] >> 4 == 4;
}

#endif /* GTHULHU_GTP_H */
