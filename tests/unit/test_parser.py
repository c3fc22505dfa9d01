# SPDX-License-Identifier: Apache-2.0
"""The generated parsers: their origin, their agreement, and malformed input."""

from __future__ import annotations

import json
import random
import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import antlr_oracle
from gthulhuc import checked
from gthulhuc.diagnostics import Collector, Diagnostic
from gthulhuc.diagnostics.human import render
from gthulhuc.frontend import check, decode, parse
from gthulhuc.source import Source
from gthulhuc.syntax import ast, quick, recovery, regenerate
from gthulhuc.syntax.dump import to_json
from gthulhuc.syntax.tokens import tokenize
from gthulhuc.syntax.tree import Node, Token

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "tests/cases").glob("*/policy.gpl")) + sorted(ROOT.glob("policies/*.gpl"))

LANGUAGE = """
policy upf { kernel >= 6.13 watchdog 5s }
tunable ran_slice = 2ms in 500us..20ms
set simulators = ["nr-gnb", "nr-ue", "ping",]
set ran_pods = label "app" in ["ueransim-macvlan", "upf"]
include "lib.gpl"
rule poller { match comm ~ "lcore-worker-*" cpus 3 exclusive }
rule ran {
    match    ran_pods or comm in simulators
    priority urgent
    slice    ran_slice
    migrate  lazy return
    preempt  after 100us budget 10ms per 100ms
}
rule gtp { match calls "gtp_encap_recv" within 1s via softirq slice 2ms }
rule builders { match (cgroup under "/ci.slice") and not comm != 'sshd' max-wait 200ms }
rule more {
    match nice in -20..19 and uid == 0 and kthread and comm =~ 'nr-(gnb|ue)' and gid in [1, adm]
    cpus node 1,0-3,fast prefer inherit monitor weight 20
}
default { slice 1ms..5ms preempt }
expect gtp-ping as ran under hogs 2x as builders, cpus 1x {
    p99(wakeup ran) < 300us
    p99(wakeup ran) < 20% of eevdf
    max(wait default) <= 10% of "other.gpl"
    share(builders) >= 50%
    rate(gtp-ping) >= ran_slice
}
"""


def parse_text(text: str) -> tuple[ast.File | None, list[Diagnostic]]:
    return parse(Source("x.gpl", text))


def rule_named(file: ast.File, name: str) -> ast.RuleBlock:
    rules = [item for item in file.items if isinstance(item, ast.RuleBlock)]
    return next(rule for rule in rules if rule.name.text == name)


def test_the_parser_is_the_product_of_the_grammar() -> None:
    stamp = json.loads(regenerate.STAMP.read_text())
    assert stamp == regenerate.expected_stamp(), "run `python -m gthulhuc.syntax.regenerate`"


def plain(child: Node | Token) -> object:
    if isinstance(child, Token):
        return child.kind, child.start, child.end
    end = 0 if child.rule == "policyFile" else child.end  # ANTLR's ends after the file
    return child.rule, child.start, end, [plain(each) for each in child.children]


def assert_both_parsers_agree(text: str) -> bool:
    """Whether ours took the text; it agrees with ANTLR's about the tree, or the first error."""
    source = Source("x.gpl", text)
    ours = quick.parse(source)
    report = Collector()
    tokens = tokenize(source, report)
    if tokens is None or report.has_errors:
        assert ours is None
        return False
    theirs = antlr_oracle.parse(source, tokens)
    if ours is not None:
        assert isinstance(theirs, Node)
        assert plain(ours) == plain(theirs)
        return True
    assert isinstance(theirs, int)
    assert recovery.parse(source, report) is not None
    assert report.sorted()[0].span.start == theirs
    return False


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.parent.name)
def test_both_parsers_agree_on(path: Path) -> None:
    assert_both_parsers_agree(path.read_text(errors="replace"))


def test_both_parsers_agree_on_the_whole_language() -> None:
    assert assert_both_parsers_agree(LANGUAGE)
    words = re.findall(r"\S+|\s+", LANGUAGE)
    for index in range(len(words)):  # with each word left out, and each one said twice
        assert_both_parsers_agree("".join([*words[:index], *words[index + 1 :]]))
        assert_both_parsers_agree("".join([*words[:index], words[index], " ", *words[index:]]))


@pytest.mark.parametrize("name", ["GplLexer.py", "GplParser.py"])
def test_the_generated_header_names_the_tool_and_no_path(name: str) -> None:
    first = (regenerate.ORACLE / name).read_text().splitlines()[0]
    assert first == f"# Generated from Gpl.g4 by ANTLR {regenerate.ANTLR_VERSION}"


