# SPDX-License-Identifier: Apache-2.0
"""Text of a policy gets into C only as characters of a literal or a comment."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gthulhuc import checked, codegen, plan
from gthulhuc.checked import Glob, Subject
from gthulhuc.codegen.render import TEMPLATES
from gthulhuc.codegen.text import WIDTH, c_break, c_comment, c_fill, c_string
from gthulhuc.fields import Field
from gthulhuc.source import Source, Span
from policies import names, policy, rule, span

NASTY = (
    b'"; int pwned; "', b"*/ int pwned; /*", b"%s%n", b"??/", b"\\", b"a\nb", b"a\rb",
    b"\xc3\xa9", b"\xff", b"#line 1", b"'", b"\x7f\x1b[0m", b"@RESUME@", b"{{ x }}", b"\t",
)  # fmt: skip
_ESCAPE = re.compile(rb"\\(?:([0-7]{3})|(\"))")


@given(st.binary())
def test_c_strings_decode_to_their_bytes(data: bytes) -> None:
    literal = c_string(data).encode("ascii")
    body = literal[1:-1]
    assert literal[:1] + literal[-1:] == b'""'
    assert b"??" not in body
    assert b"\n" not in body
    assert re.fullmatch(rb"(?:[^\"\\]|\\[0-7]{3}|\\\")*", body, re.DOTALL)
    assert _ESCAPE.sub(lambda match: match[2] or bytes([int(match[1], 8)]), body) == data


@given(st.text())
def test_a_comment_stays_one(text: str) -> None:
    comment = c_comment(text)
    assert comment.isascii()
    assert comment.isprintable() or not comment
    assert not any(mark in comment for mark in ("*/", "/*", "//", "\\", "??/"))


@given(st.lists(st.text("ab", min_size=1, max_size=30), min_size=1))
def test_rows_are_filled_to_the_width(items: list[str]) -> None:
    rows = c_fill(items)
    assert ", ".join(rows).split(", ") == items
    assert all(len(row) + 9 <= WIDTH for row in rows)


@given(st.lists(st.text("ab", min_size=1, max_size=30), min_size=1))
def test_a_broken_expression_keeps_its_terms(terms: list[str]) -> None:
    text = c_break("\tif (", terms, "&&", "\t    ")
    assert re.split(r" &&\s+", text) == terms
    assert all(len(line.expandtabs()) <= WIDTH for line in text.split("\n")[1:])


def _nasty_policy(text: bytes) -> checked.Policy:
    source = Source(text.decode("latin-1") + ".gpl", text.decode("latin-1") * 3)
    where = Span(source, 0, len(source.text))
    subject = Subject(Field.CGROUP)
    rules = [
        rule("a", names(Field.COMM, text[:15])),
        rule("b", checked.Not(names(Field.PARENT, b"x", text[:15]), span())),
        rule("c", Glob(Subject(Field.COMM), (b"x*" + text.replace(b"[", b""),), where)),
        rule("d", checked.Equals(subject, (b"/" + text,), where)),
    ]
    made = policy(rules, name=text.decode("latin-1"))
    return checked.Policy(
        name=made.name,
        source=where,
        sources=(where,),
        kernel_min=None,
        watchdog_ns=None,
        tunables=(),
        rules=made.rules,
        default=made.default,
        default_span=None,
        expectations=(),
    )


@pytest.mark.parametrize("text", NASTY)
def test_nasty_texts_compile_and_add_no_token(text: bytes) -> None:
    c_text = codegen.render(plan.build(_nasty_policy(text)))
    # Without literals and comments, the rest is the same as for a plain text.
    assert c_text.isascii()
    bare = _without_texts(c_text)
    assert "pwned" not in bare
    assert codegen.compile_object(c_text)


def _without_texts(c_text: str) -> str:
    return re.sub(r'/\*.*?\*/|"(?:[^"\\]|\\.)*"', "", c_text, flags=re.DOTALL)


@given(st.binary(min_size=1, max_size=15).filter(lambda data: b"\0" not in data))
@settings(deadline=None, max_examples=30)
def test_any_name_is_one_token(data: bytes) -> None:
    def tokens(name: bytes) -> str:
        table = codegen.render(plan.build(policy([rule("a", names(Field.COMM, name))])))
        entries = re.sub(r"\[\d+\] = ", "", table)
        return re.sub(
            r"0x[0-9a-f]{16}|^\t[\d, ]+,$", "", _without_texts(entries), flags=re.MULTILINE
        )

    assert tokens(data) == tokens(b"plain")


def test_the_same_policy_gives_the_same_bytes(tmp_path: Path) -> None:
    source = Path(__file__).parents[2] / "policies" / "upf.gpl"
    objects = []
    for name in ("one", "two/three"):
        folder = tmp_path / name
        folder.mkdir(parents=True)
        (folder / "upf.gpl").write_bytes(source.read_bytes())
        for emit in ("c", "o"):
            output = folder / f"upf.{emit}"
            compiler = [sys.executable, "-m", "gthulhuc.cli.compile"]
            command = [*compiler, "upf.gpl", "--emit", emit, "-o", output]
            subprocess.run(command, cwd=folder, check=True, capture_output=True)
        objects.append([(folder / f"upf.{emit}").read_bytes() for emit in ("c", "o")])
    assert objects[0] == objects[1]


def test_timers_of_a_scheduler_that_has_ended_do_nothing() -> None:
    files = [*TEMPLATES.glob("*.j2"), *TEMPLATES.glob("lib/*.h")]
    text = "\n".join(file.read_text() for file in files)
    callbacks = re.findall(r"bpf_timer_set_callback\(&entry->timer, (\w+)\)", text)
    assert len(callbacks) >= 4
    for name in callbacks:
        body = re.search(rf"^static int {name}\(void \*map.*?^}}$", text, re.DOTALL | re.MULTILINE)
        assert body, name
        assert "has_ended()" in body[0], name
