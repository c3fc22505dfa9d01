# SPDX-License-Identifier: Apache-2.0
"""Policies and nodes as their writers leave them in a small API server."""

from __future__ import annotations

from typing import Any

from gthulhu.fleet.resources import NODES, POLICIES, now
from small_api import SmallApi

HOSTILE = "</p><script>alert(1)</script>\u202e"


def put_policy(api: SmallApi, name: str, **status: Any) -> None:
    api.put(
        f"{POLICIES}/{name}",
        {
            "metadata": {"name": name},
            "spec": {"policy": "policy p {}\n", "rollout": {"steps": [1], "hold": "1s"}},
            "status": status,
        },
    )


def put_node(api: SmallApi, name: str, **status: Any) -> None:
    status = {"policy": "shop", "renewed": now().isoformat(), **status}
    api.put(f"{NODES}/{name}", {"metadata": {"name": name}, "status": status})
