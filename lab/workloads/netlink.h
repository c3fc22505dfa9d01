/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Makes a network through the kernel's own interface: links, addresses, routes,
 * GTP-U tunnels, all in the network namespace of the calling thread.
 */
#ifndef GTHULHU_NETLINK_H
#define GTHULHU_NETLINK_H

#include "workload.h"

#include <arpa/inet.h>
#include <linux/genetlink.h>
#include <linux/gtp.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>
#include <net/if.h>
#include <sys/socket.h>
#include <unistd.h>

/* A request under construction. */
struct request {
	struct nlmsghdr header;
	char body[1024];
};

static inline void request_append(struct request *request, const void *data, size_t size)
{
	memcpy((char *)request + request->header.nlmsg_len, data, size);
	request->header.nlmsg_len += (uint32_t)NLMSG_ALIGN(size);
}

static inline struct request request_new(uint16_t type, uint16_t flags, const void *data,
					 size_t size)
{
	struct request request = {
		.header = {
			.nlmsg_len = NLMSG_HDRLEN,
			.nlmsg_type = type,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | flags,
		},
	};

	request_append(&request, data, size);
	return request;
}

static inline void request_put(struct request *request, uint16_t type, const void *data,
			       size_t size)
{
	struct rtattr attribute = {
		.rta_len = (uint16_t)RTA_LENGTH(size),
		.rta_type = type,
	};

	request_append(request, &attribute, sizeof(attribute));
	request_append(request, data, size);
}

static inline void request_put_text(struct request *request, uint16_t type, const char *text)
{
	request_put(request, type, text, strlen(text) + 1);
}

static inline void request_put_u32(struct request *request, uint16_t type, uint32_t value)
{
	request_put(request, type, &value, sizeof(value));
}

/* Begin a nested attribute. request_close() ends it, and takes the returned value. */
static inline uint32_t request_open(struct request *request, uint16_t type)
{
	uint32_t at = request->header.nlmsg_len;

	request_put(request, type, NULL, 0);
	return at;
}

static inline void request_close(struct request *request, uint32_t at)
{
	struct rtattr *attribute = (void *)((char *)request + at);

	attribute->rta_len = (uint16_t)(request->header.nlmsg_len - at);
}

/* Ask the kernel; exits with a message if it refuses. An answer replaces the request. */
static inline void request_send(struct request *request, int protocol, const char *what)
{
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol);
	char answer[8192];
	ssize_t size;

	if (fd < 0 ||
	    sendto(fd, request, request->header.nlmsg_len, 0, (void *)&kernel, sizeof(kernel)) < 0)
		err(2, "cannot %s", what);
	while ((size = recv(fd, answer, sizeof(answer), 0)) > 0) {
		struct nlmsghdr *header = (void *)answer;

		for (; NLMSG_OK(header, size); header = NLMSG_NEXT(header, size)) {
			struct nlmsgerr *error = NLMSG_DATA(header);

			if (header->nlmsg_type != NLMSG_ERROR) {
				memcpy(request, header,
				       header->nlmsg_len < sizeof(*request) ? header->nlmsg_len
									    : sizeof(*request));
				continue;
			}
			errno = -error->error;
			if (errno)
				err(2, "cannot %s", what);
			close(fd);
			return;
		}
	}
	err(2, "cannot %s", what);
}

static inline uint32_t interface_index(const char *name)
{
	uint32_t index = if_nametoindex(name);

	if (!index)
		err(2, "%s", name);
	return index;
}

static inline uint32_t ipv4(const char *text)
{
	uint32_t address;

	if (inet_pton(AF_INET, text, &address) != 1)
		errx(2, "%s is not an IPv4 address", text);
	return address;
}

/* A cable: @name here, @peer_name in the other namespace. */
static inline void link_add_veth(const char *name, int peer_namespace, const char *peer_name)
{
	struct ifinfomsg message = {}, peer = {};
	struct request request =
		request_new(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, &message, sizeof(message));
	uint32_t info, data, end;

	request_put_text(&request, IFLA_IFNAME, name);
	info = request_open(&request, IFLA_LINKINFO);
	request_put_text(&request, IFLA_INFO_KIND, "veth");
	data = request_open(&request, IFLA_INFO_DATA);
	end = request_open(&request, VETH_INFO_PEER);
	request_append(&request, &peer, sizeof(peer));
	request_put_text(&request, IFLA_IFNAME, peer_name);
	request_put_u32(&request, IFLA_NET_NS_FD, (uint32_t)peer_namespace);
	request_close(&request, end);
	request_close(&request, data);
	request_close(&request, info);
	request_send(&request, NETLINK_ROUTE, "make a veth device (module veth)");
}

