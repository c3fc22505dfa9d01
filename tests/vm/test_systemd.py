# SPDX-License-Identifier: Apache-2.0
"""Debian 12 with its systemd, podman and containerd, and the units as they are: a node's life."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

import debian_guest
import guest_loader
import guest_programs
import guest_python
import loader_objects
from debian_guest import Steps
from gthulhu_lab import vm

pytestmark = [pytest.mark.vm, pytest.mark.soak]

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
BAR_US = 10_000
OBJECTS = {
    "services": ("services",),
    "monitored": ("services", "--monitor"),
    "other": ("tunables",),
    "limits": ("limits",),
}
PARTITION = ("fast.slice", "fast-partition.service")
ROUNDS = ("1", "2", "3")


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Steps:
    folder = tmp_path_factory.mktemp("systemd")
    objects = {f"{name}.bpf.o": folder / f"{name}.bpf.o" for name in (*OBJECTS, "stall")}
    for name, (source, *options) in OBJECTS.items():
        policy = HERE / "policies" / f"{source}.gpl"
        output = objects[f"{name}.bpf.o"]
        subprocess.run(["gthulhuc", "-Wno-all", *options, policy, "-o", output], check=True)
    loader_objects.build(objects["stall.bpf.o"], "STALL")
    objects["fifo.bpf.o"] = loader_objects.build(folder / "fifo.bpf.o")
    units = (ROOT / "runtime" / "systemd").iterdir()
    script = debian_guest.script("systemd").replace("ROUNDS", " ".join(ROUNDS))
    result = vm.run(
        vm.GuestRequest(
            script=script,
            packages=("apparmor", "containerd", "crun", "podman", "python3"),
            cmdline="apparmor=1 security=apparmor",
            memory_mib=2048,
            files={
                **guest_python.installed(),
                "/usr/local/bin/gthulhu-loader": guest_loader.LOADER,
                **{f"/opt/gthulhu/lib/systemd/system/{unit.name}": unit for unit in units},
                **guest_programs.build(folder, "class-of", "scope"),
                "bin/victim": b"#!/bin/sh\nwhile :; do usleep 5000; done\n",
                "gthulhu-loader.apparmor": ROOT / "contrib" / "apparmor" / "gthulhu-loader",
                **{f"/lab/cpuset/{unit}": ROOT / "contrib" / "cpuset" / unit for unit in PARTITION},
                **objects,
            },
            deadline_s=1800,
            allow_splats=(
                r'"fifo" disabled \(runnable task stall\)',
                r"disabled \(disabled by sysrq-S\)",
                r"disabled \(unregistered from the main kernel\)",  # for a CPU's sake
            ),
        )
    )
    return Steps(result.check())


def test_the_system_is_sound(node: Steps) -> None:
    assert node.text("system") == "running\n"


def test_a_start_returns_when_the_policy_is_in_force(node: Steps) -> None:
    assert node.status("start") == 0
    assert node.text("started.force") == "gthulhu_services\n"
    assert node.show("started") == {
        "ActiveState": "active", "SubState": "running", "Result": "success", "NRestarts": "0",
        "ExecMainStatus": "0", "StatusText": "services, generation 1, is in force",
    }  # fmt: skip
    assert 'Status: "services, generation 1, is in force"' in node.text("status")


@pytest.mark.parametrize(
    ("name", "capabilities"), [("confined", "000000c000000000"), ("agent.confined", f"{0:016}")]
)
def test_the_units_settings_hold(node: Steps, name: str, capabilities: str) -> None:
    lines = dict(line.split(maxsplit=1) for line in node.text(name).splitlines())
    assert {key: lines[key] for key in ("CapEff:", "CapBnd:", "NoNewPrivs:", "Seccomp:")} == {
        "CapEff:": capabilities, "CapBnd:": capabilities, "NoNewPrivs:": "1", "Seccomp:": "2",
    }  # fmt: skip
    modes = {place: lines[place].split(",")[0] for place in lines if place.startswith("/")}
    assert modes == {"/": "ro", "/sys/fs/cgroup": "ro", "/run/gthulhu": "rw"}


def test_the_apparmor_profile_denies_nothing_that_the_loader_needs(node: Steps) -> None:
    assert node.status("apparmor") == 0, node.text("apparmor")
    assert node.text("profile") == "gthulhu-loader (enforce)\n"
    # journalctl ends with 1 if it finds no line.
    assert node.status("denied") == 1, node.text("denied")


@pytest.mark.parametrize("name", ["monitor", "back", "set", "label", "swap", "rollback"])
def test_requests_succeed_with_the_units_capabilities(node: Steps, name: str) -> None:
    assert node.status(name) == 0, node.text(name)


def test_monitor_policy_counts_with_the_units_capabilities(node: Steps) -> None:
    assert node.status("counted") == 0, node.text("counted")
    counted = json.loads(node.text("counted"))
    assert counted["generation"] == 2
    assert sum(each["waits"]["count"] for each in counted["classes"]) > 0


def test_a_swap_changes_what_status_says(node: Steps) -> None:
    assert node.show("swapped")["StatusText"] == "tunables, generation 4, is in force"


def test_hotplug(node: Steps) -> None:
    assert "services, generation 5, is in force" in node.text("plugged")
    assert "quantum = 500us" in node.text("plugged")


def test_a_second_instance_fails_and_says_which_is_the_first(node: Steps) -> None:
    assert node.status("second") == 1
    assert node.show("second.show")["ActiveState"] == "failed"
    assert "another gthulhu-loader is running: pid" in node.text("second.journal")
    assert "policy services, generation 5" in node.text("second.journal")


def test_errors_have_their_priority_in_the_journal(node: Steps) -> None:
    first, *_ = node.text("second.errors").splitlines()
    assert first.startswith("gthulhu-loader: another gthulhu-loader is running")


def test_a_loader_that_hangs_is_started_again(node: Steps) -> None:
    assert node.show("watched")["NRestarts"] == "0"
    assert node.status("hung") == 2
    assert "is stopped, and its policy stays in force" in node.text("hung")
    shown = node.show("hung.after")
    assert (shown["ActiveState"], shown["NRestarts"]) == ("active", "1")


def test_the_scheduler_that_runs_first_stays(node: Steps) -> None:
    assert node.status("scx") == 1
    assert "another scheduler is active: gthulhu_services" in node.text("scx.journal")
    assert node.text("scx.force") == "gthulhu_services\n"
    assert node.show("scx.ours")["ActiveState"] == "active"
    assert (node.status("scx.first"), node.status("scx.second")) == (0, 1)
    said = node.text("scx.second.errors")
    assert "another scheduler is active: fifo\n  help: `systemctl stop scx_loader` ends it" in said
    assert node.text("scx.kept") == "fifo\n"
    assert "active: fifo\t`systemctl stop scx_loader` ends it" in node.text("scx.doctor")


def test_there_is_no_reload(node: Steps) -> None:
    assert node.status("reload") != 0
    assert "not applicable" in node.text("reload")


def test_a_killed_loader_is_started_again(node: Steps) -> None:
    shown = node.show("killed")
    assert (shown["ActiveState"], shown["NRestarts"]) == ("active", "1")
    assert shown["StatusText"] == "services, generation 6, is in force"
    assert node.text("killed.force") == "gthulhu_services\n"


def test_a_restart_is_another_loader(node: Steps) -> None:
    assert node.status("restart") == 0
    assert node.show("restarted")["StatusText"] == "services, generation 7, is in force"


def test_starting_one_unit_stops_the_other(node: Steps) -> None:
    assert node.status("conflict") == 0
    assert node.text("conflict.force") == "gthulhu_tunables\n"
    shown = node.show("conflict.other")
    assert (shown["ActiveState"], shown["Result"]) == ("inactive", "success")


def test_a_partition_keeps_others_off_its_cpus(node: Steps) -> None:
    assert node.status("partition") == 0, node.text("partition")
    assert node.text("partition.cpus") == "1\n"
    assert node.text("partition.fast").endswith("affinity list: 1\n")
    assert node.text("partition.others").endswith("affinity list: 0\n")
    assert node.text("partition.force") == "gthulhu_services\n"
    assert (node.status("partition.stop"), node.text("partition.back")) == (0, "\n")


@pytest.mark.parametrize("name", ["stop", "end"])
def test_a_stop_gives_the_machine_back(node: Steps, name: str) -> None:
    state = {"stop": "stopped.state", "end": "end.state"}[name]
    assert (node.status(name), node.text(state)) == (0, "disabled\n")


def test_sysrq_is_no_failure(node: Steps) -> None:
    shown = node.show("sysrq")
    assert (shown["ActiveState"], shown["Result"]) == ("inactive", "success")
    assert (shown["ExecMainStatus"], shown["StatusText"]) == ("4", "No policy is in force")


def test_a_policy_that_is_ejected_over_and_over(node: Steps) -> None:
    shown = node.show("stalled")
    assert (shown["ActiveState"], shown["ExecMainStatus"]) == ("failed", "3")
    assert shown["NRestarts"] == "0"
    # Without the events, which repeat the reason.
    lines = node.text("stalled.journal").splitlines()
    said = "\n".join(line for line in lines if not line.startswith("{"))
    assert said.count("ejected by the kernel: runnable task stall") == 4
    assert "not reloaded: already reloaded 3 times within 10 minutes" in said
    assert node.text("stalled.state") == "disabled\n"


def test_the_agent_is_there_before_a_loader_and_again_when_killed(node: Steps) -> None:
    assert node.status("agent") == 0
    assert node.show("agent.started")["ActiveState"] == "active"
    shown = node.show("agent.killed")
    assert (shown["ActiveState"], shown["NRestarts"]) == ("active", "1")
    shown = node.show("agent.stopped")
    assert (shown["ActiveState"], shown["Result"]) == ("inactive", "success")


def test_agent_reports_no_errors(node: Steps) -> None:
    lines = node.text("agent.journal").splitlines()
    assert [line for line in lines if "gthulhu agent:" in line or "Error" in line] == []


@pytest.mark.parametrize("name", ["classes", "classes.again"])
def test_services_have_their_classes(node: Steps, name: str) -> None:
    """By their names, by the file of labels, and by having no label."""
    assert node.text(name).split() == ["0", "3", "4"]


def test_containers_have_their_classes_in_time(node: Steps) -> None:
    """The clock counts instructions."""
    assert node.status("containerd") == node.status("start-sandbox") == 0
    for name in (*(f"front{each}" for each in ROUNDS), "sidecar", "bare", "nerdctl", "kubelet"):
        assert node.status(f"start-{name}") == 0, node.text(f"start-{name}")
        words = node.result.files[f"scope-{name}"].decode().split()
        assert len(words) == 3, f"{name} has not got its class"
        _, scope, at_us = words
        assert _event_us(node, "cgroup_mkdir", scope) < int(at_us), name
        # The kernel reports a move shortly after it; the class may be there already.
        assert int(at_us) - _event_us(node, "cgroup_attach_task", scope) <= BAR_US, name


def _event_us(node: Steps, event: str, scope: str) -> int:
    """When the kernel first reported an event of a cgroup."""
    found = re.search(
        rf"(\d+)\.(\d{{6}}): {event}: .*/{re.escape(scope)}\s", node.result.files["trace"].decode()
    )
    assert found, f"{event} {scope}"
    return int(found[1]) * 1_000_000 + int(found[2])


def test_settings_of_units_hold(node: Steps) -> None:
    assert (node.status("limits.start"), node.status("limits.end")) == (0, 0)
    before, after = (
        [int(line) for line in node.text(f"limits.{when}").splitlines()]
        for when in ("before", "after")
    )
    length_us, *used_us = (end - begin for begin, end in zip(before, after, strict=True))
    quota, light, heavy = (us / length_us for us in used_us)
    # The time of day has steps of 10 ms, and the programs that measure take theirs.
    assert 0.18 <= quota <= 0.21
    assert heavy / light == pytest.approx(3, rel=0.1)
    assert light + heavy >= 1.6
    (limit,) = json.loads(node.text("limits.stats"))["limits"]
    assert limit["cgroup"] == "/system.slice/quota.service"
    assert limit["throttled_periods"] >= 20
