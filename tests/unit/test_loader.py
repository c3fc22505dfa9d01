# SPDX-License-Identifier: Apache-2.0
"""Output of gthulhu-loader that needs no kernel, with sanitizers."""

from __future__ import annotations

import os
import random
import re
import shutil
import struct
import subprocess
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

import loader_objects
from gthulhuc.codegen.clang import find_clang

ROOT = Path(__file__).parents[2]
LOADER = ROOT / "build" / "runtime-sanitize" / "gthulhu-loader"
COMPILE_AGAIN = "compile the policy again"
NOT_OURS = "gthulhuc POLICY.gpl -o POLICY.bpf.o"


@pytest.fixture(scope="module", autouse=True)
def _build_loader() -> None:
    subprocess.run(["make", "-s", "-C", ROOT / "runtime", "SANITIZE=1", "all"], check=True)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return loader_objects.build(tmp_path_factory.mktemp("objects") / "fifo.bpf.o")


def test_wheel_is_reproducible() -> None:
    """On the deterministic clock one changed byte of it sends a guest down another path."""
    loader = ROOT / "runtime" / "gthulhu-loader"
    subprocess.run(["make", "-s", "-C", ROOT / "runtime", "all"], check=True)
    assert bytes(ROOT) not in loader.read_bytes()


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    result = subprocess.run(
        [LOADER, *arguments],
        capture_output=True, text=True, errors="replace", check=False, timeout=60,
    )  # fmt: skip
    for sanitizer in ("AddressSanitizer", "LeakSanitizer", "runtime error"):
        assert sanitizer not in result.stderr, result.stderr
    return result


def refusal(*arguments: str | Path) -> str:
    """Returns its refusal, which must be one line, with at most a remedy."""
    result = run(*arguments)
    assert result.returncode == 1, result.stderr
    assert result.stdout == ""
    assert result.stderr.startswith("gthulhu-loader: ")
    return result.stderr


def test_c_units() -> None:
    subprocess.run(["make", "-s", "-C", ROOT / "runtime", "SANITIZE=1", "check"], check=True)


def test_valid_object_is_accepted(sound: Path) -> None:
    result = run("--check", sound)
    assert result.returncode == 0, result.stderr
    assert result.stdout == f"{sound}: valid (policy fifo of fifo.gpl, ABI 3)\n"
    assert run("--check", "--quiet", sound).stdout == ""


