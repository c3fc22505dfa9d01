# SPDX-License-Identifier: Apache-2.0
"""The files of a system package: the wheel, with the Python packages that it needs.

Distributions have some of these only in older versions, so they are included, in a folder that no
other program uses. Compiled modules are there for each Python that a package may meet.
"""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
MODULES = "/usr/lib/gthulhu"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
COMMANDS = {"gthulhu": "gthulhuc.cli.gthulhu", "gthulhuc": "gthulhuc.cli.compile"}
EXTRAS = "kubernetes,lab,metrics,power,record,serve,top,trace"
# In C, with what their manual pages say.
PROGRAMS = {
    "gthulhu-loader": "puts a compiled policy in force and keeps it there",
    "gthulhu-record": "writes what the scheduler does, for gthulhu record",
}
# virtme-ng's, which the lab looks for beside its package (gthulhu_lab.vng).
VIRTME = {"vng": "virtme_ng.run", "virtme-run": "virtme.commands.run"}
# Where each shell looks for the completion of a command.
COMPLETIONS = {
    "bash": "bash-completion/completions/{}",
    "zsh": "zsh/vendor-completions/_{}",
    "fish": "fish/vendor_completions.d/{}.fish",
}
SUMMARY = "compiler from a small policy language to a sched_ext scheduler"
DESCRIPTION = """\
Rules say which tasks are urgent, how long their turns are and on which CPUs
they run; gthulhuc makes a BPF scheduler for Linux 6.16 or newer of them, and
gthulhu puts it in force, watches it and takes it back."""
LABELS = """\
# Labels of cgroups for `gthulhu agent`, see docs/operations.md. For example:
#
# [[cgroup]]
# path = "/system.slice/postgresql@*.service"   # a glob, as in policies
# labels = { tier = "db" }                      # also: namespace, pod, container
"""

# Users of the node's API, and keys that only this machine has.
SERVE = """\
if command -v systemd-sysusers >/dev/null; then
    systemd-sysusers gthulhu.conf
    if [ ! -e /etc/gthulhu/serve/signing.pem ]; then
        install -d -m 0700 -o gthulhu-serve -g gthulhu-serve /etc/gthulhu/serve
        setpriv --reuid gthulhu-serve --regid gthulhu-serve --clear-groups \\
            gthulhu serve keys /etc/gthulhu/serve
    fi
fi"""

# Our modules are apart from Python's own.
_PATH = f'sys.path[:0] = ["{MODULES}", "{MODULES}/python3." + str(sys.version_info.minor)]'

# Users of the compiler cannot write here, and the templates would take longer than all else.
COMPILE = f"""\
python3 -I -c '
import sys
{_PATH}
from gthulhuc.codegen.render import compile_templates
compile_templates()'"""

_COMMAND = """\
#!/usr/bin/python3 -I
import sys

{path}
from {module} import main

sys.exit(main())
"""


