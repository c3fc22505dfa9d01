# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""JSON with what rt-app's parser and its `workgen` allow besides."""

from __future__ import annotations

import json
import re

from gthulhu_lab.errors import LabError

Pairs = tuple[tuple[str, object], ...]
"""An object; a key may be there more than once."""

_TEXT = r'"(?:\\.|[^"\\])*"'
_EXTRA = re.compile(rf"({_TEXT})|/\*.*?\*/|//[^\n]*", re.DOTALL)
_LAST_COMMA = re.compile(rf"({_TEXT})|,(?=\s*[}}\]])", re.DOTALL)
_ALONE = re.compile(rf"([{{,]\s*)({_TEXT})(?=\s*[,}}])")


def parse(path: str, text: str) -> object:
    """Returns the content; an object is a tuple of pairs. Raises LabError with the place.

    Comments, commas before a closing bracket, and keys without a value are fine.
    """

    def blank(found: re.Match[str]) -> str:
        return found[1] or re.sub(r"[^\n]", " ", found[0])

    text = _LAST_COMMA.sub(blank, _EXTRA.sub(blank, text))
    text = _ALONE.sub(r'\1\2: ""', text)
    try:
        content: object = json.loads(text, object_pairs_hook=tuple)
    except json.JSONDecodeError as error:
        raise LabError(f"{path}:{error.lineno}:{error.colno}: not JSON: {error.msg}") from error
    except RecursionError as error:
        raise LabError(f"{path}: not a workload: its brackets are nested too deeply") from error
    return content
