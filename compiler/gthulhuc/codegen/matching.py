# SPDX-License-Identifier: Apache-2.0
"""Template variables for the matching part of the IR."""

from __future__ import annotations

from typing import Any

from gthulhuc import ir, irmatch
from gthulhuc.codegen import calls, decisions, labels
from gthulhuc.codegen.conditions import NAME_FIELDS, Conditions
from gthulhuc.codegen.text import c_comment, c_fill, c_rows, c_string, power_of_two
from gthulhuc.fields import Event, Expression, Field

RESUME = "#line @RESUME@"
"""A placeholder for the marker that returns from the policy's lines to the C file's."""

_MAX_QUESTIONS = 100
_NEW_LINE = "\n\t\t\t"
"""Continues the parameters of classify() or class_of() on a new line."""


def build(scheduler: ir.Ir) -> dict[str, Any]:
    """Returns the template variables for matching."""
    features = scheduler.features
    asked = _asked(scheduler)
    locals_ = [field.row.local for field in asked if field.row.local is not None]
    events = {field.row.event for field in asked}
    conditions = Conditions(scheduler)
    graph = decisions.build(scheduler, conditions)
    rules = [] if graph else _rules(scheduler, conditions)
    monitors = [_monitor(cls) for cls in scheduler.classes if cls.monitor]
    heirs = _of_form(scheduler, irmatch.Form.INHERITED)
    is_kept = (features.runtime, features.interactive, features.inherit, features.monitor)
    parts = (scheduler.names, scheduler.programs)
    kept = parts != (None, None) or any(is_kept)
    ancestors = _ancestors(scheduler)
    return {
        "matching": bool(scheduler.comparisons),
        "questions": _questions(scheduler),
        "names": scheduler.names and _names(scheduler, scheduler.names),
        "cgroups": scheduler.cgroups and _cgroups(scheduler, scheduler.cgroups),
        "programs": scheduler.programs and _programs(scheduler, scheduler.programs),
        "ranges": [] if graph else [_range_table(table) for table in scheduler.ranges],
        "ids": _ids(scheduler),
        "runtime": _runtime(scheduler),
        "labels": labels.build(scheduler),
        "calls": calls.build(scheduler),
        "inherited": heirs
        and {"bits": _bits(scheduler, heirs), "passed_on": _passed_on(scheduler)},
        "monitors": [{**monitor, "bit": bit} for bit, monitor in enumerate(monitors)],
        "kept": kept,
        "ancestors": ancestors,
        "rows": [
            {"id": f"{field}_row", "source": _row_source(field)}
            for field in NAME_FIELDS
            if field in conditions.rows
        ],
        "by_name": _first_sources(scheduler),
        "locals": [_declared(local) for local in locals_],
        "has_locals": bool(conditions.rows or locals_ or graph)
        or features.comm
        or features.process,
        "decisions": graph,
        "rules": rules,
        "unmatched": _unmatched(scheduler),
        **_parameters(kept=kept, cgroup=features.cgroup, monitor=features.monitor),
        "events": {
            "rename": Event.RENAME in events,
            "creds": Event.CREDS in events,
            "moves": Event.MOVE in events,
        },
        "resume_marker": RESUME,
    }


def looks(scheduler: ir.Ir, *, monitor: bool) -> list[dict[str, str]]:
    """Returns the values that affect a task's class and can change without an event.

    A scheduler is always told of a weight; the program of a `--monitor` object may be dropped.
    """
    rows = [
        field.row for field in _asked(scheduler) if monitor or field.row.event is not Event.WEIGHT
    ]
    found = dict.fromkeys(row.look for row in rows if row.look is not None)
    return [_declared(look) for look in found]


