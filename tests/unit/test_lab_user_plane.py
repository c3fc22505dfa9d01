# SPDX-License-Identifier: Apache-2.0
"""The comparison of user planes, without a guest: lost packets and the table."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from gthulhu_lab import peers, user_plane, user_plane_table
from gthulhu_lab.errors import GuestError
from gthulhu_lab.experiment import FailedExperiment
from gthulhu_lab.kernels import Flavour
from gthulhu_lab.measure import EEVDF, Subject
from gthulhu_lab.request import Backend, Clock, GuestEnvironment, GuestRequest, GuestResult
from gthulhu_lab.user_plane import (
    Hop,
    UserPlaneComparison,
    UserPlaneExperiment,
    UserPlaneOptions,
    UserPlaneRun,
)
from gthulhuc.cli import gthulhu
from verified import script_of

OPTIONS = UserPlaneOptions(policies=[], peers=[], loads=(0, 4), seeds=2)
WHERE = GuestEnvironment(
    clock=Clock.ICOUNT, backend=Backend.INITRAMFS, kernel="7.2", cpus=4, memory_mib=1024,
    qemu="10.0", seed=7,
)  # fmt: skip


def said(answered: list[int], sent: int) -> str:
    """The output of ping."""
    lines = [f"64 bytes from 10.60.6.2: seq={n} ttl=63 time=1.500 ms" for n in answered]
    counts = f"{sent} packets transmitted, {len(answered)} packets received, 1% packet loss"
    return "\n".join(["PING 10.60.6.2 (10.60.6.2): 56 data bytes", *lines, "", counts, ""])


@pytest.mark.parametrize(
    ("answered", "sent", "lost"),
    [
        (range(100), 100, 0),
        # On their way when it ended.
        (range(95), 100, 0),
        # Later ones came back.
        ([*range(90), 99], 100, 9),
        ([*range(1, 100)], 100, 1),
        # Nothing for longer than a second, which has 50.
        (range(20), 100, 30),
        ([], 100, 50),
        ([], 0, 0),
        # In another order, and one twice.
        ([0, 2, 1, 1, 3], 4, 0),
    ],
)
def test_lost_packets_are_counted(answered: list[int], sent: int, lost: int) -> None:
    assert user_plane.count_lost(said([*answered], sent), 20_000) == (sent, lost)


def test_a_configured_peer_prefers_the_whole_scene() -> None:
    layered, simple = (
        peers.PEERS[name].preferring(user_plane.SCENE) for name in ("scx_layered", "scx_simple")
    )
    first, rest = json.loads(layered.files["layers.json"])
    names = [match["CommPrefix"] for (match,) in first["matches"]]
    assert {*names} == {*user_plane.SCENE} > {*user_plane.PROGRAMS}
    assert first["kind"]["Open"]["preempt"]
    assert rest["matches"] == [[]]
    assert simple is peers.PEERS["scx_simple"]


def test_a_ping_that_came_to_no_end_is_a_failure() -> None:
    with pytest.raises(GuestError, match="did not say how many"):
        user_plane.count_lost("PING 10.60.6.2 (10.60.6.2): 56 data bytes\n", 20_000)


TRACE = """\
# entries-in-buffer/entries-written: 6/6   #P:1
          <idle>-0       [000] d.... 1.000000: sched_wakeup: comm=nr-ue pid=12 prio=120 target_cpu=000
          <idle>-0       [000] d.... 1.000040: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=nr-ue next_pid=12 next_prio=120
           nr-ue-12      [000] d.... 1.000100: sched_wakeup: comm=ping pid=30 prio=120 target_cpu=000
           nr-ue-12      [000] d.... 1.000200: sched_switch: prev_comm=nr-ue prev_pid=12 prev_prio=120 prev_state=S ==> next_comm=ping next_pid=30 next_prio=120
          nr-gnb-21      [000] b.s3. 1.000300: gtp_encap_recv: (gtp_encap_recv+0x0/0x4a0 [gtp])
          <idle>-0       [000] b.s3. 1.000400: gtp_encap_recv: (gtp_encap_recv+0x0/0x4a0 [gtp])
