# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Records a moment of a scenario: which rule had which CPU, and how many tasks waited.

It has a guest of its own, because recording takes instructions, which would change the figures.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from gthulhu_lab import measure, timeline, trace
from gthulhu_lab.errors import GuestError
from gthulhu_lab.experiment import Trial
from gthulhu_lab.measure import Scenario, Subject
from gthulhu_lab.paths import GUEST_SCRIPTS
from gthulhu_lab.request import GuestEnvironment, GuestRequest, GuestResult
from gthulhu_lab.timeline import IDLE, Timeline
from gthulhuc import checked, reference

RECORD_S = 0.2
# Prefixes of kernel threads in such a guest; its other tasks have none of them.
_KTHREADS = (
    "cpuhp/", "kcompactd", "kdamond", "khungtaskd", "ksoftirqd/", "kthreadd", "kworker/",
    "migration/", "rcu_",
)  # fmt: skip


class Span(BaseModel):
    """A time in which a task had a CPU; times count from the start of the picture."""

    model_config = ConfigDict(frozen=True)

    cpu: int
    start_us: int
    end_us: int
    task: str
    rule: str


class Picture(BaseModel):
    """The recording of one scheduler."""

    model_config = ConfigDict(frozen=True)

    subject: str
    cpus: int
    length_us: int
    spans: list[Span]
    waiting_us: dict[int, int]  # the time in which so many tasks waited for a CPU
    environment: GuestEnvironment

    def rules(self) -> list[str]:
        """The rules whose tasks ran, those with the most CPU time first."""
        used = Counter[str]()
        for span in self.spans:
            used[span.rule] += span.end_us - span.start_us
        return [rule for rule, _ in used.most_common()]


def trial(
    subject: Subject, scenario: Scenario, policy: checked.Policy, *, kernel: str, seed: int
) -> Trial[Picture]:
    """The guest of a picture, and how it is read: tasks are named by the rules of `policy`."""
    return Trial(
        text=f"recording {subject.name}",
        request=request(subject, scenario, kernel=kernel, seed=seed),
        model=Picture,
        read=lambda result: read(subject, result, policy),
        names={"subject": subject.name},
        # Libraries have rules, too.
        reading="-".join(part.source.sha256[:16] for part in policy.sources),
    )


def request(subject: Subject, scenario: Scenario, *, kernel: str, seed: int) -> GuestRequest:
    """The guest of a picture: the guest of the figures with a recording."""
    figures = measure.request(subject, scenario, kernel=kernel, seed=seed)
    files: dict[str, Path | str | bytes] = {
        **figures.files,
        "scenario.sh": f"{scenario.to_shell()}RECORD_S={RECORD_S:g}\n".encode(),
        "scheduler.sh": GUEST_SCRIPTS / "scheduler.sh",
        "trace.sh": GUEST_SCRIPTS / "trace.sh",
    }
    return GuestRequest(
        script=(GUEST_SCRIPTS / "picture.sh").read_text(),
        kernel=kernel,
        files=files,
        cpus=scenario.cpus,
        memory_mib=figures.memory_mib,
        clock=figures.clock,
        seed=seed,
        deadline_s=figures.deadline_s,
    )


def read(subject: Subject, result: GuestResult, policy: checked.Policy) -> Picture:
    """The picture of a guest; raises GuestError if it failed or recorded nothing."""
    result.check()
    try:
        text = result.files["picture.trace"].decode()
    except (KeyError, UnicodeDecodeError) as error:
        raise GuestError(f"cannot read the guest's trace: {error!r}") from error
    line = timeline.build(trace.parse(text))
    return of(line, subject.name, result.environment, rule_by_name(policy))


def of(
    line: Timeline, subject: str, environment: GuestEnvironment, rule_of: Callable[[str], str]
) -> Picture:
    """The picture of a timeline."""
    start = line.span.start_us
    return Picture(
        subject=subject,
        cpus=environment.cpus,
        length_us=line.span.length_us,
        spans=[
            Span(
                cpu=run.cpu,
                start_us=run.start_us - start,
                end_us=run.end_us - start,
                task=run.task.name,
                rule=rule_of(run.task.name),
            )
            for run in line.runs
            if run.task.pid != IDLE
        ],
        waiting_us=_waiting_us(line),
        environment=environment,
    )


def rule_by_name(policy: checked.Policy) -> Callable[[str], str]:
    """A function from the name of a task of the scenario to its rule."""

    def rule_of(name: str) -> str:
        kthread = name.startswith(_KTHREADS)
        task = reference.Task(comm=name.encode(), process=name.encode(), kthread=kthread)
        return reference.classify(policy, task).name

    return rule_of


def perfetto(pictures: Iterable[Picture]) -> str:
    """All pictures in Chrome's trace format, which ui.perfetto.dev opens: a process for each."""
    events: list[dict[str, object]] = []
    for number, picture in enumerate(pictures, 1):
        events.append(
            {"ph": "M", "name": "process_name", "pid": number, "args": {"name": picture.subject}}
        )
        events += [
            {"ph": "M", "name": "thread_name", "pid": number, "tid": cpu + 1,
             "args": {"name": f"CPU {cpu}"}}
            for cpu in range(picture.cpus)
        ]  # fmt: skip
        events += [
            {"ph": "X", "name": span.rule, "cat": "rule", "pid": number, "tid": span.cpu + 1,
             "ts": span.start_us, "dur": span.end_us - span.start_us, "args": {"task": span.task}}
            for span in picture.spans
        ]  # fmt: skip
    return json.dumps({"traceEvents": events, "displayTimeUnit": "ms"}) + "\n"


def _waiting_us(line: Timeline) -> dict[int, int]:
    changes = sorted(
        [(wait.start_us, 1) for wait in line.waits] + [(wait.end_us, -1) for wait in line.waits]
    )
    found = Counter[int]()
    before, waiting = line.span.start_us, 0
    for at, change in [*changes, (line.span.end_us, 0)]:
        found[waiting] += at - before
        before, waiting = at, waiting + change
    return {number: us for number, us in sorted(found.items()) if us}
