# SPDX-License-Identifier: Apache-2.0
"""The walk of docs/operations.md, as it stands there, through a Debian that has nothing of ours.

Three things are otherwise than the manual says: what it has `apt` install the guest has from the
beginning (just that, and what every Debian has); pip takes the packages that ours depends on from a
folder, not from an index, and leaves it to Python to compile them when they are used; and clang
compiles one policy, while the objects of the others are there.
"""

from __future__ import annotations

import re
import subprocess
import zipfile
from pathlib import Path

import pytest

import guest_python
import promtool
import walk
import wheels
from gthulhu_lab import vm
from gthulhu_lab.request import Clock
from gthulhuc.codegen.clang import find_clang

pytestmark = [pytest.mark.vm, pytest.mark.soak]

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
MANUAL = ROOT / "docs" / "operations.md"
EVERY_DEBIAN = ("bash", "coreutils", "findutils", "grep", "mawk", "sed")
WHEELS = "/srv/wheels"
# The manual's release after this one.
NEXT = "0.1.1"


BLOCKS = walk.blocks_of(MANUAL.read_text())
COMMANDS = walk.commands_of(BLOCKS)
# The generation in force when manual.sh begins.
*_, LAST_SWAP = re.findall(
    r"^web, generation (\d+), is in force; it replaced",
    MANUAL.read_text().partition("\n## Upgrade\n")[0],
    re.MULTILINE,
)
INSTALL = next(command for command in COMMANDS if command.text.startswith("apt install "))


def script() -> str:
    """Each command is read by the same shell, so that what one sets the next one has."""
    lines = [
        "mkdir -p /usr/local/bin",  # which every Debian has
        "cd /root",
        "export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        f"PATH={guest_python.KNOWN}/bin:$PATH",
        f"export PIP_NO_INDEX=1 PIP_FIND_LINKS={WHEELS} PIP_COMPILE=0",
    ]
    for block in BLOCKS:
        if block.section == "Upgrade":
            lines.append(". $LAB/manual.sh")
        for command in block.commands:
            if command is not INSTALL:
                lines += walk.lines([command], "$LAB/walk")
                lines.append(f"cat /sys/kernel/sched_ext/enable_seq >$RESULTS/{command.name}.loads")
    return "\n".join(lines) + "\n"


# ---- what is installed --------------------------------------------------------------------------


def release(wheel: Path, version: str) -> Path:
    """The same as a later release."""
    name, now, tags = wheel.name.split("-", 2)
    later = wheel.with_name(f"{name}-{version}-{tags}")
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(later, "w") as new:
        for file in old.infolist():
            content = old.read(file)
            if file.filename.endswith(("/METADATA", "/RECORD")):
                content = content.replace(
                    f"Version: {now}".encode(), f"Version: {version}".encode()
                )
                content = content.replace(f"{name}-{now}.".encode(), f"{name}-{version}.".encode())
            file.filename = file.filename.replace(f"{name}-{now}.", f"{name}-{version}.")
            new.writestr(file, content)
    return later


def objects_of_others(folder: Path) -> list[Path]:
    """Objects that the compiler did not write, or not for such a machine."""
    targets = {folder / "big-endian.o": "bpfeb", folder / "foreign.o": "bpf"}
    for path, target in targets.items():
        command = [find_clang(), "-g", "-target", target, "-x", "c", "-c", "-", "-o", str(path)]
        subprocess.run(command, input=b"int other;", check=True)
    return list(targets)


def objects(folder: Path) -> dict[str, bytes]:
    """Returns those of the manual's policies for clang's place, but for the one with a promise."""
    written = [each.text for each in COMMANDS if re.match(r"(cat >+ ?\w+\.gpl|sed) ", each.text)]
    found: dict[str, bytes] = {}
    for texts, options in ((written[:2], ("--monitor", "--stats")), (written[2:], ("--stats",))):
        subprocess.run(["bash", "-ec", "\n".join(texts)], cwd=folder, check=True)
        for option in options:
            found |= guest_python.compiled(folder, option)
    return found


