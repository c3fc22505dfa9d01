# SPDX-License-Identifier: Apache-2.0
"""`gthulhu record` as a command: its limits, its endings, its errors, and its pseudonyms."""

from __future__ import annotations

import argparse
import errno
import io
import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from typing_extensions import Buffer

import gtr
from gthulhu.commands import record as command
from gthulhu.record import writer
from gthulhu.record.events import Code
from gthulhu.record.framing import Block
from gthulhu.record.reader import Record
from gthulhuc.cli import frame
from gthulhuc.cli.commands import Parser

AT = gtr.BEGIN_NS
Run = Callable[..., int]
Play = Callable[..., None]


def parse(*arguments: str) -> argparse.Namespace:
    parser = Parser()
    command.add(parser.add_subparsers())
    return parser.parse_args(["record", *arguments])


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the command as root would."""
    monkeypatch.setattr(os, "geteuid", lambda: 0)

    def run(*arguments: str | Path) -> int:
        return frame.guarded(lambda: command.run(parse(*map(str, arguments))))

    return run


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Play:
    """Sets what gthulhu-record would write."""

    def play(blocks: Iterable[Block], then: str = "") -> None:
        program = gtr.fake_recorder(tmp_path, blocks, then=then)
        monkeypatch.setenv("GTHULHU_RECORD", str(program))

    return play


def test_time_ends_a_recording(
    run: Run, play: Play, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.gtr"
    play(gtr.small())
    assert run("-o", file, "--for", "1s") == 0
    said = capfd.readouterr()
    assert said.err == ""
    assert said.out.startswith(f"{file}: 0.0 s, 0 events")
    assert said.out.endswith("; the time was over\n")
    with Record.open(file) as record:
        assert (record.damage, record.end["ending"]) == (None, "time")
        assert len(list(record)) == 12
        assert len(record.info["recorder"]) == 2
        assert record.info["cpus"]
    assert file.stat().st_mode & 0o777 == 0o600


def noise(count: int) -> list[Block]:
    found = []
    for second in range(1, count + 1):
        at_ns = AT + second * gtr.SECOND
        rows = [gtr.text(at_ns, Code.PROGRAM, 7, os.urandom(64)) for _ in range(1000)]
        found += [gtr.events(second % 2, rows), gtr.round_at(at_ns, events=1000 * second)]
    return found


def test_size_limit_ends_a_recording_after_a_whole_round(
    run: Run, play: Play, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.gtr"
    play(noise(40))  # more than 2 MB
    assert run("-o", file, "--size", "1M") == 0
    assert "it ended early: the size limit was reached (--size)" in capfd.readouterr().err
    assert 900_000 < file.stat().st_size <= 1 << 20
    with Record.open(file) as record:
        assert (record.damage, record.end["ending"]) == (None, "size")
        assert len(list(record)) == 1000 * len(record.rounds)
        assert record.end["events"] == 1000 * len(record.rounds)


def test_cost_limit_ends_a_recording(
    run: Run, play: Play, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file, cpus = tmp_path / "a.gtr", os.cpu_count() or 1
    spent = [
        gtr.round_at(AT + second * gtr.SECOND, programs_ns=second * cpus * gtr.SECOND // 10)
        for second in range(1, 20)
    ]
    play(spent)
    assert run("-o", file) == 0
    assert "it cost more than was allowed (--cost)" in capfd.readouterr().err
    with Record.open(file) as record:
        assert record.end["ending"] == "cost"
        assert record.end_ns == AT + 7 * gtr.SECOND  # the first after 5 s of recording
    assert run("-o", file, "--force", "--cost", "50%") == 0
    with Record.open(file) as record:
        assert record.end["ending"] == "time"


def test_losses_are_shown_for_each_cpu(
    run: Run, play: Play, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.gtr"
    play([*gtr.small(), gtr.round_at(AT + 300, lost=[{"cpu": 1, "events": 42}])])
    assert run("-o", file) == 0
    said = capfd.readouterr()
    assert "42 lost" in said.out
    assert said.err == "warning: CPU 1 lost 42 events\n"
    assert run("--info", file) == 0
    assert "lost       42\n  CPU 1      42\n" in capfd.readouterr().out


def test_signal_ends_a_recording_in_order(run: Run, play: Play, tmp_path: Path) -> None:
    then = (
        "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])\n"
        "os.kill(os.getppid(), signal.SIGINT)\n"
        "assert signal.sigtimedwait([signal.SIGTERM], 60)\n"
    )
    play(gtr.small(), then)
    assert run("-o", tmp_path / "a.gtr", "--for", "0") == 0
    with Record.open(tmp_path / "a.gtr") as record:
        assert (record.damage, record.end["ending"]) == (None, "signal")


def test_kernel_that_refuses_is_quoted(
    run: Run, play: Play, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    said = "gthulhu-record: the kernel refuses: no\\n  help: run it as root\\n  | libbpf: no\\n"
    play([], f'sys.stderr.write("{said}"); sys.exit(1)')
    assert run("-o", tmp_path / "a.gtr") == 2
    assert capfd.readouterr().err == (
        "error: the kernel refuses: no\n  | libbpf: no\n  = help: run it as root\n"
    )
    assert not (tmp_path / "a.gtr").exists()


def test_recorder_that_is_killed_leaves_a_record(
    run: Run, play: Play, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    play(gtr.small(), "sys.stdout.write('GTRB'); sys.stdout.flush(); os.abort()")
    assert run("-o", tmp_path / "a.gtr") == 2
    assert "error: gthulhu-record ended without a reason" in capfd.readouterr().err
    with Record.open(tmp_path / "a.gtr") as record:
        assert (record.damage, record.end["ending"]) == (None, "failure")
        assert len(list(record)) == 12


class FullDisc(io.FileIO):
    """A file on a disc with little space."""

    space = 40_000

    def write(self, data: Buffer) -> int:
        if self.tell() + memoryview(data).nbytes > self.space:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(data)


def test_full_disc_leaves_a_record(
    run: Run, play: Play, tmp_path: Path, capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    file = tmp_path / "a.gtr"
    monkeypatch.setattr(writer, "new_file", lambda path, force: FullDisc(path, "w+"))
    play(noise(3))
    assert run("-o", file) == 2
    assert "cannot write" in (said := capfd.readouterr().err)
    assert "No space left on device" in said
    with Record.open(file) as record:
        assert (record.damage, record.end["ending"]) == (None, "disc")
        assert record.info["cpus"]


def test_only_root_records(
    run: Run, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert run("-o", tmp_path / "a.gtr") == 2
    assert capfd.readouterr().err == "error: recording needs root\n  = help: run it with sudo\n"
    assert list(tmp_path.iterdir()) == []


def test_file_is_replaced_only_on_demand(
    run: Run, play: Play, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.gtr"
    file.write_bytes(b"mine")
    play(gtr.small())
    assert run("-o", file) == 2
    assert "exists already" in capfd.readouterr().err
    assert file.read_bytes() == b"mine"
    assert run("-o", file, "--force") == 0
    assert run("-o", tmp_path / "no" / "a.gtr") == 2


@pytest.mark.parametrize(
    "arguments",
    [
        (), ("--info",), ("-o", "a", "--json"), ("-o", "a", "--keep", "p.gpl"),
        ("-o", "a", "b.gtr"),
        ("-o", "a", "--for", "1d"), ("-o", "a", "--for", "-1"), ("-o", "a", "--for", "8000000"),
        ("-o", "a", "--size", "4K"), ("-o", "a", "--size", "M"), ("-o", "a", "--cost", "0"),
        ("-o", "a", "--cost", "nan"),
    ],
)  # fmt: skip
def test_wrong_command_lines(run: Run, arguments: tuple[str, ...]) -> None:
    assert run(*arguments) == 2


def test_sizes_and_times() -> None:
    options = parse("-o", "a", "--for", "10m", "--size", "1gb", "--cost", "1.5%")
    assert (options.seconds, options.size, options.cost) == (600, 1 << 30, 0.015)


def test_info_as_json_and_of_damaged_records(
    run: Run, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = gtr.write(tmp_path / "a.gtr", gtr.small(), end=False)
    assert run("--info", file, "--json") == 1
    said = json.loads(capfd.readouterr().out)
    assert said["damage"].startswith("it was cut off")
    assert said["events"]["switch"] == 4
    assert said["names"] == {"web": 1, "db": 1}
    assert run("--info", file) == 1
    assert "warning: not all can be read: it was cut off" in capfd.readouterr().out


def test_hostile_names_do_not_reach_the_terminal(
    run: Run, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rows = [
        gtr.task(AT, 7, b"\x1b[2J\nx\xff"),
        gtr.cgroup(AT, 2, b"/\x1b]0;"),
        gtr.task(AT, 8, b""),
    ]
    file = gtr.write(tmp_path / "a.gtr", [gtr.events(0, rows), gtr.round_at(AT + 1)])
    assert run("--info", file) == 0
    out = capfd.readouterr().out
    assert "\x1b" not in out
    assert "\\x1b[2J" in out


POLICY = """
policy p {}
rule web { match unit == "web.service" and cmdline[1] == "--secret" priority high }
rule db { match comm in ["db", "other"] or exe under "/srv" priority high }
"""


@pytest.mark.parametrize("keeps", [False, True])
def test_pseudonyms(run: Run, tmp_path: Path, keeps: bool) -> None:
    file = gtr.write(tmp_path / "a.gtr", [
        gtr.events(1, [
            gtr.task(AT, 7, b"web"), gtr.task(AT, 8, b"db"), gtr.task(AT, 9, b"web"),
            gtr.cgroup(AT, 3, b"/system.slice/shop.service/web"),
            gtr.cgroup(AT, 4, b"/"),
            gtr.text(AT, Code.RENAME, 8, b"shopper".ljust(16, b"\0")),
        ]),
        *gtr.small(),
    ])  # fmt: skip
    (tmp_path / "p.gpl").write_text(POLICY)
    keep = ("--keep", tmp_path / "p.gpl") if keeps else ()
    shared = tmp_path / "shared.gtr"
    assert run("--anonymise", *keep, "-o", shared, file) == 0
    with Record.open(file) as before, Record.open(shared) as after:
        assert after.info["anonymised"]
        assert after.damage is None
        assert [type(event) for event in after] == [type(event) for event in before]
        assert [event.at_ns for event in after] == [event.at_ns for event in before]
        first, _, third = (after.tasks[number][0].names[0][1] for number in (7, 8, 9))
        assert first == third == b"task-1"
        db = after.tasks[8][0].names[0][1]
        assert (db == b"db") is keeps
        content = b"".join(block.content for block in after.blocks())
        hidden = [b"shop.service", b"shopper"]
        known = [b"--secret", b"web.service", b"/srv"]
        assert not any(name in content for name in hidden)
        assert all((name in content) is keeps for name in known)
        assert after.cgroups[4] == b"/"
        path = after.cgroups[3].split(b"/")
        assert [len(part) > 0 for part in path] == [False, True, True, True]
        assert path[2].endswith(b".service")


def test_kept_policy_has_to_be_valid(
    run: Run, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "p.gpl").write_text("policy p {} rule x { }")
    assert run("--anonymise", "--keep", tmp_path / "p.gpl", "-o", tmp_path / "a.gtr") == 1
    assert "p.gpl" in capfd.readouterr().err


def test_recording_is_anonymous_from_the_start(run: Run, play: Play, tmp_path: Path) -> None:
    play(gtr.small())
    assert run("--anonymise", "-o", tmp_path / "a.gtr") == 0
    with Record.open(tmp_path / "a.gtr") as record:
        assert "interrupts" not in record.info
        assert record.tasks[7][0].name == b"task-1"
        assert b"secret" not in b"".join(block.content for block in record.blocks())