def test_the_whole_language_parses() -> None:
    file, problems = parse_text(LANGUAGE)
    assert problems == []
    assert file is not None
    kinds = [type(item).__name__ for item in file.items]
    assert kinds[:5] == ["PolicyBlock", "Tunable", "SetItem", "SetItem", "Include"]
    preempt = rule_named(file, "ran").statements[-1]
    assert isinstance(preempt, ast.Preempt)
    values = (preempt.after, preempt.budget, preempt.period)
    assert [value.text for value in values if value is not None] == ["100us", "10ms", "100ms"]


def test_every_span_covers_its_text() -> None:
    file, _ = parse_text(LANGUAGE)
    assert file is not None
    gtp = rule_named(file, "gtp")
    assert gtp.span.text.startswith("rule gtp {")
    assert gtp.span.text.endswith("}")
    assert [statement.span.text for statement in gtp.statements] == [
        'match calls "gtp_encap_recv" within 1s via softirq',
        "slice 2ms",
    ]


def test_every_keyword_can_name_a_rule() -> None:
    words = re.findall(
        r"^[A-Z_]+ +: '([a-z][a-z-]+)' ;", regenerate.GRAMMAR.read_text(), re.MULTILINE
    )
    assert len(words) > 25
    for word in words:
        file, problems = parse_text(f'rule {word} {{ match comm == "a" }}')
        assert problems == [], word
        assert file is not None
        item = file.items[0]
        assert isinstance(item, ast.RuleBlock)
        assert item.name.text == word


def test_the_dump_is_json_with_places() -> None:
    file, _ = parse_text("policy p {}\n  rule r { match comm == 'x' }\n")
    assert file is not None
    dumped = json.loads(to_json(file))
    rule = dumped["items"][1]
    assert (rule["node"], rule["at"]) == ("RuleBlock", "2:3")
    assert rule["statements"][0]["predicate"]["operand"]["value"] == "x"


@pytest.mark.parametrize(
    "predicate",
    [
        "(" * 100 + 'comm == "a"' + ")" * 100,
        "not " * 100 + 'comm == "a"',
        "not (" * 50 + 'comm == "a"' + ")" * 50,
    ],
)
def test_a_hundred_levels_are_fine(predicate: str) -> None:
    policy, problems = check(Source("x.gpl", f"policy p {{}} rule r {{ match {predicate} }}"))
    assert render(problems) == ""
    assert policy is not None


@pytest.mark.parametrize("opening", ["(", "not ", "not (", "[", "{", "rule r { match ("])
def test_many_openings_are_an_error_and_no_crash(opening: str) -> None:
    _, problems = check(Source("x.gpl", "rule r { match " + opening * 3_000))
    assert any(problem.is_error for problem in problems)


def test_a_long_chain_of_sets_is_an_error_and_no_crash() -> None:
    chain = "".join(f"set s{i} = not s{i + 1}\n" for i in range(3000))
    text = f'policy p {{}}\n{chain}set s3000 = comm == "a"\nrule r {{ match s0 }}\n'
    _, problems = check(Source("x.gpl", text))
    assert {problem.code.name for problem in problems} == {"too-deep"}


def test_crlf_means_what_lf_means() -> None:
    lf, _ = check(Source("x.gpl", 'policy p {}\nrule r {\n match comm == "a"\n slice 2ms\n}\n'))
    crlf, problems = check(
        Source("x.gpl", 'policy p {}\r\nrule r {\r\n match comm == "a"\r\n slice 2ms\r\n}\r\n')
    )
    assert problems == []
    assert lf is not None
    assert crlf is not None
    assert crlf.rules[0].actions.slice_max_ns == lf.rules[0].actions.slice_max_ns == 2_000_000


def test_characters_beyond_ascii_stay_themselves() -> None:
    policy, problems = check(Source("x.gpl", 'policy p {} # µ ж\nrule r { match comm == "жµ日" }'))
    assert problems == []
    assert policy is not None
    match = policy.rules[0].match
    assert isinstance(match, checked.Equals)
    assert match.values == ("жµ日".encode(),)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.binary(max_size=200))
