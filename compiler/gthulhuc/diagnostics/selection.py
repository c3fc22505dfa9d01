# SPDX-License-Identifier: Apache-2.0
"""`-W`: selects the warnings to show, and those that become errors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from gthulhuc.diagnostics.codes import ALL, WARNINGS
from gthulhuc.diagnostics.model import Diagnostic, Severity
from gthulhuc.diagnostics.suggest import did_you_mean
from gthulhuc.records import dataclass


class UnknownWarningError(ValueError):
    """A name after `-W` that is not a warning; `hint` suggests one."""

    def __init__(self, name: str) -> None:
        names = [code.name for code in WARNINGS]
        is_error = any(name in (code.name, code.id) for code in ALL)
        super().__init__(f"`{name}` is an error" if is_error else f"unknown warning `{name}`")
        self.hint = "; ".join(did_you_mean(name, names)) if not is_error else ""


@dataclass(frozen=True, slots=True)
class Selection:
    """The combined effect of all options; for each warning the last one counts."""

    off: frozenset[str] = frozenset()
    errors: frozenset[str] = frozenset()

    def apply(self, found: Iterable[Diagnostic]) -> list[Diagnostic]:
        """Returns the diagnostics without disabled warnings, with promoted ones as errors."""
        kept = []
        for diagnostic in found:
            name = diagnostic.code.name
            if diagnostic.is_error:
                kept.append(diagnostic)
            elif name in self.errors and name not in self.off:
                kept.append(replace(diagnostic, severity=Severity.ERROR))
            elif name not in self.off:
                kept.append(diagnostic)
        return kept


def select(options: Sequence[str]) -> Selection:
    """Returns the selection of `NAME`, `no-NAME`, `error` and `error=NAME`, in their order.

    `all` is every warning; a code's number works like its name. Raises UnknownWarningError.
    """
    names = frozenset(code.name for code in WARNINGS)
    off: frozenset[str] = frozenset()
    errors: frozenset[str] = frozenset()
    for option in options:
        if option == "error":
            errors = names
        elif option.startswith("error="):
            chosen = _chosen(option.removeprefix("error="), names)
            errors, off = errors | chosen, off - chosen
        elif option.startswith("no-error="):
            errors -= _chosen(option.removeprefix("no-error="), names)
        elif option.startswith("no-"):
            off |= _chosen(option.removeprefix("no-"), names)
        else:
            off -= _chosen(option, names)
    return Selection(off, errors)


def _chosen(name: str, names: frozenset[str]) -> frozenset[str]:
    if name == "all":
        return names
    by_id = {code.id: code.name for code in WARNINGS}
    known = by_id.get(name, name)
    if known not in names:
        raise UnknownWarningError(name)
    return frozenset((known,))
