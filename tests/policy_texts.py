# SPDX-License-Identifier: Apache-2.0
"""Policies from the grammar, for hypothesis: every form, odd words, any blanks and comments.

Most are meaningless; all of them parse.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

Tokens = list[str]

_WORDS = ("ran", "x", "kernel", "comm", "a-b", "_", "low", "return", "exclusive", "lcore_1")
_ANY_NAMES = (*_WORDS, "policy", "and", "match", "max-wait", "default", "in")
_COMPARATORS = ("==", "!=", "<", "<=", ">", ">=", "~", "=~", "in", "under")
_SHORT = 4

word = st.sampled_from(_WORDS)
any_name = st.sampled_from(_ANY_NAMES)
number = st.sampled_from(("0", "3", "6.13", "500us", "20%", "2x", "1.5ms", "2µs"))
string = st.sampled_from(('"nr-gnb"', '"a\\"b # no comment"', "'\\d+ # [x]'", '"é{"', '""'))
quoted = st.sampled_from(('"app"', '"a\\\\"'))


def _one(token: SearchStrategy[str]) -> SearchStrategy[Tokens]:
    return token.map(lambda text: [text])


def _row(*parts: str | SearchStrategy[Tokens]) -> SearchStrategy[Tokens]:
    made = [st.just([part]) if isinstance(part, str) else part for part in parts]
    return st.tuples(*made).map(lambda rows: [token for row in rows for token in row])


def _maybe(*parts: str | SearchStrategy[Tokens]) -> SearchStrategy[Tokens]:
    return st.one_of(st.just([]), _row(*parts))


def _many(part: SearchStrategy[Tokens], most: int = _SHORT) -> SearchStrategy[Tokens]:
    return st.lists(part, max_size=most).map(lambda rows: [token for row in rows for token in row])


def _listed(part: SearchStrategy[Tokens], most: int = _SHORT) -> SearchStrategy[Tokens]:
    rest = _many(_row(",", part), most)
    return _row(part, rest)


scalar = st.one_of(_row("-", _one(number)), _one(number), _one(word))
_text_or_scalar = st.one_of(_one(string), scalar)
list_literal = st.one_of(
    st.just(["[", "]"]), _row("[", _listed(_text_or_scalar, 30), _maybe(","), "]")
)
_operand = st.one_of(_row(scalar, _maybe("..", scalar)), _one(string), list_literal)
comparison = _row(
    _one(word),
    _maybe(_one(quoted)),
    _maybe("within", scalar, _maybe("via", _one(word))),
    _maybe(_one(st.sampled_from(_COMPARATORS)), _operand),
)


def _joined(unary: SearchStrategy[Tokens]) -> SearchStrategy[Tokens]:
    chain = st.sampled_from(("and", "or")).flatmap(lambda w: _row(unary, _many(_row(w, unary))))
    return _row(_many(st.just(["not"]), 2), st.one_of(_row("(", chain, ")"), comparison))


_unary = st.recursive(comparison, _joined, max_leaves=12)
expression = st.sampled_from(("and", "or")).flatmap(lambda w: _row(_unary, _many(_row(w, _unary))))
_cpu_term = st.one_of(
    _row(_one(number), _maybe("-", _one(number))), _row(_one(word), _maybe(_one(number)))
)
statement = st.one_of(
    _row("match", expression),
    _row("priority", _one(word)),
    _row("weight", scalar),
    _row("slice", scalar, _maybe("..", scalar)),
    _row("cpus", _listed(_cpu_term), _maybe(_one(word))),
    _row("migrate", _one(word), _maybe(_one(word))),
    _row("preempt", _maybe("after", scalar), _maybe("budget", scalar, "per", scalar)),
    _row("max-wait", scalar),
    st.just(["inherit"]),
    st.just(["monitor"]),
)
_as_rule = _row("as", _one(any_name))
_claim = _row(
    _one(word),
    "(",
    _one(any_name),
    _maybe(_one(any_name)),
    ")",
    _one(st.sampled_from(_COMPARATORS)),
    scalar,
    _maybe("of", _one(st.one_of(word, quoted))),
)
_load = _row(_one(any_name), _one(number), _maybe(_as_rule))
_setting = _row(_one(word), _maybe(_one(st.sampled_from(_COMPARATORS))), scalar)
item = st.one_of(
    _row("policy", _one(any_name), "{", _many(_setting), "}"),
    _row("include", _one(quoted)),
    _row("tunable", _one(word), "=", scalar, "in", scalar, "..", scalar),
    _row("set", _one(word), "=", st.one_of(list_literal, expression)),
    _row("rule", _one(any_name), "{", _many(statement), "}"),
    _row("default", "{", _many(statement), "}"),
    _row(
        "expect",
        _one(any_name),
        _maybe(_as_rule),
        _maybe("under", _listed(_load)),
        "{",
        _many(_claim),
        "}",
    ),
    _row(
        "promise",
        _one(any_name),
        "over",
        scalar,
        "{",
        _many(_claim),
        _maybe("else", _one(word)),
        "}",
    ),
)
# A line break ends a comment; without one, the comment would swallow the next token.
_blank = st.sampled_from(
    (" ", " ", " ", "\n", "\t", "\r\n", "\n\n\n", " # note \n", "\n# own\n", "#\r\n", "\r# a\r\n\n")
)


@st.composite
def policy_texts(draw: st.DrawFn) -> str:
    """The text of a file."""
    tokens = draw(_many(item, 5))
    blanks = draw(st.lists(_blank, min_size=len(tokens) + 1, max_size=len(tokens) + 1))
    end = draw(st.sampled_from(("", "\n", "# end", "\n\n\n# end\n\n")))
    return "".join(b + t for b, t in zip(blanks, [*tokens, ""], strict=True)) + end
