"""`chcfuzz replay`."""

from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Callable
from pathlib import Path

import msgspec
from chcfuzz.commands.command import Uses
from chcfuzz.commands.inputs import answers_of, recipe_of
from chcfuzz.commands.show import summary
from chcfuzz.execution.child_process import ChildError, run_in_child
from chcfuzz.execution.codec import converted
from chcfuzz.execution.reports import RunReport, VerdictReport
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.printable import printable
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.outcome import Status

NAME, HELP, USES = "replay", "execute a unit or a finding again, and print every verdict", Uses.GIVEN
EXAMPLES = (
    "chcfuzz replay findings/wrong-model-ed2298-7c8717863a1e",
    "chcfuzz replay mutant.smt2 --z3 4.13.4.0 --json",
)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument("input", type=Path, metavar="INPUT")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    Solving.add_flags(parser)


def run(given: argparse.Namespace) -> int:
    """Execute the input, and print the verdict of every oracle."""
    from chcfuzz.execution.pipeline import Pipeline, describe, report

    recipe = recipe_of(given)
    pipeline = Pipeline(given.solving, answers=answers_of(given.input, recipe.seed))
    mutant = pipeline.mutant(recipe)
    described = describe(recipe, mutant)
    reported = _reported(lambda: report(pipeline.execute(mutant)))
    if given.json:
        print(json.dumps({**msgspec.to_builtins(reported), "expected": described.expected, "z3": described.z3}))
        return 0
    solver = shlex.join(reported.command) or f"z3 {described.z3}"
    print("\n".join(map(printable, summary(described))))
    reason = f" ({reported.reason})" if reported.reason else ""
    print(printable(f"{solver} answers {reported.status}{reason}"))
    print(f"trace {reported.trace_hash}, {reported.events} events; {reported.cost} resource units")
    for verdict in reported.verdicts:
        detail = f": {verdict.detail}" if verdict.detail else ""
        print(printable(f"oracle {verdict.oracle}: {verdict.kind}{detail}"))
    return 0


def _reported(execute: Callable[[], RunReport]) -> RunReport:
    """Return the report on an execution in a child process, which the solver may kill."""
    try:
        return converted(run_in_child(lambda: msgspec.to_builtins(execute())), RunReport)
    except ChildError as death:
        if death.code > 0:
            raise SystemExit(death.code) from death
        verdict = VerdictReport("process", VerdictKind.CRASH.value, str(death), evidence="")
        return RunReport(status=Status.CRASH.value, reason=str(death), verdicts=(verdict,))
