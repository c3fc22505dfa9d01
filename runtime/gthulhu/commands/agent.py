# SPDX-License-Identifier: Apache-2.0
"""`gthulhu agent`: tells the policy in force which cgroups belong to which containers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gthulhu.options import LABELS_FILE, add_labels, add_state
from gthulhuc.cli import frame
from gthulhuc.cli.commands import add_command

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from gthulhu.agent.agent import Places
    from gthulhu.agent.pods import Pods
    from gthulhu.agent.power import Power
    from gthulhuc.cli.commands import Commands

_AGENT = f"""\
Learns of cgroups from the kernel, and of containers from the files that Docker, podman, containerd
and CRI-O write before they start one. {LABELS_FILE} adds labels for other cgroups:

  [[cgroup]]
  path = "/system.slice/postgresql@*.service"   # a glob, as in policies
  labels = {{ tier = "db" }}                      # also: namespace, pod, container

Waits if no loader runs, and tells each new loader everything again. Needs root.

examples:
  sudo gthulhu agent
  sudo gthulhu agent --labels ./labels.toml
  sudo gthulhu agent --kubernetes /etc/kubernetes/kubelet.conf
  sudo gthulhu agent --power

exit status: 0 ended by a signal, 2 usage, or it cannot watch the machine
"""


def add(commands: Commands) -> None:
    """Adds the command."""
    agent = add_command(
        commands,
        "agent",
        _run,
        help="tell the policy in force about containers and their labels",
        description="Tell the policy in force which cgroups belong to which containers, with their "
        "labels.",
        epilog=_AGENT,
    )
    add_labels(agent)
    agent.add_argument(
        "--kubernetes",
        metavar="WHERE",
        help="learn of pods from the Kubernetes API: a kubeconfig, or `in-cluster` for the "
        "account of the agent's own pod",
    )
    agent.add_argument(
        "--node",
        metavar="NAME",
        help="the node's name in Kubernetes (default: NODE_NAME in the environment, or the host's "
        "name)",
    )
    agent.add_argument(
        "--power",
        action="store_true",
        help="tell the power profile and the battery, too, as power-profiles-daemon and UPower "
        "report them on D-Bus",
    )
    add_state(agent)


def _run(options: argparse.Namespace) -> int:
    import os
    from contextlib import suppress

    from gthulhu.agent.agent import Agent, Places

    places = Places(state=options.state, labels=options.labels)
    check(places)

    def say(text: str) -> None:
        frame.err(f"gthulhu agent: {text}\n")

    pods = None
    if options.kubernetes:
        node = options.node or os.environ.get("NODE_NAME") or os.uname().nodename
        pods = _pods(options.kubernetes, node, say)
    power = _power() if options.power else None
    with suppress(frame.StoppedError):  # as a service manager ends it
        try:
            agent = Agent(places, say, pods, power)
        except PermissionError as error:
            message = f"not permitted to use {places.state}"
            raise frame.CommandError(message, "run it as root") from error
        except (FileExistsError, NotADirectoryError) as error:
            raise frame.CommandError(
                f"{places.state} is not a folder", "give the loader's folder with `--state`"
            ) from error
        try:
            agent.run()
        except ConnectionError as error:
            message = f"D-Bus is gone: {frame.reason(error)}"
            raise frame.CommandError(
                message, "start the agent again when the bus is back"
            ) from error
    return frame.OK


def check(places: Places) -> None:
    """Raises CommandError if cgroup v2 is not mounted."""
    from pathlib import Path

    if not Path(places.cgroups, "cgroup.controllers").exists():
        raise frame.CommandError(
            f"cgroup v2 is not mounted on {places.cgroups}",
            "boot with systemd.unified_cgroup_hierarchy=1, or "
            f"mount -t cgroup2 none {places.cgroups}",
        )


def _power() -> Power:
    try:
        from gthulhu.agent.power import Power
    except ImportError as error:
        if not (error.name or "").startswith("jeepney"):
            raise
        hint = frame.pip_install("jeepney")
        raise frame.CommandError("the Python package jeepney is missing", hint) from None
    try:
        return Power()
    except OSError as error:
        message = f"cannot connect to the system's D-Bus: {frame.reason(error)}"
        raise frame.CommandError(message, "`--power` needs the service dbus") from error


def _pods(where: str, node: str, say: Callable[[str], None]) -> Pods:
    try:
        from gthulhu.agent.pods import Pods
    except ImportError as error:
        if not (error.name or "").startswith("lightkube"):
            raise
        hint = frame.pip_install("lightkube")
        raise frame.CommandError("the Python package lightkube is missing", hint) from None
    return Pods(where, node, say)
