# SPDX-License-Identifier: Apache-2.0
"""`gthulhu bench --on-this-machine`, in a guest that plays the machine."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

import guest_loader
import guest_python
from gthulhu_lab import vm, workloads
from gthulhu_lab.native import FIGURES, Native, rows
from gthulhu_lab.paths import PACKAGE
from gthulhu_lab.request import Clock
from gthulhu_lab.simulation import machine
from gthulhu_lab.simulation.load import STANDARD

pytestmark = pytest.mark.vm

POLICY = b"policy here {} default { slice 2ms }"
TURNS, SECONDS, CPUS = 1, 1, 2
PROFILE = f"cpus = {CPUS}\ncosts = {{ llc = 20 }}\n".encode()

# A shell lets what it starts in the background ignore Ctrl-C.
MAIN = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from gthulhuc.cli.gthulhu import main
sys.exit(main())
"""

SCRIPT = f"""
MAIN='{MAIN}'
cd /root
bench() {{
    name=$1
    shift
    python -c "$MAIN" bench --on-this-machine --policies here.gpl "$@" \\
        >$RESULTS/$name.out 2>$RESULTS/$name.err
    echo $? >$RESULTS/$name.status
    state >$RESULTS/$name.state
}}
state() {{ cat /sys/kernel/sched_ext/state; }}

bench whole --turns {TURNS} --seconds {SECONDS} --json $RESULTS/whole.json --machine ./here.toml
bench foreign --machine server-128

# Ctrl-C while a policy is in force.
bench stopped --turns 9 --seconds 60 &
job=$!
await_state enabled
sleep 1
pkill -INT -f on-this-machine
wait $job
{{ pgrep scale; pgrep gthulhu-loader; }} >$RESULTS/left

# Somebody ends the policy's scheduler.
bench ended --turns 9 --seconds 60 &
job=$!
await_state enabled
sleep 1
kill -KILL $(pgrep gthulhu-loader)
wait $job

# Another scheduler is in force, and stays.
gthulhu-loader other.bpf.o >/dev/null 2>&1 &
other=$!
await_state enabled
bench other
kill -INT $other
wait $other || true
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, bytes]:
    source = tmp_path_factory.mktemp("native") / "other.gpl"
    source.write_bytes(b"policy other {}")
    here = tmp_path_factory.mktemp("here") / "here.gpl"
    here.write_bytes(POLICY)
    data = guest_python.FOLDER / "gthulhu_lab"
    others: dict[str, Path | str | bytes] = {
        str(data / path.relative_to(PACKAGE)): path for path in PACKAGE.rglob("*.toml")
    }
    request = vm.GuestRequest(
        script=f"{guest_loader.FUNCTIONS}{guest_python.shell_functions()}{SCRIPT}",
        clock=Clock.TCG_TURNS,
        cpus=CPUS,
        memory_mib=2048,
        files={
            **guest_loader.FILES,
            **guest_python.files(
                "gthulhu_lab.bench_cli",
                "gthulhu_lab.commands.bench",
                "rich._emoji_codes",
                compiling=True,
            ),
            **{f"/usr/bin/{tool}": Path(shutil.which(tool) or "") for tool in ("pgrep", "pkill")},
            **others,
            # No guest has a C compiler.
            "/root/.cache/gthulhu/build/workloads/scale": workloads.program("scale"),
            **guest_python.compiled(here.parent),
            "/root/here.gpl": here,
            "/root/here.toml": PROFILE,
            "/root/other.bpf.o": guest_loader.objects(source.parent, source)["other.bpf.o"],
        },
        deadline_s=280,
    )
    return vm.run(request).check().files


def status(files: Mapping[str, bytes], name: str) -> tuple[int, str]:
    """The exit status, and whether a scheduler was in force then."""
    return int(files[f"{name}.status"]), files[f"{name}.state"].decode().strip()


def test_each_load_has_its_figures_under_both_schedulers(files: Mapping[str, bytes]) -> None:
    assert status(files, "whole") == (0, "disabled"), files["whole.err"].decode()
    found = Native.model_validate_json(files["whole.json"])
    assert found.cpus == CPUS
    assert found.kernel.startswith("7.2")
    assert {(run.load, run.subject, run.turn) for run in found.runs} == {
        (load, subject, turn)
        for load in STANDARD
        for subject in ("EEVDF", "here")
        for turn in range(TURNS)
    }
    assert all(run.figures[f.name] > 0 for run in found.runs for f in FIGURES[run.load])
    assert len(rows(found)) == 5
    shown = files["whole.out"].decode()
    assert "too few runs" in shown
    assert "simulated no:" in shown


def test_the_profile_is_the_one_that_was_named(files: Mapping[str, bytes], tmp_path: Path) -> None:
    (tmp_path / "here.toml").write_bytes(PROFILE)
    digest = machine.read(str(tmp_path / "here.toml")).digest
    assert json.loads(files["whole.json"])["digest"] == digest
    assert status(files, "foreign") == (2, "disabled")
    assert (
        b"describes 128 CPUs, 64 cores, 16 LLCs, 2 nodes; this machine has 2 CPUs"
        in files["foreign.err"]
    )


def test_ctrl_c_ends_what_was_started(files: Mapping[str, bytes]) -> None:
    assert status(files, "stopped") == (130, "disabled")
    assert files["left"] == b""


def test_a_policy_that_is_ended_is_an_error(files: Mapping[str, bytes]) -> None:
    assert status(files, "ended") == (2, "disabled")
    assert b"here is not in force" in files["ended.err"]


def test_a_scheduler_that_is_in_force_is_left_alone(files: Mapping[str, bytes]) -> None:
    assert status(files, "other") == (2, "enabled")
    assert b"a sched_ext scheduler is in force" in files["other.err"]


def test_json_has_the_groups_of_cpus(files: Mapping[str, bytes]) -> None:
    found = json.loads(files["whole.json"])
    assert found["schema_version"] == 1
    assert found["groups"]["cores"] == [[0], [1]]
