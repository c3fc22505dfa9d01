# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Facts that put tasks into rules, and the guests of `gthulhu verify` whose tasks have them."""

from __future__ import annotations

from pathlib import Path

import pytest

from gthulhu_lab import catalogue
from gthulhu_lab.experiment import Variation
from gthulhu_lab.measure import EEVDF, Subject, policy_subject
from gthulhu_lab.request import Clock, GuestRequest
from gthulhu_lab.verify import claims, recording, scene, witness
from gthulhu_lab.verify.facts import Facts, class_of, ids_of
from gthulhu_lab.verify.scene import Scene
from verified import REPORTS, UPF, policy, script_of, upf_scene

# ---- facts for rules ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rules",
    [
        'rule a { match process == "nr-gnb" }',
        'rule a { match comm ~ "lcore-*" and comm ~ "*-7" }',
        "rule a { match comm =~ 'nr-(gnb|ue)[0-9]{2,3}' }",
        'rule a { match cgroup under "/ci.slice" and comm != "sshd" }',
        'rule b { match comm == "x" } rule a { match comm in ["x", "y"] and cgroup under "/c" }',
        'rule b { match not cgroup under "/c" } rule a { match cgroup under "/c" }',
        'rule a { match parent == "make" }',
        'rule a { match ancestor == "sshd" and parent == "bash" }',
        'rule a { match uid == "postgres" and gid in ["staff", 100] }',
        "rule a { match uid in 1000..2000 and not gid == 0 and nice < 0 }",
        'rule a { match unit == "cron.service" }',
        'rule a { match qos == "burstable" }',
        'rule a { match label "app" == "web" and not label "tier" == "batch" }',
        'rule a { match parent == "make" inherit }',
        'rule a { match namespace == "prod" and pod ~ "api-*" and label "app" != "db" }',
        'rule a { match container == "proxy" and cgroup under "/kubepods" }',
    ],
)
def test_facts_put_all_threads_of_a_program_into_a_rule(rules: str) -> None:
    checked_policy = policy(rules)
    ids = ids_of(checked_policy)

    facts = witness.find(checked_policy, "a", b"waker")

    for leader in (True, False):
        for child in (True, False):
            found = class_of(checked_policy, facts, ids, leader=leader, child=child)
            assert found == "a"


def test_facts_for_default_match_no_rule() -> None:
    facts = witness.find(policy('rule a { match comm == "x" }'), None, b"waker")

    assert facts == Facts(process=b"waker", comm=b"waker")


def test_default_has_facts_although_rules_take_usual_names() -> None:
    facts = witness.find(policy('rule a { match not cgroup under "/quiet" }'), None, b"waker")

    assert facts.cgroup == b"/quiet"


def test_a_rule_for_further_threads_gives_these_another_name() -> None:
    facts = witness.find(policy('rule a { match comm == "w" and process != "w" }'), "a", b"waker")

    assert (facts.process, facts.comm) == (b"waker", b"w")


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        (
            'rule a { match calls "tcp_sendmsg" within 1s }',
            "no task of the workload calls that",
        ),
        ('rule a { match kthread and comm == "x" }', "has no threads of the kernel"),
        ('rule a { match comm == "x" monitor }', "takes no task"),
        ('rule a { match comm ~ "a?c" and comm =~ "[ab]d.*" }', "tries the names"),
    ],
)
def test_rule_without_lab_tasks_is_reported_with_the_reason(rules: str, why: str) -> None:
    with pytest.raises(witness.NoWitnessError, match="into `a`") as error:
        witness.find(policy(rules), "a", b"waker")

    assert why in error.value.remedy


CALLS = """
rule sends { match calls "udp_sendmsg" within 1s priority high }
rule hands { match calls "futex_wake" within 1s and interactive priority high }
rule other { match calls "tcp_sendmsg" within 1s priority high }
"""


def test_workload_decides_which_tasks_call() -> None:
    rules = policy(CALLS)
    functions = ("udp_sendmsg", "futex_wake")

    sends = witness.find(rules, "sends", b"rpc", functions)
    hands = witness.find(rules, "hands", b"rpc", functions)

    assert {call.function for call in sends.calls} == {*functions}
    assert ({call.function for call in hands.calls}, hands.interactive) == ({"futex_wake"}, True)
    rest = witness.find(rules, None, b"rpc", functions)
    assert class_of(rules, rest, ids_of(rules)) == "default"
    with pytest.raises(witness.NoWitnessError):
        witness.find(rules, "other", b"rpc", functions)


def test_workload_tasks_may_or_may_not_call() -> None:
    rules = policy(f"{CALLS} expect gtp-ping as sends {{ p50(wakeup sends) < 1ms }}")
    (group,) = scene.build(rules, rules.expectations[0], catalogue.load()).groups
    ids = ids_of(rules)

    found = [class_of(rules, facts, ids) for facts in recording.habits(rules, group)]

    assert found[0] == "sends"
    assert {*found} == {"sends", "hands", "default"}


