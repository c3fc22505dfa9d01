# SPDX-License-Identifier: Apache-2.0
"""`gthulhu fleet node` as nobody, with a broker. Arguments: a kubeconfig and the node's name."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import node_parts

PLACE = Path("/run/fleet")

if __name__ == "__main__":
    node_parts.start_broker_as_nobody(PLACE)
    kubeconfig, name = sys.argv[1:]
    node = [
        *node_parts.COMMAND, "fleet", "node", "--kubernetes", kubeconfig, "--node", name,
        "--broker", str(PLACE / "broker"), "--store", str(PLACE / "store"),
    ]  # fmt: skip
    os.execv(node[0], node)
