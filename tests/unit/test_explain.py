# SPDX-License-Identifier: Apache-2.0
"""`gthulhu explain`: the rule that takes a task, its reasons and its assumptions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gthulhuc.cli import gthulhu

POLICY = """\
policy p {}
set names = ["nr-gnb", "ping"]
rule watch { match uid == 0 and comm == "nr-gnb" monitor }
rule tenant { match label "tenant" == "a" priority high }
rule ran { match comm in names or label "app" == "upf" priority urgent preempt after 1ms }
rule gtp { match calls "gtp_encap_recv" within 1s priority high }
rule builders { match cgroup under "/ci" and comm != "sshd" and nice >= 0 priority low inherit }
rule kswap { match kthread and comm ~ "kswapd*" priority high }
rule daemon { match uid == "daemon" weight 7 }
rule later { match comm == "nr-gnb" or comm == "none" monitor }
"""


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    path = tmp_path / "p.gpl"
    path.write_text(POLICY)
    return path


def explain(policy: Path, capfd: pytest.CaptureFixture[str], *args: str) -> Any:
    assert gthulhu.main(["explain", str(policy), "--json", *args]) == 0
    return json.loads(capfd.readouterr().out)


@pytest.mark.parametrize(
    ("args", "name", "decided"),
    [
        (["--comm", "ping", "--no-pod"], "ran", ["comm in names"]),
        (["--label", "app=upf"], "ran", ['label "app" == "upf"']),
        (["--label", "tenant=a"], "tenant", ['label "tenant" == "a"']),
        (["--comm", "x"], "default", []),
        (["--cgroup", "/ci/a/"], "builders",
         ['cgroup under "/ci"', 'comm != "sshd"', "nice >= 0"]),
        (["--cgroup", "/ci/a", "--nice", "-1"], "default", []),
        (["--process", "ping"], "ran", ["comm in names"]),
        (["--calls", "gtp_encap_recv"], "gtp", ['calls "gtp_encap_recv" within 1s']),
        (["--kthread", "--comm", "kswapd0"], "kswap", ["kthread", 'comm ~ "kswapd*"']),
        (["--kthread", "--comm", "ping"], "kernel threads", []),
        (["--started-by", "builders"], "builders", []),
        (["--uid", "daemon"], "daemon", ['uid == "daemon"']),
    ],
)  # fmt: skip
def test_explain_shows_the_rule_and_the_deciding_predicate(
    args: list[str], name: str, decided: list[str], policy: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    found = explain(policy, capfd, *args)
    assert found["class"] == name
    assert [part["predicate"] for part in found["decided"]] == decided


def test_cpus_that_are_exclusive_to_others_are_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.gpl"
    path.write_text(
        "policy p {}\n"
        'rule poller { match comm == "poller" cpus 3 exclusive }\n'
        'rule near { match comm == "near" cpus 0-5 }\n'
        'rule far { match comm == "far" cpus 0-1 }\n'
        'rule counted { match comm == "b" cpus 4 exclusive monitor }\n'
    )
    kept_off = {
        name: [rule["name"] for rule in explain(path, capfd, "--comm", name)["kept_off"]]
        for name in ("poller", "near", "far", "b")
    }
    assert kept_off == {"poller": [], "near": ["poller"], "far": [], "b": ["poller"]}
    assert gthulhu.main(["explain", str(path), "--comm", "near"]) == 0
    assert f"  not on   the CPUs of `poller` ({path}:2:1)\n" in capfd.readouterr().out


def test_promises_about_the_class_are_shown(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.gpl"
    path.write_text(
        'policy p {}\nrule a { match comm == "a" priority high }\npromise a over 10s {\n'
        "    p99(wakeup a) < 300us\n    share(default) >= 20%\n    else rollback\n}\n"
    )
    (found,) = explain(path, capfd, "--comm", "a")["promises"]
    assert found == {
        "claim": "p99(wakeup a) < 300us", "window_ns": 10_000_000_000, "else": "rollback",
        "file": str(path), "line": 4, "column": 5,
    }  # fmt: skip
    assert gthulhu.main(["explain", str(path), "--comm", "b"]) == 0
    shown = f"  promised share(default) >= 20% over 10s, else rollback  ({path}:5:5)\n"
    assert shown in capfd.readouterr().out


def test_the_actions_under_each_condition_are_shown(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.gpl"
    path.write_text(
        'policy p {}\nrule a { match comm == "a" priority low }\n'
        'rule b { match comm == "b" priority high }\n'
        "when time in 22:00..06:00 { rule a { priority idle } rule b { slice 50ms } }\n"
        "when pressure cpu > 20% for 5s { rule b { weight 5 } }\n"
    )
    (found,) = explain(path, capfd, "--comm", "a")["whens"]
    assert (found["condition"], found["line"]) == ("time in 22:00..06:00", 4)
    assert found["actions"] == {
        "priority": "idle", "weight": "5", "slice": "1ms..5ms", "migrate": "balanced",
        "max-wait": "2s",
    }  # fmt: skip
    assert gthulhu.main(["explain", str(path), "--comm", "a"]) == 0
    shown = capfd.readouterr().out
    assert "  varies   when time in 22:00..06:00: priority idle, weight 5, slice 1ms..5ms" in shown
    assert "waits at most 2102ms" in shown
    # The longest slice that delays the class is one of a condition.
    assert "  bound    waits at most 602ms" in shown


def test_later_monitoring_and_undecided_rules_have_their_place(
    policy: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    found = explain(policy, capfd, "--comm", "nr-gnb", "--cgroup", "/ci")
    place = {"file": str(policy), "column": 1}
    assert found["later"] == [{"name": "builders", "line": 7, **place}]
    assert found["monitored"] == [{"name": "watch", "line": 3, **place}]
    assert found["undecided"] == [{"name": "tenant", "line": 4, **place}]
    assert found["actions"]["preempt"] == "after 1ms"


def test_relevant_unknown_facts_are_listed(policy: Path, capfd: pytest.CaptureFixture[str]) -> None:
    found = explain(policy, capfd, "--comm", "x", "--no-pod", "--nice", "0")
    expected = [
        'cgroup "/"',
        "no label",
        "not kthread",
        "uid 0",
        "it calls none of the functions",
    ]
    assert found["assumed"] == expected


@pytest.mark.parametrize(
    ("args", "name", "assumed"),
    [
        (["--comm", "w"], "default", ["no ancestors", "leader"]),
        (["--comm", "w", "--thread"], "threads", ["no ancestors"]),
        (["--comm", "w", "--leader"], "default", ["no ancestors"]),
        (["--comm", "w", "--process", "java"], "threads", ["no ancestors"]),
        (["--comm", "w", "--process", "w"], "default", ["no ancestors", "leader"]),
        (["--comm", "w", "--process", "java", "--leader"], "default", ["no ancestors"]),
        (["--parent", "make"], "built", ['no ancestors but "make"', "leader"]),
        (["--parent", "sh", "--ancestor", "make", "--leader"], "built", []),
        (["--parent", "sh", "--leader"], "default", ['no ancestors but "sh"']),
    ],
)
def test_main_threads_and_ancestors_are_assumed_and_can_be_told(
    args: list[str],
    name: str,
    assumed: list[str],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "p.gpl"
    path.write_text(
        'policy p {}\nrule built { match ancestor == "make" weight 7 }\n'
        "rule threads { match not leader weight 8 }\n"
    )
    found = explain(path, capfd, *args)
    assert (found["class"], found["assumed"]) == (name, assumed)


@pytest.mark.parametrize(
    ("args", "name"),
    [
        (["--label", "tier=db"], "other"),
        (["--label", "tier=web"], "default"),
        (["--label", "app=x"], "without"),
        (["--no-pod"], "without"),
        (["--no-pod", "--comm", "x"], "without"),
        (["--comm", "x"], "default"),
        (["--namespace", "prod"], "without"),
        (["--namespace", "prod", "--label", "tier=web"], "elsewhere"),
        (["--namespace", "kube-system", "--label", "tier=web"], "default"),
    ],
)
def test_not_equal_asks_for_a_label_and_not_does_not(
    args: list[str], name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.gpl"
    path.write_text(
        'policy p {}\nrule other { match label "tier" != "web" weight 7 }\n'
        'rule without { match not label "tier" == "web" weight 8 }\n'
        'rule elsewhere { match namespace != "kube-system" weight 9 }\n'
    )
    assert explain(path, capfd, *args)["class"] == name


def test_the_text_names_rule_predicate_and_place(
    policy: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert gthulhu.main(["explain", str(policy), "--comm", "ping", "--no-pod"]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines[0] == f"rule `ran` ({policy}:5:1) takes the task"
    assert lines[1] == f"  because  comm in names  ({policy}:5:18)"


def test_a_long_name_is_cut_as_the_kernel_does(
    policy: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert gthulhu.main(["explain", str(policy), "--comm", "QtWebEngineProcess"]) == 0
    assert "`QtWebEngineProc`" in capfd.readouterr().err


@pytest.mark.parametrize(
    "args",
    [
        ["--label", "x"],
        ["--uid", "no-such-user-here"],
        ["--cgroup", "relative"],
        ["--started-by", "ran"],
        ["--no-pod", "--pod", "x"],
    ],
)
def test_wrong_facts_exit_2(
    args: list[str], policy: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert gthulhu.main(["explain", str(policy), *args]) == 2
    assert capfd.readouterr().err.startswith("error: ")


def test_a_policy_with_errors_exits_1(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.gpl"
    path.write_text("policy p {}\nrule r { match comm = 3 }\n")
    assert gthulhu.main(["explain", str(path), "--comm", "x"]) == 1
    assert "error[GPL" in capfd.readouterr().err


def test_explain_states_the_policys_needs(policy: Path, capfd: pytest.CaptureFixture[str]) -> None:
    found = explain(policy, capfd)["needs"]
    assert found["too-many-steps"] == {"used": 0, "most": 1 << 15}
    assert found["too-much-stack"]["used"] > 0
    assert gthulhu.main(["explain", str(policy)]) == 0
    assert "needs    0 of 32768 steps to classify a task" in capfd.readouterr().out


def test_a_unit_is_a_cgroup_of_the_system(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "u.gpl"
    path.write_text('policy p {}\nrule web { match unit == "nginx.service" priority high }\n')
    assert explain(path, capfd, "--unit", "nginx.service")["class"] == "web"
    assert explain(path, capfd, "--unit", "other.service")["class"] == "default"
    assert gthulhu.main(["explain", str(path), "--unit", "nginx"]) == 2
    assert "ends with .service or .scope" in capfd.readouterr().err


PROGRAMS = """\
policy p
rule last { match cmdline[63] == "63" and exe under "/opt" priority high }
rule end { match cmdline ~ "*end" priority low }
"""


@pytest.mark.parametrize(
    ("command", "name", "is_cut"),
    [
        ("tool 'the end'", "end", False),
        (f"tool {'x' * 252}end", "end", False),
        (f"tool {'x' * 253}end", "default", True),
        (" ".join(map(str, range(64))), "last", False),
        (f"{' '.join(map(str, range(64)))} end", "last", True),
        (f"{'x' * 16370} end", "end", True),
        (f"{'x' * 16382} end", "default", True),
    ],
)
def test_a_long_command_line_is_cut(
    command: str, name: str, is_cut: bool, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    policy = tmp_path / "p.gpl"
    policy.write_text(PROGRAMS)
    found = explain(policy, capfd, "--exe", "/opt/a/tool", "--cmdline", command)
    assert (found["rule"] or {"name": "default"})["name"] == name
    assert any("cmdline is cut" in each for each in found["assumed"]) == is_cut


def test_a_command_line_without_its_last_quote_is_refused(
    policy: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert gthulhu.main(["explain", str(policy), "--cmdline", "a 'b"]) == 2
    assert "no closing quotation" in capfd.readouterr().err
