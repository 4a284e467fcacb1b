"""Interpolation problems as roots of recipes."""

from __future__ import annotations

from collections.abc import Sequence

from chcfuzz.domains.interpolation.drawing import KINDS, drawn
from chcfuzz.domains.interpolation.solvers.inputs import READERS, input_for
from chcfuzz.domains.interpolation.solvers.interpolator import note
from chcfuzz.domains.interpolation.sources import READINGS, stated, stated_last
from chcfuzz.domains.smt.roots import RootsOfSeveral
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.drawing_limits import USUAL, Limits
from chcfuzz.grammar.interpolation.group_text import printed
from chcfuzz.grammar.interpolation.grouped import Interpolation
from chcfuzz.grammar.interpolation.query_scripts import has_grammar, is_read
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.grammar.reading.commands import LeftOut

BUILT_IN = (
    """(set-logic ALL)
(set-info :status unsat)
(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(assert (! (and (> x 3) (= y (+ x 1))) :interpolation-group g0))
(assert (! (and (< y z) (< z 4)) :interpolation-group g1))
(check-sat)
""",
    """(set-logic ALL)
(set-info :status unsat)
(declare-const a (_ BitVec 4))
(declare-const b (_ BitVec 4))
(declare-const c (_ BitVec 4))
(assert (! (bvult a b) :interpolation-group g0))
(assert (! (= c (bvadd b #x1)) :interpolation-group g1))
(assert (! (not (= b #xf)) :interpolation-group g1))
(assert (! (bvult c a) :interpolation-group g2))
(check-sat)
""",
    """(set-logic ALL)
(set-info :status unsat)
(declare-const m (Array Int Real))
(declare-const n (Array Int Real))
(declare-const i Int)
(declare-const r Real)
(assert (! (and (= n (store m i 2.5)) (> i 0)) :interpolation-group g0))
(assert (! (= r (+ (select n i) 1.0)) :interpolation-group g1))
(assert (! (< r 3.0) :interpolation-group g2))
(check-sat)
""",
)


class InterpolationRoots(RootsOfSeveral):
    """Interpolation problems as roots of recipes; see `mutators.roots.Roots`."""

    noun = "interpolation problem"
    built_in = BUILT_IN
    readers = READERS

    draws = True
    kinds = tuple(KINDS)
    readings = READINGS

    def draw(self, choices: Choices, _limits: Limits = USUAL, /) -> Interpolation:
        """Draw a path of a C program or an unrolling; all are unsatisfiable."""
        return drawn(choices)

    def draw_kind(self, kind: str, choices: Choices) -> Interpolation:
        """Draw a problem of one of `kinds`."""
        return KINDS[kind](choices)

    def parse_all(self, text: str, name: str, readings: Sequence[str] = ()) -> tuple[Interpolation, ...]:
        """Return the problem of a text with groups, a split of an SMT problem, or unrollings of a CHC system.

        Raises `GrammarError`.
        """
        return stated(text, name, readings)

    def parse(self, text: str, name: str) -> Interpolation:
        """Return the problem that a text states by its groups, or by its last query; raises `GrammarError`."""
        return stated_last(text, name)

    def left_out(self, text: str, name: str) -> tuple[LeftOut, ...]:
        """Return the commands of a text that no solver gets, all queries but the last among them.

        Raises `GrammarError`.
        """
        found = super().left_out(text, name)
        read = [each for each in found if is_read(each.command)]
        reason = "the last query alone is run; import reads each"
        earlier = [each._replace(reason=reason, matters=False) for each in read[:-1]]
        bounded = [each._replace(reason="its grammar is left out") for each in read[-1:] if has_grammar(each.command)]
        return (*earlier, *bounded, *(each for each in found if each not in read))

    def print(self, problem: BaseProblem) -> str:
        """Return the canonical text of a problem, after its options."""
        options = "".join(f"(set-option :{name} {value})\n" for name, value in problem.options)
        plain = as_interpolation(problem).with_header(problem.info, ())
        text = printed(plain)
        if not (problem.info or options):
            note(text, plain)  # the solvers get such a text next
        return options + text

    def print_for(self, problem: BaseProblem, reader: str) -> str:
        """Return the text that a solver reads; raises `ChcfuzzError` for a problem that it cannot get."""
        return input_for(as_interpolation(problem), reader)

    def complexity(self, problem: BaseProblem) -> tuple[int, int, int]:
        """Order problems with quantifiers after others, then by the number of groups, then by nodes."""
        quantified = any(formula.depth for formula in problem.formulas)
        return int(quantified), len(as_interpolation(problem).groups), problem.nodes


def as_interpolation(problem: BaseProblem) -> Interpolation:
    """Return a problem of the domain of interpolation problems with its type."""
    assert isinstance(problem, Interpolation)
    return problem
