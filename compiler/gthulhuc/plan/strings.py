# SPDX-License-Identifier: Apache-2.0
"""Answers questions about strings that are known at compile time."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gthulhuc import globs, regexes


def matches(operator: str, values: Iterable[bytes], text: bytes) -> bool:
    """Whether the text equals, or matches, one of these values.

    Raises ValueError for another operator.
    """
    match operator:
        case "is":
            return text in values
        case "glob":
            return any(globs.to_regex(value).fullmatch(text) for value in values)
        case "regex":
            trees = (regexes.to_python(regexes.parse(value)) for value in values)
            return any(re.fullmatch(tree, text, re.DOTALL) for tree in trees)
    raise ValueError(operator)
