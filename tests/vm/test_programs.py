# SPDX-License-Identifier: Apache-2.0
"""Programs that only their paths and arguments tell apart: `exe` and `cmdline`."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import guest_loader
import guest_programs
import guest_python
from gthulhu_lab import vm
from gthulhu_lab.request import Clock
from gthulhuc import codegen

pytestmark = pytest.mark.vm

HERE = Path(__file__).parent
KERNELS = ("6.16", "7.2")
CLASSES = (
    "billing", "search", "titled", "cluster", "mounted", "in_memory", "script", "whole", "cut",
    "beyond", "last", "programs", "default", "kernel threads",
)  # fmt: skip

SCRIPT = r"""
# see STEP PID...: notes the classes of tasks
see() {
    step=$1
    shift
    echo "$step $(class-of programs.bpf.o "$@")" >>$RESULTS/classes
}
# service NAME: a Python service
service() {
    $PYTHON -S /srv/$1.py 2>>$RESULTS/services.err &
    SERVICE=$!
}
# cluster: a database, and a process that it has forked
cluster() {
    rm -f /tmp/child
    CHILD_FILE=/tmp/child retitle -D /data/main 0123456789 &
    CLUSTER=$!
    await /tmp/child
    CHILD=$(cat /tmp/child)
}
# await FILE: until there is one, at most 30 s
await() {
    i=0
    while [ ! -s $1 ] && [ $i -lt 300 ]; do
        i=$((i + 1))
        usleep 100000
    done
}
# shows PID TEXT: until its arguments contain a text, at most 30 s
shows() {
    i=0
    while ! grep -qa "$2" /proc/$1/cmdline && [ $i -lt 300 ]; do
        i=$((i + 1))
        usleep 100000
    done
}
# ready NAME: until a service has begun
ready() {
    await /tmp/$1.ready
    rm /tmp/$1.ready
}

mkdir -p /srv /mnt
for name in billing search; do
    cat >/srv/$name.py <<END
import threading, time
threading.Thread(target=time.sleep, args=(10000,)).start()
print("ready", file=open("/tmp/$name.ready", "w"))
END
done
cat >/srv/job.sh <<'END'
#!/bin/sh
while :; do usleep 100000; done
END
chmod +x /srv/job.sh
mount -t tmpfs none /mnt
mkdir /mnt/tools
cp $(command -v retitle) /mnt/tools/

# Before there is a scheduler.
service billing
OLD_BILLING=$SERVICE
ready billing
service search
OLD_SEARCH=$SERVICE
ready search
cluster
OLD_CLUSTER=$CLUSTER OLD_CHILD=$CHILD
cluster
kill -USR1 $CLUSTER
shows $CLUSTER "postgres: main"
OLD_TITLED=$CLUSTER
mkfifo /tmp/go
sh -c 'read -r _ </tmp/go; exec '$PYTHON' -S /srv/search.py' &
LATER=$!

start loader programs.bpf.o
await_line loader enabled
see old $OLD_BILLING $OLD_SEARCH $OLD_CLUSTER $OLD_CHILD $OLD_TITLED $LATER 2

# An exec, of a process that was there before.
echo >/tmp/go
ready search
see exec $LATER
# New ones; threads have what their process has.
service billing
ready billing
see new $SERVICE
for task in /proc/$SERVICE/task/*; do
    see thread ${task##*/}
done
# A title that is written later is not seen, neither in a process nor in one that it has forked.
cluster
see cluster $CLUSTER $CHILD
kill -USR1 $CLUSTER
shows $CLUSTER "postgres: main"
see retitled $CLUSTER
tr '\0' ' ' </proc/$CLUSTER/cmdline >$RESULTS/title

/mnt/tools/retitle &
MOUNTED=$!
/srv/job.sh &
SCRIPT=$!
rm /tmp/child
$PYTHON -S -c '
import os
file = os.memfd_create("tool", 0)
with open("/mnt/tools/retitle", "rb") as tool:
    os.write(file, tool.read())
