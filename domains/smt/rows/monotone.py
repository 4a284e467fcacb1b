"""Assertions removed, added, strengthened or weakened: only one of the two answers is preserved."""

from __future__ import annotations

from collections.abc import Callable

from chcfuzz.domains.smt.rows.subterm import WEIGHTS
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.draw import Drawing
from chcfuzz.grammar.drawing.drawing_scope import DrawingScope
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading.leniences import as_read
from chcfuzz.grammar.terms import Term
from chcfuzz.mutators.mutation import Mutation, Needs, Promise
from chcfuzz.mutators.rewriting.clause_making import one_way
from chcfuzz.mutators.rewriting.functions import inserted
from chcfuzz.mutators.rewriting.places import drawing
from chcfuzz.mutators.rewriting.polarity import changed, formulas
from chcfuzz.mutators.rewriting.term_rows import put

_FUEL = 6


def _has_assertions(problem: Problem) -> bool:
    return bool(problem.assertions)


def _drop(problem: Problem, choices: Choices) -> Problem | None:
    if not problem.assertions:
        return None
    number = choices.index(len(problem.assertions))
    return problem.with_assertions((*problem.assertions[:number], *problem.assertions[number + 1 :]))


def condition(problem: Problem, choices: Choices) -> Term:
    """Draw a formula over the functions of the problem."""
    at = choices.index(len(problem.assertions))
    return Drawing(DrawingScope.within(problem, at, ()), WEIGHTS).condition(choices, _FUEL)


def _add(problem: Problem, choices: Choices) -> Problem | None:
    return inserted(problem, condition(problem, choices), choices)


def _changes(narrow: bool) -> Callable[[Problem, Choices], Problem | None]:
    """Return a rewrite that strengthens or weakens an assertion by changing a formula in it."""

    def rewrite(problem: Problem, choices: Choices) -> Problem | None:
        found = formulas(problem)
        if not found:
            return None
        place = found.pick(choices)
        draw = drawing(problem, place.clause, place.path, WEIGHTS)
        return put(problem, place, as_read(changed(problem.assertions[place.clause], place, narrow, draw, choices)))

    return rewrite


def _has_formulas(problem: Problem) -> bool:
    return bool(formulas(problem))


_JANUS = "Janus (ASE 2022), weakening and strengthening"

MUTATIONS = tuple(
    map(
        one_way,
        (
            Mutation(
                "smt_monotone.drop",
                Promise.SAT_PRESERVING,
                "an assertion is removed",
                "a model of all assertions is one of some",
                _drop,
                _has_assertions,
                light=True,
                needs=Needs.ASSERTIONS,
            ),
            Mutation(
                "smt_monotone.add",
                Promise.UNSAT_PRESERVING,
                "a drawn assertion is added",
                "TypeFuzz (OOPSLA 2021), terms by type",
                _add,
                _has_assertions,
                needs=Needs.ASSERTIONS,
            ),
            Mutation(
                "smt_monotone.weaken",
                Promise.SAT_PRESERVING,
                "a formula in an assertion is weakened",
                _JANUS,
                _changes(narrow=False),
                _has_formulas,
                light=True,
                needs=Needs.ASSERTIONS,
            ),
            Mutation(
                "smt_monotone.strengthen",
                Promise.UNSAT_PRESERVING,
                "a formula in an assertion is strengthened",
                _JANUS,
                _changes(narrow=True),
                _has_formulas,
                light=True,
                needs=Needs.ASSERTIONS,
            ),
        ),
    )
)
