"""Refutations as text, one line for each step, and facts as atoms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from chcfuzz.domains.chc.oracles.refutation import DerivationStep, Refutation, prenex
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.values import UNDETERMINED, Ground, Undetermined, as_term
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.printing.witness import Fact
from chcfuzz.grammar.reading.parse import parse_term
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Atom


class RefutationError(ChcfuzzError):
    """The text of a refutation that cannot be read."""


def print_refutation(system: System, refutation: Refutation) -> str:
    """Print a line for each step, such as `1: clause 1, from 0, x = 0, y = 2 |- (loop 2)`."""
    return "".join(f"{line}\n" for line in _lines(system, refutation))


def _lines(system: System, refutation: Refutation) -> Iterator[str]:
    for number, step in enumerate(refutation):
        parts = [f"{number}: clause {step.clause}"]
        if step.premises:
            parts.append(f"from {' '.join(map(str, step.premises))}")
        variables = prenex(system.clauses[step.clause]).variables
        for variable, value in zip(variables, step.values, strict=True):
            parts.append(f"{quoted(variable.name)} = {print_term(as_term(value, variable.sort))}")
        yield f"{', '.join(parts)} |- {'false' if step.fact is None else step.fact}"


COUNTED_FROM_1 = "; steps and clauses are counted from 1\n"


def counted_from_1(text: str) -> str:
    """Return the output of `print_refutation` for a person: steps and clauses are counted from 1, as elsewhere.

    The result begins with a line about that. A text that has it already is returned unchanged, and so is one that is
    not a refutation.
    """
    lines, at = [COUNTED_FROM_1], 0
    while at < len(text):
        try:
            line = _line(text, at)
        except ValueError:
            return text
        lines.append(f"{_from_1(line.start)}{text[line.start.end() : line.end]}")
        at = line.end
    return "".join(lines)


def _from_1(start: re.Match[str]) -> str:
    premises = " ".join(str(int(number) + 1) for number in (start[3] or "").split())
    return f"{int(start[1]) + 1}: clause {int(start[2]) + 1}" + (f", from {premises}" if premises else "")


def parse_refutation(system: System, text: str) -> Refutation:
    """Read the output of `print_refutation` without checking it; raises `RefutationError` with the line."""
    steps: list[DerivationStep] = []
    at = 0
    while at < len(text):
        try:
            step, end = _step(system, len(steps), text, at)
        except (ValueError, KeyError, IndexError, ChcfuzzError) as error:
            line = text[at:].split("\n", 1)[0][:60]
            raise RefutationError(f"step {len(steps)} of a refutation cannot be read: {line!r}") from error
        steps.append(step)
        at = end
    return tuple(steps)


_START = re.compile(r"(\d+): clause (\d+)(?:, from (\d+(?: \d+)*))?")
_TOKEN = re.compile(r"\s*(\|[^|]*\||[()]|[^\s()|,]+)")


@dataclass(frozen=True)
class _Line:
    """The line of a step: its `start`, the texts of its values by variable and of its fact, the `end` of the line."""

    start: re.Match[str]
    given: Mapping[str, str]
    fact: str
    end: int


def _line(text: str, at: int) -> _Line:
    """Read the line that begins here; raises `ValueError`."""
    start = _START.match(text, at)
    if start is None:
        raise ValueError("no step")
    given: dict[str, str] = {}
    at = start.end()
    while text.startswith(", ", at):
        equals = _expression_end(text, at + 2)
        end = _expression_end(text, _after(" = ", text, equals))
        given[text[at + 2 : equals]] = text[equals + 3 : end]
        at = end
    at = _after(" |- ", text, at)
    end = _expression_end(text, at)
    return _Line(start, given, text[at:end], end if end == len(text) else _after("\n", text, end))


def _step(system: System, number: int, text: str, at: int) -> tuple[DerivationStep, int]:
    """Return the step whose line begins here, and the position of the next one."""
    line = _line(text, at)
    if int(line.start[1]) != number:
        raise ValueError("no step of this number")
    clause = int(line.start[2])
    fact = None if line.fact == "false" else parse_fact(system, line.fact)
    names = [quoted(variable.name) for variable in prenex(system.clauses[clause]).variables]
    if set(names) != set(line.given):
        raise ValueError("not the variables of this clause")
    premises = tuple(map(int, line.start[3].split())) if line.start[3] else ()
    values = tuple(_value(system, line.given[name]) for name in names)
    return DerivationStep(clause, premises, values, fact), line.end


def _after(expected: str, text: str, at: int) -> int:
    """Return the position after the expected text, which must begin here."""
    if not text.startswith(expected, at):
        raise ValueError(f"no {expected!r}")
    return at + len(expected)


def _expression_end(text: str, at: int) -> int:
    """Return the end of the symbol, constant or expression in parentheses that begins here."""
    depth = 0
    while True:
        token = _TOKEN.match(text, at)
        if token is None:
            raise ValueError("no expression")
        depth += (token[1] == "(") - (token[1] == ")")
        at = token.end()
        if depth <= 0:
            return at


def parse_fact(system: System, text: str) -> Fact:
    """Read a ground atom; raises `ChcfuzzError` for anything else."""
    atom = parse_term(text, (), system)
    if not isinstance(atom, Atom):
        raise RefutationError(f"{text[:60]!r} is not an atom")
    return Fact(atom.predicate, tuple(_known(evaluate(argument, {}), text) for argument in atom.children))


def _value(system: System, text: str) -> Ground:
    return _known(evaluate(parse_term(text, (), system), {}), text)


def _known(value: Ground | Undetermined, text: str) -> Ground:
    if value is UNDETERMINED:
        raise RefutationError(f"{text[:60]!r} has an unknown value")
    return value
