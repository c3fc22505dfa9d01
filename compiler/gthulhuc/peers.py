# SPDX-License-Identifier: Apache-2.0
"""The one list of schedulers that a claim can name after `of` and that the lab can run.

`gthulhu_lab.peers` says how each is built. A new peer has an entry here and one there.
"""

from __future__ import annotations

EEVDF = "eevdf"  # the kernel's own scheduler, which is always there

PEERS = {
    "scx_simple": "The kernel's own example: one global queue, ordered by virtual time.",
    "scx_bpfland": "Runs interactive tasks first, ordered by virtual deadline.",
    "scx_flash": "Orders tasks by deadlines that follow from latency and weight.",
    "scx_layered": "Sorts tasks into layers by a configuration; one of the lab's preempts.",
    "scx_rustland": "Decides in user space.",
}

BASELINES = (EEVDF, *PEERS)