/* The kernel's end of GTP-U tunnels; it opens the port and answers echoes by itself. */
static inline void link_add_gtp(const char *name)
{
	struct ifinfomsg message = {};
	struct request request =
		request_new(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, &message, sizeof(message));
	uint8_t yes = 1;
	uint32_t info, data;

	request_put_text(&request, IFLA_IFNAME, name);
	info = request_open(&request, IFLA_LINKINFO);
	request_put_text(&request, IFLA_INFO_KIND, "gtp");
	data = request_open(&request, IFLA_INFO_DATA);
	request_put_u32(&request, IFLA_GTP_ROLE, GTP_ROLE_GGSN);
	request_put_u32(&request, IFLA_GTP_PDP_HASHSIZE, 1024);
	request_put(&request, IFLA_GTP_CREATE_SOCKETS, &yes, sizeof(yes));
	request_close(&request, data);
	request_close(&request, info);
	request_send(&request, NETLINK_ROUTE, "make a GTP-U device (module gtp)");
}

static inline void link_set_up(const char *name)
{
	struct ifinfomsg message = {
		.ifi_index = (int)interface_index(name),
		.ifi_flags = IFF_UP,
		.ifi_change = IFF_UP,
	};
	struct request request = request_new(RTM_NEWLINK, 0, &message, sizeof(message));

	request_send(&request, NETLINK_ROUTE, "switch a device on");
}

static inline void link_set_mtu(const char *name, uint32_t mtu)
{
	struct ifinfomsg message = { .ifi_index = (int)interface_index(name) };
	struct request request = request_new(RTM_NEWLINK, 0, &message, sizeof(message));

	request_put_u32(&request, IFLA_MTU, mtu);
	request_send(&request, NETLINK_ROUTE, "set an MTU");
}

static inline void address_add(const char *name, const char *address, uint8_t prefix)
{
	struct ifaddrmsg message = {
		.ifa_family = AF_INET,
		.ifa_prefixlen = prefix,
		.ifa_index = interface_index(name),
	};
	struct request request =
		request_new(RTM_NEWADDR, NLM_F_CREATE | NLM_F_EXCL, &message, sizeof(message));

	request_put_u32(&request, IFA_LOCAL, ipv4(address));
	request_put_u32(&request, IFA_ADDRESS, ipv4(address));
	request_send(&request, NETLINK_ROUTE, "set an address");
}

/* Route @destination/@prefix through a device, to @gateway unless that is NULL. */
static inline void route_add(const char *destination, uint8_t prefix, const char *device,
			     const char *gateway)
{
	struct rtmsg message = {
		.rtm_family = AF_INET,
		.rtm_dst_len = prefix,
		.rtm_table = RT_TABLE_MAIN,
		.rtm_protocol = RTPROT_STATIC,
		.rtm_scope = gateway ? RT_SCOPE_UNIVERSE : RT_SCOPE_LINK,
		.rtm_type = RTN_UNICAST,
	};
	struct request request =
		request_new(RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL, &message, sizeof(message));

	if (prefix)
		request_put_u32(&request, RTA_DST, ipv4(destination));
	request_put_u32(&request, RTA_OIF, interface_index(device));
	if (gateway)
		request_put_u32(&request, RTA_GATEWAY, ipv4(gateway));
	request_send(&request, NETLINK_ROUTE, "set a route");
}

static inline uint16_t family_of(const char *name)
{
	struct genlmsghdr message = { .cmd = CTRL_CMD_GETFAMILY, .version = 1 };
	struct request request = request_new(GENL_ID_CTRL, 0, &message, sizeof(message));
	struct rtattr *attribute;
	size_t size;

	request_put_text(&request, CTRL_ATTR_FAMILY_NAME, name);
	request_send(&request, NETLINK_GENERIC, "find the interface of module gtp");
	attribute = (void *)(request.body + GENL_HDRLEN);
	size = request.header.nlmsg_len - NLMSG_HDRLEN - GENL_HDRLEN;
	for (; RTA_OK(attribute, size); attribute = RTA_NEXT(attribute, size))
		if (attribute->rta_type == CTRL_ATTR_FAMILY_ID)
			return *(uint16_t *)RTA_DATA(attribute);
	errx(2, "generic netlink has no family %s", name);
}

/* A tunnel for the packets of @ue: TEID @incoming from @peer, @outgoing to it. */
static inline void gtp_add_tunnel(const char *device, const char *peer, const char *ue,
				  uint32_t incoming, uint32_t outgoing)
{
	struct genlmsghdr message = { .cmd = GTP_CMD_NEWPDP };
	struct request request =
		request_new(family_of("gtp"), NLM_F_EXCL, &message, sizeof(message));

	request_put_u32(&request, GTPA_VERSION, GTP_V1);
	request_put_u32(&request, GTPA_LINK, interface_index(device));
	request_put_u32(&request, GTPA_PEER_ADDRESS, ipv4(peer));
	request_put_u32(&request, GTPA_MS_ADDRESS, ipv4(ue));
	request_put_u32(&request, GTPA_I_TEI, incoming);
	request_put_u32(&request, GTPA_O_TEI, outgoing);
	request_send(&request, NETLINK_GENERIC, "make a tunnel");
}

#endif /* GTHULHU_NETLINK_H */
