# SPDX-License-Identifier: Apache-2.0
"""`gthulhu fleet`: policies as Kubernetes resources, on many nodes."""

from __future__ import annotations

import argparse
import functools
from typing import TYPE_CHECKING

from gthulhu.commands.serve import BROKER
from gthulhu.options import IN_CLUSTER, address
from gthulhuc.cli import frame
from gthulhuc.cli.commands import add_command

if TYPE_CHECKING:
    from gthulhuc.cli.commands import Commands

STORE = "/var/lib/gthulhu-fleet"
_EPILOG = """\
A SchedulingPolicy is put in force on one node, then on a part of the nodes, then on all, as long as
their promises hold. docs/kubernetes.md has the resources and the rights that each part needs.

examples:
  kubectl apply -f deploy/crds
  gthulhu fleet controller                       in a pod: one Deployment
  gthulhu fleet node                             in a pod: one DaemonSet
  gthulhu fleet status --kubernetes ~/.kube/config
  gthulhu fleet page --kubernetes ~/.kube/config
"""
_NODE = f"""\
Watches the policy for this node, and reaches the loader through `gthulhu serve broker`, whose
--user has to be the one that runs this. Writes one object, which has the node's name. The policy
stays in force if this ends, or if the API server does not respond. Needs no privilege.

examples:
  gthulhu fleet node
  gthulhu fleet node --kubernetes kubeconfig --node node-7 --broker {BROKER}
  gthulhu fleet node --health 0.0.0.0:8083       answers GET /healthz, for probes

exit status: 2 usage or missing Python packages; 128 and the number of the signal that ended it
"""
_CONTROLLER = """\
Advances rollouts, and takes them back if a node reports a broken promise, an ejection or a failed
load. Writes the policies' status and a Lease, which elects one controller of several.

examples:
  gthulhu fleet controller
  gthulhu fleet controller --kubernetes kubeconfig --namespace gthulhuc
  gthulhu fleet controller --health 0.0.0.0:8083
  gthulhu fleet controller --page 8084           also shows rollouts and nodes in a browser;
                                                 kubectl port-forward deploy/NAME 8084 reaches it

exit status: 2 usage or missing Python packages; 128 and the number of the signal that ended it
"""
_STATUS = """\
examples:
  gthulhu fleet status --kubernetes ~/.kube/config
  gthulhu fleet status --kubernetes ~/.kube/config --json shop

exit status: 0 all policies are in force or on their way, 1 one has failed, 2 usage or no API
"""

_PAGE = """\
Shows rollouts and nodes, and changes nothing. Reads with the rights of the kubeconfig, as `kubectl
proxy` does, so it listens on 127.0.0.1 alone, without a login. Meanwhile every user of this machine
can read the page.

examples:
  gthulhu fleet page --kubernetes ~/.kube/config
  gthulhu fleet page --kubernetes ~/.kube/config --port 0     on any free port

exit status: 2 usage or missing Python packages; 128 and the number of the signal that ended it
"""


def add(commands: Commands) -> None:
    """Adds the command and its parts."""
    fleet = commands.add_parser(
        "fleet", help="roll policies out to the nodes of a Kubernetes cluster",
        description="Roll policies out to the nodes of a Kubernetes cluster.", epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False,
    )  # fmt: skip
    parts = fleet.add_subparsers(dest="part", metavar="PART", required=True)
    node = add_command(
        parts, "node", _node, help="put the policy for this node in force", epilog=_NODE,
        description="Put the policy for this node in force.",
    )  # fmt: skip
    _add_kubernetes(node)
    node.add_argument(
        "--node", metavar="NAME",
        help="the node's name in Kubernetes (default: NODE_NAME in the environment, or the host's "
        "name)",
    )  # fmt: skip
    node.add_argument(
        "--broker", metavar="FOLDER", default=BROKER,
        help="the broker's folder (default: %(default)s)",
    )  # fmt: skip
    node.add_argument(
        "--store", metavar="FOLDER", default=STORE,
        help="where texts and what is in force are kept (default: %(default)s)",
    )  # fmt: skip
    _add_health(node)
    controller = add_command(
        parts, "controller", _controller, help="advance rollouts", epilog=_CONTROLLER,
        description="Advance rollouts.",
    )  # fmt: skip
    _add_kubernetes(controller)
    controller.add_argument(
        "--namespace", metavar="NAME",
        help="of the Lease and of ConfigMaps (default: POD_NAMESPACE in the environment, or "
        "default)",
    )  # fmt: skip
    controller.add_argument(
        "--page", metavar="PORT", type=_port,
        help="also serve the page of `gthulhu fleet page`, on 127.0.0.1",
    )  # fmt: skip
    _add_health(controller)
    status = add_command(
        parts, "status", _status, help="show rollouts and nodes", epilog=_STATUS,
        description="Show the policies of a cluster, and the nodes where they are not in force.",
    )  # fmt: skip
    _add_kubernetes(status)
    status.add_argument("policy", metavar="POLICY", nargs="?", help="one policy alone")
    status.add_argument("--json", action="store_true", help="for programs")
    page = add_command(
        parts, "page", _page, help="show rollouts and nodes in a browser", epilog=_PAGE,
        description="Show rollouts and nodes in a browser.",
    )  # fmt: skip
    _add_kubernetes(page)
    page.add_argument(
        "--port", metavar="PORT", type=_port, default=8084,
        help="on 127.0.0.1 (default: %(default)s)",
    )  # fmt: skip


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"expected a port, 0 to 65535, found `{text}`")
    return int(text)


def _add_kubernetes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--kubernetes", metavar="WHERE", default=IN_CLUSTER,
        help="the API: a kubeconfig, or `in-cluster` for the account of the own pod (default: "
        "%(default)s)",
    )  # fmt: skip


def _add_health(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--health", metavar="ADDRESS:PORT", type=address, help="answer GET /healthz there"
    )


# ---- the commands -------------------------------------------------------------------------------


def _missing(error: ImportError) -> frame.CommandError:
    """The error for a missing package of an extra. Raises others again."""
    package = (error.name or "").partition(".")[0]
    if package not in {"lightkube", "httpx", "fastapi", "uvicorn", "starlette"}:
        raise error
    extra = "kubernetes" if package in {"lightkube", "httpx"} else "kubernetes,serve"
    return frame.CommandError(
        f"the Python package {error.name} is missing", frame.pip_install(f"'gthulhuc[{extra}]'")
    )


def _node(options: argparse.Namespace) -> int:
    import os
    from pathlib import Path

    try:
        from gthulhu.fleet import node
    except ImportError as error:
        raise _missing(error) from error
    name = options.node or os.environ.get("NODE_NAME") or os.uname().nodename
    return node.run(
        node.Options(options.kubernetes, name, options.broker, Path(options.store), options.health)
    )


def _controller(options: argparse.Namespace) -> int:
    import os

    show = None
    try:
        from gthulhu.fleet import controller

        if options.page is not None:
            from gthulhu.fleet import page

            show = functools.partial(page.serve, options.page)
    except ImportError as error:
        raise _missing(error) from error
    namespace = options.namespace or os.environ.get("POD_NAMESPACE") or "default"
    return controller.run(options.kubernetes, namespace, options.health, show)


def _status(options: argparse.Namespace) -> int:
    try:
        from gthulhu.fleet import status
    except ImportError as error:
        raise _missing(error) from error
    return status.run(options.kubernetes, options.policy, as_json=options.json)


def _page(options: argparse.Namespace) -> int:
    try:
        from gthulhu.fleet import page
    except ImportError as error:
        raise _missing(error) from error
    return page.run(options.kubernetes, options.port)
