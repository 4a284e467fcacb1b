"""`chcfuzz generate`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import msgspec
from chcfuzz.commands import json_output
from chcfuzz.commands.subcommand import Uses
from chcfuzz.commands.tables import progress_bars
from chcfuzz.execution.domain import load
from chcfuzz.execution.files import see_folder
from chcfuzz.execution.flags import count, positive
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.drawing_limits import DEFAULT_QUANTIFIED, Limits
from chcfuzz.grammar.printable import printable
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.learning import active
from chcfuzz.learning.active import NONE
from chcfuzz.learning.formula_model import TENTHS
from chcfuzz.solvers.python import INTERRUPTED

if TYPE_CHECKING:
    from chcfuzz.corpus_tools.generating import GenerateOptions, Generation
    from chcfuzz.domains.protocol import Roots

_DRAWN = "smt"  # the domain whose problems models draw
NAME, HELP, USES = "generate", "generate seeds together with a witness for their answer", Uses.GIVEN
EXAMPLES = (
    "chcfuzz generate made/ --count 100",
    "chcfuzz generate drawn/ --kind drawn --count 100",
    "chcfuzz generate --domain smt drawn/ --count 100",
    "chcfuzz generate -n 100 --model builtin --temperature 0.7 --theory LIA -o drawn/",
    "chcfuzz generate --domain interpolation paths/ --kind memory --count 100",
)


_THEORIES = ("LIA", "LRA", "BV", "Arrays", "ADT", "UF")
_STATUSES = ("sat", "unsat", "both")


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument("into", type=Path, nargs="?", metavar="DIR", help="the folder to write to")
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="the folder to write to, as a flag")
    parser.add_argument(
        "-n", "--count", type=positive, default=100, metavar="N", help="systems of each status (default: %(default)s)"
    )
    parser.add_argument(
        "--kind",
        default="both",
        metavar="KIND",
        help="status of the systems: sat, unsat or both; drawn: small systems about many theories, half of them "
        "without a status; of interpolation problems: memory or unrolling (default: %(default)s)",
    )
    parser.add_argument(
        "--theory",
        action="append",
        choices=_THEORIES,
        help="can be repeated; numbers are from one of LIA, LRA and BV (default: random for each system); UF only with "
        "--model",
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
    parser.add_argument(
        "--model",
        default=NONE,
        metavar="NAME",
        help="draw SMT problems with a model: builtin, or a file of `learn`; implies --domain smt",
    )
    parser.add_argument(
        "--temperature",
        metavar="T",
        help="0.1 to 2.0; weights of the model to the power 1/T (default: 1.0)",
    )
    parser.add_argument(
        "--uniform",
        metavar="U",
        help="0 to 1; share of uniform weights in those of the model (default: 0)",
    )
    parser.add_argument(
        "--quantified",
        type=count,
        metavar="N",
        help="quantifiers bind at most N variables of an assertion in a drawn problem; with --model, 0 draws none "
        f"(default: {DEFAULT_QUANTIFIED})",
    )
    parser.add_argument(
        "--size",
        type=positive,
        metavar="N",
        help="an assertion of a drawn problem has at most about N operators (default: 14, with --model up to 32)",
    )
    Solving.add_flags(parser)


def _tenths(text: str) -> int:
    """Parse a temperature, in tenths; raises `UsageError`."""
    try:
        tenths = Decimal(text) * 10
    except ArithmeticError:  # not a number, or far too large
        tenths = Decimal(0)
    if not tenths.is_finite() or tenths not in TENTHS:
        raise UsageError(f"--temperature {text}: write a number from 0.1 to 2.0 with one digit after the point")
    return int(tenths)


def _share(text: str) -> Decimal:
    """Parse a share; raises `UsageError`."""
    try:
        share = Decimal(text)
    except ArithmeticError:
        share = Decimal(-1)
    if not (share.is_finite() and 0 <= share <= 1):
        raise UsageError(f"--uniform {text}: write a share from 0 to 1")
    return share


def check(given: argparse.Namespace) -> None:
    """Check the folder to write, and the flags that choose how problems are drawn, which `given.draw` then does.

    `given.roots` are those of the domain that is named, or of SMT problems for a model.
    """
    see_folder(_folder(given))
    if not given.domain and active.load(given.model) is not None:
        given.solving = replace(given.solving, domain=_DRAWN)
    given.roots = load(given.solving.domain).roots
    kind = _of_kind(given)
    given.draws = kind is not None or given.roots.draws
    given.draw = _with_model(given) or kind
    _see_answered(given)
    for name in ("quantified", "size"):
        if getattr(given, name) is not None and not _draws_with_models(given.roots):
            raise UsageError(f"--{name} {getattr(given, name)} draws SMT problems; add --domain smt")


def run(given: argparse.Namespace) -> int:
    """Generate the seeds; return 130 after Ctrl-C, 1 if the solver contradicts a witness.

    A domain that draws roots writes those, without witnesses.
    """
    from chcfuzz.corpus_tools.generating import GenerateOptions, draw_roots, generate_seeds

    into = _folder(given)
    if given.draws:
        try:
            limits = _limits(given)
            draw = given.draw or (lambda choices: given.roots.draw(choices, limits))
            sizes = draw_roots(into, given.count, given.seed, given.roots, draw)
        except KeyboardInterrupt:
            return _interrupted()
        if given.json:
            json_output.show({"into": str(into), "drawn": {"bytes": sizes}})
            return 0
        print(f"{len(sizes)} drawn in {printable(str(into))}: {_spread(sizes)} bytes")
        return 0
    statuses = ("sat", "unsat") if given.kind == "both" else (given.kind,)
    theories = None if given.theory is None else tuple(given.theory)
    options = GenerateOptions(into, given.count, statuses, theories, given.seed, given.levels)
    try:
        with progress_bars(given.quiet) as show:
            found = generate_seeds(options, given.solving, lambda status, done: show(status, done, options.count))
    except KeyboardInterrupt:
        return _interrupted()
    if given.json:
        json_output.show(
            {"into": str(options.into), **{status: msgspec.to_builtins(made) for status, made in found.items()}}
        )
    else:
        print("\n".join(summary(found, options)))
    return 1 if any(generation.contradictions for generation in found.values()) else 0


def _interrupted() -> int:
    print("chcfuzz: interrupted; the seeds so far are kept", file=sys.stderr)
    return INTERRUPTED


def _see_answered(given: argparse.Namespace) -> None:
    """Raise `UsageError` if an answer, or effort for it, is wanted of problems that are drawn without one."""
    if given.draws and (given.levels or given.kind in ("sat", "unsat")):
        flag = f"--levels {given.levels}" if given.levels else f"--kind {given.kind}"
        raise UsageError(f"{flag}: only CHC systems are made for an answer; leave the flag out")


def _folder(given: argparse.Namespace) -> Path:
    """Return the folder to write to; raises `UsageError` unless exactly one is named."""
    if given.into is not None and given.output is not None:
        raise UsageError(f"two folders to write to, {str(given.into)!r} and {str(given.output)!r}; name one")
    into: Path | None = given.into or given.output
    if into is None:
        raise UsageError("no folder to write to; name one with -o DIR")
    return into


def _of_kind(given: argparse.Namespace) -> Callable[[Choices], BaseProblem] | None:
    """Return a function that draws problems of the kind; None for a status. Raises `UsageError`."""
    roots, kind = given.roots, given.kind
    if kind in _STATUSES:
        return None
    if kind not in roots.kinds:
        known = ", ".join((*_STATUSES, *roots.kinds))
        raise UsageError(f"--kind {kind!r} is not known for {roots.noun}s; name one of {known}")
    return lambda choices: roots.draw_kind(kind, choices)


def _with_model(given: argparse.Namespace) -> Callable[[Choices], BaseProblem] | None:
    """Return a function that draws problems with the model, if there is one; raises `UsageError` and `ModelError`."""
    from chcfuzz.learning.drawn_roots import Bounds, draw_root
    from chcfuzz.learning.formula_model import TOTAL, Tempering

    tempering = Tempering(_tenths(given.temperature or "1"), int(_share(given.uniform or "0") * TOTAL))
    model, roots = active.load(given.model), given.roots
    if model is None:
        for name in ("temperature", "uniform"):
            if getattr(given, name) is not None:
                raise UsageError(f"--{name} changes the weights of a model; name one with --model")
        if "UF" in (given.theory or ()) or (given.draws and given.theory):
            if given.draws and not _draws_with_models(roots):
                raise UsageError(f"--theory {given.theory[0]}: drawn {roots.noun}s choose theories; leave the flag out")
            raise UsageError(f"--theory {given.theory[0]} needs --model for this domain; add --model builtin")
        return None
    if not _draws_with_models(roots):
        raise UsageError(f"--model {given.model} draws SMT problems; write --domain {_DRAWN}")
    weights = model.tempered(tempering)
    bounds = Bounds(given.theory or (), _limits(given))
    return lambda choices: draw_root(weights, choices, bounds)


def _draws_with_models(roots: Roots) -> bool:
    return roots.draws and roots.takes_models


def _limits(given: argparse.Namespace) -> Limits:
    quantified = DEFAULT_QUANTIFIED if given.quantified is None else int(given.quantified)
    return Limits.of(quantified, given.size)


def summary(found: Mapping[str, Generation], options: GenerateOptions) -> Sequence[str]:
    """Return the lines that describe the result."""
    lines = []
    for status, generation in found.items():
        line = f"{len(generation.bytes)} {status} in {printable(str(options.into))}"
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
