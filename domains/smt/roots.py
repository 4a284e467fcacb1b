"""SMT problems as roots of recipes."""

from __future__ import annotations

from collections.abc import Sequence

from chcfuzz.domains.protocol import Roots
from chcfuzz.domains.smt.rows import names as smt_names
from chcfuzz.domains.smt.rows import order as smt_order
from chcfuzz.domains.smt.solvers.engine import with_own
from chcfuzz.domains.smt.solvers.together import own, settings_of, solver_of
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.draw_problem import draw_problem
from chcfuzz.grammar.drawing.drawing_limits import USUAL, Limits
from chcfuzz.grammar.printing import dialects
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.problem import BaseProblem, Pairs, Problem
from chcfuzz.grammar.reading import parse
from chcfuzz.grammar.reading.commands import LeftOut
from chcfuzz.grammar.reading.problem_script import ProblemScript
from chcfuzz.learning import active as learned
from chcfuzz.learning.drawn_roots import Bounds, draw_root
from chcfuzz.mutators.families import arithmetic, boolean, quantifiers
from chcfuzz.solvers.solver_names import SOLVER, is_allowed

BUILT_IN = (
    """(set-logic ALL)
(set-info :status sat)
(declare-const x Int)
(declare-const y Int)
(declare-fun f (Int) Int)
(assert (and (< x y) (= (f x) (+ y 1)) (not (= (f y) (f x)))))
(assert (or (> (f y) 10) (= (mod x 3) 1)))
(check-sat)
""",
    """(set-logic ALL)
(set-info :status unsat)
(declare-const a (_ BitVec 8))
(declare-const b (_ BitVec 8))
(assert (bvult a b))
(assert (= (bvand b (bvnot a)) #x00))
(assert (= (bvor a b) a))
(check-sat)
""",
    """(set-logic ALL)
(set-info :status sat)
(declare-datatypes ((List 0)) (((nil) (cons (head Real) (tail List)))))
(declare-const l List)
(declare-const m (Array Int Real))
(assert ((_ is cons) l))
(assert (= (select m 3) (* 2.0 (head l))))
(assert (ite ((_ is nil) (tail l)) (> (select m 3) 1.0) (= (select m 0) (select m 3))))
(check-sat)
""",
    """(set-logic ALL)
(set-info :status unsat)
(declare-sort U 0)
(declare-const c U)
(declare-fun p (U) Bool)
(assert (forall ((x U)) (=> (p x) (= x c))))
(assert (exists ((x U)) (and (p x) (not (p c)))))
(check-sat)
""",
)


class RootsOfSeveral(Roots):
    """Roots of a domain in which several solvers get each problem, and a parameter selects the one under test."""

    entropy_rows = tuple(
        row.id for module in (boolean, quantifiers, arithmetic, smt_order, smt_names) for row in module.MUTATIONS
    )
    classes = ("Quantifiers", "Arrays", "ADT", "BV", "LRA", "LIA", "UF", "Bool")
    selecting = frozenset((SOLVER,))

    def takes(self, name: str, value: str) -> bool:
        """Return whether this is the name of a solver, or an option of one such as `cvc5.decision`."""
        if name == SOLVER:
            return 0 < len(value) < 200 and value.isascii() and value.isprintable()
        solver, _, option = name.partition(".")
        return solver.isidentifier() and solver != "fp" and is_allowed(option, value)

    def left_out(self, text: str, name: str) -> tuple[LeftOut, ...]:
        """Return the commands of a text that no solver gets; raises `GrammarError`."""
        return parse.left_out(ProblemScript(name), text)

    def shown_options(self, parameters: Pairs) -> Pairs:
        """Return the options of the solver under test, by its own names."""
        tested = dict(parameters).get(SOLVER)
        return with_own(settings_of(tested), own(tested, parameters)) if tested else ()

    def configured(self, parameters: Pairs) -> Pairs:
        """Return the settings of the solver under test, as in `z3:sat.euf=true`, by the names that recipes use."""
        tested = dict(parameters).get(SOLVER, "")
        return tuple((f"{solver_of(tested)}.{name}", value) for name, value in settings_of(tested))

    def class_of(self, problem: BaseProblem) -> str:
        """Return "Quantifiers", or the first theory of the problem in the order of `classes`."""
        if any(formula.depth for formula in problem.formulas):
            return "Quantifiers"
        return next((name for name in self.classes if name in problem.theories), "Bool")


class SmtRoots(RootsOfSeveral):
    """SMT problems as roots of recipes; see `mutators.roots.Roots`."""

    noun = "SMT problem"
    built_in = BUILT_IN
    readers = dialects.READERS
    draws = takes_models = True

    def draw(self, choices: Choices, limits: Limits = USUAL, /) -> Problem:
        """Draw a problem within these bounds, half the time with the model of the process, if it has one."""
        weights = learned.drawn(choices)
        if weights is not None and choices.boolean():
            drawn = draw_root(weights, choices, Bounds(limits=limits))
            learned.temperings.note(self.print(drawn).encode())
            return drawn
        return draw_problem(choices, limits)

    def parse(self, text: str, name: str) -> Problem:
        """Return the problem that a text states; raises `GrammarError`."""
        return parse.problem(text, name)

    def print(self, problem: BaseProblem) -> str:
        """Return the canonical text of a problem, after its options."""
        options = "".join(f"(set-option :{name} {value})\n" for name, value in problem.options)
        return options + print_problem(as_problem(problem).with_header(problem.info, ()))

    def parse_all(self, text: str, name: str, _readings: Sequence[str] = ()) -> tuple[Problem, ...]:
        """Return the different problems of the checks of a text, at least one; raises `GrammarError`."""
        stated = dict.fromkeys(each for each in parse.checks(text, name) if each.assertions)
        return tuple(stated) or (parse.problem(text, name),)

    def print_for(self, problem: BaseProblem, reader: str) -> str:
        """Return the text of a problem for a solver, or in standard SMT-LIB."""
        return dialects.print_for(as_problem(problem), reader)

    def complexity(self, problem: BaseProblem) -> tuple[int, int, int]:
        """Order problems with quantifiers after others, then by the number of theories, then by nodes."""
        quantified = any(formula.depth for formula in problem.formulas)
        return int(quantified), len(problem.theories), problem.nodes


def as_problem(problem: BaseProblem) -> Problem:
    """Return a problem of the domain of SMT problems with its type."""
    assert isinstance(problem, Problem)
    return problem
