# SPDX-License-Identifier: Apache-2.0
"""The action for policy authors and the project's workflow, as GitHub runs them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
import yaml

from gthulhuc.cli import gthulhu

ROOT = Path(__file__).parents[2]
ACTION = ROOT / ".github" / "actions" / "verify"
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))

FAKE = """#!/bin/sh
echo "$@" >>"$CALLS"
for last; do :; done
case "$1 $2" in
"verify "*bad*) echo "wakeup: 9 ms, more than 1 ms"; exit 1 ;;
"verify "*odd*) echo "no lab" >&2; exit 2 ;;
verify*) echo "all claims hold"; echo "{}" >"$6" ;;
esac
"""


@pytest.mark.parametrize(
    ("schema", "file"),
    [
        ("vendor.github-actions", ACTION / "action.yml"),
        *(("vendor.github-workflows", file) for file in WORKFLOWS),
    ],
    ids=lambda value: value.name if isinstance(value, Path) else value,
)
def test_github_understands_it(schema: str, file: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, file],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize("file", [ACTION / "action.yml", *WORKFLOWS], ids=lambda file: file.name)
def test_untrusted_text_never_becomes_a_command(file: Path) -> None:
    """GitHub puts expressions into scripts as they are: a branch's name could be a command."""

    def scripts(node: Any) -> Iterator[str]:
        if isinstance(node, dict):
            if isinstance(node.get("run"), str):
                yield node["run"]
            for value in node.values():
                yield from scripts(value)
        elif isinstance(node, list):
            for value in node:
                yield from scripts(value)

    found = list(scripts(yaml.safe_load(file.read_text())))
    assert found
    assert [script for script in found if "${{" in script] == []


def test_workflows_use_valid_command_lines() -> None:
    lines = [
        re.split(r" [|]", line.partition(".venv/bin/gthulhu ")[2])[0]
        for file in WORKFLOWS
        for line in file.read_text().replace("\\\n", " ").split("\n")
        if ".venv/bin/gthulhu " in line
    ]
    assert len(lines) == 3
    for line in lines:
        gthulhu.make_parser().parse_args(line.split())


def test_the_parts_of_the_soak_are_all_of_it() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "soak.yml").read_text())
    parts = workflow["jobs"]["soak"]["strategy"]["matrix"]["include"]
    words = [word for part in parts for word in part["tests"].split()]
    ignored = {word.partition("=")[2] for word in words if word.startswith("--ignore=")}
    files = {word for word in words if word.startswith("tests/vm/")}
    assert ignored
    assert ignored == files
    assert all((ROOT / file).exists() for file in files)
    assert {"tests/vm", "tests/unit"} <= set(words)


@dataclass
class Run:
    """The script's folder, what it called, and how it ended."""

    folder: Path
    calls: list[str]
    status: int


def verify(folder: Path, policies: str, *names: str) -> Run:
    (folder / "bin").mkdir()
    program = folder / "bin" / "gthulhu"
    program.write_text(FAKE)
    program.chmod(0o755)
    for name in names:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).touch()
    environ = {
        "PATH": f"{folder / 'bin'}:/usr/bin:/bin", "CALLS": str(folder / "calls"),
        "POLICIES": policies, "KERNEL": "7.2", "OPTIONS": "--seeds 5",
    }  # fmt: skip
    result = subprocess.run(
        [ACTION / "verify.sh", "out"], cwd=folder, env=environ, check=False, capture_output=True
    )
    calls = folder / "calls"
    made = calls.read_text().splitlines() if calls.exists() else []
    return Run(folder / "out", made, result.returncode)


def test_all_policies_are_checked_and_verified(tmp_path: Path) -> None:
    run = verify(tmp_path, "p/*.gpl other.gpl", "p/a.gpl", "p/b c.gpl", "other.gpl")

    assert run.status == 0
    assert run.calls[0] == "check --format github p/a.gpl p/b c.gpl other.gpl"
    assert run.calls[1] == (
        "verify p/a.gpl --kernel 7.2 --seeds 5 --json out/p-a.json --junit out/p-a.xml"
    )
    assert len(run.calls) == 4
    table = (run.folder / "table.md").read_text()
    assert table.startswith("<!-- gthulhu verify -->\n")
    assert table.count("✅") == 3
    assert "✅ `p/b c.gpl` on 7.2\n\n```\nall claims hold\n```\n" in table


@pytest.mark.parametrize(
    ("names", "status", "said"),
    [
        (("bad.gpl", "good.gpl"), 1, "9 ms, more than 1 ms"),
        (("odd.gpl", "bad.gpl", "good.gpl"), 2, "no verdict; the log says why"),
    ],
)
def test_failing_policy_does_not_stop_the_others(
    names: tuple[str, ...], status: int, said: str, tmp_path: Path
) -> None:
    run = verify(tmp_path, "*.gpl", *names)

    assert run.status == status
    assert len(run.calls) == 1 + len(names)
    table = (run.folder / "table.md").read_text()
    assert table.count("✅") == 1
    assert table.count("❌") == len(names) - 1
    assert said in table


def test_no_policy_at_all_is_a_failure(tmp_path: Path) -> None:
    run = verify(tmp_path, "policies/*.gpl")

    assert (run.status, run.calls) == (2, [])
    assert "No policy matches `policies/*.gpl`" in (run.folder / "table.md").read_text()


@dataclass
class GitHub:
    """Comments of one pull request, as GitHub's API has them; what was asked of it."""

    comments: list[dict[str, Any]]
    asked: list[tuple[str, str, str | None]] = field(default_factory=list)


class Handler(BaseHTTPRequestHandler):
    hub: ClassVar[GitHub]

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        text = json.loads(body)["body"] if body else None
        assert self.headers["Authorization"] == "Bearer secret"
        self.hub.asked.append((self.command, self.path.partition("?")[0], text))
        answer: Any = {}
        if self.command == "GET":
            page = int(self.path.rpartition("=")[2])
            answer = self.hub.comments[100 * (page - 1) : 100 * page]
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    do_GET = do_POST = do_PATCH = _answer

    def log_message(self, *_arguments: object) -> None:
        pass


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[GitHub]:
    Handler.hub = GitHub([{"id": number, "body": f"talk {number}"} for number in range(130)])
    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    monkeypatch.setenv("GITHUB_API_URL", f"http://127.0.0.1:{server.server_port}")
    for name, value in (("REPOSITORY", "me/policies"), ("TOKEN", "secret")):
        monkeypatch.setenv(f"GITHUB_{name}", value)
    monkeypatch.setenv("PULL_REQUEST", "5")
    yield Handler.hub
    server.shutdown()
    thread.join()
    server.server_close()


def comment(folder: Path, text: str) -> None:
    (folder / "table.md").write_text(text)
    subprocess.run(
        [sys.executable, ACTION / "comment.py", folder / "table.md"], check=True, env=os.environ
    )


def test_the_table_becomes_one_comment_that_is_kept_up(tmp_path: Path, hub: GitHub) -> None:
    text = "<!-- gthulhu verify -->\n✅\n"
    comment(tmp_path, text)
    assert hub.asked[-1] == ("POST", "/repos/me/policies/issues/5/comments", text)

    hub.comments[110]["body"] = text
    comment(tmp_path, text + "x" * 70_000)
    method, path, body = hub.asked[-1]
    assert (method, path) == ("PATCH", "/repos/me/policies/issues/comments/110")
    assert body is not None
    assert len(body) < 65_536
    assert body.endswith("the artifact has all of it\n")
