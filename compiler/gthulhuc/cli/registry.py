# SPDX-License-Identifier: Apache-2.0
"""The commands of `gthulhu`, as installed packages register them.

Each is an entry point: `NAME = "MODULE:FUNCTION"`, where the function adds the command. So a
package adds its commands, and none below it has to know. importlib.metadata reads the same, but
its import alone takes longer than all of `gthulhu --help`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from gthulhuc.cli.commands import Commands

GROUP = "gthulhu.commands"
# Only those of our own packages: commands run as root.
_ENTRY_POINTS = "gthulhu*.dist-info/entry_points.txt"

Add: TypeAlias = "Callable[[Commands], object]"


def load(names: Collection[str] = ()) -> Iterator[Add]:
    """Yields the functions that add the named commands.

    Yields those of all commands if there are no names, or if one is unknown.

    Raises:
        CommandError: no command is registered.
    """
    found = registered(sys.path)
    if not found:
        from gthulhuc.cli.frame import CommandError

        raise CommandError(
            "no command is registered: gthulhuc is not installed where this Python looks",
            "install it with pip; in a checkout, `make setup` does that",
        )
    wanted = names if names and found.keys() >= set(names) else found
    for name in wanted:
        yield _resolved(found[name])


def registered(path: Collection[str]) -> dict[str, str]:
    """The commands of all packages on a path: `MODULE:FUNCTION` by name, sorted.

    As with modules, the first folder of the path that has a name wins.
    """
    from configparser import ConfigParser

    found: dict[str, str] = {}
    for folder in path:
        for file in sorted(Path(folder).glob(_ENTRY_POINTS)):
            parser = ConfigParser(delimiters="=", interpolation=None)
            parser.read(file, encoding="utf-8")
            if parser.has_section(GROUP):
                found = dict(parser[GROUP]) | found
    return dict(sorted(found.items()))


def _resolved(entry: str) -> Add:
    from importlib import import_module

    module, _, function = entry.partition(":")
    add: Add = getattr(import_module(module), function)
    return add
