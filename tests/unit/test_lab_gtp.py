# SPDX-License-Identifier: Apache-2.0
"""The base station of the workload gtp-ping: its handling of packets and of invalid data."""

from __future__ import annotations

import socket
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from gthulhu_lab import workloads

UE, RADIO, N3, UPF, STRANGER = (f"127.77.1.{number}" for number in range(1, 6))
GTPU_PORT, RADIO_PORT = 2152, 4997
UPLINK_TEID, DOWNLINK_TEID = 0xC0FFEE01, 0x0BADCAFE
HELLO, DATA = 4, 6
ECHO_REQUEST, ECHO_RESPONSE, ERROR_INDICATION, G_PDU = 1, 2, 26, 255
IPV4 = bytes([0x45, 0, 0, 24]) + bytes(range(20))
IPV6 = bytes([0x60]) + bytes(47)
# Version 1, GTP; with a sequence number, with an extension header.
PLAIN, SEQUENCE, EXTENSION = 0x30, 0x32, 0x34


def gtp(
    payload: bytes, *, flags: int = PLAIN, kind: int = G_PDU, teid: int = DOWNLINK_TEID
) -> bytes:
    return struct.pack("!BBHI", flags, kind, len(payload), teid) + payload


def radio(payload: bytes, *, kind: int = DATA, magic: int = 3) -> bytes:
    return struct.pack("!BBH", magic, kind, len(payload)) + payload


def udp(address: str, port: int) -> socket.socket:
    opened = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    opened.bind((address, port))
    opened.settimeout(10)
    return opened


@dataclass(frozen=True)
class Scene:
    """A base station between a UE and a UPF, which the tests are."""

    process: subprocess.Popen[str]
    ue: socket.socket
    upf: socket.socket

    def up(self, frame: bytes) -> None:
        self.ue.sendto(frame, (RADIO, RADIO_PORT))

    def down(self, datagram: bytes) -> None:
        self.upf.sendto(datagram, (N3, GTPU_PORT))


@pytest.fixture
def scene() -> Iterator[Scene]:
    program = str(workloads.program("nr-gnb"))
    command = [program, RADIO, N3, UPF, str(UPLINK_TEID), str(DOWNLINK_TEID)]
    with (
        udp(UE, RADIO_PORT) as ue,
        udp(UPF, GTPU_PORT) as upf,
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process,
    ):
        # It asks whether the UPF is there as soon as it can be asked itself.
        request, _ = upf.recvfrom(2048)
        assert request == gtp(bytes(4), flags=SEQUENCE, kind=ECHO_REQUEST, teid=0)
        upf.sendto(gtp(bytes(4), flags=SEQUENCE, kind=ECHO_RESPONSE, teid=0), (N3, GTPU_PORT))
        found = Scene(process, ue, upf)
        # The UE is known from then on.
        found.up(radio(b"", kind=HELLO))
        found.up(radio(IPV4))
        assert upf.recv(2048) == gtp(IPV4, teid=UPLINK_TEID)
        yield found
        assert process.poll() is None
        process.kill()


def test_uplink(scene: Scene) -> None:
    scene.up(radio(IPV4 * 50))
    assert scene.upf.recv(2048) == gtp(IPV4 * 50, teid=UPLINK_TEID)


def test_downlink(scene: Scene) -> None:
    scene.down(gtp(IPV4 * 50))
    assert scene.ue.recv(2048) == radio(IPV4 * 50)


@pytest.mark.parametrize(
    "datagram",
    [
        gtp(b"\x00\x07\x00\x00" + IPV4, flags=SEQUENCE),
        # A PDU session container, as free5GC's UPF sends, and one after another.
        gtp(b"\x00\x00\x00\x85" + b"\x01\x00\x01\x00" + IPV4, flags=EXTENSION),
        gtp(
            b"\x00\x00\x00\x85" + b"\x01\x00\x01\xc0" + b"\x02\0\0\0\0\0\0\x00" + IPV4,
            flags=EXTENSION,
        ),
        # Bytes after the length are ignored.
        gtp(IPV4) + b"trailer",
    ],
    ids=["sequence", "extension", "two extensions", "trailer"],
)
def test_optional_header_fields_are_accepted(scene: Scene, datagram: bytes) -> None:
    scene.down(datagram)
    assert scene.ue.recv(2048) == radio(IPV4)


