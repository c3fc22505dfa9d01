# SPDX-License-Identifier: Apache-2.0
"""A sandboxed child of the server: it reads one job from standard input, does it, and ends.

A job is JSON, and so is the first line of the result; the bytes of an object follow. The child
imports the compiler before it reads, so that the server can start it in advance.
"""

from __future__ import annotations

import gc
import hashlib
import json
import os
import re
import shlex
import sys
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

from gthulhu.serve import sandbox
from gthulhuc import codegen, frontend
from gthulhuc.codegen import clang as toolchain
from gthulhuc.codegen.render import TEMPLATES
from gthulhuc.diagnostics import machine
from gthulhuc.importers import gthulhu as importer
from gthulhuc.importers import merging
from gthulhuc.importers.document import Document, RefusedError, settle, to_text
from gthulhuc.source import Source

_SHARED = ("nodeID", "k8sNamespace", "commandRegex", "priority", "executionTime", "podLabels")
_ONE_NAME = re.compile(r"\^([A-Za-z0-9_/:@ -]{1,15})\$")
_WARM_UP = 'policy p {} rule a { match comm == "a" and label "a" == "b" priority low }'


def main(nice: int) -> int:
    """Runs one job; the exit status is 0 if there is a result, good or bad."""
    os.nice(nice)
    folder = os.environ["TMPDIR"]
    _, warm, _ = frontend.to_ir(Source("warm-up", _WARM_UP))
    assert warm is not None
    codegen.render(warm)
    # It ends before its garbage matters, and looking for that takes a tenth of a large job.
    gc.disable()
    is_restricted = sandbox.enter(readable(), folder)
    job = json.load(sys.stdin.buffer)
    work = {"check": _check, "compile": _compile, "import": _import}[job["do"]]
    said, content = work(job)
    said["landlock"] = is_restricted
    sys.stdout.buffer.write(json.dumps(said).encode() + b"\n" + content)
    sys.stdout.buffer.flush()
    return 0


def readable() -> list[str]:
    """The folders of programs, libraries and modules."""
    ours = {str(folder) for folder in (sys.prefix, sys.base_prefix) if folder}
    modules = {folder for folder in sys.path if folder}
    clang = str(Path(toolchain.find_clang()).resolve().parent)
    system = {"/usr", "/lib", "/lib64", "/bin", "/sbin", "/etc/ld.so.cache", "/dev/urandom"}
    return sorted(system | ours | modules | {str(TEMPLATES), clang})


def _check(job: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    source, problems = frontend.decode(job["name"], job["text"].encode(errors="surrogatepass"))
    policy, found = frontend.check(source, load=_refuse)
    return _judged(policy is not None, [*problems, *found], source.sha256), b""


def _compile(job: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    source, problems = frontend.decode(job["name"], job["text"].encode(errors="surrogatepass"))
    policy, planned, found = frontend.to_ir(source, load=_refuse)
    said = _judged(policy is not None, [*problems, *found], source.sha256)
    if planned is None or not said["ok"]:
        return said, b""
    return _built(said, planned, stats=job["stats"])


def _import(job: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    """Makes a policy of strategies; `known`: hashes of policies whose objects the server has.

    With `text_only` it makes no object.
    """
    semantics = importer.Semantics(job["semantics"])
    strategies, intents = job["strategies"], job["intents"]
    rows = {"strategies": joined(strategies), "intents": grouped(intents)}
    document, findings = importer.convert(job["name"], [rows], semantics)
    if any(each.is_error for each in findings):  # once more, as errors say which row is wrong
        rows = {"strategies": strategies, "intents": intents}
        document, findings = importer.convert(job["name"], [rows], semantics)
    said: dict[str, Any] = {
        "ok": False,
        "findings": [
            {"place": each.place, "message": each.message, "help": each.hint,
             "is_error": each.is_error}
            for each in findings
        ],
        "labels": _labels(document),
    }  # fmt: skip
    try:
        text, planned = policy_of(document, job["cgroups"])
    except RefusedError as error:
        said["refused"] = str(error)
        return said, b""
    said |= {"ok": True, "text": text, "sha256": hashlib.sha256(text.encode()).hexdigest()}
    if said["sha256"] in job["known"] or job.get("text_only"):
        return said, b""
    return _built(said, planned, stats=True)


def joined(strategies: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The strategies in order, but neighbours that differ only in one exact name as one."""
    made: list[dict[str, Any]] = []
    for rest, group in groupby(strategies, _without_name):
        rows = list(group)
        if rest is not None and rows[1:]:
            names = "|".join(row["command_regex"][1:-1] for row in rows)
            rows = [{**rest, "command_regex": f"^({names})$"}]
        made += rows
    return made


def _without_name(strategy: dict[str, Any]) -> dict[str, Any] | None:
    """A strategy without its command; None if that is more than one exact name."""
    if not _ONE_NAME.fullmatch(strategy.get("command_regex", "")):
        return None
    return {key: value for key, value in strategy.items() if key != "command_regex"}


def grouped(intents: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The intents in order, but neighbours that differ only in their pod as one, with all pods."""
    groups: list[dict[str, Any]] = []
    before = None
    for intent in intents:
        rest = [intent[name] for name in _SHARED]
        if rest != before or not intent["podName"]:
            groups.append({name: value for name, value in intent.items() if name != "podName"})
            groups[-1]["podNames"] = []
            before = rest if intent["podName"] else None
        if intent["podName"]:
            groups[-1]["podNames"].append(intent["podName"])
    return groups


def policy_of(document: Document, cgroups: str) -> tuple[str, Any]:
    """The text and the IR of a document, without the rules that would never take a task.

    `cgroups`: that setting of the policy. Raises RefusedError.
    """
    settings = (*document.settings, f"cgroups {cgroups}")
    document = replace(merging.merged(document), settings=settings)
    text = to_text(document)
    _, planned, _ = frontend.to_ir(Source("imported.gpl", text))
    if planned is None:
        text = to_text(settle(document)[0])
        _, planned, _ = frontend.to_ir(Source("imported.gpl", text))
    assert planned is not None
    return text, planned


def _labels(document: Document) -> list[list[str]]:
    """The processes to label, each with its label, from the commands that say so to people."""
    return [shlex.split(command)[2:] for command in document.commands]


def _built(said: dict[str, Any], planned: Any, *, stats: bool) -> tuple[dict[str, Any], bytes]:
    try:
        return said, codegen.compile_object(codegen.render(planned, stats=stats))
    except codegen.ToolchainError as error:
        return said | {"ok": False, "failed": str(error), "help": error.help}, b""


def _judged(is_policy: bool, problems: list[Any], sha256: str) -> dict[str, Any]:
    is_wrong = any(problem.is_error for problem in problems)
    diagnostics = json.loads(machine.as_json(problems))
    return {"ok": is_policy and not is_wrong, "diagnostics": diagnostics, "sha256": sha256}


def _refuse(_name: str) -> bytes:
    """Files of the node are not the client's to read."""
    raise OSError(None, "a policy given to the API must be one text")


if __name__ == "__main__":
    # To take the objects of a large job apart would take a fifth of its time.
    os._exit(main(int(sys.argv[1])))
