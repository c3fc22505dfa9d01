# SPDX-License-Identifier: Apache-2.0
"""A policy from `run` to `stop` on real kernels, with all that is done to it in between."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import guest_loader
import guest_programs
import guest_python
import loader_objects
from gthulhu_lab import vm
from gthulhu_lab.request import Clock

pytestmark = pytest.mark.vm

HERE = Path(__file__).parent
KERNELS = ("6.16", "7.2")
STALL = r'"fifo" disabled \(runnable task stall\)'
INIT_FAILED = r'"fifo" disabled \(runtime error\)'

# A version of tunables.gpl.
CHANGED = (
    ("quantum = 1ms", "quantum = 2ms"),
    ("default {", 'rule sleepy { match comm == "usleep" priority low cpus 0 }\ndefault {'),
)


@dataclass(frozen=True)
class Step:
    """The output of a command in a guest."""

    guest: vm.GuestResult
    name: str

    @property
    def out(self) -> str:
        return self.guest.files[f"{self.name}.out"].decode()

    @property
    def err(self) -> str:
        return self.guest.files[f"{self.name}.err"].decode()

    @property
    def status(self) -> int:
        return int(self.guest.files[f"{self.name}.status"])

    @property
    def json(self) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self.out)
        return answer


@pytest.fixture(scope="module", params=KERNELS)
def guest(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> vm.GuestResult:
    folder = tmp_path_factory.mktemp("operations")
    variants = {
        "fifo": (), "stall": ("STALL",), "fail": ("FAIL_INIT",), "rejected": ("REJECTED",),
        "foreign": ("FOREIGN",), "wild": ("WILD",),
    }  # fmt: skip
    objects = {
        f"{name}.bpf.o": loader_objects.build(folder / f"{name}.bpf.o", *defines)
        for name, defines in variants.items()
    }
    careless = guest_loader.without(
        folder / "careless",
        "object/open.c",
        "if (address && !is_callback(object, address))",
        "if (!name && !is_callback(object, address))",
    )
    changed = (HERE / "policies" / "tunables.gpl").read_text()
    for old, new in CHANGED:
        assert old in changed
        changed = changed.replace(old, new)
    (folder / "changed.gpl").write_text(changed)
    for name, source in (("tunables", HERE / "policies"), ("changed", folder)):
        compiled = folder / f"{name}.bpf.o"
        subprocess.run(["gthulhuc", source / f"{name}.gpl", "-o", compiled], check=True)
        objects[compiled.name] = compiled
    return vm.run(
        vm.GuestRequest(
            script=f"{guest_loader.FUNCTIONS}{guest_python.shell_functions()}"
            + (HERE / "operations.sh").read_text(),
            kernel=request.param,
            clock=Clock.TCG_TURNS,
            files={
                **guest_loader.FILES,
                "bin/careless-loader": careless,
                **guest_programs.build(folder, "ask"),
                "bin/victim": b"#!/bin/sh\nwhile :; do usleep 5000; done\n",
                "pester.py": HERE / "programs" / "pester.py",
                "changed.gpl": changed.encode(),
                "tunables.gpl": HERE / "policies" / "tunables.gpl",
                **objects,
                **guest_python.files("gthulhu.preview", "gthulhu.trial", reading=True),
            },
            deadline_s=900,
            allow_splats=(STALL, INIT_FAILED),
        )
    ).check()


def left(guest: vm.GuestResult, name: str) -> set[str]:
    return set(guest.files[name].decode().split())


def test_run_returns_when_the_policy_is_in_force(guest: vm.GuestResult) -> None:
    step = Step(guest, "run")
    release = guest.environment.kernel
    assert (step.status, step.err) == (0, "")
    assert step.out == f"tunables: enabled on 2 CPUs (kernel {release})\n"


def test_the_state_is_roots_alone(guest: vm.GuestResult) -> None:
    assert guest.files["folder"].startswith(b"drwx------")
    modes = {line.split()[0] for line in guest.files["files"].decode().splitlines()[1:]}
    assert modes == {"-rw-------", "srw-------"}
    state = json.loads(guest.files["state.json"])
    assert (state["policy"], state["generation"]) == ("tunables", 1)
    assert state["object"].endswith("/tunables.bpf.o")
    assert state["kernel"] == guest.environment.kernel
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", state["since"])


def test_status(guest: vm.GuestResult) -> None:
    step = Step(guest, "status")
    assert step.status == 0
    lines = step.out.splitlines()
    assert lines[0] == "tunables, generation 1, is in force"
    assert "  tunable   heft = 200 in 100..1000, initially 100" in lines
    assert "  tunable   quantum = 1ms in 100us..10ms, initially 1ms" in lines
    (source,) = [line for line in lines if line.startswith("  source    ")]
    assert source.endswith("/tunables.gpl, unchanged since it was compiled")
    status = Step(guest, "json").json
    assert status["compared"]["object"]["state"] == "same"
    state = json.loads(guest.files["state.json"])
    assert {name: status[name] for name in state} == state
    assert (status["in_force"], status["state"], status["restarts"]) == (True, "enabled", 0)
    assert status["scheduler"] == "gthulhu_tunables"


def test_a_second_loader_is_refused(guest: vm.GuestResult) -> None:
    step, pid = Step(guest, "second"), Step(guest, "json").json["pid"]
    assert step.status == 1
    assert step.err.startswith(
        f"gthulhu-loader: another gthulhu-loader is running: pid {pid}, "
        "policy tunables, generation 1\n  help: `gthulhu swap /"
    )
    apart = Step(guest, "apart")
    assert apart.status == 1
    assert "another scheduler is active: gthulhu_tunables" in apart.err


def test_set(guest: vm.GuestResult) -> None:
    step = Step(guest, "set")
    assert (step.status, step.err) == (0, "")
    assert step.out == "heft is 300, was 200\nquantum is 500us, was 1ms\n"
    values = {each["name"]: each["value"] for each in Step(guest, "set-json").json["tunables"]}
    assert values == {"heft": "300", "quantum": "500us"}


def test_invalid_settings_are_refused(guest: vm.GuestResult) -> None:
    step = Step(guest, "out-of-range")
    assert step.status == 1
    assert "must be within 100..1000, found `3000`" in step.err
    answer = Step(guest, "misspelt").json
    assert answer["help"] == "did you mean `quantum`?"
    assert "has no tunable `quantun`" in answer["error"]
    assert "has no tunable `quantum`; it has none" in Step(guest, "no-tunable").json["error"]


def test_invalid_input_on_the_socket_delays_no_request(guest: vm.GuestResult) -> None:
    step = Step(guest, "pester")
    assert step.status == 0, step.err
    *refusals, prompt, in_turn, hung_up = step.out.splitlines()
    assert len(refusals) == 13
    assert all("unknown or invalid option" in refusal for refusal in refusals[10:])
    assert not any('"ok": true' in refusal for refusal in refusals)
    assert (prompt, in_turn, hung_up) == ("True", "True", "b''")
    assert step.err.startswith("True True")


def test_a_swap_that_fails_leaves_the_policy(guest: vm.GuestResult) -> None:
    for name, error in (
        ("rejected", "fifo: the kernel refuses to load it"),
        ("foreign", "gthulhuc did not write it"),
        ("wild", "sched_ext_ops.foresee is not a program of this object"),
        ("nowhere", "No such file or directory"),
    ):
        answer = Step(guest, f"swap-{name}").json
        assert answer["ok"] is False
        assert error in answer["error"]
        assert answer["then"] == "tunables, generation 1, is still in force"
    assert "PROG LOAD LOG" in Step(guest, "swap-rejected").json["log"]
    stayed = Step(guest, "stayed-json").json
    assert (stayed["generation"], stayed["in_force"]) == (1, True)
    assert guest.files["stayed.alive"] == b"lost:\n"


def test_an_object_that_crashes_its_reader_leaves_the_policy(guest: vm.GuestResult) -> None:
    answer = Step(guest, "careless-swap").json
    assert answer["error"].endswith(
        "corrupt object: reading it ended in a crash (Segmentation fault)"
    )
    assert answer["then"] == "tunables, generation 11, is still in force"
    status = Step(guest, "careless-json").json
    assert (status["generation"], status["in_force"]) == (11, True)


def test_a_policy_comes_back_where_the_next_one_cannot_be_enabled(guest: vm.GuestResult) -> None:
    step = Step(guest, "swap-fail")
    assert step.status == 1
    assert step.err.startswith("error: fifo: the kernel did not enable it: ")
    assert re.search(
        r"note: tunables, generation 1, is in force again; the kernel's own scheduler ran for "
        r"\d+\.\d ms\n",
        step.err,
    )
    # With what was set.
    values = {each["name"]: each["value"] for each in Step(guest, "stayed-json").json["tunables"]}
    assert values == {"heft": "300", "quantum": "500us"}


def test_swap(guest: vm.GuestResult) -> None:
    step = Step(guest, "swap")
    assert (step.status, step.err) == (0, "")
    said = re.fullmatch(
        r"fifo, generation 2, is in force; it replaced 1\. "
        r"The kernel's own scheduler ran for (\d+\.\d) ms in between\n",
        step.out,
    )
    assert said, step.out
    status = Step(guest, "swap-json").json
    assert (status["policy"], status["generation"]) == ("fifo", 2)
    assert (status["scheduler"], status["in_force"]) == ("fifo", True)
    assert guest.files["swapped.alive"] == b"lost:\n"


def test_rollback_twice_restores_the_policy(guest: vm.GuestResult) -> None:
    assert Step(guest, "rollback").status == 0
    assert Step(guest, "rollback").out.startswith(
        "tunables, generation 3, is in force; it replaced 2"
    )
    status = Step(guest, "rollback-json").json
    assert status["object"].endswith("/tunables.bpf.o")
    values = {each["name"]: each["value"] for each in status["tunables"]}
    assert values == {"heft": "300", "quantum": "500us"}
    assert Step(guest, "again").json["from"] == 3
    status = Step(guest, "again-json").json
    assert (status["policy"], status["generation"]) == ("fifo", 4)


def test_commands_at_once_are_carried_out_one_by_one(guest: vm.GuestResult) -> None:
    assert guest.files["at-once.status"] == b"0\n"
    answers = [json.loads(guest.files[f"at-once.{number}"]) for number in (1, 2, 3)]
    assert all(answer["ok"] for answer in answers)
    exchanges = {(answer["from"], answer["generation"]) for answer in answers}
    assert exchanges == {(4, 5), (5, 6), (6, 7)}
    status = Step(guest, "at-once-json").json
    last = max(answers, key=lambda answer: answer["generation"])
    assert (status["generation"], status["policy"]) == (7, last["policy"])
    assert guest.files["at-once.ops"].decode().strip() == status["scheduler"]


def test_stop_leaves_what_a_rollback_needs(guest: vm.GuestResult) -> None:
    step = Step(guest, "stop")
    assert step.status == 0
    assert re.fullmatch(r"stopped \w+, generation 7\n", step.out)
    assert guest.files["stop.state"] == b"disabled\n"
    assert left(guest, "left") == {
        "lock", "log", "events", "generation-6.bpf.o", "generation-6.txt", "generation-7.bpf.o",
        "generation-7.txt", "taken-out",
    }  # fmt: skip


def test_generations_go_on_with_the_next_loader(guest: vm.GuestResult) -> None:
    assert Step(guest, "rerun").status == 0
    assert Step(guest, "rerun-json").json["generation"] == 8
    assert Step(guest, "back").json["generation"] == 9


def test_state_of_a_killed_loader_is_taken_over(guest: vm.GuestResult) -> None:
    killed = Step(guest, "killed")
    assert killed.status == 3
    assert re.match(
        r"no policy is in force\n  the loader of \w+ \(pid \d+\) was killed\n", killed.out
    )
    refused = Step(guest, "refused")
    assert refused.status == 1
    assert "fifo: the kernel did not enable it" in refused.err
    assert Step(guest, "after-kill").status == 0
    # The number of what never was in force is given again.
    assert Step(guest, "after-kill-json").json["generation"] == 10


def test_stop_ends_a_loader_in_the_foreground(guest: vm.GuestResult) -> None:
    step = Step(guest, "foreground")
    assert step.status == 0
    assert step.out.splitlines()[-1] == "fifo: stopped"
    assert json.loads(guest.files["foreground.stop"])["ok"] is True
    assert guest.files["foreground.state"] == b"disabled\n"


def test_restart_on_failure_has_a_limit(guest: vm.GuestResult) -> None:
    step = Step(guest, "stalled")
    assert step.status == 3
    assert step.out.count("fifo: enabled on 2 CPUs") == 2
    assert step.out.count("fifo: reloading after an ejection (at most 1 time within") == 1
    assert step.err.count("fifo: ejected by the kernel: runnable task stall") == 2
    assert "fifo: not reloaded: already reloaded 1 time within 10 minutes" in step.err
    assert guest.files["stalled.state"] == b"disabled\n"
    assert guest.files["stalled.alive"] == b"lost:\n"
    assert "state.json" not in left(guest, "left-at-last")
    assert "control" not in left(guest, "left-at-last")


def test_remedy_after_an_ejection_is_shown(guest: vm.GuestResult) -> None:
    step = Step(guest, "ejected")
    assert (step.status, step.out) == (3, "")
    assert re.fullmatch(
        r"error: no policy is in force\n"
        r"  = help: `gthulhu run /run/gthulhu/generation-(\d+)\.bpf\.o` puts "
        r"the previous generation, \1 \(\S+/fifo\.bpf\.o\), in force\n",
        step.err,
    ), step.err


# ---- before it is in force ----------------------------------------------------------------------


def test_a_dry_run_puts_nothing_in_force(guest: vm.GuestResult) -> None:
    step = Step(guest, "dry")
    assert (step.status, step.err) == (0, "")
    assert guest.files["dry.state"] == b"disabled\n"
    lines = step.out.splitlines()
    assert lines[0] == "tunables: the kernel accepts it; nothing was changed"
    assert "            heft: new, 100 in 100..1000" in lines


def test_a_dry_run_of_a_swap_shows_what_would_change(guest: vm.GuestResult) -> None:
    step = Step(guest, "preview")
    assert (step.status, step.err) == (0, "")
    assert Step(guest, "preview-json").json["object"].endswith("/tunables.bpf.o")
    title, *rows = step.out.splitlines()
    assert title == "tunables: the kernel accepts it; nothing was changed"
    text = "\n".join(rows)
    assert "  tunables  quantum: 2ms in 100us..10ms, was 1ms in 100us..10ms" in rows
    assert re.search(r"^  tasks     \d+ of \d+ change class$", text, re.MULTILINE)
    assert re.search(r"sleepy: new, .*priority low.*cpus 0", text)
    assert re.search(r"sleepy: waits at most \d+", text)


@pytest.mark.parametrize("name", ["interrupted", "lost"])
def test_a_trial_goes_back(guest: vm.GuestResult, name: str) -> None:
    step = Step(guest, name)
    assert step.status == 1
    assert step.out.splitlines()[1:] == [
        "on trial for 120 s; Ctrl-C goes back",
        "it has no promise, so the policy before comes back in any case",
    ]
    why = {"interrupted": "the command that tried it", "lost": "its loader was lost"}[name]
    assert step.err.startswith(f"error: the trial failed: {why}")
    now = Step(guest, f"{name}-json").json
    assert now["object"].endswith("/tunables.bpf.o")
    assert {each["name"]: each["value"] for each in now["tunables"]}["heft"] == "300"


def test_events_tell_who_swapped(guest: vm.GuestResult) -> None:
    events = [json.loads(line) for line in guest.files["events"].splitlines()]
    swapped = [event for event in events if event["event"] == "swapped"]
    assert {event["uid"] for event in swapped} == {0}
    assert any("swap" in event["command"] for event in swapped)
    ejected = [event["reason"] for event in events if event["event"] == "ejected"]
    assert all("ejected by the kernel: runnable task stall" in reason for reason in ejected)
    assert len(ejected) == 2