def asked_for(
    built: Scene,
    subject: Subject = EEVDF,
    *,
    number: int = 0,
    cpus: int = 2,
    clock: Clock = Clock.ICOUNT,
    window_s: float | None = 2,
) -> GuestRequest:
    """The guest of a scene under a scheduler that is no policy."""
    return scene.request(
        built, subject, Variation.number(number), is_policy=False, kernel="7.2", cpus=cpus,
        clock=clock, window_s=window_s,
    )  # fmt: skip


def test_the_guest_gets_the_modules_and_programs_of_its_workload() -> None:
    rules = policy("expect gtp-ping under hogs 1x { p50(wakeup default) < 1ms }")
    request = asked_for(scene.build(rules, rules.expectations[0], catalogue.load()), cpus=4)

    assert request.modules == ("gtp", "tun", "veth")
    programs = {path for path in request.files if path.startswith("bin/")}
    assert programs == {
        f"bin/{name}" for name in ("ask", "gtp-ping", "hog", "launch", "nr-gnb", "nr-ue", "place")
    }


def test_a_search_that_leads_nowhere_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each label doubles the ways, and only then is a name found that cannot be."""
    monkeypatch.setattr(witness, "_MOST_VALUES", 500)
    labels = "".join(f'label "k{number}" != "v" and ' for number in range(30))
    rules = policy(f'rule a {{ match {labels}comm ~ "a?c" and comm =~ "[ab]d.*" }}')

    with pytest.raises(witness.NoWitnessError):
        witness.find(rules, "a", b"waker")


# ---- scenes -------------------------------------------------------------------------------------


def test_the_guest_gets_programs_with_the_facts_of_their_rules() -> None:
    built = upf_scene()

    request = asked_for(built, number=1, cpus=4, window_s=3)

    script = script_of(request)
    load, measured = script.decode().splitlines()[6:8]
    assert load == "\tstart 1 hogs hogs --cgroup /ci.slice --uid 1000 -- hog 6"
    assert measured.startswith("\tstart 0 nr-gnb nr-gnb -- periodic 4 2000 370 ")
    users = request.files["/etc/passwd"]
    assert isinstance(users, bytes)
    assert b"ci:x:1000:" in users
    assert "scheduler" not in request.files
    assert request.seed != Variation.number(0).seed


def test_workload_preparation_is_awaited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "files", lambda _: {})
    rules = policy("expect pgbench under pipe 1x { p50(wakeup default) < 1ms }")
    built = scene.build(rules, rules.expectations[0], catalogue.load())

    request = asked_for(built)

    script = script_of(request)
    prepared, loads = script.decode().split("\tstart 1 ")
    assert '\tuntil [ -e "$RESULTS/group-0/ready" ]; do\n' in prepared
    assert "\tstarted=$measured\n" in loads
    assert script.count(b"/ready") == 1


def test_names_may_be_any_bytes() -> None:
    latin = policy(
        'rule a { match comm == "caf\\xe9" and label "k" == "\\xff" }\n'
        "expect waker as a { p50(wakeup a) < 1ms }"
    )
    built = scene.build(latin, latin.expectations[0], catalogue.load())
    # Of a policy that this one is compared with.
    loaded = policy_subject("other", Path("other.bpf.o"), Path("gthulhu-loader"))
    request = asked_for(built, loaded, cpus=1)

    script = script_of(request)
    assert b"\tstart 0 'caf\xe9' 'caf\xe9' -- periodic " in script
    assert b"\tlabel 0 'k=\xff'\n" in script


def test_a_claim_about_a_rare_percentile_gets_a_longer_window() -> None:
    built = upf_scene()
    rare = policy(UPF.replace("p99(wakeup ran) < 300us", "p999(wakeup ran) < 300us"))

    assert scene.window_s(built.claims) == scene.SHORTEST_WINDOW_S
    assert scene.window_s(claims.read(rare.expectations[0])) > 3 * scene.SHORTEST_WINDOW_S


def test_in_a_guest_for_reports_loads_outlast_the_measured_workload() -> None:
    checked_policy = policy(REPORTS)
    built = scene.build(checked_policy, checked_policy.expectations[0], catalogue.load())

    def script(clock: Clock) -> list[str]:
        request = asked_for(built, number=1, clock=clock, window_s=None)
        assert request.clock is clock
        assert {"scheduler.sh", "groups.sh"} <= request.files.keys()
        assert "trace.sh" not in request.files
        return script_of(request).decode().splitlines()

    load, measured = script(Clock.TCG)[4:6]
    assert load == "\tstart 1 pipe pipe -- roundtrip pipe 2 1800 /results/group-1"
    assert measured == ("\tstart 0 nr-gnb nr-gnb -- rpc unix 2 2000 100 370 10 /results/group-0")
    assert script(Clock.TCG)[:3] == ["SETTLE_S=3", "LOOK_S=0.25", "LOADS=1"]
    # Two looks are over before the tenth that is not counted is.
    assert script(Clock.ICOUNT)[:2] == ["SETTLE_S=6", "LOOK_S=0.05"]
