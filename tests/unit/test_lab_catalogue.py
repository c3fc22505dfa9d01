# SPDX-License-Identifier: Apache-2.0
"""The catalogue of workloads: complete, with the right commands."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from gthulhu_lab import catalogue
from gthulhu_lab.errors import LabError
from gthulhu_lab.experiment import Variation
from gthulhu_lab.measure import EEVDF
from gthulhu_lab.request import Clock
from gthulhu_lab.verify import check, claims, scene
from gthulhu_lab.verify.claims import Method
from gthulhu_lab.wall import Setup
from gthulhuc.cli import gthulhu
from library import policy_of

DOCS = Path(__file__).parents[2] / "docs" / "lab.md"
TABLE = re.compile(r"(?<=^\| workload \| models )(.*\n\|[-| ]+\n)((?:\|.*\n)*)", re.MULTILINE)
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


def test_every_workload_has_a_command_and_a_folder_for_its_reports() -> None:
    for workload in catalogue.load().values():
        command = workload.command(cpus=2, seconds=3, results="/r")
        assert not any(brace in word for word in command for brace in "{}")
        assert bool(workload.reports) == any("/r" in word for word in command), workload.name


def test_an_unknown_workload_is_reported_with_the_nearest() -> None:
    with pytest.raises(LabError, match="Did you mean pipe"):
        catalogue.find("pip")


def test_an_unknown_parameter_is_refused() -> None:
    with pytest.raises(LabError, match="waker has no parameter period"):
        catalogue.find("waker").command(cpus=1, seconds=1, results="/r", period=1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"arguments": ["{period_us}", "{speed}"]}, "unknown placeholder {speed}"),
        ({"arguments": []}, "no argument uses the parameter period_us"),
        ({"program": "nothing"}, "unknown program nothing"),
        ({"unknown": 1}, "unknown"),
        ({"reports": ["speed"]}, "reports"),
        ({"exact": ["time"]}, "time is exact but not reported"),
        ({"exact": ["rate"], "clock": "wall"}, "no figure is exact"),
    ],
)
def test_an_entry_that_cannot_be_right_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        catalogue.Workload.model_validate({**ENTRY, **change})


OWN = """
[buffers]
models = "a player"
unit = "a player"
program = "periodic"
arguments = ["{amount}", "5000", "{phase_us}", "{seconds}"]
reports = []
clock = "exact"

[report]
models = "a report"
unit = "a report"
program = "repeat"
tool = "./report.sh"
arguments = ["{amount}", "{seconds}", "{results}", "{tool}", "-v"]
reports = ["time"]
clock = "exact"
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A folder with workloads of its user's."""
    (tmp_path / "workloads.toml").write_text(OWN)
    (tmp_path / "report.sh").write_text("#!/bin/sh\n")
    (tmp_path / "report.sh").chmod(0o755)
    return tmp_path


def test_user_workloads_come_after_those_of_the_lab(own: Path) -> None:
    known = catalogue.load(own)

    assert list(known) == [*catalogue.load(), "buffers", "report"]
    report = known["report"].command(cpus=4, seconds=9, results="/r")
    assert report == ("repeat", "4", "9", "/r", "/own/report.sh", "-v")
    assert catalogue.files([known["report"]])["/own/report.sh"] == own / "report.sh"
    assert catalogue.load(own / "elsewhere") == catalogue.load()


def test_verify_knows_workloads_next_to_a_policy(own: Path) -> None:
    known = catalogue.load(own)
    found = policy_of(
        'policy p {} rule a { match comm == "a" priority high }'
        "expect buffers as a under report 2x { max(wakeup a) < 1ms }"
        "expect report as a { time(report) < 1s }"
    )

    assert not check.mistakes(found.expectations, known)
    assert len(check.scenes("p.gpl", found, found.expectations, known)) == 2
    assert len(check.mistakes(found.expectations, catalogue.load())) == 3
    (claim,) = claims.read(found.expectations[1])
    assert claim.method is Method.TIMED
    built = scene.build(found, found.expectations[0], known)
    request = scene.request(
        built, EEVDF, Variation.number(0), is_policy=False, kernel="7.2", cpus=2,
        clock=Clock.ICOUNT, window_s=1.5,
    )  # fmt: skip
    assert request.files["/own/report.sh"] == own / "report.sh"


def test_bench_accepts_own_workloads(own: Path) -> None:
    setup = Setup.parse("report under buffers 1x", catalogue.load(own))

    assert (setup.workload.name, [load.name for load, _ in setup.loads]) == ("report", ["buffers"])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[buffers]", "[waker]", r"\[waker\]: the lab has a workload of this name"),
        ("[buffers]", "[buffers", "cannot read"),
        ("[buffers]", "buffers = 1\n[other]", r"\[buffers\]: expected a table"),
        ("./report.sh", "./none.sh", r"\[report\]: ./none.sh is not an executable file"),
        ("./report.sh", "none", "unknown tool none"),
        ('unit = "a player"\n', "", r"\[buffers\]: unit: Field required"),
        ('"periodic"', '"player"', "unknown program player"),
        (
            'reports = ["time"]',
            'reports = ["time"]\nexact = ["time"]',
            "is for the lab's own workloads",
        ),
    ],
)
def test_errors_in_own_workloads_name_the_file(own: Path, old: str, new: str, message: str) -> None:
    (own / "workloads.toml").write_text(OWN.replace(old, new, 1))

    with pytest.raises(LabError, match=message) as raised:
        catalogue.load(own)

    assert f"{own}/workloads.toml: " in raised.value.message


def test_the_list_shows_what_each_workload_models(capsys: pytest.CaptureFixture[str]) -> None:
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