def version() -> str:
    """The version of this release."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return str(project["version"])


def build(tree: Path) -> None:
    """Writes all files below `tree`."""
    modules, share = tree / MODULES.lstrip("/"), tree / "usr/share"
    _install(modules)
    shutil.copytree(ROOT / "runtime/systemd", tree / "usr/lib/systemd/system")
    shutil.copytree(ROOT / "runtime/sysusers", tree / "usr/lib/sysusers.d")
    shutil.copytree(ROOT / "policies", share / "gthulhu/policies")
    (tree / "usr/bin").mkdir()
    for name, summary in PROGRAMS.items():
        built = ROOT / "runtime" / name
        subprocess.run(["strip", "-o", tree / "usr/bin" / name, built], check=True)
        _page(share, name, _page_of_program(name, summary))
    for command, module in COMMANDS.items():
        write(tree / "usr/bin" / command, _COMMAND.format(path=_PATH, module=module))
        _document(command, share)
    for command, module in VIRTME.items():
        write(modules / "bin" / command, _COMMAND.format(path=_PATH, module=module))
    write(tree / "etc/gthulhu/labels.toml", LABELS)
    for file in tree.rglob("*"):
        if file.is_file():
            file.chmod(0o755 if file.parent.name == "bin" else 0o644)
        else:
            file.chmod(0o755)


def _install(modules: Path) -> None:
    """Installs the wheel and its dependencies; what the wheel puts elsewhere is left out."""
    with tempfile.TemporaryDirectory() as name:
        wheels = Path(name)
        subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", wheels],
            cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        (wheel,) = wheels.iterdir()
        _pip(modules, "--constraint", ROOT / "constraints.txt", f"{wheel}[{EXTRAS}]")
    _forget_where_it_was_built(modules)
    for name in ("bin", "lib", "share", "usr"):
        shutil.rmtree(modules / name, ignore_errors=True)
    compiled = dict(_compiled(modules))
    for python in PYTHONS:
        _pip(
            modules / f"python{python}", "--no-deps", "--only-binary=:all:",
            "--implementation=cp", f"--python-version={python}",
            *(f"--platform=manylinux_2_{minor}_x86_64" for minor in (28, 17)),
            *compiled.values(),
        )  # fmt: skip
        for extra in (
            *modules.glob(f"python{python}/*.dist-info"),
            modules / f"python{python}/bin",
        ):
            shutil.rmtree(extra, ignore_errors=True)
    for package in compiled:
        shutil.rmtree(modules / package)
    subprocess.run(["strip", "--strip-unneeded", *modules.rglob("*.so")], check=True)


def _forget_where_it_was_built(modules: Path) -> None:
    """Removes what pip notes about the wheel's folder, which differs each time."""
    for note in modules.glob("*.dist-info/direct_url.json"):
        record = note.with_name("RECORD")
        lines = record.read_text().splitlines(keepends=True)
        record.write_text("".join(line for line in lines if note.name not in line))
        note.unlink()


def _pip(target: Path, *arguments: str | Path) -> None:
    subprocess.run(
        [
            sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet",
            "--no-compile", "--target", target, *arguments,
        ],
        check=True,
    )  # fmt: skip


def _compiled(modules: Path) -> Iterator[tuple[str, str]]:
    """The packages with modules for one Python only, with what pip calls them."""
    for record in modules.glob("*.dist-info/RECORD"):
        found = re.search(r"^(\w+)/[^,]*\.cpython-[^,]*\.so,", record.read_text(), re.MULTILINE)
        if found:
            name, _, release = record.parent.name.removesuffix(".dist-info").rpartition("-")
            yield found[1], f"{name}=={release}"


def _document(command: str, share: Path) -> None:
    """Writes the completions and the manual page of a command."""
    for shell, place in COMPLETIONS.items():
        text = _said("gthulhuc.cli.gthulhu", "completion", shell, "--for", command)
        write(share / place.format(command), text)
    _page(share, command, _said("gthulhuc.cli.gthulhu", "manual", "--for", command))


def _page_of_program(name: str, summary: str) -> str:
    """The manual page of a program in C, which is its help."""
    program = ROOT / "runtime" / name
    said = subprocess.run([program, "--help"], check=True, capture_output=True, text=True).stdout
    title = name.replace("-", "\\-")
    escaped = said.replace("\\", "\\e").replace("-", "\\-")
    lines = [f"\\&{line}" if line.startswith((".", "'")) else line for line in escaped.splitlines()]
    return "\n".join(
        [
            f'.TH {title.upper()} 1 "" "{title} {version()}" "User Commands"',
            ".SH NAME", f"{title} \\- {summary}",
            ".SH DESCRIPTION", ".nf", *lines, ".fi",
            ".SH SEE ALSO", ".BR gthulhu (1)", "",
        ]
    )  # fmt: skip


def _page(share: Path, command: str, text: str) -> None:
    write(share / f"man/man1/{command}.1.gz", text)


def _said(module: str, *arguments: str) -> str:
    return subprocess.run(
        [sys.executable, "-m", module, *arguments], check=True, capture_output=True, text=True
    ).stdout


def write(path: Path, text: str, mode: int = 0o644) -> None:
    """Writes a file with its folders; one that ends in `.gz` is compressed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = text.encode()
    path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)
    path.chmod(mode)
