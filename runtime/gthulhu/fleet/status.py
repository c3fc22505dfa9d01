# SPDX-License-Identifier: Apache-2.0
"""`gthulhu fleet status`: the policies of a cluster, and the nodes where they are not in force."""

from __future__ import annotations

import asyncio
import json

from gthulhu.fleet.resources import NODES, POLICIES, NodeObject, Policy
from gthulhu.kubernetes import Api, ApiError, Object
from gthulhuc.cli import frame
from gthulhuc.diagnostics.human import visible


def run(where: str, name: str | None, *, as_json: bool) -> int:
    """Prints it, and returns whether a policy has failed. Raises CommandError."""
    policies, nodes = asyncio.run(_read(where))
    if name is not None:
        policies = [each for each in policies if each["metadata"]["name"] == name]
        if not policies:
            raise frame.CommandError(
                f"there is no SchedulingPolicy {name}", "`gthulhu fleet status` lists all"
            )
    if as_json:
        frame.out(json.dumps({"policies": policies, "nodes": nodes}, indent=2) + "\n")
    elif not policies:
        frame.out("there is no SchedulingPolicy\n")
    known = [NodeObject.model_validate(each) for each in nodes]
    has_failed = False
    for each in policies:
        policy = Policy.model_validate(each)
        has_failed |= policy.status.phase in {"Failed", "GoingBack", "Rejected"}
        if not as_json:
            frame.out("".join(f"{visible(line)}\n" for line in _lines(policy, known)))
    return frame.FOUND_ERRORS if has_failed else frame.OK


def _lines(policy: Policy, nodes: list[NodeObject]) -> list[str]:
    status = policy.status
    said = status.message or "no controller has seen it yet"
    lines = [f"{policy.name}: {status.phase or 'Pending'}: {said}"]
    mine = sorted((each for each in nodes if each.status.policy == policy.name), key=_name)
    for node in mine:
        if node.status.state == "InForce" and not node.status.message:
            continue
        has = node.status.in_force
        now = f"revision {has.revision}" if has is not None else "no revision of the fleet"
        lines.append(f"  {node.name}: {node.status.state}, {now}: {node.status.message or '-'}")
    return lines


def _name(node: NodeObject) -> str:
    return node.name


async def _read(where: str) -> tuple[list[Object], list[Object]]:
    api = Api(where)
    try:
        found = [(await api.everything(path, {}))[0] for path in (POLICIES, NODES)]
    except ApiError as error:
        hint = "give the API with `--kubernetes KUBECONFIG`"
        if error.status == 404:
            hint = "the resources of deploy/crds are needed: `kubectl apply -f deploy/crds`"
        raise frame.CommandError(f"cannot read from the Kubernetes API: {error}", hint) from error
    finally:
        await api.close()
    return found[0], found[1]
