"""Constants: nudged, replaced by values at the edges of their sort, or by other constants of the problem."""

from __future__ import annotations

from fractions import Fraction

from chcfuzz.domains.smt.rows.subterm import is_divisor
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.drawing_scope import constants
from chcfuzz.grammar.drawing.literals import literal
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.sort_kinds import kind_of
from chcfuzz.grammar.sorts import BOOL, INT, REAL
from chcfuzz.grammar.terms import Term, Value
from chcfuzz.mutators.mutation import Promise
from chcfuzz.mutators.rewriting.places import Place
from chcfuzz.mutators.rewriting.term_rows import About, RewriteAt, row_at


def _is_constant(term: Term) -> bool:
    return isinstance(term, Value)


def nudged(term: Value, choices: Choices) -> Value:
    """Return a constant near the given one: one more, one less, negated, doubled, halved, or with one bit flipped."""
    if term.sort is BOOL:
        return Value(not term.value, BOOL)
    n = term.value
    if term.sort.is_bitvector:
        width, bits = term.sort.width, int(n)
        flipped = bits ^ (1 << choices.index(width))
        near = choices.pick((bits + 1, bits - 1, flipped, -bits, ~bits, 2 * bits, bits >> 1))
        return Value(near % (1 << width), term.sort)
    if term.sort is REAL:
        return Value(Fraction(choices.pick((n + 1, n - 1, -n, 2 * n, n / Fraction(2), Fraction(1) - n))), REAL)
    if term.sort is INT:
        return Value(int(choices.pick((n + 1, n - 1, -n, 2 * n, n // 2, 0))), INT)
    return choices.pick(kind_of(term.sort).near(term) or [term])


def _nudged(_problem: Problem, place: Place, choices: Choices) -> Value:
    assert isinstance(place.term, Value)
    return nudged(place.term, choices)


def _edge(_problem: Problem, place: Place, choices: Choices) -> Term:
    return literal(place.term.sort, choices, 0)


def _other(problem: Problem, place: Place, choices: Choices) -> Term | None:
    same = [value for value in constants(problem.formulas, place.term.sort) if value is not place.term]
    return choices.pick(same) if same else None


def _unless_it_divides_by_zero(rewrite: RewriteAt) -> RewriteAt:
    def guarded(problem: Problem, place: Place, choices: Choices) -> Term | None:
        new = rewrite(problem, place, choices)
        if isinstance(new, Value) and not new.value and is_divisor(problem.formulas[place.clause], place):
            return None
        return new

    return guarded


_SOURCE = "after OpFuzz (OOPSLA 2020): small changes of well-formed seeds"

MUTATIONS = tuple(
    row_at(
        About(f"smt_constant.{name}", Promise.NOTHING, summary, _SOURCE, light=True),
        _is_constant,
        _unless_it_divides_by_zero(rewrite),
    )
    for name, summary, rewrite in (
        ("nudge", "a constant becomes a near one", _nudged),
        ("edge", "a constant becomes an edge value of its sort", _edge),
        ("other", "a constant becomes another constant of the problem or a neighbour of one", _other),
    )
)
