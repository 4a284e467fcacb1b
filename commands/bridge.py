"""`chcfuzz bridge`."""

from __future__ import annotations

import argparse
from pathlib import Path

from chcfuzz.commands.inputs import answers_of, recipe_of
from chcfuzz.commands.subcommand import Uses
from chcfuzz.execution.flags import count
from chcfuzz.execution.solving import Solving

NAME, HELP, USES = "bridge", "print a CHC system as an SMT problem, or an SMT problem as a CHC system", Uses.GIVEN
EXAMPLES = (
    "chcfuzz bridge findings/wrong-model-ed2298-7c8717863a1e",
    "chcfuzz bridge system.smt2 --depth 3",
    "chcfuzz bridge problem.smt2 --domain smt",
)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument("input", type=Path, metavar="INPUT", help="a unit, a finding, or - for standard input")
    parser.add_argument(
        "--depth",
        type=count,
        metavar="N",
        help="of a CHC system: state without quantifiers that false has a derivation of at most this depth",
    )
    Solving.add_flags(parser)


def check(given: argparse.Namespace) -> None:
    """Check the unit."""
    recipe_of(given)


def run(given: argparse.Namespace) -> int:
    """Print the problem of the other domain, with its status if the unit has one."""
    from chcfuzz.execution.pipeline import Pipeline

    recipe = recipe_of(given)
    pipeline = Pipeline(given.solving, answers=answers_of(given.input, recipe.seed))
    mutant = pipeline.mutant(recipe)
    info = (("status", mutant.expected),) if mutant.expected and mutant.ground else ()
    domain = pipeline.domain
    text = domain.bridge(mutant.problem.with_header(info, ()), given.depth)
    print(f"; {domain.roots.noun}, now a problem of --domain {domain.bridged}")
    print(text, end="")
    return 0