def _asked(scheduler: ir.Ir) -> list[Field]:
    """Returns the fields that conditions ask about, in the table's order."""
    found: set[str] = set()
    todo: list[object] = [cls.condition for cls in scheduler.classes]
    if scheduler.decisions is not None:
        todo = [step.ask for step in scheduler.decisions.steps]
    while todo:
        match todo.pop():
            case (
                irmatch.Test(subject=subject)
                | irmatch.Between(subject=subject)
                | irmatch.NamedId(subject=subject)
            ):
                found.add(subject)
            case irmatch.All(operands=operands) | irmatch.AnyOf(operands=operands):
                todo += operands
    return [field for field in Field if field.value in found]


def _declared(expression: Expression) -> dict[str, str]:
    """An expression for the templates, with the blank that a pointer type lacks."""
    blank = "" if expression.type.endswith("*") else " "
    return {
        "type": expression.type + blank,
        "name": expression.name,
        "value": expression.text,
    }


def _parameters(*, kept: bool, cgroup: bool, monitor: bool) -> dict[str, str]:
    """The parameters of classify() and class_of(), and their arguments."""
    params, args = ["struct task_struct *p __arg_trusted"], ["p"]
    class_params, class_args = ["struct task_struct *p __arg_trusted"], ["p"]
    if kept:
        params.append("const struct task_facts *kept __arg_nonnull")
        args.append("kept")
        class_params.append("struct task_facts *kept __arg_nonnull")
        class_args.append("&t->facts")
    if cgroup:
        params.append("const struct cgroup_facts *cgroup __arg_nonnull")
        args.append("cgroup")
    if monitor:
        own = "u64 *monitored __arg_nonnull"
        # It fits on the line of the facts.
        params[-1] += f",{_NEW_LINE if cgroup else ' '}{own}"
        class_params[-1] += f",{_NEW_LINE}{own}"
        args.append("monitored")
        class_args.append("&monitored")
    return {
        "classify_params": f",{_NEW_LINE}".join(params),
        "classify_args": ", ".join(args),
        "class_params": ", ".join(class_params),
        "class_args": ", ".join(class_args),
    }


def class_id(cls: ir.TaskClass) -> str:
    """Returns the enumerator of a class."""
    return f"CLASS_{cls.id.upper()}"


def _monitor(cls: ir.TaskClass) -> dict[str, Any]:
    return {"id": f"MONITOR_{cls.id.upper()}", "class": class_id(cls)}


def _passed_on(scheduler: ir.Ir) -> dict[str, list[dict[str, str]]]:
    """The condition for passing on a bit: the task's class, or a rule that only counts it."""
    heirs = [cls for cls in scheduler.classes if cls.inherit]
    bits = {cls.id: f"INHERITED_{cls.id.upper()}" for cls in heirs}
    return {
        "by_class": [
            {"class": class_id(cls), "bit": bits[cls.id]} for cls in heirs if not cls.monitor
        ],
        "by_monitor": [
            {"monitor": _monitor(cls)["id"], "bit": bits[cls.id]} for cls in heirs if cls.monitor
        ],
    }


def _questions(scheduler: ir.Ir) -> list[str]:
    """Lines of a comment: each question, the form of its answer, and the reason."""
    lines = []
    for comparison in scheduler.comparisons[:_MAX_QUESTIONS]:
        text = c_comment(comparison.text)
        text = text if len(text) <= 60 else text[:57] + "..."
        lines.append(f" {comparison.id.upper()}: {text} (line {comparison.line})")
        lines.append(f"     {comparison.form.value}: {c_comment(comparison.why)}")
    if len(scheduler.comparisons) > _MAX_QUESTIONS:
        lines.append(
            f" and {len(scheduler.comparisons) - _MAX_QUESTIONS} more; --emit ir has them all"
        )
    return lines


def _ids(scheduler: ir.Ir) -> list[dict[str, Any]]:
    """Users and groups that the loader looks up, each with its line in the policy."""
    lines = {comparison.id: comparison.line for comparison in scheduler.comparisons}
    return [
        {"name": id_.name, "is_group": int(id_.database == "group"), "line": lines[id_.fact]}
        for id_ in scheduler.ids
    ]