def test_any_bytes_give_diagnostics_and_no_exception(data: bytes) -> None:
    source, found = decode("x.gpl", data)
    policy, problems = check(source)
    assert policy is None or not found
    render([*found, *problems])


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.integers(0, len(EXAMPLES) - 1), st.randoms(use_true_random=False))
def test_damaged_policies_give_diagnostics_and_no_exception(
    which: int, chance: random.Random
) -> None:
    tokens = re.findall(rb"\w+|\s+|.", EXAMPLES[which].read_bytes()[:4000], re.DOTALL)
    for _ in range(chance.randint(1, 4)):
        if not tokens:
            break
        at = chance.randrange(len(tokens))
        match chance.randrange(3):
            case 0:
                del tokens[at]
            case 1:
                tokens.insert(at, chance.choice(tokens))
            case _:
                tokens[at] = chance.choice([*tokens, b"(", b"}", b'"', b"\0", b"\xff", b"rule"])
    source, found = decode("x.gpl", b"".join(tokens))
    policy, problems = check(source)
    errors = [problem for problem in problems if problem.is_error]
    assert (policy is None) == (bool(errors) or not source.is_text)
    text = render([*found, *problems])
    assert all(line.isprintable() for line in text.splitlines())


def test_earlier_errors_do_not_change_a_message() -> None:
    text = 'policy p {}\nset names = ["a", "b"\nrule r { slice 2ms }\n'
    first = [problem.message for problem in parse_text(text)[1]]
    for broken in ('rule a { match comm in ["a" "b"] }', "rule { match } }", 'set s = ["a" rule'):
        parse_text(broken)
    assert [problem.message for problem in parse_text(text)[1]] == first
    assert first == ["expected `,` or `]`, found `rule`"]


@pytest.mark.parametrize(
    "text",
    [
        "rule " * 50_000,
        "policy p {}\nrule r { match " * 10_000,
        "set x = " * 20_000,
        "policy p {}\n" + "".join(f"rule r{i} match leader }}\n" for i in range(10_000)),
        "@ " * 50_000,
        "// x\n" * 50_000,
        "/* " * 50_000,
        'policy p {}\nrule r { match comm == "' + "a" * 3_000_000,
        'policy p {}\nrule r { match comm == "a }\n' * 20_000,
        "policy p {}\nrule " + "a" * 1_000_000 + " { match leader }",
        "policy p {}\nrule r { match comm in [" + '"a",' * 100_000,
    ],
    ids=lambda text: text.split("\n")[-1][:20],
)
def test_garbage_gets_few_short_diagnostics(text: str) -> None:
    start = time.process_time()
    _, problems = check(Source("x.gpl", text))
    shown = render(problems)
    assert 1 <= len(problems) <= 102
    assert len(shown) < 50_000
    # A hang is meant: at a millisecond a token these took up to half a minute.
    assert time.process_time() - start < 10


def test_an_error_in_a_large_file_is_at_its_place() -> None:
    rules = [f'rule r{i} {{ match comm == "n{i}" slice 2ms }}' for i in range(5000)]
    rules[2000] = rules[2000].replace("}", "")
    rules[-1] = rules[-1].replace("match", "mach")
    file, problems = parse_text("policy p {}\n" + "\n".join(rules))
    assert [(problem.span.line, problem.message) for problem in problems] == [
        (2003, "expected `}`, found `rule`"),
        (5001, "unknown action `mach`"),
    ]
    assert file is not None
    assert len(file.items) == 5001
    assert not file.is_whole


@pytest.mark.parametrize("size", [10, 15_000])
def test_an_error_in_or_after_a_list_is_at_its_place(size: int) -> None:
    """The size of the list does not matter, and the rest of the file is checked, too."""
    names = ",\n".join(f'"n{i}"' for i in range(size))
    for broken, line, message in (
        (f'set a = [{names} "x"]', size + 1, "expected `,` or `]`, found a string"),
        (f"set a = [{names}]\nrule r {{ mach comm in a }}", size + 2, "unknown action `mach`"),
        (
            f"set a = [{names}\nrule r {{ match comm in a }}",
            size + 2,
            "expected `,` or `]`, found `rule`",
        ),
    ):
        file, problems = parse_text(f"policy p\n{broken}\nrule z {{ slice 2 ms }}\n")
        found = [(problem.span.line, problem.message) for problem in problems]
        assert found[0] == (line, message)
        assert found[-1] == (broken.count("\n") + 3, "unknown action `ms`")
        assert file is not None


def test_parts_in_the_wrong_order_are_an_error() -> None:
    _, problems = parse_text(
        "promise ran over 10s { else rollback p99(wakeup ran) < 300us }\nrule r { slice 2ms }"
    )
    assert [problem.span.text for problem in problems] == ["p99"]


def test_a_policy_needs_no_block() -> None:
    policy, problems = check(Source("x.gpl", 'policy p\nrule r { match comm == "a" slice 2ms }'))
    assert problems == []
    assert policy is not None
    assert policy.name == "p"
