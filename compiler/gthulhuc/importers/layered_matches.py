# SPDX-License-Identifier: Apache-2.0
"""Converts the conditions of a layer to the predicate of a rule.

A cgroup's path in scx_layered has no `/` before it, and one after it: `system.slice/cron.service/`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable

from gthulhuc.importers.command_regex import COMM_MAX, UnsupportedError, quote_regex, to_anchored
from gthulhuc.importers.document import duration, escape_glob
from gthulhuc.importers.layered_layers import (
    FLAG,
    ID,
    NUMBER,
    SIGNED,
    TEXT,
    WHOLE,
    WHOLES,
    Layer,
    LayerError,
    Match,
    Shape,
    expect,
    shown,
)
from gthulhuc.importers.outcomes import Note, Outcome
from gthulhuc.records import dataclass
from gthulhuc.syntax.text import quote

_LONGEST = 512  # the compiler's time grows with the square of a pattern's length
_MAX_EXPIRE_MS = 3_600_000
_ROOT = "^/sys/fs/cgroup"
_GPU_CALLS = ("nvidia_poll", "nvidia_open", "nvidia_mmap")
_PIDS = (
    "a policy cannot name a pid: label the process at run time, as below; a label also counts for "
)
_TEMPLATES = ("CgroupSuffix", "CgroupRegex")


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition in the language, or `truth` if it does not depend on the task; None: lost.

    With `values` it is `head` and a list of them, and may be joined with others of the same head.
    """

    outcome: Outcome
    said: str = ""
    head: str = ""
    values: tuple[bytes, ...] = ()
    truth: bool | None = None
    is_negated: bool = False
    command: str = ""

    @property
    def is_lost(self) -> bool:
        """Whether it has no counterpart."""
        return not self.head and self.truth is None

    @property
    def text(self) -> str:
        """The predicate."""
        return ("not " * self.is_negated) + _joined(self.head, self.values)


@dataclass(frozen=True, slots=True)
class Predicate:
    """The predicate of a layer in parts, all of which must hold; none: every task.

    `is_never`: no task. `left_out`: the conditions that are not in it, as written. `commands` label
    the processes that it names by pid.
    """

    parts: tuple[str, ...]
    notes: tuple[Note, ...]
    is_never: bool = False
    left_out: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()


def to_predicate(layer: Layer) -> Predicate:
    """Returns the predicate of a layer. Raises LayerError for an invalid condition."""
    if layer.template is not None and layer.template.kind not in _TEMPLATES:
        message = f"`{layer.template.kind}` in a template; scx_layered takes {_or(_TEMPLATES)}"
        raise LayerError(layer.template.place, message)
    notes: list[Note] = []
    left_out: list[str] = []
    kept: list[list[Condition]] = []
    for block in layer.blocks:
        matches = block if layer.template is None else (*block, layer.template)
        conditions = [_condition(match, layer) for match in matches]
        if any(condition.is_lost for condition in conditions):
            notes += [
                Note(m.place, m.kind, Outcome.LOST, c.said * c.is_lost)
                for m, c in zip(matches, conditions, strict=True)
            ]
            left_out.append(" and ".join(f"{m.kind} {shown(m.value)}" for m in matches))
            continue
        notes += [
            Note(m.place, m.kind, c.outcome, c.said)
            for m, c in zip(matches, conditions, strict=True)
        ]
        if all(condition.truth is not False for condition in conditions):
            kept.append([c for c in conditions if c.truth is None])
    if layer.template is not None:
        said = (
            "one rule for all cgroups that it takes; scx_layered makes a layer for each that it "
            "finds when it starts, with CPUs of its own, and takes all cgroups if it finds none"
        )
        at = layer.template.place.rpartition(".")[0]
        notes.append(Note(at, "template", Outcome.APPROXIMATED, said))
    commands = tuple(c.command for block in kept for c in block if c.command)
    parts = _parts(kept)
    return Predicate(
        parts or (), tuple(notes), parts is None, tuple(left_out), tuple(dict.fromkeys(commands))
    )


def truth(predicate: str) -> bool | None:
    """Returns whether a predicate is the same for every task, as far as the compiler can tell."""
    from gthulhuc.diagnostics import codes
    from gthulhuc.frontend import check
    from gthulhuc.source import Source

    _, problems = check(Source("predicate", f"policy p {{}}\nrule r {{ match {predicate} }}\n"))
    found = {problem.code for problem in problems}
    if codes.NEVER_TRUE in found:
        return False
    return True if codes.ALWAYS_TRUE in found else None


