# SPDX-License-Identifier: Apache-2.0
"""system76-scheduler's importer: processes are in the rule of their profile, but where it says."""

from __future__ import annotations

import random
import re
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gthulhuc import checked
from gthulhuc.cli import gthulhu
from gthulhuc.formatter import format_source
from gthulhuc.frontend import check
from gthulhuc.importers.document import Finding, settle, to_text
from gthulhuc.importers.system76 import convert
from gthulhuc.importers.system76_files import File, read_file, read_paths
from gthulhuc.reference import DEFAULT, Task, classify
from gthulhuc.source import Source
from system76_matcher import (
    EXCEPTION,
    Process,
    profiles_of,
    random_kdl,
    random_processes,
    read_kdl,
    read_processes,
)

DATA = Path(__file__).parents[1] / "data/import"
SAMPLE = DATA / "system76"
SAMPLES = [SAMPLE / "config.kdl", SAMPLE / "process-scheduler/more.kdl"]


def imported(files: list[File]) -> tuple[checked.Policy, dict[str, str], list[Finding]]:
    """The policy, the profile of each rule, and the report."""
    document, findings = convert("x.kdl", files)
    document, refused = settle(document)
    source = Source("imported.gpl", to_text(document))
    policy, problems = check(source)
    assert policy is not None
    assert not [problem for problem in problems if problem.is_error]
    assert format_source(source)[0] == source.text
    profiles = {rule.name: rule.place or EXCEPTION for rule in document.rules}
    return policy, profiles, [*findings, *refused]


def ours(process: Process) -> Task:
    """A process as the language sees it."""
    above = [parent.comm.encode() for parent in process.parents]
    return Task(
        comm=process.comm.encode(),
        process=process.comm.encode(),
        parent=above[0] if above else None,
        ancestors=tuple(above),
        cgroup=process.cgroup.encode(),
    )


def test_a_process_list_differs_only_where_the_report_says_so() -> None:
    policy, profiles, findings = imported(read_paths([str(path) for path in SAMPLES]))
    documents = [read_kdl(path.read_text()) for path in SAMPLES]
    different = {}
    for process in read_processes((SAMPLE / "processes.txt").read_text()):
        found = profiles.get(classify(policy, ours(process)).name)
        expected = profiles_of(documents, process)
        if expected != {found}:
            different[process.comm] = (expected, found)
    assert different == {
        # `process`: a script, and a program that renames itself
        "unattended-upgr": ({"system"}, "packages"),
        "gcc-wrapper": ({"batch"}, None),
        # conditions of two profiles: the order of the file counts
        "apt-check": ({"system", "packages"}, "system"),
    }
    report = " ".join(finding.message for finding in findings)
    assert "they differ for scripts and for programs that rename themselves" in report
    assert "in an order that changes; here the order of the file counts" in report


@pytest.mark.parametrize("seed", range(60))
def test_random_configurations_differ_only_where_the_report_says_so(seed: int) -> None:
    choice = random.Random(seed)
    text = random_kdl(choice)
    policy, profiles, findings = imported([read_file("x.kdl", text.encode())])
    report = " ".join(finding.message for finding in findings)
    agreed = 0
    for process in random_processes(choice, 100):
        found = profiles.get(classify(policy, ours(process)).name)
        expected = profiles_of([read_kdl(text)], process)
        agreed += found in expected
        if found not in expected:
            # The folder of a program does not count here.
            assert "without its folder" in report, (text, process)
            as_named = Process(f"/usr/bin/{process.name}", *_rest(process))
            assert found in profiles_of([read_kdl(text)], as_named), (text, process, found)
        if len(expected) > 1:
            assert "in an order that changes" in report
    assert agreed > 50


def _rest(process: Process) -> tuple[str, str, tuple[Process, ...]]:
    return process.comm, process.cgroup, process.parents


def test_settings_become_actions() -> None:
    text = """assignments {
        a nice=-15 { x; }
        b sched="idle" { y; }
        c nice=5 sched="batch" { z; w nice=0; }
    }"""
    policy, _, _ = imported([read_file("x.kdl", text.encode())])
    names = {name: classify(policy, Task(process=name.encode())).name for name in "xyzw"}
    written = {rule.name: rule.actions for rule in policy.rules}
    levels = {name: written[rule].priority.name for name, rule in names.items()}
    assert levels == {"x": "URGENT", "y": "IDLE", "z": "LOW", "w": "NORMAL"}


def test_a_property_that_counts_once_is_reported_with_its_place() -> None:
    file = read_file("x.kdl", b'assignments {\n a { include parent="p" parent="q"; }\n }')
    (finding,) = file.findings
    assert str(finding).startswith('x.kdl:2:21: warning: `"p"` is lost')


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'a {\n b "x', "x.kdl:2:4: error: not KDL"),
        (b"\n\xff", "x.kdl:2: error: not UTF-8"),
        (b"a {" * 100_000, "x.kdl: error: nested too deeply"),
        (b"a b=", "x.kdl:1:5: error: not KDL"),
    ],
)
def test_an_error_in_kdl_has_a_place(data: bytes, said: str) -> None:
    assert said in str(read_file("x.kdl", data).findings[0])


@settings(max_examples=150, deadline=None)
@given(st.text('ab{}"\\/-*=();\n 01.e#r!?[', max_size=60))
def test_odd_texts_give_no_traceback(text: str) -> None:
    for source in (text, f"assignments {{ {text} }}", f'assignments {{ a {{ include name="{text}'):
        document, _ = convert("x.kdl", [read_file("x.kdl", source.encode())])
        settle(document)


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from(("cgroup", "name", "parent", "descends")), st.text("/ab*?[!]\\é", max_size=18)
)
def test_whatever_the_pattern_the_policy_compiles(key: str, pattern: str) -> None:
    written = pattern.replace("\\", "\\\\")
    text = f'assignments {{ a nice=1 {{ include {key}="{written}"; x; }}; }}'
    imported([read_file("x.kdl", text.encode())])


def test_the_system_s_main_file_replaces_the_distribution_s(tmp_path: Path) -> None:
    for name in ("usr", "etc"):
        (tmp_path / name / "process-scheduler").mkdir(parents=True)
        (tmp_path / name / "config.kdl").write_text(
            f"assignments {{ {name} nice=1 {{ {name}-main }} }}"
        )
        more = tmp_path / name / "process-scheduler/more.kdl"
        more.write_text("exceptions {}")
    files = read_paths([str(tmp_path / "usr"), str(tmp_path / "etc")])
    assert [file.name.removeprefix(f"{tmp_path}/") for file in files] == [
        "etc/config.kdl",
        "usr/process-scheduler/more.kdl",
        "etc/process-scheduler/more.kdl",
    ]


def test_without_the_library_a_message_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name in [
        name for name in sys.modules if name.startswith(("kdl", "gthulhuc.importers.sys"))
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "kdl", None)
    assert gthulhu.main(["import", "system76", str(SAMPLE)]) == 2
    assert re.search(r"kdl-py is missing\n.*pip.* install 'kdl-py>=1.2'", capfd.readouterr().err)


def test_5000_programs_take_little_time() -> None:
    rows = "\n".join(f'"program-{index}" nice={index % 3}' for index in range(5_000))
    before = time.process_time()
    policy, _, _ = imported([read_file("x.kdl", f"assignments {{ a {{\n{rows}\n}} }}".encode())])
    assert time.process_time() - before < 5
    assert classify(policy, Task(process=b"nothing")).name == DEFAULT
