# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""`gthulhu verify` as its users run it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gthulhu_lab.verify.verdict import Outcome, Verification
from gthulhuc.cli import gthulhu

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
    p99(wakeup named)  < 10s
    p90(wait people)   < 1us
    share(podded)     >= 1%
    p50(wait web)      < 10s
    p999(wakeup named) < 200% of eevdf
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
