# SPDX-License-Identifier: Apache-2.0
"""`--target` with a number, a file and the machine, as the loader sees it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gthulhuc.target import TargetError, host, read_target


def cpus(*numbers: int) -> frozenset[int]:
    return frozenset(numbers)


def put(root: Path, **files: str) -> None:
    for name, text in files.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")


def test_a_number_is_how_many_and_a_list_is_which() -> None:
    assert read_target("cpus=3").cpus == cpus(0, 1, 2)
    assert read_target("cpus=0-1,3").cpus == cpus(0, 1, 3)
    for wrong in ("cpus=0", "cpus=-1", "cpus=8193", "cpus=3-1", "cpus=a", "cpus=1,,2"):
        with pytest.raises(TargetError):
            read_target(wrong)


def test_groups_of_a_file_are_lists(tmp_path: Path) -> None:
    path = tmp_path / "target.json"
    path.write_text(json.dumps({"cpus": 4, "nodes": {"0": "0", "1": "1-3"}, "fast": "3"}))
    target = read_target(str(path))
    assert target.nodes == {0: cpus(0), 1: cpus(1, 2, 3)}
    assert target.fast == cpus(3)
    assert target.slow is None
    path.write_text('{"cpus": true}')
    with pytest.raises(TargetError):
        read_target(str(path))


def test_a_machine_with_single_cpus_in_its_groups(tmp_path: Path) -> None:
    put(tmp_path, cpu__online="0-2", node__node0__cpulist="0", node__node1__cpulist="1-2")
    put(tmp_path, node__node2__cpulist="")
    for cpu, shared in enumerate(("0", "1-2", "1-2")):
        put(tmp_path, **{f"cpu__cpu{cpu}__cache__index2__shared_cpu_list": str(cpu)})
        put(tmp_path, **{f"cpu__cpu{cpu}__cache__index10__shared_cpu_list": shared})
    target = host(tmp_path)
    assert target.nodes == {0: cpus(0), 1: cpus(1, 2)}
    assert target.llcs == {0: cpus(0), 1: cpus(1, 2)}
    assert target.fast == target.slow == cpus(0, 1, 2)


def test_fast_and_slow_are_kinds_of_cores(tmp_path: Path) -> None:
    put(tmp_path, cpu__online="0-4")
    for cpu, khz in enumerate(("5400", "5000", "5200", "3900", "3800")):
        put(tmp_path, **{f"cpu__cpu{cpu}__cpufreq__cpuinfo_max_freq": khz})
    assert host(tmp_path).fast == cpus(0, 1, 2)
    assert host(tmp_path).slow == cpus(3, 4)
    for cpu in range(5):
        put(tmp_path, **{f"cpu__cpu{cpu}__cpu_capacity": "1024" if cpu else "446"})
    assert host(tmp_path).fast == cpus(1, 2, 3, 4)
    assert host(tmp_path).slow == cpus(0)
