# SPDX-License-Identifier: Apache-2.0
"""The container image as the DaemonSet's pod runs it, by podman in a guest."""

from __future__ import annotations

import copy
import shlex
import subprocess
from dataclasses import dataclass
from typing import Any

import pytest

import container_image
import debian_guest
import guest_python
import pods
from gthulhu_lab import vm
from gthulhu_lab.request import Clock

pytestmark = [pytest.mark.vm, pytest.mark.soak]

CAPABILITIES = ("BPF", "PERFMON")
IMAGE = "/run/image"
ROOTFS = f"--rootfs {IMAGE}"
# An emulated CPU takes half a minute for what a node's takes a second for.
LONGER = "".join(
    f"sed -i 's/^{before.strip()}/{after.strip()}/' {IMAGE}/usr/lib/gthulhu/{module}\n"
    f"grep '^{after.strip()}' {IMAGE}/usr/lib/gthulhu/{module}\n"
    for module, (before, after) in guest_python.LONGER.items()
)
POLICIES = {
    "shop": "policy shop {}\ntunable quantum = 8ms in 1ms..20ms\n"
    'rule web { match label "tier" == "web" slice quantum }\n',
    "other": 'policy other {}\nrule web { match comm == "nginx" priority high }\n',
}
# As `gthulhu fleet node` puts a policy in force, with its user.
CLIENT = """
import os
from gthulhu.serve.node import Node

node = Node("/run/gthulhu-broker")
text = 'policy third {}\\nrule web { match comm == "nginx" priority low }\\n'
made = node.build({"do": "compile", "name": "third.gpl", "text": text, "stats": False})
print("compiled", made.said["ok"], "landlock", made.said["landlock"])
called = "/var/lib/gthulhu-fleet/third.gpl"
answer = node.ask("swap", "-", called, is_long=True, content=made.content)
print("generation", answer["generation"], "uid", os.getuid())
node.close()
"""


@dataclass(frozen=True)
class Node(debian_guest.Steps):
    """The records of the guest's script."""

    image: dict[str, Any]


def shell_functions(pod: dict[str, Any]) -> str:
    """Functions that run the pod's containers; their arguments are further options of podman."""
    lines = [_function(pod, name) for name in pods.containers(pod)]
    lines += [_function(_without(pod, name), "loader", f"_without_{name}") for name in CAPABILITIES]
    probe = pods.containers(pod)["loader"]["livenessProbe"]["exec"]["command"]
    lines.append(f"PROBE={shlex.quote('podman exec loader ' + shlex.join(probe))}")
    lines.append(f"longer() {{\n{LONGER}}}")
    return "\n".join(lines) + "\n"


def _function(pod: dict[str, Any], name: str, suffix: str = "") -> str:
    entry, arguments = pods.command(pod, name)
    if name == "fleet":  # a script of the test, as there is no API server
        entry, arguments = ["--entrypoint=python3"], ["-I", "-c", START]
    said = shlex.join([*pods.options(pod, name), *entry])
    return f'pod_{name}{suffix}() {{ podman run {said} "$@" {ROOTFS} {shlex.join(arguments)}; }}'


def _without(pod: dict[str, Any], capability: str) -> dict[str, Any]:
    """The pod whose loader lacks a capability; beside `--cap-drop=all`, others are not dropped."""
    made = copy.deepcopy(pod)
    pods.containers(made)["loader"]["securityContext"]["capabilities"]["add"].remove(capability)
    return made


# As the command does: the package's modules are apart from Python's own.
START = (
    'import sys; sys.path[:0] = ["/usr/lib/gthulhu", "/usr/lib/gthulhu/python3.11"]; '
    "exec(sys.stdin.read())"
)


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Node:
    folder = tmp_path_factory.mktemp("container")
    for name, text in POLICIES.items():
        (folder / f"{name}.gpl").write_text(text)
        command = ["gthulhuc", "-Wno-all", f"{name}.gpl", "-o", f"{name}.bpf.o"]
        subprocess.run(command, cwd=folder, check=True)
    (base,) = (each for each in pods.of_kind("ConfigMap"))
    pod = pods.node_pod()
    # It has the token of an account, which only a cluster gives.
    fleet = pods.containers(pod)["fleet"]
    fleet["volumeMounts"] = [each for each in fleet["volumeMounts"] if each["name"] != "account"]
    archive = container_image.build(folder / "image")
    result = vm.run(
        vm.GuestRequest(
            script=debian_guest.script("container"),
            packages=("crun", "podman"),
            clock=Clock.TCG_TURNS,
            memory_mib=6144,
            files={
                "pod.sh": shell_functions(pod).encode(),
                "image.tar": container_image.layer(archive),
                "base.gpl": base["data"]["base.gpl"].encode(),
                "client.py": CLIENT.encode(),
                **{f"{name}.bpf.o": folder / f"{name}.bpf.o" for name in POLICIES},
            },
            deadline_s=5400,
        )
    )
    return Node(result.check(), container_image.config(archive))


