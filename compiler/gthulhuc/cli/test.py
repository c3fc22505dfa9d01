# SPDX-License-Identifier: Apache-2.0
"""`gthulhu test`: tries the `test` blocks of policies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gthulhuc.cli import reporting, shared
from gthulhuc.cli.commands import add_command

if TYPE_CHECKING:
    import argparse

    from gthulhuc.cli.commands import Commands
    from gthulhuc.diagnostics import Diagnostic
    from gthulhuc.testing import Outcome

_EPILOG = """\
examples:
  gthulhu test policy.gpl             tries each test, and shows the rule that decides
  gthulhu test --json policies/*.gpl  prints every task with its rule, for programs
  gthulhu test --format sarif policy.gpl
                                      prints what fails as `gthulhu check` does
  gthulhu test --facts                lists the facts, and what holds without each

The compiler decides: no task is started, and nothing is loaded. `gthulhu check` and `gthulhuc` try
the tests, too.

exit status: 0 all tests pass, 1 a test fails or a policy has errors, 2 usage or an unreadable file
"""


def add(commands: Commands) -> None:
    """Adds the command and its options."""
    parser = add_command(
        commands,
        "test",
        run,
        help="try the tests of policies; needs neither clang nor root",
        description="Try the `test` blocks of policies: whether each task has the rule that is "
        "expected.",
        epilog=_EPILOG,
    )
    parser.add_argument("files", metavar="FILE", nargs="*", help="a policy; - for standard input")
    parser.add_argument("--json", action="store_true", help="print all tasks, for programs")
    parser.add_argument(
        "--facts", action="store_true", help="list the facts that a test can give, and exit"
    )
    reporting.add_options(parser)


def run(options: argparse.Namespace) -> int:
    """Tries the tests of all files; returns the worst exit status. Raises CommandError."""
    if options.facts:
        shared.out(_facts())
        return shared.OK
    if not options.files:
        raise shared.CommandError("no policy is named", "see `gthulhu test --help`")
    if options.json and options.format != "human":
        raise shared.CommandError(
            "--json conflicts with --format", "give --json for all tasks, --format for what fails"
        )
    everything: list[Diagnostic] = []
    files: list[dict[str, Any]] = []
    outcomes: list[Outcome] = []

    def try_one(path: str) -> int:
        problems, found, name = _try(path, options)
        everything.extend(problems)
        outcomes.extend(found)
        files.append(_to_json(name, found, is_sound=_is_sound(problems)))
        if options.format == "human" and not options.json:
            shared.out(_listed(name, found))
        if options.format == "human":
            shared.show(problems, name, options.color)
        return shared.status(problems)

    worst = shared.for_each(options.files, try_one)
    if options.json:
        import json

        shared.out(json.dumps({"files": files}, indent=2, ensure_ascii=False) + "\n")
    elif options.format == "human":
        shared.out(_summary(outcomes))
    else:  # one document for all files
        reporting.write(everything, options)
    return worst


def _try(path: str, options: argparse.Namespace) -> tuple[list[Diagnostic], list[Outcome], str]:
    """The problems of a policy with those of its tests, the outcomes, and the policy's name."""
    from gthulhuc import testing
    from gthulhuc.diagnostics import Collector
    from gthulhuc.frontend import check

    source, found = shared.read_source(path)
    policy, problems = check(source, target=reporting.target_of(options), tests=False)
    report = Collector()
    outcomes = [] if policy is None else testing.check(policy, report)
    failed = report.sorted()
    return reporting.selected([*found, *problems, *failed], options), outcomes, source.shown


def _is_sound(problems: list[Diagnostic]) -> bool:
    """Whether a policy has no errors but tests that fail."""
    from gthulhuc.diagnostics import codes

    return not any(each.is_error and each.code is not codes.TEST_FAILED for each in problems)


# ---- for people ---------------------------------------------------------------------------------


def _by_test(outcomes: list[Outcome]) -> list[list[Outcome]]:
    tests: dict[int, list[Outcome]] = {}
    for outcome in outcomes:
        tests.setdefault(id(outcome.test), []).append(outcome)
    return list(tests.values())


def _listed(name: str, outcomes: list[Outcome]) -> str:
    """A line for each test of a file."""
    from gthulhuc.diagnostics.human import visible

    lines = [name] if outcomes else [f"{name}: no tests"]
    for test in _by_test(outcomes):
        failed = sum(not outcome.has_passed for outcome in test)
        tasks = f"{len(test)} task{'s' * (len(test) != 1)}"
        count = f"{failed} of {tasks}" if failed else tasks
        lines.append(f"  {'FAIL' if failed else 'ok':<4}  {test[0].test.name} ({count})")
    return "".join(visible(line) + "\n" for line in lines)


def _summary(outcomes: list[Outcome]) -> str:
    tests = _by_test(outcomes)
    failed = sum(not all(outcome.has_passed for outcome in test) for test in tests)
    said = f"{failed} failed" if failed else "all passed" if tests else "nothing to try"
    return f"{len(tests)} test{'s' * (len(tests) != 1)}: {said}\n"


def _facts() -> str:
    """The facts, each with an example and what holds without it."""
    from gthulhuc.fields import Field

    width = max(len(field.row.fact) for field in Field)
    lines = [f"{'fact':<{width}}  without it"]
    lines += [f"{field.row.fact:<{width}}  {field.row.otherwise}" for field in Field]
    return "".join(line + "\n" for line in lines)


# ---- for programs -------------------------------------------------------------------------------


def _to_json(name: str, outcomes: list[Outcome], *, is_sound: bool) -> dict[str, Any]:
    return {
        "file": name,
        "valid": is_sound,
        "tests": [
            {
                "name": test[0].test.name,
                **test[0].test.span.place,
                "passed": all(outcome.has_passed for outcome in test),
                "tasks": [_task(outcome) for outcome in test],
            }
            for test in _by_test(outcomes)
        ],
    }


def _task(outcome: Outcome) -> dict[str, Any]:
    return {
        "facts": " ".join(fact.span.one_line for fact in outcome.line.facts),
        **outcome.line.span.place,
        "expected": outcome.line.rule,
        "class": outcome.found.name,
        "passed": outcome.has_passed,
        "decided": [
            {"predicate": part.span.one_line, **part.span.place} for part in outcome.found.decided
        ],
    }