def test_version_and_help() -> None:
    version = re.search(r'^version = "(.*)"', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert version
    assert run("--version").stdout.startswith(f"gthulhu-loader {version[1]} (ABI 3, libbpf ")
    help_text = run("--help").stdout
    for status in range(5):
        assert f"\n  {status}  " in help_text


@pytest.mark.parametrize(
    "arguments",
    [(), ("a", "b"), ("--frob",), ("--check",), ("-q",), ("--doctor", "a", "b")],
)
def test_wrong_command_line(arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert result.returncode == 2
    assert result.stdout == ""
    assert "--help" in result.stderr


def test_doctor_on_this_machine(sound: Path, tmp_path: Path) -> None:
    """In any case the findings have their form, and the status follows from them."""
    (tmp_path / "bad.bpf.o").write_text("")
    has_sched_ext = Path("/sys/kernel/sched_ext").exists()
    fits = "ok" if has_sched_ext else "note"
    for object_, level in ((sound, fits), (tmp_path / "bad.bpf.o", "error")):
        result = run("--doctor", object_)
        assert result.stderr == ""
        findings = [line.split("\t") for line in result.stdout.splitlines()]
        assert {len(finding) for finding in findings} <= {3, 4}
        levels = [finding[0] for finding in findings]
        assert set(levels) <= {"ok", "note", "warning", "error"}
        assert result.returncode == ("error" in levels)
        ((found, text),) = [(each[0], each[2]) for each in findings if each[1] == "object"]
        assert found == level
        assert ("fits this machine" in text) == (level == "ok")
        assert {"kernel", "permission", "cpus", "cgroups"} < {finding[1] for finding in findings}


def compiled(folder: Path, rules: str, settings: str = "") -> Path:
    policy, output = folder / "p.gpl", folder / "p.bpf.o"
    policy.write_text(f"policy p {{ {settings} }}\n{rules}\n")
    subprocess.run(["gthulhuc", "-Wno-all", policy, "-o", output], check=True)
    return output


@pytest.mark.parametrize(("word", "notes"), [("weight", 0), ("limit", 1), ("on", 1)])
def test_doctor_tells_who_counts_throttling(tmp_path: Path, word: str, notes: int) -> None:
    object_ = compiled(tmp_path, "default {}", f"cgroups {word}")
    assert run("--doctor", object_).stdout.count("note\tlimits\t") == notes


def test_doctor_tells_which_cpus_rules_get(tmp_path: Path) -> None:
    """A choice leaves out what another rule has for itself, as far as there are others."""
    online = sorted(os.sched_getaffinity(0))
    rules = (
        f'rule own {{ match comm == "a" cpus {online[0]} exclusive core }}\n'
        'rule one  { match comm == "b" cpus any 1 }\n'
        'rule two  { match comm == "c" cpus 1 of llc prefer }\n'
        'rule fast { match comm == "d" cpus fast prefer }\n'
        'rule node { match comm == "e" cpus node 0 prefer }\n'
    )
    result = run("--doctor", compiled(tmp_path, rules))
    placed = dict(re.findall(r"\tplaced\trule `(\w+)`: `[^`]+` is CPU (\S+)", result.stdout))
    if not placed:
        # All CPUs are threads of one core.
        assert "takes the last CPU that is online" in result.stdout
        return
    assert {"one", "two", "fast", "node"} <= placed.keys()
    assert placed["one"].isdigit()
    assert int(placed["one"]) in online[1:]


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("cpus node 77", "rule `lost` (p.gpl:2) names `node 77`; this machine has node "),
        ("cpus llc 999", "rule `lost` (p.gpl:2) names `llc 999`; this machine has llc "),
        ('cpus irq "nobody-here"', 'names `irq "nobody-here"`; this machine has the interrupts '),
        ("cpus 1020-1023", "rule `lost` (p.gpl:2) needs CPU 1020-1023; this machine has "),
        ("cpus 900 of node", "rule `lost` (p.gpl:2) asks for `900 of node`; of the CPUs that are"),
        ("cpus 0-1023 exclusive", "rule `lost` (p.gpl:2) takes the last CPU that is online"),
        (
            'cpus node 0 exclusive } rule owner { match comm == "y" cpus any 1 exclusive',
            "rule `owner` (p.gpl:2) asks for `any 1`; other rules have all CPUs",
        ),
    ],
)
def test_doctor_tells_which_cpus_are_missing(tmp_path: Path, rules: str, said: str) -> None:
    result = run("--doctor", compiled(tmp_path, f'rule lost {{ match comm == "x" {rules} }}'))
    assert result.returncode == 1
    (error,) = [line for line in result.stdout.splitlines() if line.startswith("error\tobject")]
    assert said in error


def test_doctor_looks_at_all_folders_above_an_object(sound: Path, tmp_path: Path) -> None:
    """A user who may rename a folder chooses its contents."""
    folder = tmp_path / "theirs" / "roots" / "alone"
    folder.mkdir(parents=True)
    object_ = shutil.copy(sound, folder)
    (tmp_path / "link").symlink_to("theirs/roots")

    def is_warned(path: str | Path) -> bool:
        return "\nwarning\towner\t" in run("--doctor", path).stdout

    for each in (tmp_path, *tmp_path.parents[:-1]):  # pytest's own, below /tmp
        assert each.stat().st_uid == 0
    assert not is_warned(object_)
    os.chown(tmp_path / "theirs", 1000, 1000)
    assert is_warned(object_)
    assert is_warned(tmp_path / "link" / "alone" / sound.name)