def _parts(blocks: list[list[Condition]]) -> tuple[str, ...] | None:
    """The predicate of blocks, of which one must hold: its parts; None if none can hold."""
    texts: list[tuple[str, ...]] = []
    lists: dict[str, int] = {}
    values: dict[str, list[bytes]] = {}
    for block in blocks:
        if not block:
            return ()
        only = block[0]
        if len(block) == 1 and only.values and not only.is_negated:
            values.setdefault(only.head, []).extend(only.values)
            if only.head not in lists:
                lists[only.head] = len(texts)
                texts.append(())
            texts[lists[only.head]] = (_joined(only.head, values[only.head]),)
            continue
        parts = tuple(dict.fromkeys(condition.text for condition in block))
        # Only conditions on the same field can contradict each other.
        fields = {part.removeprefix("not ").split(" ")[0] for part in parts}
        if len(fields) == len(parts) or truth(" and ".join(parts)) is None:
            texts.append(parts)
    texts = list(dict.fromkeys(texts))
    if len(texts) < 2:
        return texts[0] if texts else None
    whole = " or ".join(f"({' and '.join(t)})" if len(t) > 1 else t[0] for t in texts)
    # No value in a list matches an empty name or the root, so no block with one takes every task.
    is_open = all(any(c.values and not c.is_negated for c in block) for block in blocks)
    return () if not is_open and truth(whole) else (whole,)


def _joined(head: str, values: Iterable[bytes]) -> str:
    listed = [quote(value) for value in dict.fromkeys(values)]
    if len(listed) > 1:
        return f"{head} [{', '.join(listed)}]"
    return " ".join((head, *listed))


def _or(words: Iterable[str]) -> str:
    return " or ".join(f"`{word}`" for word in words)


# ---- the kinds ----------------------------------------------------------------------------------


def _condition(match: Match, layer: Layer) -> Condition:
    if match.kind not in _KINDS:
        raise LayerError(match.place, f"`{match.kind}` is not a match of scx_layered")
    shape, convert = _KINDS[match.kind]
    expect(match.place, match.kind, match.value, shape)
    if shape is TEXT and len(match.value.encode()) > _LONGEST:
        return Condition(Outcome.LOST, f"it is longer than {_LONGEST} bytes")
    return convert(match, layer)


def _kept(head: str, *values: bytes) -> Condition:
    return Condition(Outcome.KEPT, "", head, values)


def _always(said: str) -> Condition:
    return Condition(Outcome.KEPT, said, truth=True)


def _never(said: str) -> Condition:
    return Condition(Outcome.KEPT, f"it never holds, in scx_layered either: {said}", truth=False)


def _lost(said: str) -> Callable[[Match, Layer], Condition]:
    return lambda _match, _layer: Condition(Outcome.LOST, said)


def _cgroup_prefix(match: Match, _: Layer) -> Condition:
    prefix = match.value
    if not prefix:
        return _always("every path begins so")
    if prefix == "/":
        return _kept('cgroup == "/"')
    if not {"", ".", ".."}.isdisjoint(prefix.removesuffix("/").split("/")):
        return _never("its paths have no `/` before them, and none twice")
    if prefix.endswith("/"):
        return _kept("cgroup under", f"/{prefix[:-1]}".encode())
    return _kept("cgroup ~", b"/" + escape_glob(prefix.encode()) + b"*")


def _cgroup_suffix(match: Match, layer: Layer) -> Condition:
    suffix = match.value
    is_template = match is layer.template
    if suffix in ("", "/"):
        return _always("every path ends so")
    if not suffix.endswith("/") and not is_template:
        return _never("its paths end with `/`")
    return _kept("cgroup ~", b"/*" + escape_glob(suffix.removesuffix("/").encode()))


def _cgroup_contains(match: Match, _: Layer) -> Condition:
    text = match.value
    if text in ("", "/"):
        return _always("every path has it")
    inner = escape_glob(text.removesuffix("/").encode())
    if not text.endswith("/"):
        return _kept("cgroup ~", b"/*" + inner + b"*")
    return _kept("cgroup ~", b"/*" + inner, b"/*" + inner + b"/*")


def _cgroup_regex(match: Match, _: Layer) -> Condition:
    pattern = match.value.replace(_ROOT, "^")
    if "^" in match.value.replace(_ROOT, "").replace("[^", "").replace(r"\^", ""):
        said = "scx_layered has /sys/fs/cgroup before the path, so `^` is not its beginning"
        return Condition(Outcome.LOST, said)
    try:
        text = to_anchored(pattern)
    except UnsupportedError as error:
        return Condition(Outcome.LOST, str(error))
    said = "it looks at the path below /sys/fs/cgroup, and not at those names, too"
    return Condition(Outcome.APPROXIMATED, said, f"cgroup =~ {quote_regex(text)}")


def _names(field: str, *, is_negated: bool = False) -> Callable[[Match, Layer], Condition]:
    def convert(match: Match, _: Layer) -> Condition:
        prefix = match.value.encode()
        if prefix and len(prefix) <= COMM_MAX:
            glob = escape_glob(prefix) + b"*"
            return Condition(Outcome.KEPT, "", f"{field} ~", (glob,), is_negated=is_negated)
        said = "a name has at most 15 bytes" if prefix else "every name begins so"
        if bool(prefix) == is_negated:
            return _always(said)
        return _never(said)

    return convert