def test_the_image_says_what_it_is_and_has_no_keys(node: Node) -> None:
    assert node.image["Entrypoint"] == ["gthulhu"]
    assert node.image["User"] == "10001:10001"
    assert node.image["Labels"]["org.opencontainers.image.title"] == "gthulhu"
    assert (node.status("keys"), node.text("keys")) == (0, "")


def test_compilers_have_longer_on_emulated_cpus(node: Node) -> None:
    said = node.text("longer").splitlines()
    assert [line.split("  #")[0] for line in said] == [
        after.strip() for _, after in guest_python.LONGER.values()
    ]


def test_folders_are_the_loaders_and_the_node_process(node: Node) -> None:
    assert node.status("folders") == 0, node.text("folders")
    state, store = (line.split()[:4] for line in node.text("folders.after").splitlines())
    assert (state[0], state[2], state[3]) == ("drwx------", "0", "0")
    assert (store[2], store[3]) == ("10001", "10001")


@pytest.mark.parametrize("name", CAPABILITIES)
def test_each_capability_is_needed(node: Node, name: str) -> None:
    assert node.status(f"without.{name}") == 1
    assert f"CAP_{name}" in node.text(f"without.{name}")


def test_the_installation_alone_schedules_nothing(node: Node) -> None:
    assert node.status("base") == 0, node.text("base")
    assert "base, generation 1, counts and does not schedule" in node.text("monitor.status")


def test_the_loader_has_two_capabilities_and_writes_nowhere_else(node: Node) -> None:
    rights = dict(line.split(maxsplit=1) for line in node.text("rights").splitlines())
    assert (rights["CapEff:"], rights["CapBnd:"]) == ("000000c000000000",) * 2
    assert rights["NoNewPrivs:"] == "1"
    assert node.status("writes") != 0
    assert node.text("writes").count("Read-only file system") == 3


def test_the_probe_and_the_doctor_are_content(node: Node) -> None:
    assert node.status("probe") == 0, node.text("probe")
    assert "error" not in node.text("doctor").replace("no error", ""), node.text("doctor")


def test_a_policy_is_put_in_force_and_taken_back_from_inside(node: Node) -> None:
    assert node.status("swap") == 0, node.text("swap")
    assert node.text("swap.force") == "gthulhu_shop\n"
    assert "shop, generation 2, is in force" in node.text("status")
    assert node.status("other") == 0
    assert node.status("rollback") == 0, node.text("rollback")
    assert "shop, generation 4, is in force" in node.text("rollback.status")
    assert node.text("rollback.force") == "gthulhu_shop\n"


def test_processes_of_the_node_have_labels(node: Node) -> None:
    assert node.status("label") == 0, node.text("label")


def test_the_node_process_puts_a_policy_in_force_through_the_broker(node: Node) -> None:
    assert node.status("client") == 0, node.text("client") + node.text("broker.log")
    assert "compiled True landlock True" in node.text("client")
    assert "generation 5 uid 10001" in node.text("client")
    assert node.text("client.force") == "gthulhu_third\n"


def test_the_next_pods_loader_goes_on_with_the_policy(node: Node) -> None:
    assert node.text("next.waits") == "gthulhu_third\n"
    assert node.status("stop") == 0
    assert "third, generation 6, is in force" in node.text("next.status")
    assert "third: goes on with generation 5" in node.text("next.log")
    lines = [line.split() for line in node.result.files["states"].decode().splitlines()]
    without = [float(line[0]) for line in lines if line[1:] != ["enabled", "gthulhu_third"]]
    assert without, "the policy was never out of force"
    # The pause is a load, as a swap has one. How long that is depends on the host.
    begin, end = (float(node.result.files[f"swap.{each}"]) for each in ("begin", "end"))
    assert without[-1] - without[0] < 2 * (end - begin)
    assert (node.status("end"), node.text("end.state")) == (0, "disabled\n")


def test_podmans_own_profile_of_system_calls_refuses_bpf_and_the_loader_says_so(node: Node) -> None:
    """Debian 12's wants CAP_SYS_ADMIN for it, so the pod has no profile."""
    assert node.status("confined") == 1
    assert "the kernel or a security module forbids BPF here" in node.text("confined")
    assert node.text("confined.state") == "disabled\n"