@pytest.fixture(scope="module")
def guest(tmp_path_factory: pytest.TempPathFactory) -> vm.GuestResult:
    wheel = wheels.build(tmp_path_factory.mktemp("wheel"))
    asked = re.search(r"\.whl\[(\S+)\]", MANUAL.read_text())
    assert asked
    brought = [wheel, release(wheel, NEXT)]
    walked = {f"walk/{name}": content for name, content in walk.files(COMMANDS).items()}
    needed = wheels.dependencies(wheel, asked[1])
    packages = [word for word in INSTALL.text.split()[2:] if not word.startswith("-")]
    request = vm.GuestRequest(
        script="exec bash $LAB/walk.sh",
        clock=Clock.TCG_TURNS,
        packages=(*EVERY_DEBIAN, *packages),
        memory_mib=3072,
        files={
            **{f"/root/{file.name}": file for file in brought},
            **{f"{WHEELS}/{file.name}": file for file in needed.iterdir()},
            **walked,
            "walk.sh": script().encode(),
            f"{guest_python.KNOWN}/bin/clang-19": guest_python.clang_that_keeps(
                "/usr/bin/clang-19"
            ),
            **objects(tmp_path_factory.mktemp("policies")),
            "manual.sh": HERE / "manual.sh",
            **{path.name: path for path in objects_of_others(tmp_path_factory.mktemp("objects"))},
        },
        deadline_s=1800,
    )
    return vm.run(request).check()


def text(guest: vm.GuestResult, name: str) -> str:
    return guest.files[name].decode()


# ---- the walk -----------------------------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: f"line {command.line}")
def test_each_command_ends_as_the_manual_says(guest: vm.GuestResult, command: walk.Command) -> None:
    if command is not INSTALL:
        walk.check_status(command, guest.files)


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.shown is not None], ids=str)
def test_shown_text_matches_the_output(guest: vm.GuestResult, block: walk.Block) -> None:
    walk.check_shown(block, guest.files)


def test_the_manual_leads_from_install_to_rollback() -> None:
    walked = " ".join(command.text for command in COMMANDS)
    for word in (
        "install", "doctor", "check", "run", "--monitor", "status", "label", "explain", "stats",
        "set", "swap", "rollback", "trace", "stop", "systemctl enable", "curl",
    ):  # fmt: skip
        assert f" {word} " in walked or walked.startswith(f"{word} "), word


def test_an_upgrade_leaves_the_policy_alone_until_the_service_is_restarted(
    guest: vm.GuestResult,
) -> None:
    (upgrade,) = (block for block in BLOCKS if block.section == "Upgrade")
    loads = [int(text(guest, f"{command.name}.loads")) for command in upgrade.commands]
    restart = next(
        number for number, command in enumerate(upgrade.commands)
        if command.text.startswith("systemctl restart ")
    )  # fmt: skip
    assert set(loads[:restart]) == {loads[0]}
    assert loads[restart] == loads[0] + 1


def test_the_counters_are_served_without_any_capability(guest: vm.GuestResult) -> None:
    assert dict(line.split() for line in text(guest, "metrics.confined").splitlines()) == {
        "CapBnd:": f"{0:016}", "CapEff:": f"{0:016}", "NoNewPrivs:": "1", "Seccomp:": "2",
    }  # fmt: skip


def test_prometheus_accepts_what_is_served(guest: vm.GuestResult) -> None:
    assert b"\ngthulhu_wait_seconds_bucket{" in guest.files["metrics"]
    assert promtool.complaints(guest.files["metrics"]) == ""


# ---- what may go wrong where policies are compiled ----------------------------------------------

FAULTS = {
    "disk-full": (2, "cannot write out/web.bpf.o: No space left on device"),
    "no-room": (2, "/usr/bin/clang-19 has no space in the temporary folder"),
    "no-clang": (2, "clang was not found"),
    "exits": (2, "/root/exits failed and is not clang"),
    "killed": (2, "/root/killed was killed (SIGKILL)"),
    "rubbish": (2, "/root/rubbish reported success but wrote a file that is not a BPF "),
    "truncated": (1, "truncated.o: truncated or corrupt ELF object"),
    "big-endian": (1, "big-endian.o: built for a big-endian machine, this one is little-"),
    "foreign": (1, "foreign.o: a BPF object, but not a policy: gthulhuc did not write it"),
    "machine": (1, "machine.o: an ELF file, but not a BPF object (machine 62, type 3)"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_told_and_changes_nothing(guest: vm.GuestResult, name: str) -> None:
    """The reason in a line, with a remedy; the policy in force stays, and no file is left."""
    status, reason = FAULTS[name]
    said = text(guest, f"fault-{name}.out")
    told, remedy, *more = said.splitlines()
    assert (told.partition(": ")[0], remedy.partition(": ")[0]) == ("error", "  = help"), said
    assert reason in told, said
    # The loader refuses objects, and says what that leaves; without one it has not been asked.
    left = [f"  = note: web, generation {LAST_SWAP}, is still in force"]
    assert more == (left if status == 1 else []), said
    assert int(text(guest, f"fault-{name}.status")) == status, said
    assert text(guest, f"fault-{name}.changed") == ""
