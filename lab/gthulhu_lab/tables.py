# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Tables of figures, and the conditions below them, for terminals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

NONE = "-"  # the cell of a figure that is missing


@dataclass(frozen=True, slots=True)
class Table:
    """A title, a head, and rows whose first cells, `words` of them, name them."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str | Text]]
    words: int = 1


def console_of_width(least: int, *, stderr: bool = False) -> Console:
    """Returns a console; one that is no terminal has room for a table of this width."""
    console = Console(stderr=stderr)
    console.width = max(console.width, least) if not console.is_terminal else console.width
    return console


def show(table: Table, console: Console) -> None:
    """Print a table; coloured on a terminal only."""
    drawn = RichTable(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for number, name in enumerate(table.head):
        # If the table is too wide, only the first column wraps, so figures stay whole.
        is_name = number < table.words
        drawn.add_column(name, justify="left" if is_name else "right", no_wrap=number > 0)
    for row in table.rows:
        drawn.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in row))
    if table.title:
        console.print(f"\n{table.title}", style="bold", highlight=False, markup=False)
    console.print(drawn)


def show_conditions(lines: Iterable[tuple[str, str]], console: Console, *, width: int = 9) -> None:
    """Print the conditions of figures, each after its name in `width` columns."""
    for name, value in lines:
        console.print(f"{name:{width}}{value}", highlight=False, markup=False, soft_wrap=True)


def number(value: float | None) -> str:
    """A cell with a whole number."""
    return NONE if value is None else f"{value:,.0f}"
