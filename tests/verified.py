# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""A policy with claims, for tests of `gthulhu verify`."""

from __future__ import annotations

from gthulhu_lab import catalogue
from gthulhu_lab.request import Backend, Clock, GuestEnvironment, GuestRequest
from gthulhu_lab.verify import scene
from gthulhu_lab.verify.verdict import Outcome, Verification
from gthulhuc import checked, frontend
from gthulhuc.source import Source

ENVIRONMENT = GuestEnvironment(
    clock=Clock.ICOUNT, backend=Backend.INITRAMFS, kernel="7.2.13", cpus=2, memory_mib=1024,
    qemu="10.0.2", seed=7,
)  # fmt: skip


def policy(text: str) -> checked.Policy:
    found, problems = frontend.check(Source("test.gpl", f"policy t {{}}\n{text}\n"))
    assert found is not None, problems
    return found


UPF = """
rule ran { match process == "nr-gnb" priority urgent }
rule builders { match cgroup under "/ci.slice" and uid == "ci" priority low }
expect waker as ran
    under hogs 1.5x as builders {
    p99(wakeup ran) < 300us
    p99(wakeup ran) < 20% of eevdf
    share(builders) >= 50%
}
"""


def upf_scene() -> scene.Scene:
    checked_policy = policy(UPF)
    return scene.build(checked_policy, checked_policy.expectations[0], catalogue.load())


def script_of(request: GuestRequest) -> bytes:
    """The command that starts the tasks of a scene in its guest."""
    script = request.files["scene.sh"]
    assert isinstance(script, bytes)
    return script


REPORTS = """
rule ran { match process == "nr-gnb" priority urgent }
expect rpc as ran under pipe 1x {
    rate(rpc)  >= 98% of eevdf
    time(rpc)  <  200us
    rate(pipe) >= 90% of eevdf
}
"""


def outcomes(found: Verification) -> list[Outcome]:
    return [claim.outcome for claim in found.blocks[0].claims]