"""
FILES = {
    "scheduler": b"gthulhu_upf\n",
    "figures/time": b"1500000\n2500000\n",
    "figures/rate": b"499.500\n",
    "figures/ping": said([0, 1], 2).encode(),
    "figures/requests": b"3000000\n",
    "figures/unanswered": b"1\n",
    "recorded/nr-ue": b"11 main\n12 tun\n",
    "recorded/nr-gnb": b"21 main\n",
    "user-plane.trace": TRACE.encode(),
}


def result(files: dict[str, bytes]) -> GuestResult:
    return GuestResult(
        status=0, files=files, stdout="", stderr="", console="", dmesg="", splats=(),
        timed_out=False, wall_s=1.0, environment=WHERE,
    )  # fmt: skip


def test_a_guest_is_read() -> None:
    run = UserPlaneExperiment(Subject("upf"), 4, 1, OPTIONS).read(result(FILES))

    assert (run.subject, run.scheduler, run.load, run.phase_us) == ("upf", "gthulhu_upf", 4, 370)
    assert (run.pings_us, run.sent, run.lost) == ([1500, 2500], 2, 0)
    assert (run.requests_us, run.unanswered, run.bulk_rate) == ([3000], 1, 499.5)
    assert run.hops == [
        Hop(process="nr-ue", role="main", waits_us=[]),
        Hop(process="nr-ue", role="tun", waits_us=[40], longest_us=40),
        Hop(process="nr-gnb", role="main", waits_us=[]),
        Hop(process="ping", role="", waits_us=[100], longest_us=100),
        Hop(process="client", role="", waits_us=[]),
        Hop(process="bulk", role="", waits_us=[]),
    ]
    assert run.current == {"gtp_encap_recv": {"<idle>": 1, "nr-gnb": 1}, "gtp_dev_xmit": {}}


def test_the_time_of_a_cpus_own_kernel_threads_is_not_the_schedulers() -> None:
    trace = """\
# entries-in-buffer/entries-written: 5/5   #P:2
             hog-9       [001] d.... 1.000000: sched_wakeup: comm=nr-ue pid=12 prio=120 target_cpu=001
             hog-9       [001] d.... 1.000010: sched_switch: prev_comm=hog prev_pid=9 prev_prio=120 prev_state=R ==> next_comm=kworker/1:1 next_pid=52 next_prio=120
          <idle>-0       [000] d.... 1.000020: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=kworker/u8:0 next_pid=60 next_prio=120
     kworker/1:1-52      [001] d.... 1.003010: sched_switch: prev_comm=kworker/1:1 prev_pid=52 prev_prio=120 prev_state=I ==> next_comm=nr-ue next_pid=12 next_prio=120
           nr-ue-12      [001] d.... 1.003100: sched_switch: prev_comm=nr-ue prev_pid=12 prev_prio=120 prev_state=S ==> next_comm=hog next_pid=9 next_prio=120