os.execve(file, ["tool"], {"CHILD_FILE": "/tmp/child"})
' &
IN_MEMORY=$!
await /tmp/child
# 255 bytes of an argument count, and 64 arguments.
LONG=$(printf 'x%.0s' $(seq 300))
CHILD_FILE=/dev/null retitle $(printf 'x%.0s' $(seq 252))end &
WHOLE=$!
CHILD_FILE=/dev/null retitle $(printf 'x%.0s' $(seq 253))end &
CUT=$!
CHILD_FILE=/dev/null retitle $(for i in $(seq 100); do echo a$i; done) &
MANY=$!
# Of a longer command line than is read, too.
CHILD_FILE=/dev/null retitle $(printf 'y%.0s' $(seq 16500)) xxx &
LATE=$!
shows $MOUNTED tools/retitle
shows $SCRIPT job.sh
shows $WHOLE xend
shows $CUT xend
shows $MANY a100
shows $LATE xxx
see odd $MOUNTED $SCRIPT $IN_MEMORY $WHOLE $CUT $MANY $LATE
gthulhu explain programs.gpl --pid $OLD_BILLING >$RESULTS/explain.out 2>&1
kill $LOADER
finish loader
"""


@pytest.fixture(scope="module", params=KERNELS)
def guest(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> vm.GuestResult:
    folder = tmp_path_factory.mktemp("programs")
    policy = HERE / "policies" / "programs.gpl"
    path = folder / "programs.bpf.o"
    subprocess.run(["gthulhuc", policy, "-o", path], check=True)
    python = next(place for place in guest_python.files() if Path(place).name.startswith("python3"))
    return vm.run(
        vm.GuestRequest(
            script=f"{guest_loader.FUNCTIONS}{guest_python.shell_functions()}"
            f"PYTHON={python}\n{SCRIPT}",
            kernel=request.param,
            clock=Clock.TCG_TURNS,
            files={
                **guest_loader.FILES,
                **guest_programs.build(folder, "class-of", "retitle"),
                "programs.gpl": policy,
                path.name: path,
                **guest_python.files("threading", reading=True),
            },
            deadline_s=240,
        )
    ).check()


def test_programs_give_their_classes(guest: vm.GuestResult) -> None:
    seen: dict[str, list[str]] = {}
    for line in guest.files["classes"].decode().splitlines():
        step, *numbers = line.split()
        seen.setdefault(step, []).extend(CLASSES[int(number)] for number in numbers)
    assert seen == {
        # A process that was only forked has the arguments of its parent.
        "old": [
            "billing", "search", "cluster", "cluster", "titled", "programs", "kernel threads",
        ],
        "exec": ["search"],
        "new": ["billing"],
        "thread": ["billing", "billing"],
        "cluster": ["cluster", "cluster"],
        "retitled": ["cluster"],
        "odd": ["mounted", "script", "in_memory", "whole", "cut", "last", "programs"],
    }  # fmt: skip
    assert guest.files["title"].startswith(b"postgres: main")


# Another program is executed while the first one's event is being handled.
EXECS = r"""
cp $(command -v execs) /tmp/marked
# execute SCHEDULER LEAST MOST
execute() {
    start loader $1.bpf.o
    await_line loader enabled
    execs crowd &
    CROWD=$!
    execs sharp $2 $3 $LAB/$1.bpf.o /tmp/marked 0 >$RESULTS/$1
    kill $CROWD $LOADER
    finish loader
}
execute whole 5 200
execute deaf 5 5
execute stale 2 2
"""
EVENT = 'SEC("tp_btf/sched_process_exec")'
MEND = "if (is_program_lost(p, &t->facts))\n\t\tfind_program(p);"


def without(c_text: str, text: str, instead: str) -> str:
    assert c_text.count(text) == 1, text
    return c_text.replace(text, instead)


@pytest.mark.parametrize("kernel", KERNELS)
def test_an_exec_that_the_kernel_does_not_report(kernel: str, tmp_path: Path) -> None:
    policy = HERE / "policies" / "execs.gpl"
    command = ["gthulhuc", str(policy), "--emit", "c"]
    whole = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    deaf = without(whole, EVENT, EVENT.replace("tp_", "?tp_"))
    schedulers = {"whole": whole, "deaf": deaf, "stale": without(deaf, MEND, "")}
    objects = {f"{name}.bpf.o": codegen.compile_object(c) for name, c in schedulers.items()}
    guest = vm.run(
        vm.GuestRequest(
            script=f"{guest_loader.FUNCTIONS}{EXECS}",
            kernel=kernel,
            clock=Clock.TCG_TURNS,
            cpus=1,
            cmdline="preempt=full",
            files={**guest_loader.FILES, **guest_programs.build(tmp_path, "execs"), **objects},
            deadline_s=480,
        )
    ).check()
    seen = {name: guest.files[name].decode().splitlines() for name in schedulers}
    dropped = {name: lines.pop() for name, lines in seen.items()}
    late_us = {name: [int(line) for line in lines] for name, lines in seen.items()}
    # From 7.0 on, a program at a tracepoint may be put aside for another task.
    assert (dropped["whole"] == "dropped 0") == (kernel == "6.16")
    assert min(late_us["whole"]) >= 0
    # As if the kernel had dropped every event.
    assert len(late_us["deaf"]) == 5
    assert min(late_us["deaf"]) >= 0
    assert late_us["stale"] == [-1, -1]


def test_the_reference_agrees_about_a_program(guest: vm.GuestResult) -> None:
    said = guest.files["explain.out"].decode()
    assert "rule `billing`" in said.splitlines()[0]
