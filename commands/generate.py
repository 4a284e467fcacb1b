"""`chcfuzz generate`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from chcfuzz.commands.command import Uses
from chcfuzz.commands.tables import INTERRUPTED, progress_bars
from chcfuzz.execution.flags import count, positive
from chcfuzz.execution.solving import Solving
from chcfuzz.mutators.rewriting.layouts import THEORIES

if TYPE_CHECKING:
    from chcfuzz.corpus_tools.generating import GenerateOptions, Generation

NAME, HELP, USES = "generate", "generate seeds together with a witness for their answer", Uses.GIVEN
EXAMPLES = ("chcfuzz generate made/ --count 100", "chcfuzz generate --domain smt drawn/ --count 100")


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument("into", type=Path, metavar="DIR")
    parser.add_argument(
        "--count", type=positive, default=100, metavar="N", help="systems of each status (default: %(default)s)"
    )
    parser.add_argument(
        "--kind", choices=("sat", "unsat", "both"), default="both", help="status of the systems (default: %(default)s)"
    )
    parser.add_argument(
        "--theory",
        action="append",
        choices=THEORIES,
        help="can be repeated; numbers are from one of LIA, LRA and BV (default: random for each system)",
    )
    parser.add_argument(
        "--seed", type=count, default=0, metavar="N", help="random seed; determines the result (default: %(default)s)"
    )
    parser.add_argument(
        "--levels",
        type=count,
        default=0,
        metavar="N",
        help="only systems that Spacer unfolds to N levels and decides (default: Spacer does not run)",
    )
    Solving.add_flags(parser)


def run(given: argparse.Namespace) -> int:
    """Generate the seeds; return 130 after Ctrl-C, 1 if the solver contradicts a witness.

    A domain that draws roots writes those, without witnesses.
    """
    from chcfuzz.corpus_tools.generating import GenerateOptions, draw_roots, generate_seeds
    from chcfuzz.mutators.roots import active

    if active().draws:
        sizes = draw_roots(given.into, given.count, given.seed, active())
        print(f"{len(sizes)} drawn in {given.into}: {_spread(sizes)} bytes")
        return 0
    statuses = ("sat", "unsat") if given.kind == "both" else (given.kind,)
    theories = None if given.theory is None else tuple(given.theory)
    options = GenerateOptions(given.into, given.count, statuses, theories, given.seed, given.levels)
    try:
        with progress_bars() as show:
            found = generate_seeds(options, given.solving, lambda status, done: show(status, done, options.count))
    except KeyboardInterrupt:
        print("chcfuzz: interrupted; the seeds so far are kept", file=sys.stderr)
        return INTERRUPTED
    print("\n".join(summary(found, options)))
    return 1 if any(generation.contradictions for generation in found.values()) else 0


def summary(found: Mapping[str, Generation], options: GenerateOptions) -> Sequence[str]:
    """Return the lines that describe the result."""
    lines = []
    for status, generation in found.items():
        line = f"{len(generation.bytes)} {status} in {options.into}"
        if generation.bytes:
            line += f": {_spread(generation.bytes)} bytes"
        if generation.efforts:
            levels, lemmas = zip(*((each.levels, each.lemmas) for each in generation.efforts), strict=True)
            line += f", {_spread(levels)} levels, {_spread(lemmas)} lemmas"
        if generation.answers:
            answers = ", ".join(f"{number} {answer}" for answer, number in sorted(generation.answers.items()))
            line += f" (of {generation.answers.total()} generated: {answers})"
        lines.append(line)
        lines += generation.contradictions
    return lines


def _spread(numbers: Sequence[int]) -> str:
    """Return the median and the 90th percentile as text."""
    ordered = sorted(numbers)
    return f"{median(ordered):g} (90th percentile {ordered[len(ordered) * 9 // 10]})"
