"""A metamorphic check of interpolants: what an interpolant refutes, its side A must refute, too.

Another path has the same prefix A and another rest B'. If the interpolant contradicts B', A must contradict B', since
A implies the interpolant. The check decides about interpolants for which a solver does not decide that implication:
a model of A and B' shows that A does not imply the interpolant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from chcfuzz.grammar.interpolation.splitting import members
from chcfuzz.grammar.problem import Assertion, Problem
from chcfuzz.grammar.terms import Term, negation

MOST_PATHS = 4  # that are tried for an interpolant
Answer = Callable[[Problem], tuple[str, str]]  # a solver's answer to a problem, and the model for sat


def other_rests(rest: Sequence[Term]) -> Iterator[tuple[Term, ...]]:
    """Yield other rests of a path: with one conjunct negated, as the check of another path, and single conjuncts."""
    parts = [part for formula in rest for part in members(formula)]
    for number in reversed(range(len(parts))):  # the last conjunct is the check of a path
        yield (*parts[:number], negation(parts[number]), *parts[number + 1 :])
    if len(parts) > 1:
        yield from ((part,) for part in parts)


def not_refuted(
    problem: Problem, prefix: Sequence[Term], rest: Sequence[Term], interpolant: Term, answer: Answer
) -> tuple[Problem, str] | None:
    """Return the problem of a path that an interpolant refutes and its prefix does not, with a model; None without one.

    `prefix` are the formulas that must imply the interpolant, `rest` is the other side.
    """
    for other in islice(other_rests(rest), MOST_PATHS):
        if answer(_stated(problem, (interpolant, *other)))[0] != "unsat":
            continue
        path = _stated(problem, (*prefix, *other))
        found, model = answer(path)
        if found == "sat":
            return path, model
    return None


def _stated(problem: Problem, formulas: Sequence[Term]) -> Problem:
    return problem.with_assertions(tuple(map(Assertion, formulas))).with_header((), ())
