# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Subjects by their names: policies, compiled here and nowhere else in the lab, peers and EEVDF."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from gthulhu.loader import find_loader
from gthulhu_lab import workloads
from gthulhu_lab.errors import LabError
from gthulhu_lab.measure import EEVDF, Subject, policy_subject
from gthulhu_lab.peers import HOW_TO_BUILD, PEERS, Peer
from gthulhu_lab.progress import Progress
from gthulhuc import checked, codegen, frontend, peers, plan
from gthulhuc.cli import shared
from gthulhuc.diagnostics import Diagnostic


class PolicyError(LabError):
    """A policy that cannot be measured, with its diagnostics.

    `status`: FOUND_ERRORS for a wrong policy, FAILED for one that the lab cannot handle.
    """

    def __init__(
        self, path: str, diagnostics: Sequence[Diagnostic], status: int = shared.FOUND_ERRORS
    ) -> None:
        first = diagnostics[0].message if diagnostics else "invalid policy"
        super().__init__(f"{path}: {first}", f"`gthulhu check {path}` shows all errors.")
        self.diagnostics = diagnostics
        self.status = status


def policy_files(named: Sequence[str | Path]) -> list[Path]:
    """The files without repetition. Raises LabError if two have the same name.

    Subjects are told apart by the names of their files.
    """
    found = [Path(file) for file in dict.fromkeys(named)]
    _check_names([file.stem for file in found], "policies")
    return found


def _check_names(names: Sequence[str], kind: str = "schedulers") -> None:
    if twice := next((name for name, count in Counter(names).items() if count > 1), None):
        raise LabError(f"two {kind} have the name {twice}", "Rename one, or leave it out.")


def read_policy(path: str) -> tuple[checked.Policy, bytes]:
    """A checked policy and its source. Raises PolicyError, CommandError."""
    name, content = shared.read_file(path)
    source, found = frontend.decode(name, content)
    policy, problems = frontend.check(source)
    errors = [problem for problem in (*found, *problems) if problem.is_error]
    if policy is None or errors:
        raise PolicyError(path, errors)
    return policy, content


def assemble(
    policies: Mapping[str, Path], peers: Iterable[Peer], progress: Progress
) -> list[Subject]:
    """EEVDF, the peers that are built, and policies by name, ready to run beside workloads.

    Raises LabError if two have the same name.
    """
    there = [peer for peer in peers if peer.is_there]
    _check_names([EEVDF.name, *(peer.name for peer in there), *policies])
    progress.step("compiling the policies")
    found = [compiled(name, file) for name, file in policies.items()]
    progress.step("building the workloads")
    workloads.build()
    return [EEVDF, *(peer.subject() for peer in there), *found]


def compiled(name: str, path: Path, *, stats: bool = False) -> Subject:
    """A policy as `gthulhuc` compiles it. Raises PolicyError, LabError, CommandError."""
    policy, _ = read_policy(str(path.absolute()))
    return policy_subject(name, _object(policy, stats=stats), Path(find_loader({})))


def compiled_for_claims(policy: checked.Policy) -> Subject:
    """A policy as `gthulhu run` starts it. Raises PolicyError, LabError, CommandError."""
    # Claims are part of the source, not of the scheduler: without its hash the guest is the same.
    data = _object(policy, has_digest=False)
    return policy_subject(policy.name, data, Path(find_loader({})), verbose=False)


def named(name: str) -> Subject:
    """EEVDF, a peer by its name, or a policy by its file. Raises LabError, CommandError."""
    if name.endswith(".gpl"):
        return compiled_for_claims(read_policy(name)[0])
    if name == peers.EEVDF:
        return EEVDF
    peer = PEERS.get(name)
    if peer is None:
        raise LabError(f"unknown scheduler {name!r}", f"The lab has {', '.join(peers.BASELINES)}.")
    if not peer.is_there:
        raise LabError(f"{peer.name} is not built", f"Run `{HOW_TO_BUILD}`.")
    return peer.subject()


def _object(policy: checked.Policy, *, stats: bool = False, has_digest: bool = True) -> bytes:
    """The BPF object of a policy. Raises PolicyError, LabError."""
    try:
        ir = plan.build(policy)
        if not has_digest:
            ir = replace(ir, policy=replace(ir.policy, sha256=""))
        return codegen.compile_object(codegen.render(ir, stats=stats))
    except plan.PlanError as error:
        raise PolicyError(policy.name, error.diagnostics) from error
    except codegen.ToolchainError as error:
        raise LabError(str(error), error.help) from error
