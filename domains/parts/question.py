"""Questions to parts of solvers, and the problems that have them.

A question names a part, its subjects (variables that are eliminated, or names of tactics), a model of the formula, and
options. The formula is the conjunction of the assertions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property

from chcfuzz.domains.parts.catalogue import ELIMINATIONS, SIMPLIFIERS, SIMPLIFY_OPTIONS, TACTIC_OPTIONS, TACTICS
from chcfuzz.grammar.form import PLAIN
from chcfuzz.grammar.problem import Assertion, Pairs, Problem
from chcfuzz.grammar.small_formulas.assignments import completed, free_constants
from chcfuzz.grammar.terms import Function, Term, conjunction

INFO = "chcfuzz-part"
VARIABLES, NAMES, NONE = "variables", "names", ""  # of the subjects
Z3, Z3_COMMAND, CVC5, BITWUZLA = "z3", "z3 -in", "cvc5", "bitwuzla"
ModelPairs = tuple[tuple[str, Term], ...]


@dataclass(frozen=True)
class SolverPart:
    """A part of a solver: the kind of its subjects, and whether its answer depends on a given model."""

    name: str
    solver: str = Z3
    subjects: str = NONE
    needs_model: bool = False
    least: int = 0  # of subjects
    names: tuple[str, ...] = ()  # that subjects may be
    takes_quantifiers: bool = False  # without them, a quantified formula is misuse: some parts die of it
    takes_functions: bool = True  # else a model has more than the values that can be forced
    theories: frozenset[str] = frozenset()  # that the part documents; empty for all
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)  # with the values of each
    needs_unsat: bool = False  # else it has little to do: drawn questions are unsatisfiable, without a model
    generation: int = 0  # units choose a part by its position among those of one generation
    has_objectives: bool = False  # its variables are numbers or bit-vectors

    @property
    def default(self) -> tuple[str, ...]:
        """The subjects of a question about a problem without a question."""
        return self.names[:1]

    def variables_in(self, problem: Problem) -> list[Function]:
        """Return the constants of a problem that may be subjects of a question to the part."""
        occurring = free_constants(problem)
        free = [each for each in problem.functions if each.name in occurring]
        return [each for each in free if not self.has_objectives or each.result.is_numeric or each.result.is_bitvector]


_OF_BITWUZLA = frozenset(("BV", "Arrays", "UF", "Bool"))
_COMPLETE = frozenset(("LIA", "LRA", "BV", "Bool"))  # cvc5 documents elimination for these alone
_BOTH = ("true", "false")
_PUSH = {"push": _BOTH}
_DIRECTIONS = {"direction": ("maximize", "minimize")}
_ENGINES = ("maxres", "pd-maxres", "rc2", "maxres-bin", "wmax")

PARTS: Mapping[str, SolverPart] = {
    part.name: part
    for part in (
        SolverPart("project", Z3, VARIABLES, needs_model=True, least=1),
        SolverPart("witness", Z3, VARIABLES, needs_model=True, least=1),
        SolverPart("mbp", Z3_COMMAND, VARIABLES, needs_model=True, least=1, takes_functions=False),
        SolverPart("implicant", Z3, needs_model=True),
        SolverPart("simplify", Z3, takes_quantifiers=True, options=SIMPLIFY_OPTIONS),
        SolverPart("cvc5-simplify", CVC5, takes_quantifiers=True, options={"substitutions": _BOTH}),
        SolverPart("bitwuzla-simplify", BITWUZLA, theories=_OF_BITWUZLA),
        SolverPart("simplifier", Z3, NAMES, least=1, names=SIMPLIFIERS, takes_quantifiers=True, options=_PUSH),
        SolverPart("tactic", Z3, NAMES, least=1, names=TACTICS, takes_quantifiers=True, options=TACTIC_OPTIONS),
        SolverPart("eliminate", Z3, VARIABLES, least=1, options={"by": ELIMINATIONS}),
        SolverPart("qe-lite", Z3, VARIABLES, least=1),
        SolverPart("cvc5-eliminate", CVC5, VARIABLES, least=1, theories=_COMPLETE),
        SolverPart("cvc5-disjunct", CVC5, VARIABLES, least=1, theories=_COMPLETE),
        SolverPart("optimum", Z3, VARIABLES, least=1, options=_DIRECTIONS, has_objectives=True),
        SolverPart("core", Z3, options={"minimize": _BOTH}, needs_unsat=True),
        SolverPart("push", Z3),
        SolverPart(
            "qsat",
            Z3,
            VARIABLES,
            least=1,
            takes_functions=False,
            options={"bound": ("exists", "forall")},
            generation=1,
        ),
        SolverPart("consequences", Z3, VARIABLES, least=1, options={"assumed": _BOTH}, generation=1),
        SolverPart("cube", Z3, generation=1),
        SolverPart("soft", Z3, takes_functions=False, options={"engine": _ENGINES}, generation=1),
        SolverPart("proof", Z3, needs_unsat=True, generation=1),
        SolverPart("cover", Z3, VARIABLES, needs_model=True, least=1, takes_functions=False, generation=1),
        SolverPart("bitwuzla-check", BITWUZLA, theories=_OF_BITWUZLA, generation=1),
        SolverPart("ground", Z3, VARIABLES, needs_model=True, least=1, takes_functions=False, generation=2),
        SolverPart("pareto", Z3, VARIABLES, least=2, options=_DIRECTIONS, generation=2, has_objectives=True),
        SolverPart("tactic-proof", Z3, NAMES, least=1, names=TACTICS, needs_unsat=True, generation=2),
    )
}


@dataclass(frozen=True)
class PartQuestion:
    """A question; `model` has the value of each function, which is the same for all arguments of a function."""

    part: str
    subjects: tuple[str, ...] = ()
    model: ModelPairs = ()
    options: Pairs = ()

    @property
    def kind(self) -> SolverPart:
        """The row of the part in `PARTS`."""
        return PARTS[self.part]

    @property
    def label(self) -> str:
        """The part with the names of its tactics or simplifiers, by which findings are grouped."""
        return " ".join((self.part, *self.subjects)) if self.kind.subjects == NAMES else self.part


@dataclass(frozen=True)
class PartProblem(Problem):
    """An SMT problem with a question, whose rows and passes apply to it.

    The question is fitted to the problem: variables that do not occur are left out, and functions without a
    value in a model get one. The text has a single check.
    """

    question: PartQuestion = PartQuestion("implicant")

    def __post_init__(self) -> None:
        """Fit the question to the declarations."""
        object.__setattr__(self, "form", PLAIN)
        object.__setattr__(self, "question", fitted(self.question, self))

    @staticmethod
    def of(problem: Problem, question: PartQuestion) -> PartProblem:
        """Return a problem with a question."""
        own = {each.name: getattr(problem, each.name) for each in fields(Problem)}
        return PartProblem(**own, question=question)

    @cached_property
    def problem(self) -> Problem:
        """The same assertions as a plain SMT problem."""
        return Problem(**{each.name: getattr(self, each.name) for each in fields(Problem)})

    @property
    def formula(self) -> Term:
        """The formula that the question is about."""
        return conjunction(*self.formulas)

    @property
    def eliminated(self) -> tuple[Function, ...]:
        """The constants among the subjects, in the order of the question."""
        known = {function.name: function for function in self.functions}
        is_list = self.question.kind.subjects == VARIABLES
        return tuple(known[name] for name in self.question.subjects) if is_list else ()

    @property
    def is_askable(self) -> bool:
        """Whether the part has the subjects and the model that it needs, and takes the formula."""
        kind = self.question.kind
        is_read = kind.takes_quantifiers or not any(formula.depth for formula in self.formulas)
        is_read = is_read and (not kind.theories or kind.theories >= self.theories)
        is_read = is_read and (kind.takes_functions or not any(each.parameters for each in self.functions))
        has_model = bool(self.question.model) or not kind.needs_model
        return is_read and has_model and len(self.question.subjects) >= kind.least

    def asking(self, question: PartQuestion) -> PartProblem:
        """Return the same problem with another question."""
        return replace(self, question=question)

    def plain(self, *formulas: Term) -> Problem:
        """Return the SMT problem with the same declarations that asserts these formulas."""
        return replace(self.problem, assertions=tuple(map(Assertion, formulas)), info=(), options=())


def fitted(question: PartQuestion, problem: Problem) -> PartQuestion:
    """Return the question without variables that do not occur or fit, with a complete model if it has one."""
    subjects = question.subjects
    if question.kind.subjects == VARIABLES:
        known = [each.name for each in question.kind.variables_in(problem)]
        subjects = tuple(dict.fromkeys(name for name in subjects if name in known))
    elif question.kind.subjects == NONE:
        subjects = ()
    model = completed(dict(question.model), problem) if question.model else ()
    return replace(question, subjects=subjects, model=model)
