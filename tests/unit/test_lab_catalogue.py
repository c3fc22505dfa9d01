# SPDX-License-Identifier: Apache-2.0
"""The catalogue of workloads: complete, and its commands as they are to be."""

from __future__ import annotations

import re
from typing import Any

import pytest
from pydantic import ValidationError

from gthulhu_lab import catalogue, paths
from gthulhu_lab.errors import LabError
from gthulhuc.cli import gthulhu

DOCS = paths.REPOSITORY / "docs" / "lab.md"
TABLE = re.compile(r"(?<=^\| workload \| models )(.*\n\|[-|]+\n)((?:\|.*\n)*)", re.MULTILINE)
ENTRY: dict[str, Any] = {
    "name": "sample", "models": "something", "idea": "somebody's", "unit": "a process",
    "program": "periodic", "arguments": ["{amount}", "{period_us}"], "reports": ["rate"],
    "clock": "exact", "parameters": {"period_us": {"value": 10, "means": "time"}},
}  # fmt: skip


def test_a_command_has_what_it_was_asked_for() -> None:
    waker = catalogue.find("waker")

    asked = waker.command(cpus=4, amount=2, seconds=9, phase_us=7, results="/r", period_us=500)

    assert asked == ("periodic", "2", "500", "7", "9")


def test_without_an_amount_there_is_a_unit_for_each_cpu() -> None:
    assert catalogue.find("hogs").command(cpus=4, seconds=9, results="/r") == ("hog", "4")


def test_an_amount_is_rounded_up_to_whole_units() -> None:
    amounts = {"2x": (2000, 4), "1.5x": (1500, 3), "0.1x": (100, 4)}

    found = {name: catalogue.units(*amount) for name, amount in amounts.items()}

    assert found == {"2x": 8, "1.5x": 5, "0.1x": 1}


def test_every_workload_has_a_command_and_the_folder_of_what_it_reports() -> None:
    for workload in catalogue.load().values():
        command = workload.command(cpus=2, seconds=3, results="/r")
        assert not any(brace in word for word in command for brace in "{}")
        assert bool(workload.reports) == any("/r" in word for word in command), workload.name


def test_an_unknown_workload_is_told_with_the_nearest() -> None:
    with pytest.raises(LabError, match="Did you mean pipe"):
        catalogue.find("pip")


def test_an_unknown_parameter_is_refused() -> None:
    with pytest.raises(LabError, match="waker has no parameter period"):
        catalogue.find("waker").command(cpus=1, seconds=1, results="/r", period=1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"arguments": ["{period_us}", "{speed}"]}, "nothing gives {speed} a value"),
        ({"arguments": []}, "no argument is the parameter period_us"),
        ({"program": "nothing"}, "nothing is no program"),
        ({"unknown": 1}, "unknown"),
        ({"reports": ["speed"]}, "reports"),
        ({"exact": ["time"]}, "time is exact, and not reported"),
        ({"exact": ["rate"], "clock": "wall"}, "nothing is exact"),
    ],
)
def test_an_entry_that_cannot_be_right_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        catalogue.Workload.model_validate({**ENTRY, **change})


def test_the_list_has_all_with_what_they_model(capsys: pytest.CaptureFixture[str]) -> None:
    assert gthulhu.main(["lab", "workloads"]) == 0

    said = capsys.readouterr().out
    for workload in catalogue.load().values():
        assert f"\n{workload.name} " in f"\n{said}"
        assert workload.models in said


def test_the_manual_has_the_whole_catalogue(pytestconfig: pytest.Config) -> None:
    wanted = "".join(row(workload) for workload in catalogue.load().values())
    text = DOCS.read_text()
    if pytestconfig.getoption("--renew"):
        DOCS.write_text(TABLE.sub(lambda match: match[1] + wanted, text))
        return
    table = TABLE.search(text)
    assert table is not None
    assert table[2] == wanted


def row(workload: catalogue.Workload) -> str:
    parameters = (f"`{name}` {entry.value}" for name, entry in workload.parameters.items())
    reports = ", ".join(
        f"`{report}`{' (*exact*)' * (report in workload.exact)}" for report in workload.reports
    )
    if workload.clock is catalogue.Fit.WALL:
        reports += " (*wall*)"
    cells = (
        f"`{workload.name}`", workload.models, workload.idea, workload.unit,
        ", ".join(parameters), reports,
    )  # fmt: skip
    return f"| {' | '.join(cells)} |\n"