def _bits(scheduler: ir.Ir, ids: set[str]) -> list[dict[str, str]]:
    """Enumerators of comparisons that are bits of a word."""
    return [
        {"id": comparison.id.upper(), "bit": f"1ULL << {comparison.bit}"}
        for comparison in scheduler.comparisons
        if comparison.bit is not None and comparison.id in ids
    ]


def _of_form(scheduler: ir.Ir, *forms: irmatch.Form) -> set[str]:
    return {comparison.id for comparison in scheduler.comparisons if comparison.form in forms}


def _names(scheduler: ir.Ir, names: irmatch.Names) -> dict[str, Any]:
    table = names.table
    return {
        "bits": _bits(scheduler, _of_form(scheduler, irmatch.Form.TABLE, irmatch.Form.AUTOMATON)),
        "first": names.first,
        "table": table and _name_table(scheduler, names, table),
        "automata": [
            _automaton(f"names_{index}", automaton)
            for index, automaton in enumerate(names.automata)
        ],
    }


def _name_table(scheduler: ir.Ir, names: irmatch.Names, table: irmatch.NameTable) -> dict[str, Any]:
    words = {comparison.id: comparison.word for comparison in scheduler.comparisons}
    slots = table.hash.slot_bits
    return {
        "nr_words": table.nr_words,
        "rows": [_name_row(row, names.first, words, table.nr_words) for row in table.rows],
        "displacements": c_rows(table.hash.displacements),
        "multipliers": [f"{number:#018x}" for number in table.hash.multipliers],
        "bucket_bits": table.hash.bucket_bits,
        "slot_bits": slots,
        "nr_slots": 1 << slots,
        "entries": sorted(
            (entry.slot, entry.name.encode("latin-1"), entry.row) for entry in table.entries
        ),
    }


def _name_row(
    row: irmatch.NameRow, first: tuple[str, ...], words: dict[str, int | None], nr_words: int
) -> str:
    """The initialiser of a row. Its members have names only where one may be missing.

    clang keeps 219 bytes for each name until it ends, and a policy may have 100,000 rows.
    """
    parts = []
    by_word: dict[int, list[str]] = {}
    for comparison in row.comparisons:
        by_word.setdefault(words[comparison] or 0, []).append(comparison.upper())
    if by_word:
        facts = ", ".join(f"[{word}] = {' | '.join(ids)}" for word, ids in by_word.items())
        parts.append(f".facts = {{ {facts} }}")
    classes = {item.subject: f"CLASS_{item.class_id.upper()}" for item in row.first}
    named = ".{} = {}" if nr_words else "{1}"
    parts += [named.format(field, classes.get(field, "CLASS_DEFAULT")) for field in first]
    return ", ".join(parts)


def _automaton(name: str, automaton: irmatch.Automaton) -> dict[str, Any]:
    names = [*(comparison.upper() for comparison in automaton.comparisons), "FACTS_KNOWN"]
    return {
        "id": name,
        "nr_columns": automaton.nr_columns,
        "column": c_rows(automaton.column),
        "next_state": c_rows(automaton.next_state),
        "nr_next": power_of_two(len(automaton.next_state)),
        "nr_accepts": power_of_two(len(automaton.accepts)),
        "accepts": c_fill(
            [" | ".join(names[index] for index in bits) or "0" for bits in automaton.accepts]
        ),
    }


def _view(kind: str, start: int, automata: tuple[irmatch.Automaton, ...]) -> list[dict[str, Any]]:
    """The automata of a kind; the words of their bits are numbered from `start` on."""
    return [
        _automaton(f"{kind}_{index}", automaton)
        | {"state": f"{kind}_state_{index}", "word": start + index}
        for index, automaton in enumerate(automata)
    ]


