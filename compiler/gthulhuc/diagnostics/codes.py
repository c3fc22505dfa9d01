# SPDX-License-Identifier: Apache-2.0
"""Every code a diagnostic can have. A code is never given a second meaning and never reused.

GPL0009 and GPL0413 are retired: what they said is GPL0013 now.
"""

from __future__ import annotations

from gthulhuc.records import dataclass


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of problem: its stable id, and the name that switches a warning on and off."""

    id: str
    name: str


# The text and its form.
INVALID_UTF8 = Code("GPL0001", "invalid-utf8")
ODD_CHARACTER = Code("GPL0002", "odd-character")
OPEN_STRING = Code("GPL0003", "open-string")
BAD_ESCAPE = Code("GPL0004", "bad-escape")
SYNTAX = Code("GPL0005", "syntax")
TOO_DEEP = Code("GPL0006", "too-deep")
MIXED_AND_OR = Code("GPL0007", "mixed-and-or")
FOREIGN_SPELLING = Code("GPL0008", "foreign-spelling")
INCLUDE_CYCLE = Code("GPL0010", "include-cycle")
CANNOT_INCLUDE = Code("GPL0011", "cannot-include")
NOT_A_LIBRARY = Code("GPL0012", "not-a-library")
TOO_LARGE = Code("GPL0013", "too-large")
TOO_MANY_STEPS = Code("GPL0014", "too-many-steps")
TOO_MUCH_TABLE = Code("GPL0015", "too-much-table")
TOO_MUCH_STACK = Code("GPL0016", "too-much-stack")
TEXT_DIRECTION = Code("GPL0017", "text-direction")
NOT_A_POLICY = Code("GPL0018", "not-a-policy")

# Words and names.
UNKNOWN_WORD = Code("GPL0101", "unknown-word")
UNDEFINED_NAME = Code("GPL0102", "undefined-name")
DUPLICATE_NAME = Code("GPL0103", "duplicate-name")
CONFUSABLE_NAME = Code("GPL0104", "confusable-name")
WRONG_KIND = Code("GPL0105", "wrong-kind")
SET_CYCLE = Code("GPL0106", "set-cycle")
RESERVED_NAME = Code("GPL0107", "reserved-name")

# Values.
MISSING_UNIT = Code("GPL0201", "missing-unit")
WRONG_UNIT = Code("GPL0202", "wrong-unit")
OUT_OF_RANGE = Code("GPL0203", "out-of-range")
BAD_NUMBER = Code("GPL0204", "bad-number")
WRONG_OPERATOR = Code("GPL0205", "wrong-operator")
NAME_TOO_LONG = Code("GPL0206", "name-too-long")
EMPTY_LIST = Code("GPL0207", "empty-list")
BAD_GLOB = Code("GPL0208", "bad-glob")
BAD_PATH = Code("GPL0209", "bad-path")
WRONG_VALUE = Code("GPL0210", "wrong-value")
REVERSED_RANGE = Code("GPL0211", "reversed-range")
BAD_REGEX = Code("GPL0212", "bad-regex")

# The structure of files and blocks.
NO_POLICY = Code("GPL0301", "no-policy")
DUPLICATE_BLOCK = Code("GPL0302", "duplicate-block")
DUPLICATE_STATEMENT = Code("GPL0303", "duplicate-statement")
NO_MATCH = Code("GPL0304", "no-match")
NOT_IN_DEFAULT = Code("GPL0305", "not-in-default")
NO_CLAIM = Code("GPL0306", "no-claim")
NOT_IN_WHEN = Code("GPL0307", "not-in-when")

# The meaning of a policy.
NEVER_TRUE = Code("GPL0401", "never-true")
ALWAYS_TRUE = Code("GPL0402", "always-true")
UNREACHABLE = Code("GPL0403", "unreachable")
EXCLUSIVE_TWICE = Code("GPL0404", "exclusive-twice")
NO_CPU_LEFT = Code("GPL0405", "no-cpu-left")
MEANINGLESS = Code("GPL0406", "meaningless")
UNUSED = Code("GPL0407", "unused")
OUTSIDE_TARGET = Code("GPL0408", "outside-target")
SAME_AS_DEFAULT = Code("GPL0409", "same-as-default")
COMES_AND_GOES = Code("GPL0410", "comes-and-goes")
SHORT_SLICE = Code("GPL0411", "short-slice")
STARVATION = Code("GPL0412", "starvation")
ODD_STRING = Code("GPL0414", "odd-string")
NO_KTHREAD = Code("GPL0415", "no-kthread")
ONE_SESSION = Code("GPL0416", "one-session")
OVERLAP = Code("GPL0417", "overlap")
EXCESS_SHARE = Code("GPL0418", "excess-share")

# The tests of a policy.
TEST_FAILED = Code("GPL0501", "test-failed")

ALL: tuple[Code, ...] = tuple(
    value for value in list(globals().values()) if isinstance(value, Code)
)
WARNINGS = (
    UNUSED,
    SAME_AS_DEFAULT,
    COMES_AND_GOES,
    SHORT_SLICE,
    STARVATION,
    ODD_STRING,
    NO_KTHREAD,
    ONE_SESSION,
    OVERLAP,
)
"""The codes that `-W` switches off or promotes."""
