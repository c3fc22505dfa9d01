/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A UE's user plane: packets that its machine sends through a tun device go by
 * radio, which is UDP here, to the base station, and back.
 *
 *   nr-ue DEVICE DEVICE_ADDRESS RADIO_ADDRESS GNB_ADDRESS
 *
 * It makes the device, with its address and the default route. It has those
 * threads of UERANSIM that a packet goes through:
 *
 *   tun_read -> tun -> app -> nas -> rls -> rls_ctl -> radio
 *   device <- tun <- app <- nas <- rls <- rls_ctl <- rls_udp
 *
 * It writes the number and role of each.
 */
#include "netlink.h"
#include "nts.h"

#include <fcntl.h>
#include <linux/if_tun.h>
#include <sys/ioctl.h>

enum { MTU = 1400 };

static int device, radio;
static struct sockaddr_in gnb;

static void handle_tun(struct packet *packet);
static void handle_app(struct packet *packet);
static void handle_nas(struct packet *packet);
static void handle_rls(struct packet *packet);
static void handle_rls_ctl(struct packet *packet);

NTS_TASK(tun, handle_tun);
NTS_TASK(app, handle_app);
NTS_TASK(nas, handle_nas);
NTS_TASK(rls, handle_rls);
NTS_TASK(rls_ctl, handle_rls_ctl);

static void handle_tun(struct packet *packet)
{
	if (packet->direction == UPLINK) {
		nts_push(&app_task, packet);
		return;
	}
	if (write(device, packet->start, packet->size) < 0)
		warn("a packet is lost");
	free(packet);
}

static void handle_app(struct packet *packet)
{
	nts_push(packet->direction == UPLINK ? &nas_task : &tun_task, packet);
}

static void handle_nas(struct packet *packet)
{
	nts_push(packet->direction == UPLINK ? &rls_task : &app_task, packet);
}

static void handle_rls(struct packet *packet)
{
	nts_push(packet->direction == UPLINK ? &rls_ctl_task : &nas_task, packet);
}

static void handle_rls_ctl(struct packet *packet)
{
	if (packet->direction == DOWNLINK) {
		nts_push(&rls_task, packet);
		return;
	}
	radio_encapsulate(packet, RADIO_DATA);
	udp_send(radio, packet->start, packet->size, &gnb);
	free(packet);
}

static void receive_radio(void *argument)
{
	(void)argument;
	nts_tell_role("rls_udp");
	for (;;) {
		struct sockaddr_in peer;
		struct packet *packet = udp_receive(radio, DOWNLINK, &peer);

		if (radio_read(packet) == RADIO_DATA && is_ipv4(packet))
			nts_push(&rls_ctl_task, packet);
		else
			free(packet);
	}
}

static void read_device(void *argument)
{
	(void)argument;
	nts_tell_role("tun_read");
	for (;;) {
		struct packet *packet = packet_new(UPLINK);
		ssize_t size = read(device, packet->start, MAX_PACKET);

		if (size < 0)
			err(2, "cannot read from the tun device");
		packet->size = (size_t)size;
		if (is_ipv4(packet))
			nts_push(&tun_task, packet);
		else
			free(packet);
	}
}

static void open_device(const char *name, const char *address)
{
	struct ifreq request = { .ifr_flags = IFF_TUN | IFF_NO_PI };

	if (strlen(name) >= IFNAMSIZ)
		errx(2, "%s is too long for a device", name);
	strcpy(request.ifr_name, name);
	device = open("/dev/net/tun", O_RDWR | O_CLOEXEC);
	if (device < 0 || ioctl(device, TUNSETIFF, &request))
		err(2, "cannot make a tun device (module tun)");
	address_add(name, address, 32);
	link_set_mtu(name, MTU);
	link_set_up(name);
	route_add("0.0.0.0", 0, name, NULL);
}

/* The base station must know the UE before packets for it can arrive. */
static void say_hello(void)
{
	struct packet *packet = packet_new(UPLINK);

	radio_encapsulate(packet, RADIO_HELLO);
	udp_send(radio, packet->start, packet->size, &gnb);
	free(packet);
}

int main(int argc, char **argv)
{
	if (argc != 5)
		errx(2, "usage: nr-ue DEVICE DEVICE_ADDRESS RADIO_ADDRESS GNB_ADDRESS");
	name_process("nr-ue");
	radio = udp_socket(argv[3], RADIO_PORT);
	gnb = peer_of(argv[4], RADIO_PORT);
	open_device(argv[1], argv[2]);

	nts_tell_role("main");
	start_thread("nr-ue", nts_work, &tun_task);
	start_thread("nr-ue", nts_work, &app_task);
	start_thread("nr-ue", nts_work, &nas_task);
	start_thread("nr-ue", nts_work, &rls_task);
	start_thread("nr-ue", nts_work, &rls_ctl_task);
	start_thread("nr-ue", read_device, NULL);
	start_thread("nr-ue", receive_radio, NULL);
	for (;;) {
		say_hello();
		sleep(1);
	}
}
