# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Records a moment of a scenario: which rule had which CPU, and how many tasks waited.

It has a guest of its own, because recording takes instructions, which would change the figures.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from pydantic import BaseModel, ConfigDict

from gthulhu_lab import timeline, trace
from gthulhu_lab.experiment import Experiment
from gthulhu_lab.measure import ScenarioExperiment
from gthulhu_lab.paths import GUEST_SCRIPTS
from gthulhu_lab.request import GuestEnvironment, GuestFiles, GuestRequest, GuestResult
from gthulhu_lab.timeline import IDLE, Timeline
from gthulhuc import checked, reference

RECORD_S = 0.2
# Prefixes of the guest's kernel threads; none of its other tasks has one.
_KTHREADS = (
    "cpuhp/", "kcompactd", "kdamond", "khungtaskd", "ksoftirqd/", "kthreadd", "kworker/",
    "migration/", "rcu_",
)  # fmt: skip


class CpuSpan(BaseModel):
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
    spans: list[CpuSpan]
    waiting_us: dict[int, int]  # by number of waiting tasks: for how long so many waited
    environment: GuestEnvironment

    def rules(self) -> list[str]:
        """The rules whose tasks ran, those with the most CPU time first."""
        used = Counter[str]()
        for span in self.spans:
            used[span.rule] += span.end_us - span.start_us
        return [rule for rule, _ in used.most_common()]


@dataclass(frozen=True, slots=True)
class PictureExperiment(Experiment[Picture]):
    """A recording of the guest of the figures; tasks are named by the rules of `policy`."""

    model = Picture

    figures: ScenarioExperiment
    policy: checked.Policy

    def __str__(self) -> str:
        return f"recording {self.figures.subject.name}"

    @property
    def names(self) -> dict[str, str]:
        return self.figures.names

    @property
    def reading(self) -> str:
        # Libraries have rules, too.
        return "-".join(part.source.sha256[:16] for part in self.policy.sources)

    def request(self) -> GuestRequest:
        """The guest of the figures with a recording."""
        figures = self.figures.request()
        scenario = self.figures.scenario.to_shell()
        files: GuestFiles = {
            **figures.files,
            "scenario.sh": f"{scenario}RECORD_S={RECORD_S:g}\n".encode(),
            "trace.sh": GUEST_SCRIPTS / "trace.sh",
        }
        return replace(figures, script=(GUEST_SCRIPTS / "picture.sh").read_text(), files=files)

    def read(self, result: GuestResult) -> Picture:
        """The picture of the guest. Raises GuestError if it recorded nothing."""
        line = timeline.build(trace.parse(result.text("picture.trace")))
        subject = self.figures.subject.name
        return of(line, subject, result.environment, rule_by_name(self.policy))


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
            CpuSpan(
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
