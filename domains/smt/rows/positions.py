"""Positions and lengths in strings and sequences: they move to the edges, where definitions have their special cases.

A position before the start or behind the end makes the empty string, or -1, and a part of a string is mostly written
with its end, as `s[i:j]` is: `(str.substr s i (- j i))`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from chcfuzz.domains.smt.rows.arguments import terms_in_scope
from chcfuzz.domains.smt.rows.strings import is_text, of_text
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.drawing_scope import constants
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading.leniences import rebuilt
from chcfuzz.grammar.sorts import INT
from chcfuzz.grammar.terms import Apply, Term, apply, integer
from chcfuzz.grammar.theory import partial_operators
from chcfuzz.mutators.mutation import Promise
from chcfuzz.mutators.rewriting.places import Place
from chcfuzz.mutators.rewriting.term_rows import About, row_at, row_of_term

_PARTS = ("str.substr", "seq.extract")  # of a text, from a position on, of some length


def _positions(term: Term) -> Sequence[int]:
    """Return the places of arguments that are positions or lengths in the first argument."""
    if not isinstance(term, Apply) or not term.children or not is_text(term.children[0].sort):
        return ()
    if term.operator in partial_operators():  # behind the end, `seq.nth` has any value
        return ()
    return [at for at, child in enumerate(term.children) if child.sort is INT]


def _has_positions(term: Term) -> bool:
    return bool(_positions(term))


def _with_argument(term: Term, at: int, new: Term) -> Term:
    return rebuilt(term, (*term.children[:at], new, *term.children[at + 1 :]))


def _edge(term: Term, choices: Choices) -> Term:
    at = choices.pick(_positions(term))
    old, one, length = term.children[at], integer(1), of_text(term.children[0], "len")
    edges: Sequence[Callable[[], Term]] = (
        lambda: integer(-1),
        lambda: integer(0),
        lambda: length,
        lambda: apply("-", length, one),
        lambda: apply("+", length, one),
        lambda: apply("-", old, one),
        lambda: apply("+", old, one),
        lambda: apply("-", old),
    )
    return _with_argument(term, at, choices.pick(edges)())


def _is_part(term: Term) -> bool:
    return isinstance(term, Apply) and term.operator in _PARTS


def _slice(problem: Problem, place: Place, choices: Choices) -> Term:
    """Return a part whose length is an end minus its start, or whose start is an end minus its length."""
    text, start, length = place.term.children
    ends = (of_text(text, "len"), *constants(problem.formulas, INT), *terms_in_scope(problem, place, INT))
    end = choices.pick(ends)
    if choices.index(4) == 0:
        return _with_argument(place.term, 1, apply("-", end, length))
    return _with_argument(place.term, 2, apply("-", end, start))


def _about(name: str, summary: str) -> About:
    source = "src/ast/rewriter/seq_axioms.cpp, extract_axiom, at_axiom and indexof_axiom: cases by positions"
    return About(f"smt_positions.{name}", Promise.NOTHING, summary, source, light=True)


MUTATIONS = (
    row_of_term(_about("edge", "a position in a text moves to an edge, or by one"), _has_positions, _edge),
    row_at(_about("slice", "the length of a part of a text becomes an end minus its start"), _is_part, _slice),
)
