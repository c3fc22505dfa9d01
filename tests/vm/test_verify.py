# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""`gthulhu verify` as its users run it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gthulhu_lab.verify.verdict import Outcome, Verification
from gthulhuc import checked, frontend
from gthulhuc.cli import gthulhu
from gthulhuc.source import Source, Span

pytestmark = pytest.mark.vm

# A rule for each kind of fact that the lab gives a task. What is not in its rule is an error.
FACTS = """
policy facts {}

rule named   { match comm == "worker" and process != "worker" priority high }
rule people  {
    match uid == "ci" and gid in ["staff", 7] and nice < 0 and parent == "make"
        and ancestor == "sshd"
    slice 3ms
}
rule web     { match label "tier" == "web" and cgroup == "/" slice 5ms }
rule podded  { match namespace == "prod" and pod ~ "api-*" and not label "tier" == "web" slice 6ms }

expect waker as named under
    pipe 0.5x as people, futex 0.5x as web, hogs 0.5x as podded
{
    p50(wakeup named)  < 10s
    p90(wait people)   < 1us
    share(podded)     >= 1%
    p50(wait web)      < 10s
    p90(wakeup named)  < 9000% of eevdf
}
"""


def verify(folder: Path, policy: Path, *options: str) -> tuple[int, Verification]:
    """The exit status and all figures."""
    figures = folder / "figures.json"
    status = gthulhu.main(["verify", str(policy), f"--json={figures}", "--no-cache", *options])
    return status, Verification.model_validate_json(figures.read_text())


def test_tasks_get_the_facts_of_their_rules_and_claims_their_verdicts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    policy = tmp_path / "facts.gpl"
    policy.write_text(FACTS)

    status, found = verify(tmp_path, policy, "--seeds=1", "--cpus=2", f"--junit={tmp_path / 'x'}")

    assert status == 1
    (block,) = found.blocks
    ok, fail = Outcome.OK, Outcome.FAIL
    assert [claim.outcome for claim in block.claims] == [ok, fail, ok, ok, ok]
    ours, theirs = block.runs
    assert (ours.scheduler, ours.in_force) == (str(policy), "gthulhu_facts")
    assert (theirs.scheduler, theirs.in_force) == ("eevdf", "")
    # Of processes that only wait for the others there is one each; of `named`, threads do the work.
    tasks = {name: figures.tasks for name, figures in ours.classes.items()}
    assert tasks == {"named": 2, "people": 3, "web": 3, "podded": 2}
    for run in block.runs:
        assert sum(run.cpu_us.values()) == pytest.approx(2 * run.window_us, rel=0.01)
    table = capsys.readouterr().out
    assert "who had the CPUs while tasks of `people` waited longest:" in table
    assert "too few for a verdict" in table
    assert "<failure" in (tmp_path / "x").read_text()


UPF = Path(__file__).parents[2] / "policies" / "upf.gpl"

SPEAKS_FOR = {
    ("ran", "priority"): 0,
    ("ran", "preempt"): 0,
    ("default", "slice"): 3,
    ("ran", "slice"): 1,
    ("builders", "slice"): 2,
    ("builders", "priority"): 2,
}
"""Which block of policies/upf.gpl fails without an action."""


def policy_of(text: str) -> checked.Policy:
    policy, _ = frontend.check(Source("upf.gpl", text))
    assert policy is not None
    return policy


def actions(policy: checked.Policy) -> dict[tuple[str, str], Span]:
    """The first word of each action that the policy states; each has a line of its own."""
    assert policy.default_span is not None
    blocks = [(rule.name, rule.span, rule.actions) for rule in policy.rules]
    blocks.append(("default", policy.default_span, policy.default))
    return {
        (name, action): at
        for name, whole, block in blocks
        for action, at in block.written
        if whole.start <= at.start < whole.end
    }


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Guests that are the same run once, and none is known from before."""
    monkeypatch.setattr("gthulhu_lab.results.cache_dir", lambda: tmp_path)
    return tmp_path


def test_the_policy_holds_what_it_claims_and_needs_every_action(kept: Path) -> None:
    text = UPF.read_text()
    policy = policy_of(text)
    stated = actions(policy)
    assert stated.keys() == SPEAKS_FOR.keys()

    assert gthulhu.main(["verify", str(UPF), "--seeds=1"]) == 0

    for action, at in stated.items():
        broken = kept / f"without-{'-'.join(action)}.gpl"
        broken.write_text(text[: at.start] + text[text.index("\n", at.start) :])
        block = policy_of(broken.read_text()).expectations[SPEAKS_FOR[action]]
        line = block.span.source.position(block.span.start)[0]
        status = gthulhu.main(["verify", str(broken), "--seeds=1", f"--expect={line}"])
        assert status == 1, f"without {action} line {line} still holds"