def test_echo_is_answered_with_its_number(scene: Scene) -> None:
    scene.down(gtp(b"\x12\x34\x00\x00", flags=SEQUENCE, kind=ECHO_REQUEST, teid=0))
    # The element is a restart counter, which is always zero.
    assert scene.upf.recv(2048) == gtp(
        b"\x12\x34\x00\x00\x0e\x00", flags=SEQUENCE, kind=ECHO_RESPONSE, teid=0
    )


@pytest.mark.parametrize(
    "datagram",
    [
        b"",
        gtp(IPV4)[:7],
        gtp(IPV4)[:-1],
        gtp(b"\x00\x07\x00", flags=SEQUENCE),
        gtp(b"\x00\x00\x00\x85", flags=EXTENSION),
        gtp(b"\x00\x00\x00\x85" + b"\x00\x00\x01\x00" + IPV4, flags=EXTENSION),
        gtp(b"\x00\x00\x00\x85" + b"\xff\x00\x01\x00" + IPV4, flags=EXTENSION),
        gtp(IPV4, flags=0x10),
        gtp(IPV4, flags=0x50),
        gtp(IPV4, flags=0x20),
        gtp(IPV4, kind=ERROR_INDICATION),
        gtp(IPV4, teid=DOWNLINK_TEID + 1),
        gtp(IPV4, teid=0),
        gtp(IPV6),
        gtp(b""),
    ],
    ids=[
        "empty", "half a header", "truncated", "half of the options", "no extension",
        "extension of no size", "extension past the end", "version 0", "version 2", "GTP'",
        "a type for nobody", "unknown tunnel", "no tunnel", "IPv6", "nothing in it",
    ],
)  # fmt: skip
def test_bad_packets_from_the_core_are_dropped(scene: Scene, datagram: bytes) -> None:
    scene.down(datagram)
    # Packets do not overtake each other: this one is the next to come out.
    scene.down(gtp(IPV4))
    assert scene.ue.recv(2048) == radio(IPV4)


@pytest.mark.parametrize(
    "frame",
    [
        b"",
        radio(IPV4)[:3],
        radio(IPV4)[:-1],
        radio(IPV4) + b"x",
        radio(IPV4, magic=4),
        radio(IPV4, kind=99),
        radio(IPV6),
        radio(b""),
    ],
    ids=["empty", "half a header", "truncated", "too long", "magic", "type", "IPv6", "nothing"],
)
def test_bad_frames_from_the_radio_are_dropped(scene: Scene, frame: bytes) -> None:
    scene.up(frame)
    scene.up(radio(IPV4))
    assert scene.upf.recv(2048) == gtp(IPV4, teid=UPLINK_TEID)


def test_packets_of_strangers_are_ignored(scene: Scene) -> None:
    with udp(STRANGER, GTPU_PORT) as stranger:
        stranger.sendto(gtp(IPV4 * 2), (N3, GTPU_PORT))
    scene.down(gtp(IPV4))
    assert scene.ue.recv(2048) == radio(IPV4)


def test_threads_are_all_called_as_the_program(scene: Scene) -> None:
    """As UERANSIM's, which a rule has to take by that name."""
    threads = Path(f"/proc/{scene.process.pid}/task")
    assert {(thread / "comm").read_text().strip() for thread in threads.iterdir()} == {"nr-gnb"}
    assert scene.process.stdout is not None
    roles = dict(scene.process.stdout.readline().split() for _ in threads.iterdir())
    assert {*roles.values()} == {"main", "rls_udp", "rls_ctl", "rls", "gtp", "gtp_udp"}
    assert {*roles} == {thread.name for thread in threads.iterdir()}