def _cgroups(scheduler: ir.Ir, paths: irmatch.Paths) -> dict[str, Any]:
    whole = _view("path", 0, paths.paths)
    units = _view("unit", len(whole), paths.units)
    pods = _view("pod", len(whole) + len(units), paths.pods)
    return {
        "bits": _bits(scheduler, _of_form(scheduler, irmatch.Form.CGROUP)),
        "automata": whole + units + pods,
        "paths": whole,
        "units": units,
        "from_root": whole + pods,
        "innermost": units + pods,
    }


def _programs(scheduler: ir.Ir, programs: irmatch.Programs) -> dict[str, Any]:
    paths = _view("exe", 0, programs.paths)
    arguments = _view("argument", len(paths), programs.arguments)
    places = _argument_places(programs)
    return {
        "bits": _bits(scheduler, _of_form(scheduler, irmatch.Form.PROGRAM)),
        "automata": paths + arguments,
        "paths": paths,
        "arguments": arguments,
        "places": places,
        "others": len(places) - 1,
    }


def _argument_places(programs: irmatch.Programs) -> list[str]:
    """For each number up to the last that is asked about, and for all others: who asks about it.

    A row has a word of bits for each automaton; without numbers in the policy there are no rows.
    """
    numbers = dict(programs.numbered)
    rows = []
    for place in range(max(numbers.values()) + 2) if numbers else ():
        words = [
            [name.upper() for name in automaton.comparisons if numbers.get(name, place) == place]
            for automaton in programs.arguments
        ]
        rows.append(", ".join(" | ".join(names) or "0" for names in words))
    return rows


def _range_table(table: irmatch.RangeTable) -> dict[str, Any]:
    return {
        "id": f"{table.fact}_ranges",
        "rows": c_fill([f"{{ {low}, {high} }}" for low, high in table.ranges]),
    }


def _runtime(scheduler: ir.Ir) -> dict[str, Any] | None:
    return (
        {"bits": _bits(scheduler, _of_form(scheduler, irmatch.Form.RUNTIME))}
        if scheduler.runtime
        else None
    )


def _ancestors(scheduler: ir.Ir) -> dict[str, Any]:
    names = scheduler.names if scheduler.features.ancestor else None
    words = names.ancestor_words if names else 0
    first = bool(names and "ancestor" in names.first)
    return {
        "words": words,
        "patterns": len(names.automata) if names else 0,
        "first": first,
        "row": words or first,
    }


def _row_source(field: str) -> str:
    return "kept->parent.row" if field == "parent" else f"{field}.row"


def _first_sources(scheduler: ir.Ir) -> list[str]:
    """The places of the rules that each field's name alone decides."""
    if scheduler.names is None:
        return []
    ancestor = "CLASS_DEFAULT - kept->ancestor_lead"
    return [
        ancestor if field == "ancestor" else f"{field}_row->{field}"
        for field in scheduler.names.first
    ]


def _unmatched(scheduler: ir.Ir) -> str:
    rest = "first" if scheduler.names and scheduler.names.first else "CLASS_DEFAULT"
    return f"kthread ? CLASS_KTHREAD : {rest}" if scheduler.features.kthread else rest


def _rules(scheduler: ir.Ir, conditions: Conditions) -> list[dict[str, Any]]:
    """The rules that names alone do not decide, with the parts to compute before each."""
    rules = []
    names_before = False
    for cls in scheduler.classes:
        if cls.condition is None:
            continue
        if cls.by_name:
            names_before = True
            continue
        parts, condition = conditions.of(cls)
        rules.append(
            {
                "class": class_id(cls),
                "outcome": f"*monitored |= {_monitor(cls)['id']}"
                if cls.monitor
                else f"return {class_id(cls)}",
                "comment": c_comment(f"rule {cls.name}"),
                "parts": parts,
                "condition": condition,
                "names_before": names_before,
                "line_marker": f"#line {cls.line} {c_string(cls.file or scheduler.policy.file)}",
            }
        )
        names_before = False
    return rules
