/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A base station's user plane: packets that a UE sends by radio, which is UDP
 * here, go through a GTP-U tunnel to the UPF, and back.
 *
 *   nr-gnb RADIO_ADDRESS N3_ADDRESS UPF_ADDRESS UPLINK_TEID DOWNLINK_TEID
 *
 * It has those threads of UERANSIM that a packet goes through:
 *
 *   rls_udp -> rls_ctl -> rls -> gtp  -> N3
 *   radio <- rls_ctl <- rls <- gtp <- gtp_udp
 *
 * It writes the number and role of each, and knows one UE: the last one heard.
 */
#include "nts.h"

static int radio, n3;
static uint32_t uplink_teid, downlink_teid;
static struct sockaddr_in upf, ue;
static pthread_mutex_t ue_lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int upf_answers;

static void handle_rls_ctl(struct packet *packet);
static void handle_rls(struct packet *packet);
static void handle_gtp(struct packet *packet);

NTS_TASK(rls_ctl, handle_rls_ctl);
NTS_TASK(rls, handle_rls);
NTS_TASK(gtp, handle_gtp);

static void handle_rls_ctl(struct packet *packet)
{
	struct sockaddr_in peer;

	if (packet->direction == UPLINK) {
		nts_push(&rls_task, packet);
		return;
	}
	pthread_mutex_lock(&ue_lock);
	peer = ue;
	pthread_mutex_unlock(&ue_lock);
	radio_encapsulate(packet, RADIO_DATA);
	if (peer.sin_port)
		udp_send(radio, packet->start, packet->size, &peer);
	free(packet);
}

static void handle_rls(struct packet *packet)
{
	nts_push(packet->direction == UPLINK ? &gtp_task : &rls_ctl_task, packet);
}

static void handle_gtp(struct packet *packet)
{
	struct gtp_message message;
	struct gtp_echo echo;

	if (packet->direction == UPLINK) {
		gtp_encapsulate(packet, uplink_teid);
		udp_send(n3, packet->start, packet->size, &upf);
		free(packet);
		return;
	}
	switch (gtp_read(packet, &message)) {
	case GTP_DATA:
		if (message.teid != downlink_teid || !is_ipv4(packet))
			break;
		nts_push(&rls_task, packet);
		return;
	case GTP_ASKED:
		udp_send(n3, &echo, gtp_echo(&echo, GTP_ECHO_RESPONSE, message.sequence), &upf);
		break;
	case GTP_ANSWERED:
		upf_answers = 1;
		break;
	case GTP_BAD:
		break;
	}
	free(packet);
}

static void receive_radio(void *argument)
{
	(void)argument;
	nts_tell_role("rls_udp");
	for (;;) {
		struct sockaddr_in peer;
		struct packet *packet = udp_receive(radio, UPLINK, &peer);
		int type = radio_read(packet);

		if (type) {
			pthread_mutex_lock(&ue_lock);
			ue = peer;
			pthread_mutex_unlock(&ue_lock);
		}
		if (type == RADIO_DATA && is_ipv4(packet))
			nts_push(&rls_ctl_task, packet);
		else
			free(packet);
	}
}

static void receive_gtp(void *argument)
{
	(void)argument;
	nts_tell_role("gtp_udp");
	for (;;) {
		struct sockaddr_in peer;
		struct packet *packet = udp_receive(n3, DOWNLINK, &peer);

		/* One tunnel, one peer: packets of others are dropped. */
		if (peer.sin_addr.s_addr == upf.sin_addr.s_addr)
			nts_push(&gtp_task, packet);
		else
			free(packet);
	}
}

int main(int argc, char **argv)
{
	struct gtp_echo echo;

	if (argc != 6)
		errx(2,
		     "usage: nr-gnb RADIO_ADDRESS N3_ADDRESS UPF_ADDRESS UPLINK_TEID "
		     "DOWNLINK_TEID");
	name_process("nr-gnb");
	radio = udp_socket(argv[1], RADIO_PORT);
	n3 = udp_socket(argv[2], GTPU_PORT);
	upf = peer_of(argv[3], GTPU_PORT);
	uplink_teid = (uint32_t)number("UPLINK_TEID", argv[4], 1, UINT32_MAX);
	downlink_teid = (uint32_t)number("DOWNLINK_TEID", argv[5], 1, UINT32_MAX);

	nts_tell_role("main");
	start_thread("nr-gnb", nts_work, &rls_ctl_task);
	start_thread("nr-gnb", nts_work, &rls_task);
	start_thread("nr-gnb", nts_work, &gtp_task);
	start_thread("nr-gnb", receive_gtp, NULL);
	start_thread("nr-gnb", receive_radio, NULL);
	/* Probe the path: often until it answers, then as rarely as the standard asks. */
	for (uint16_t sequence = 0;; sequence++) {
		udp_send(n3, &echo, gtp_echo(&echo, GTP_ECHO_REQUEST, sequence), &upf);
		sleep(upf_answers ? 60 : 1);
	}
}
