# SPDX-License-Identifier: Apache-2.0
"""Does to the socket whatever may be done to it, and then asks as one should."""

import socket
import sys
import time


def connect() -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    connection.connect("/run/gthulhu/control")
    return connection


def answer(connection: socket.socket) -> bytes:
    parts = []
    while part := connection.recv(65536):
        parts.append(part)
    return b"".join(parts)


def send(data: bytes) -> bytes:
    connection = connect()
    try:
        connection.sendall(data)
        return answer(connection)
    except (BrokenPipeError, ConnectionResetError):
        return b"hung up"


for data in (
    b"\n",
    b"\0\n",
    b"\xff\xfe\t\t\n",
    b"stop now\n",
    b"status\tof\tit\n",
    b"set\n",
    b"swap\n",
    b"swap\t\n",
    b"set\t=\n",
    b"x" * 20000,
    *(b"swap\tx\tx\t%s\n" % each for each in (b"twice", b"trial=1x", b"trial=0")),
):
    print(send(data))
idle = [connect() for _ in range(10)]
half = connect()
half.sendall(b"sta")
connect().close()
deaf = connect()
deaf.sendall(b"status\n")
began = time.monotonic()
print(b"generation" in send(b"status\n"))
prompt_s = time.monotonic() - began
# More than it serves at once: a client that comes then waits until the others have been hung up.
idle += [connect() for _ in range(12)]
print(b"generation" in send(b"status\n"))
waited_s = time.monotonic() - began
half.settimeout(60)
print(half.recv(10))
print(prompt_s < 2, waited_s < 60, prompt_s, waited_s, file=sys.stderr)