def _nice(sign: str, holds: Callable[[int, int], bool]) -> Callable[[Match, Layer], Condition]:
    def convert(match: Match, _: Layer) -> Condition:
        held = {holds(nice, match.value) for nice in range(-20, 20)}
        if len(held) == 2:
            return _kept(f"nice {sign} {match.value}")
        said = "nice is -20 to 19"
        return _always(said) if True in held else _never(said)

    return convert


def _id(field: str) -> Callable[[Match, Layer], Condition]:
    def convert(match: Match, _: Layer) -> Condition:
        if match.value == 2**32 - 1:
            return _never("no task has that number")
        return _kept(f"{field} == {match.value}")

    return convert


def _flag(field: str) -> Callable[[Match, Layer], Condition]:
    return lambda match, _: _kept(field if match.value else f"not {field}")


def _kthread(match: Match, _: Layer) -> Condition:
    if match.value:
        return _kept("kthread")
    said = "imported as `not kthread`; some versions of scx_layered take kernel threads for it, too"
    return Condition(Outcome.APPROXIMATED, said, "not kthread")


def _pid(key: str, also: str) -> Callable[[Match, Layer], Condition]:
    def convert(match: Match, _: Layer) -> Condition:
        head = f'label "{key}" == {quote(str(match.value).encode())}'
        command = f"gthulhu label {match.value} {key}={match.value}"
        return Condition(Outcome.APPROXIMATED, _PIDS + also, head, command=command)

    return convert


def _gpu(whose: str) -> Callable[[Match, Layer], Condition]:
    def convert(match: Match, layer: Layer) -> Condition:
        expire_ms = layer.settings.get("member_expire_ms", 0)
        within = duration(min(expire_ms or _MAX_EXPIRE_MS, _MAX_EXPIRE_MS) * 10**6)
        calls = " or ".join(f'calls "{name}" within {within}' for name in _GPU_CALLS)
        head = f"({calls})" if match.value else f"not ({calls})"
        said = f"it looks at calls of the driver by {whose}, and forgets one after {within}"
        return Condition(Outcome.APPROXIMATED, said, head)

    return convert


_PAIR = Shape(
    "a list of a namespace and a pid",
    lambda value: WHOLES.fits(value) and ID.fits(value[1]),
)
_KINDS: dict[str, tuple[Shape, Callable[[Match, Layer], Condition]]] = {
    "CgroupPrefix": (TEXT, _cgroup_prefix),
    "CgroupSuffix": (TEXT, _cgroup_suffix),
    "CgroupContains": (TEXT, _cgroup_contains),
    "CgroupRegex": (TEXT, _cgroup_regex),
    "CommPrefix": (TEXT, _names("comm")),
    "CommPrefixExclude": (TEXT, _names("comm", is_negated=True)),
    "PcommPrefix": (TEXT, _names("process")),
    "PcommPrefixExclude": (TEXT, _names("process", is_negated=True)),
    "NiceAbove": (SIGNED, _nice(">", operator.gt)),
    "NiceBelow": (SIGNED, _nice("<", operator.lt)),
    "NiceEquals": (SIGNED, _nice("==", operator.eq)),
    "UIDEquals": (ID, _id("uid")),
    "GIDEquals": (ID, _id("gid")),
    "PIDEquals": (ID, _pid("imported-pid", "its other threads and all that it starts")),
    "PPIDEquals": (ID, _pid("imported-ppid", "the parent itself and all descendants")),
    "TGIDEquals": (ID, _pid("imported-tgid", "all that it starts")),
    "NSPIDEquals": (_PAIR, _lost("the language has no pids of a namespace")),
    "NSEquals": (ID, _lost("the language has no pid namespaces; `container` may tell them apart")),
    "CmdJoin": (TEXT, _lost("a task joins a rule by a label: `gthulhu label PID KEY=VALUE`")),
    "IsGroupLeader": (FLAG, _flag("leader")),
    "IsKthread": (FLAG, _kthread),
    "UsedGpuTid": (FLAG, _gpu("the thread")),
    "UsedGpuPid": (FLAG, _gpu("the thread, and not by others of its process")),
    "AvgRuntime": (WHOLES, _lost("the language has no mean time of a run; see `interactive`")),
    "HintEquals": (WHOLE, _lost("the language has no hints; a label is the nearest")),
    "SystemCpuUtilBelow": (NUMBER, _lost("a rule does not depend on the load of the machine")),
    "DsqInsertBelow": (NUMBER, _lost("a rule does not depend on the load of a class")),
    "NumaNode": (ID, _lost("a rule does not depend on the affinity of a task")),
}
