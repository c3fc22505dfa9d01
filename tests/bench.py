# SPDX-License-Identifier: Apache-2.0
"""How fast the compiler is: CPU seconds and memory of whole processes.

python tests/bench.py            # all of it
python tests/bench.py --rules 1000 --no-object
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

TEN = "policy ten {}\n" + "".join(
    f'rule r{i} {{ match comm == "a{i}" or cgroup under "/s{i}" priority high slice {i + 1}ms }}\n'
    for i in range(10)
)


@dataclass(frozen=True)
class Cost:
    cpu_s: float
    peak_mb: int
    status: int


def cost(*args: str) -> Cost:
    """What one process cost."""
    command = [sys.executable, "-m", *args]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss >> 10, process.returncode)


def best(times: int, *args: str) -> Cost:
    """The cheapest of several processes: what else a machine does only adds."""
    return min((cost(*args) for _ in range(times)), key=lambda each: each.cpu_s)


def show(what: str, found: Cost, bar: str = "") -> None:
    """Prints one line of figures."""
    note = "" if found.status == 0 else f"  (exit status {found.status})"
    print(f"{what:44} {found.cpu_s * 1000:8.0f} ms {found.peak_mb:5} MB  {bar}{note}", flush=True)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Measure the compiler.")
    parser.add_argument("--rules", type=int, default=15_000)
    parser.add_argument("--no-object", action="store_true", help="measure up to the IR only")
    options = parser.parse_args()
    many = options.rules
    stages = ["ir"] if options.no_object else ["ir", "o"]
    with tempfile.TemporaryDirectory() as folder:
        files = {
            "10 rules": TEN,
            f"{many} names in a list": "policy p {}\nset s = ["
            + ", ".join(f'"n{i}"' for i in range(many))
            + "]\nrule r { match comm in s priority high }\n",
            f"{many} rules": "policy p {}\n"
            + "".join(f'rule r{i} {{ match comm == "n{i}" priority high }}\n' for i in range(many)),
        }
        show("gthulhuc --help", best(5, "gthulhuc.cli.compile", "--help"), "bar 80 ms")
        show("gthulhu --help", best(5, "gthulhuc.cli.gthulhu", "--help"), "bar 80 ms")
        for what, text in files.items():
            path = Path(folder) / "bench.gpl"
            path.write_text(text)
            check = best(1, "gthulhuc.cli.gthulhu", "check", str(path))
            show(f"{what}: gthulhu check", check)
            for stage in stages:
                args = ("gthulhuc.cli.compile", str(path), "--emit", stage, "-o", "/dev/null")
                bar = "bar 150 ms" if (what, stage) == ("10 rules", "ir") else ""
                times = 5 if what == "10 rules" and stage == "ir" else 1
                bar = f"bar {1 if what == '10 rules' else 5} s" if stage == "o" else bar
                show(f"{what}: --emit {stage}", best(times, *args), bar)
        broken = "policy p {}\n" + "".join(
            f'rule r{i} {{ match comm == "n{i}" slice 2 }}\n' for i in range(100_000)
        )
        path.write_text(broken)
        show("100000 broken rules: check", best(1, "gthulhuc.cli.gthulhu", "check", str(path)))


if __name__ == "__main__":
    main()
