"""How false follows, as solvers print it: ground facts, and the numbers of those that each follows from.

Eldarica (`-scex`) begins with false, Golem (`--print-witness`) with true and ends with false:

    0: false -> 1                       0:	true
    1: (loop 1) -> 2                    1:	(loop 0) ->  0
    2: (loop 0)                         2:	false ->  1

Golem's intermediate format has three or four lines a fact: the clause and the values of its variables where it has any,
the instance, the instance without what is true, and the fact with the lines it follows from:

    4	 (forall ((x Int)) (=> (and (loop x) (< x 1)) (loop (+ x 1))))  :args (0)
    5	 (=> (and (loop 0) (< 0 1)) (loop (+ 0 1)))
    6	 (=> (loop 0) (loop 1))
    7	 (loop 1)  :premises 3

Its Alethe proofs are a list of clauses and are kept as text (`domains.chc.oracles.alethe`). Nothing is checked here,
see `domains.chc.oracles.proof`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from chcfuzz.solvers.faults import FaultClass
from chcfuzz.solvers.model_text import pieces
from chcfuzz.solvers.outcome import Extra, Outcome

FALSE, TRUE = "false", "true"


@dataclass(frozen=True)
class Derived:
    """A ground atom as SMT-LIB text (None: false), and the numbers of those it follows from.

    If the solver prints the clause: its text, the values of its variables and the instance.
    """

    fact: str | None
    premises: tuple[int, ...]
    clause: str = ""
    values: tuple[str, ...] = ()
    instance: str = ""


@dataclass(frozen=True)
class Derivation(Extra):
    """Steps in an order of inference; the last one is false.

    `fault` is the reason if the text is not a derivation, and `fault_class` its class.
    `alethe` is the text of a proof in that format, instead of steps.
    """

    steps: tuple[Derived, ...]
    fault: str = ""
    alethe: str = ""
    fault_class: FaultClass = FaultClass.STEP


def derivation_of(outcome: Outcome) -> Derivation | None:
    """Return the derivation of false that came with an answer, None without one."""
    return outcome.extra if isinstance(outcome.extra, Derivation) else None


_STEP = re.compile(r"^(\d+):\s+(.*?)(?:\s+->\s+(\d+(?:[,\s]+\d+)*))?\s*$")
_LINE = re.compile(r"^(\d+)\t (.*?)\s*(?::args \((.*)\))?\s*(?::premises ([\d ]+))?\s*$")
_ALETHE = re.compile(r"^\((assume|step) t\d+ ", re.MULTILINE)
_VALUE = re.compile(r"\s*(\|[^|]*\||[^\s()|]+)")


def derivation_in(text: str) -> Derivation | None:
    """Return the derivation that a solver prints after its answer; None if it cannot be read."""
    try:
        return _derivation_in(text)
    except ValueError:  # a number of more than 4,300 digits, which Python does not convert
        return None


def _derivation_in(text: str) -> Derivation | None:
    if _ALETHE.search(text):
        return Derivation((), alethe=text)
    lines = [line for line in map(_LINE.match, text.splitlines()) if line is not None]
    if lines:
        return _ordered(_by_lines(lines))
    found = {}
    for step in filter(None, map(_STEP.match, text.splitlines())):
        found[int(step[1])] = Derived(step[2], tuple(map(int, re.findall(r"\d+", step[3] or ""))))
    return _ordered(found) if found else None


def _by_lines(lines: Sequence[re.Match[str]]) -> dict[int, Derived]:
    """Return the facts of the intermediate format by line number."""
    found = {}
    at = 0
    while at < len(lines):
        clause, values = lines[at][2], lines[at][3]
        at += values is not None
        if at + 2 >= len(lines):
            break
        premises = tuple(map(int, (lines[at + 2][4] or "").split()))
        instance = lines[at][2]
        known = tuple(expressions(values)) if values is not None else ()
        found[int(lines[at + 2][1])] = Derived(lines[at + 2][2], premises, clause, known, instance)
        at += 3
    return found


def expressions(text: str) -> list[str]:
    """Return the symbols, numbers and parenthesized expressions of a text."""
    found = []
    text = text.strip()
    while text:
        symbol = _VALUE.match(text)
        inner = pieces(text) if symbol is None else []
        if symbol is None and not inner:
            break
        one = symbol[1] if symbol else inner[0]
        found.append(one)
        text = text[text.index(one) + len(one) :].strip()
    return found


def _ordered(found: Mapping[int, Derived]) -> Derivation | None:
    """Return the steps that false needs, in an order of inference; None if false is not derived."""
    last = [number for number, step in found.items() if step.fact == FALSE]
    if not last:
        return None
    place: dict[int, int] = {}
    steps: list[Derived] = []
    path: set[int] = set()  # steps from false to the one at hand
    stack = [last[-1]]
    while stack:
        number = stack[-1]
        if number not in found:
            return Derivation((), f"there is no step {number}", fault_class=FaultClass.NO_STEP)
        step = found[number]
        premises = [premise for premise in step.premises if premise not in found or found[premise].fact != TRUE]
        missing = [premise for premise in premises if premise not in place]
        if number in place:
            stack.pop()
        elif missing:
            if number in path:
                return Derivation((), f"step {number} follows from itself", fault_class=FaultClass.CIRCLE)
            path.add(number)
            stack += reversed(missing)
        else:
            path.discard(number)
            place[number] = len(steps)
            fact = None if step.fact == FALSE else step.fact
            steps.append(replace(step, fact=fact, premises=tuple(place[premise] for premise in premises)))
            stack.pop()
    return Derivation(tuple(steps))
