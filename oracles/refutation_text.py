"""Refutations as text, one line for each step, and facts as atoms."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.evaluate import evaluate
from chcfuzz.grammar.parse import parse_term
from chcfuzz.grammar.printer import print_term
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Atom
from chcfuzz.grammar.values import UNDETERMINED, Ground, Undetermined, as_term
from chcfuzz.grammar.witness import Fact
from chcfuzz.oracles.refutation import DerivationStep, Refutation, prenex


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


def _step(system: System, number: int, text: str, at: int) -> tuple[DerivationStep, int]:
    """Return the step whose line begins here, and the position of the next one."""
    start = _START.match(text, at)
    if start is None or int(start[1]) != number:
        raise ValueError("no step of this number")
    clause = int(start[2])
    given: dict[str, str] = {}
    at = start.end()
    while text.startswith(", ", at):
        equals = _expression_end(text, at + 2)
        end = _expression_end(text, _after(" = ", text, equals))
        given[text[at + 2 : equals]] = text[equals + 3 : end]
        at = end
    at = _after(" |- ", text, at)
    end = _expression_end(text, at)
    fact = None if text[at:end] == "false" else parse_fact(system, text[at:end])
    names = [quoted(variable.name) for variable in prenex(system.clauses[clause]).variables]
    if set(names) != set(given):
        raise ValueError("not the variables of this clause")
    premises = tuple(map(int, start[3].split())) if start[3] else ()
    values = tuple(_value(system, given[name]) for name in names)
    return DerivationStep(clause, premises, values, fact), end if end == len(text) else _after("\n", text, end)


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
