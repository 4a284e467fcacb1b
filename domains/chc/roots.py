"""CHC systems as roots of recipes: reading, printing, built-in systems."""

from __future__ import annotations

from chcfuzz.domains.chc.generation.drawn_systems import DRAWN, drawn_system, theories
from chcfuzz.domains.chc.rows import names, order, rules
from chcfuzz.domains.protocol import Roots
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.problem import BaseProblem, Pairs
from chcfuzz.grammar.reading.commands import LeftOut
from chcfuzz.grammar.reading.horn_script import HornScript
from chcfuzz.grammar.reading.parse import left_out, parse
from chcfuzz.grammar.system import System, as_system
from chcfuzz.mutators.families import arithmetic, boolean, quantifiers
from chcfuzz.solvers import z3_program
from chcfuzz.solvers.solver_names import SOLVER
from chcfuzz.solvers.z3_parameters import with_transforms_off
from chcfuzz.solvers.z3_program import LIBRARY

BUILT_IN = (
    """(set-logic HORN)
(set-info :status sat)
(declare-fun inv (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (inv x y))))
(assert (forall ((x Int) (y Int) (x1 Int) (y1 Int))
  (=> (and (inv x y) (< x 10) (= x1 (+ x 1)) (= y1 (+ y 2))) (inv x1 y1))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (>= x 10) (not (= y 20))) false)))
(check-sat)
""",
    """(set-logic HORN)
(set-info :status unsat)
(declare-fun fib (Int Int) Bool)
(assert (forall ((n Int)) (=> (and (>= n 0) (< n 2)) (fib n n))))
(assert (forall ((n Int) (a Int) (b Int))
  (=> (and (>= n 2) (fib (- n 1) a) (fib (- n 2) b)) (fib n (+ a b)))))
(assert (forall ((n Int) (r Int)) (=> (and (fib n r) (= n 4) (not (= r 4))) false)))
(check-sat)
""",
    """(set-logic HORN)
(set-info :status sat)
(declare-fun even (Real Bool) Bool)
(declare-fun odd (Real Bool) Bool)
(assert (forall ((x Real) (b Bool)) (=> (and (= x 0.0) b) (even x b))))
(assert (forall ((x Real) (b Bool)) (=> (even x b) (odd (+ x 1.0) (not b)))))
(assert (forall ((x Real) (b Bool)) (=> (odd x b) (even (+ x 1.0) (not b)))))
(assert (forall ((x Real) (b Bool)) (=> (and (or (even x b) (odd x (not b))) (not b)) false)))
(check-sat)
""",
    """(set-logic HORN)
(set-info :status unsat)
(declare-fun filled (Int (Array Int Int)) Bool)
(assert (forall ((a (Array Int Int))) (filled 0 a)))
(assert (forall ((i Int) (a (Array Int Int)))
  (=> (and (filled i a) (< i 3)) (filled (+ i 1) (store a i 7)))))
(assert (forall ((i Int) (a (Array Int Int))) (=> (and (filled i a) (= i 3) (= (select a 1) 7)) false)))
(check-sat)
""",
)


class ChcRoots(Roots):
    """CHC systems as roots of recipes; see `mutators.roots.Roots`."""

    noun = "CHC system"
    built_in = BUILT_IN
    entropy_rows = tuple(
        row.id for module in (boolean, quantifiers, arithmetic, rules, order, names) for row in module.MUTATIONS
    )
    classes = ("Arrays", "ADT", "BV", "LRA", "LIA", "Bool")
    takes_models = True
    kinds = (DRAWN,)
    selecting = frozenset((SOLVER,))

    query_parameters = with_transforms_off()

    def class_of(self, problem: BaseProblem) -> str:
        """Return the first theory in `classes` that the system uses, or "Bool"."""
        theories = problem.theories
        return next((theory for theory in self.classes if theory in theories), "Bool")

    def takes(self, name: str, value: str) -> bool:
        """Return whether this puts the library or the program of Z3 under test."""
        return name == SOLVER and value in (LIBRARY, z3_program.NAME)

    def shown_options(self, parameters: Pairs) -> Pairs:
        """Return the parameters without the front end."""
        return tuple(pair for pair in parameters if pair[0] != SOLVER)

    def parse(self, text: str, name: str) -> System:
        """Return the system that a text states; raises `GrammarError`."""
        return parse(text, name)

    def left_out(self, text: str, name: str) -> tuple[LeftOut, ...]:
        """Return the commands of a text that no solver gets; raises `GrammarError`."""
        return left_out(HornScript(name), text)

    def draw_kind(self, kind: str, choices: Choices) -> System:
        """Draw a system with a rule of drawn literals; half of these systems state that they are unsatisfiable."""
        assert kind == DRAWN
        return drawn_system(choices.pick(theories()), choices)

    def print(self, problem: BaseProblem) -> str:
        """Return the canonical text of a system."""
        return print_system(as_system(problem))

    def complexity(self, problem: BaseProblem) -> tuple[int, int, int]:
        """Order nonlinear after linear systems, then by predicates, then by clauses, as HornFuzz orders seeds."""
        system = as_system(problem)
        nonlinear = any(not clause.is_linear for clause in system.clauses)
        return int(nonlinear), len(system.predicates), len(system.clauses)