"""
    files = {**FILES, "user-plane.trace": trace.encode()}
    run = UserPlaneExperiment(Subject("upf"), 4, 1, OPTIONS).read(result(files))
    assert run.hops[1] == Hop(process="nr-ue", role="tun", waits_us=[3010], longest_us=10)


@pytest.mark.parametrize("missing", ["figures/time", "figures/rate"])
def test_without_its_figures_a_guest_has_failed(missing: str) -> None:
    with pytest.raises(GuestError, match=f"left an invalid {missing}"):
        UserPlaneExperiment(EEVDF, 0, 0, OPTIONS).read(result({**FILES, missing: b"x\n"}))


def test_guests_differ_in_load_seed_and_phase() -> None:
    guests = user_plane.list_experiments([EEVDF, Subject("upf")], OPTIONS)

    assert [(guest.subject.name, guest.load, guest.number) for guest in guests] == [
        (subject, load, number)
        for number in (0, 1)
        for load in (0, 4)
        for subject in ("EEVDF", "upf")
    ]
    first, last = guests[0].request(), guests[-1].request()
    assert (first.seed, last.seed) == (7, 8)
    assert b"HOGS=0\n" in script_of(first)
    assert b"HOGS=16\n" in script_of(last)
    assert b"gtp-ping 20000 100000 500 370 30 /results/figures" in script_of(last)


def test_the_load_may_be_stress_ngs() -> None:
    options = UserPlaneOptions(policies=[], peers=[], stress_ng=True)
    usual, files = (
        UserPlaneExperiment(EEVDF, 4, 0, each).request().files for each in (OPTIONS, options)
    )

    assert "/bin/stress-ng" not in usual
    assert "/bin/stress-ng" in files
    assert files["bin/hog"] != usual["bin/hog"]


def test_labels_go_to_loaders_that_support_them() -> None:
    options = UserPlaneOptions(policies=[], peers=[], labels=["app=the upf"])
    loader = {"bin/gthulhu-loader": Path("gthulhu-loader")}
    theirs, ours = (
        UserPlaneExperiment(subject, 4, 0, options).request()
        for subject in (EEVDF, Subject("a", files=loader))
    )

    assert "give-labels" not in theirs.files
    assert {"give-labels", "bin/ask"} <= ours.files.keys()
    assert b"\ttell label \"$1\" 'app=the upf'\n" in script_of(ours)


def test_on_a_wall_clock_they_take_turns_by_lot() -> None:
    options = UserPlaneOptions(policies=[], peers=[], loads=(0, 4), seeds=3, clock=Clock.TCG)
    guests = user_plane.list_experiments([EEVDF, Subject("upf")], options)

    turns = [guests[start : start + 4] for start in range(0, 12, 4)]
    assert [{guest.number for guest in turn} for turn in turns] == [{0}, {1}, {2}]
    rows = [(guest.subject.name, guest.load) for guest in turns[0]]
    orders = {tuple((guest.subject.name, guest.load) for guest in turn) for turn in turns}
    assert len(orders) > 1
    assert {frozenset(order) for order in orders} == {frozenset(rows)}


def test_gtp_takes_the_kernel_that_has_it() -> None:
    guest = UserPlaneExperiment(EEVDF, 0, 0, OPTIONS).request()

    assert "gtp" in guest.modules
    assert guest.flavour is Flavour.GENERIC
    assert GuestRequest(script="", modules=("veth",)).flavour is Flavour.CLOUD
    assert GuestRequest(script="", backend=Backend.VIRTME).flavour is Flavour.GENERIC


def a_run(subject: str, pings: list[int], rate: float, *, lost: int = 0) -> UserPlaneRun:
    return UserPlaneRun(
        subject=subject, scheduler="", load=4, phase_us=0, environment=WHERE, pings_us=pings,
        sent=len(pings) + lost, lost=lost, requests_us=[2000] * 20, unanswered=0, bulk_rate=rate,
        hops=[Hop(process="nr-ue", role="tun", waits_us=[10, 20] if subject == "upf" else [])],
        current={"gtp_encap_recv": {"nr-gnb": 96, "<idle>": 2, "hog": 2}, "gtp_dev_xmit": {}},
        wall_s=1.0,
    )  # fmt: skip


def test_the_table_has_a_row_for_each_scheduler_and_load() -> None:
    comparison = UserPlaneComparison(
        loads=[0, 4],
        seeds=[7, 8],
        seconds=30,
        subjects=["EEVDF", "upf"],
        absent=["scx_bpfland"],
        runs=[
            a_run("EEVDF", [80_000] * 500, 400.0, lost=2),
            a_run("upf", [2000] * 600, 500.0),
            a_run("upf", [3000] * 600, 498.0),
        ],
        failures=[
            FailedExperiment(subject="upf", cpus=4, seed=9, reason="hogs 4x: past its deadline\nx")
        ],
    )
    text = io.StringIO()
    user_plane_table.show(comparison, Console(file=text, width=140), hops=True)

    lines = [line.split() for line in text.getvalue().splitlines()]
    # Too few for a p99 are not shown as one; two runs are one row.
    assert ["EEVDF", "4x", "502", "2", "80,000", "80,000", "80,000", "-", "-", "80,000", "2,000",
            "0", "400.0"] in lines  # fmt: skip
    assert ["upf", "4x", "1,200", "0", "2,000", "2,500", "2,000", "3,000", "-", "3,000", "2,000",
            "0", "499.0"] in lines  # fmt: skip
    assert ["nr-ue", "tun", "-", "15", "20"] in lines
    assert ["gtp_encap_recv", "on", "others", "2", "of", "100", "4", "of", "200"] in lines
    assert ["failed", "upf,", "seed", "9:", "hogs", "4x:", "past", "its", "deadline"] in lines
    assert any(line[:3] == ["absent", "scx_bpfland;", "`gthulhu"] for line in lines)


def test_unmeasurable_claims_are_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["lab", "user-plane"]
    assert gthulhu.main([*command, "a/x.gpl", "b/x.gpl"]) == 2
    assert "two policies have the name x" in capsys.readouterr().err
    assert gthulhu.main([*command, str(tmp_path / "none.gpl"), "--peers=none"]) == 2
    assert "none.gpl: No such file" in capsys.readouterr().err
    assert gthulhu.main([*command, "--label=app"]) == 2
    assert "invalid label 'app'" in capsys.readouterr().err
    for loads in ("1,,2", "x", "-1", "101"):
        assert gthulhu.main([*command, f"--loads={loads}"]) == 2
