"""`chcfuzz show`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import msgspec
from chcfuzz.commands import json_output
from chcfuzz.commands.inputs import answers_of, print_any_bytes, recipe_of
from chcfuzz.commands.subcommand import Uses
from chcfuzz.domains.protocol import Roots
from chcfuzz.execution.domain import load
from chcfuzz.execution.reports import UnitReport
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.grammar.printable import counted, printable, printable_lines

NAME, HELP, USES = "show", "print the mutant of a unit or a finding, and its chain of mutations", Uses.GIVEN
EXAMPLES = (
    "chcfuzz show findings/wrong-model-ed2298-7c8717863a1e",
    "chcfuzz show grown/2f8a --smt2",
)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument("input", type=Path, metavar="INPUT", help="a unit, a finding, or - for standard input")
    parser.add_argument("--smt2", action="store_true", help="print only the mutant")
    parser.add_argument(
        "--print-for", metavar="NAME", help="print only the mutant, as a solver reads it, for example cvc5 or alt-ergo"
    )
    json_output.add_flag(parser)
    Solving.add_flags(parser)


def check(given: argparse.Namespace) -> None:
    """Check the unit, and the reader of `--print-for`."""
    recipe_of(given)
    print_any_bytes(given)
    if given.print_for is not None:
        _check_reader(load(given.solving.domain).roots, given.print_for)


def run(given: argparse.Namespace) -> int:
    """Print the mutant, and its chain as comments."""
    from chcfuzz.execution.pipeline import Pipeline, describe

    recipe = recipe_of(given)
    pipeline = Pipeline(given.solving, answers=answers_of(given.input, recipe.seed))
    mutant = pipeline.mutant(recipe)
    if given.print_for is not None:
        problem = mutant.problem.with_header((), ())
        print(pipeline.domain.roots.print_for(problem, given.print_for), end="")
        return 0
    described = describe(recipe, mutant)
    if given.json:
        json_output.show(msgspec.to_builtins(described))
        return 0
    if not given.smt2:
        print("\n".join(printable(f"; {line}") for line in summary(described)))
    print(printable_lines(described.mutant) if sys.stdout.isatty() else described.mutant, end="")
    return 0


def _check_reader(roots: Roots, reader: str) -> None:
    if not roots.readers:
        raise UsageError(f"--print-for {reader!r}: a {roots.noun} has one text for all readers; leave the flag out")
    if reader not in roots.readers:
        raise UsageError(f"--print-for {reader!r} is not known; name one of {', '.join(roots.readers)}")


def summary(described: UnitReport) -> list[str]:
    """Return the chain, the parameters and the promise of a unit as printable lines."""
    chain = described.chain
    lines = [f"{counted(len(chain), 'step')} from the seed" if chain else "the seed itself"]
    lines += [f"  {number}. {step.mutation}: {step.words}" for number, step in enumerate(chain, 1)]
    lines += [f"  {name} = {value}" for name, value in described.parameters]
    expected = described.expected or "unknown, because the status of the seed is unknown"
    return [*lines, f"promise: {described.promise}; expected: {expected}"]
