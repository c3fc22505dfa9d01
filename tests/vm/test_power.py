# SPDX-License-Identifier: Apache-2.0
"""Conditions about power, with Debian's UPower and power-profiles-daemon on their D-Bus."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import guest_loader
import guest_programs
import guest_python
from gthulhu_lab import vm
from gthulhu_lab.request import Clock

pytestmark = [pytest.mark.vm, pytest.mark.soak]

HERE = Path(__file__).parent
DAEMON = "net.hadess.PowerProfiles /net/hadess/PowerProfiles net.hadess.PowerProfiles"
CHANGES = 5

SCRIPT = f"""
# holds NAME ANSWER...: until the three conditions have these answers, which are kept
holds() {{
    name=$1 wanted="$2 $3 $4"
    i=0
    while [ $i -lt 100 ]; do
        i=$((i + 1))
        ask status >$RESULTS/$name.json
        now=$(grep -o '"holds": "[a-z]*"' $RESULTS/$name.json | cut -d '"' -f 4 | tr '\\n' ' ')
        [ "$now" = "$wanted " ] && return
        sleep 0.3
    done
    echo "$name: expected $wanted, found $now" >&2
    exit 1
}}

profile() {{ busctl set-property {DAEMON} ActiveProfile s $1; }}

# Debian makes the user and the folders when it installs polkit, whose daemon asks for them.
echo polkitd:x:995:995::/:/usr/sbin/nologin >>/etc/passwd
echo polkitd:x:995: >>/etc/group
mkdir -p /etc/polkit-1/rules.d /var/lib/polkit-1

start loader $LAB/power.bpf.o
await_line loader enabled
holds untold unknown unknown unknown
gthulhu agent --power 2>$RESULTS/agent.err &
AGENT=$!
# A guest has mains and no battery; the bus starts both services.
holds balanced no yes unknown
profile power-saver
holds saver yes no unknown

i=0
while [ $i -lt {CHANGES} ]; do
    profile balanced
    profile power-saver
    i=$((i + 1))
done
profile balanced
holds storm no yes unknown

systemctl stop power-profiles-daemon
holds stopped unknown unknown unknown
systemctl is-active power-profiles-daemon >$RESULTS/active
systemctl start power-profiles-daemon
profile power-saver
holds back yes no unknown

kill -TERM $LOADER
finish loader
start again $LAB/power.bpf.o
await_line again enabled
holds again yes no unknown
# A guest has no battery, so another client tells of one.
ask condition battery 19.9% >$RESULTS/told
holds low yes no yes
ask condition battery 20% >>$RESULTS/told
holds charged yes no no
ask condition power balanced >>$RESULTS/told
ask condition on-battery yes >>$RESULTS/told
holds away no no no
ask condition battery 101% >>$RESULTS/told
ask condition weather fair >>$RESULTS/told
kill -TERM $LOADER
finish again
kill -TERM $AGENT
wait $AGENT
echo $? >$RESULTS/agent.status
"""


@pytest.fixture(scope="module")
def guest(tmp_path_factory: pytest.TempPathFactory) -> vm.GuestResult:
    folder = tmp_path_factory.mktemp("power")
    return guest_loader.run(
        vm.GuestRequest(
            script=SCRIPT,
            packages=("polkitd", "power-profiles-daemon", "python3", "upower"),
            clock=Clock.TCG_TURNS,
            memory_mib=2048,
            files={
                **guest_python.installed("gthulhu.agent.power"),
                **guest_programs.build(folder, "ask"),
                **guest_loader.objects(folder, HERE / "policies" / "power.gpl"),
            },
            deadline_s=500,
        )
    )


def test_the_loader_says_what_is_unknown(guest: vm.GuestResult) -> None:
    said = (guest.files["loader.out"] + guest.files["loader.err"]).decode()
    assert (
        '`when power == "saver"` (power.gpl:11) is unknown, so it does not hold '
        "until `gthulhu agent --power` reports it\n" in said
    )


def test_conditions_follow_the_services(guest: vm.GuestResult) -> None:
    """Each step of the script waits for its answers, and fails without them."""
    saver = json.loads(guest.files["storm.json"])["conditions"][0]
    assert saver["switches"] > 2  # the agent may see several changes at once
    # The agent does not start a service again that someone has stopped.
    assert guest.files["active"] == b"inactive\n"


def test_the_loader_checks_what_it_is_told(guest: vm.GuestResult) -> None:
    answers = [json.loads(line)["ok"] for line in guest.files["told"].splitlines()]
    assert answers == [True, True, True, True, False, False]


def test_the_agent_and_the_loader_end_well(guest: vm.GuestResult) -> None:
    assert guest.files["agent.err"] == b""
    assert guest.files["agent.status"] == b"0\n"
    assert [guest.files[f"{name}.status"] for name in ("loader", "again")] == [b"0\n", b"0\n"]
