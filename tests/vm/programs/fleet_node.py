# SPDX-License-Identifier: Apache-2.0
"""`gthulhu fleet node` as nobody, with a broker. Arguments: a kubeconfig and the node's name."""

from __future__ import annotations

import os
import sys

import fleet_broker
from fleet_broker import COMMAND, PLACE

if __name__ == "__main__":
    fleet_broker.start()
    kubeconfig, name = sys.argv[1:]
    node = [
        *COMMAND, "fleet", "node", "--kubernetes", kubeconfig, "--node", name,
        "--broker", str(PLACE / "broker"), "--store", str(PLACE / "store"),
    ]  # fmt: skip
    os.execv(node[0], node)
