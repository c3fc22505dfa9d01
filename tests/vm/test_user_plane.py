# SPDX-License-Identifier: Apache-2.0
"""The 5G user plane in a guest: packets come through, and a policy keeps them from waiting."""

from __future__ import annotations

import pytest

import library
from gthulhu_lab.user_plane import UserPlaneComparison, UserPlaneRun
from gthulhuc.cli import gthulhu

pytestmark = pytest.mark.vm

ROLES = {
    "nr-ue": ["main", "tun", "app", "nas", "rls", "rls_ctl", "tun_read", "rls_udp"],
    "nr-gnb": ["main", "rls_ctl", "rls", "gtp", "gtp_udp", "rls_udp"],
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> UserPlaneComparison:
    figures = tmp_path_factory.mktemp("user-plane") / "figures.json"
    options = ["--loads=4", "--seeds=1", "--seconds=2", "--peers=none", f"--json={figures}"]
    policy = str(library.POLICIES["upf"])
    assert gthulhu.main(["lab", "user-plane", policy, "--no-cache", *options]) == 0
    return UserPlaneComparison.model_validate_json(figures.read_text())


def run_of(found: UserPlaneComparison, subject: str) -> UserPlaneRun:
    (run,) = found.of(subject, 4)
    return run


@pytest.mark.parametrize("subject", ["EEVDF", "upf"])
def test_packets_come_through_the_tunnel(found: UserPlaneComparison, subject: str) -> None:
    run = run_of(found, subject)
    # Every 20 ms, of which 2 s have a hundred.
    assert 80 <= len(run.pings_us) <= run.sent <= 120
    assert run.lost == 0
    assert run.unanswered == 0
    assert len(run.requests_us) >= 10
    assert run.bulk_rate == pytest.approx(500, rel=0.05)


def test_the_policy_keeps_them_from_waiting(found: UserPlaneComparison) -> None:
    ours, theirs = run_of(found, "upf"), run_of(found, "EEVDF")
    assert (ours.scheduler, theirs.scheduler) == ("gthulhu_upf", "")
    assert sum(ours.pings_us) / len(ours.pings_us) < sum(theirs.pings_us) / len(theirs.pings_us) / 2
    assert max(ours.pings_us) < max(theirs.pings_us)


def test_every_thread_of_the_way_is_seen(found: UserPlaneComparison) -> None:
    hops = {(hop.process, hop.role): hop.waits_us for hop in run_of(found, "upf").hops}
    programs = {(program, role) for program, roles in ROLES.items() for role in roles}
    assert hops.keys() == programs | {("ping", ""), ("client", ""), ("bulk", "")}
    # A packet wakes each of them, but for those that only start the others.
    assert all(len(waits) > 20 for (_, role), waits in hops.items() if role not in ("main", ""))
    # They may interrupt the hogs, but not a CPU's own kernel threads: a kworker once ran for 3 ms.
    assert max(hop.longest_us for hop in run_of(found, "upf").hops if hop.role) < 2_000