def test_messages_have_priorities_in_the_journal(tmp_path: Path) -> None:
    def said(is_journal: bool) -> str:
        read, write = os.pipe()
        status = os.fstat(write)
        stream = f"{status.st_dev}:{status.st_ino if is_journal else 0}"
        subprocess.run(
            [LOADER, tmp_path / "none.bpf.o"],
            stderr=write, check=False, env={**os.environ, "JOURNAL_STREAM": stream},
        )  # fmt: skip
        os.close(write)
        with os.fdopen(read) as output:
            return output.read()

    assert [line[:5] for line in said(True).splitlines()] == ["<3>gt", "<3>  "]
    assert [line[:5] for line in said(False).splitlines()] == ["gthul", "  help"[:5]]


def test_no_such_file(tmp_path: Path) -> None:
    said = refusal(tmp_path / "none.bpf.o")
    assert "none.bpf.o: No such file or directory" in said
    assert NOT_OURS in said


def test_folder_and_pipe(tmp_path: Path) -> None:
    assert "not a regular file" in refusal(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    assert "not a regular file" in refusal(tmp_path / "pipe")


@pytest.mark.parametrize("content", [b"", b"\x7f", b"policy upf {\n}\n", bytes(5000)])
def test_not_elf(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "policy.o"
    path.write_bytes(content)
    said = refusal(path)
    assert "not an ELF object" in said
    assert NOT_OURS in said
    source = path.rename(tmp_path / "policy.gpl")
    assert f"`gthulhu run {source}` compiles it first" in refusal(source)


def test_elf_of_another_machine() -> None:
    said = refusal(LOADER)
    assert "an ELF file, but not a BPF object" in said


def test_other_byte_order(tmp_path: Path) -> None:
    # The kernel's helpers cannot be included for a machine that is not known: an empty object.
    source = tmp_path / "empty.c"
    source.write_text("int nothing;\n")
    output = tmp_path / "big.bpf.o"
    clang = find_clang()
    subprocess.run([clang, "-target", "bpfeb", "-c", source, "-o", output], check=True)
    said = refusal(output)
    assert "built for a big-endian machine, this one is little-endian" in said
    assert "compile the policy for this machine" in said


@pytest.mark.parametrize(
    ("define", "reason", "remedy"),
    [
        ("FOREIGN", "not a policy: gthulhuc did not write it", NOT_OURS),
        ("ABI=0", "compiled for ABI 0, this loader has 3", COMPILE_AGAIN),
        ("ABI=4", "compiled by a newer gthulhuc: ABI 4", "came with that gthulhuc"),
        ("NR_PINS=3", "it lacks some of its 3 `policy_pins`", COMPILE_AGAIN),
        ("NO_NAME", "the policy has no name", COMPILE_AGAIN),
        ("NO_EXIT_REPORT", "no `exit_report`", COMPILE_AGAIN),
        ("OPS=other", "no sched_ext_ops `gthulhu`", COMPILE_AGAIN),
        ("WILD", "sched_ext_ops.foresee is not a program of this object", COMPILE_AGAIN),
    ],
)
def test_object_that_breaks_the_contract(
    tmp_path: Path, define: str, reason: str, remedy: str
) -> None:
    said = refusal(loader_objects.build(tmp_path / "bad.bpf.o", define))
    assert reason in said
    assert remedy in said


@pytest.fixture(scope="module")
def tunable(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tunable")
    source = folder / "shop.gpl"
    source.write_text(
        "policy shop {}\n"
        "tunable quantum = 2ms in 500us..20ms\n"
        "tunable heft = 200 in 100..1000\n"
        "tunable limit = 300us in 100us..1ms\n"
        'rule a { match comm == "a" slice quantum weight heft }\n'
        'rule b { match comm == "b" slice 200us..quantum }\n'
        "expect pipes { p99(wakeup a) < limit }\n"
    )
    output = folder / "shop.bpf.o"
    subprocess.run(["gthulhuc", source, "-o", output], check=True)
    return output


def test_tunables_are_listed(tunable: Path, sound: Path) -> None:
    # A tunable that only a claim uses is not part of the scheduler.
    assert run("--tunables", tunable).stdout == (
        "quantum = 2ms in 500us..20ms\nheft = 200 in 100..1000\n"
    )
    assert run("--tunables", sound).stdout == ""


def test_tunables_within_their_ranges(tunable: Path) -> None:
    for quantum in ("500us", "0.5ms", "20ms", "0.02s", "1.234567ms"):
        result = run("--check", "--set", f"quantum={quantum}", "--set", "heft=1000", tunable)
        assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(
    ("setting", "reason", "remedy"),
    [
        (
            "quantum=50ms",
            "`quantum` (shop.gpl:2) must be within 500us..20ms, found `50ms`",
            "in this range",
        ),
        ("quantum=499us", "must be within 500us..20ms", "widen the range"),
        (
            "quantum=5",
            "expects a value within 500us..20ms, found `5`",
            "a duration such as `500us`",
        ),
        (
            "heft=5ms",
            "`heft` (shop.gpl:3) expects a value within 100..1000, found `5ms`",
            "without a unit",
        ),
        ("heft=1001", "must be within 100..1000, found `1001`", "in this range"),
        ("heft", "found ``", "without a unit"),
        ("quant=5ms", "no tunable `quant`; it has quantum, heft", "did you mean `quantum`?"),
        ("limit=200us", "has no tunable `limit`", "--tunables"),
    ],
)
def test_settings_that_are_refused(tunable: Path, setting: str, reason: str, remedy: str) -> None:
    said = refusal("--check", "--set", setting, tunable)
    assert reason in said
    assert remedy in said


def test_policy_without_tunables(sound: Path) -> None:
    assert "policy fifo has no tunable `x`; it has none" in refusal("--set", "x=1", sound)


def test_object_without_types(tmp_path: Path) -> None:
    source = tmp_path / "empty.c"
    source.write_text('char _license[] __attribute__((section("license"))) = "GPL";\n')
    output = tmp_path / "empty.bpf.o"
    clang = find_clang()
    subprocess.run([clang, "-target", "bpf", "-c", source, "-o", output], check=True)
    assert NOT_OURS in refusal(output)


def test_truncated_objects(sound: Path, tmp_path: Path) -> None:
    data = sound.read_bytes()
    path = tmp_path / "part.bpf.o"
    dice = random.Random(1)
    steps = dice.sample(range(len(data)), 60)
    for length in [4, 16, 63, 64, 65, len(data) - 1, *steps]:
        path.write_bytes(data[:length])
        assert re.search(r"not an ELF object|truncated", refusal("--check", path)), length


def test_a_symbol_beyond_its_section(sound: Path, tmp_path: Path) -> None:
    """libbpf 1.4 reads a program there, and crashes: its check overflows."""
    data = bytearray(sound.read_bytes())
    with sound.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        (number,) = (
            i for i, each in enumerate(table.iter_symbols()) if each.name == "fifo_dispatch"
        )
    at = table["sh_offset"] + number * table["sh_entsize"]
    struct.pack_into("<Q", data, at + 8, (1 << 64) - 0x4000)  # st_value
    path = tmp_path / "wild.bpf.o"
    path.write_bytes(data)
    assert "truncated or corrupt ELF object" in refusal("--check", path)


def test_damaged_objects(sound: Path, tmp_path: Path) -> None:
    """Some damage cannot be seen; what counts is that none ends in a crash."""
    data = sound.read_bytes()
    path = tmp_path / "damaged.bpf.o"
    for seed in range(150):
        dice = random.Random(seed)
        damaged = bytearray(data)
        for _ in range(dice.choice((1, 4, 64))):
            damaged[dice.randrange(len(data))] = dice.randrange(256)
        path.write_bytes(damaged)
        assert run("--check", path).returncode in (0, 1), f"seed {seed}"
