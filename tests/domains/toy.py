"""A toy domain: Boolean formulas, and a solver in this process with a planted bug."""

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any

from chcfuzz.domains.protocol import Domain, Roots, WitnessSearch
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.printing.printer import print_problem, print_term
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading import parse
from chcfuzz.grammar.terms import (
    FALSE,
    TRUE,
    Apply,
    Call,
    Term,
    conjunction,
    is_operator,
    negation,
    postorder,
    subterms,
)
from chcfuzz.mutators.chain import Mutant
from chcfuzz.mutators.mutation import Mutation, Needs, Promise
from chcfuzz.mutators.registry import Registry
from chcfuzz.oracles.verdict import RESULT, Verdict, VerdictKind
from chcfuzz.solvers.model_text import TextModel
from chcfuzz.solvers.outcome import Extra, Outcome, Status
from chcfuzz.solvers.solver import Solver
from chcfuzz.tracing.output import OutputEvents, trace_of_classes
from chcfuzz.triage.examine.conclusion import Witness
from chcfuzz.triage.examine.shape import SystemShape
from chcfuzz.triage.shrink.result import Shrunk, improve
from chcfuzz.triage.shrink.search import Edits, Search
from chcfuzz.triage.shrink.size import Size

OPERATORS: Mapping[str, Callable[[list[bool]], bool]] = {
    "and": all,
    "or": any,
    "not": lambda args: not args[0],
    "xor": lambda args: sum(args) % 2 == 1,
}


def truth(formula: Term, values: Mapping[str, bool]) -> bool:
    done: dict[Term, bool] = {TRUE: True, FALSE: False}
    for here in postorder(formula):
        if isinstance(here, Call):
            done[here] = values[here.function.name]
        elif isinstance(here, Apply):
            done[here] = OPERATORS[here.operator]([done[child] for child in here.children])
    return done[formula]


def models(problem: Problem) -> Iterator[str]:
    names = [function.name for function in problem.functions]
    for row in product((False, True), repeat=len(names)):
        values = dict(zip(names, row, strict=True))
        if all(truth(formula, values) for formula in problem.formulas):
            yield "\n".join(f"(define-fun {name} () Bool {str(value).lower()})" for name, value in values.items())


def has_bug(problem: Problem) -> bool:
    """Determine whether a conjunction has the same member twice: then the solver answers unsat."""
    conjunctions = (term for term in subterms(*problem.formulas) if is_operator(term, "and"))
    return any(len(set(term.children)) < len(term.children) for term in conjunctions)


class ToySolver(Solver):
    name, events = "toy", OutputEvents("toy")

    def solve(self, text: str, parameters: object, rlimit: int) -> Outcome:
        problem = parse.problem(text)
        model = None if has_bug(problem) else next(map(TextModel, models(problem)), None)
        steps = [f"{term.operator} {len(term.children)}" for term in subterms(*problem.formulas) if type(term) is Apply]
        return Outcome(Status.SAT if model else Status.UNSAT, "", trace_of_classes(steps), 0, 0.0, model)


def row(name: str, make: Callable[[Term], Term]) -> Mutation:
    def rewrite(problem: Problem, choices: Choices) -> Problem:
        number = choices.index(len(problem.assertions))
        return problem.with_formula(number, make(problem.formulas[number]))

    return Mutation(
        f"toy.{name}",
        Promise.EQUIVALENT,
        name,
        "",
        rewrite,
        lambda problem: bool(problem.assertions),
        needs=Needs.ASSERTIONS,
    )


ROWS = (row("negate-twice", lambda term: negation(negation(term))), row("repeat", lambda term: conjunction(term, term)))
PASSES = (
    Edits[Problem, int](
        "drop assertions",
        lambda problem: range(len(problem.assertions)),
        lambda problem, gone: problem.with_assertions([a for n, a in enumerate(problem.assertions) if n not in gone]),
    ),
    Edits[Problem, tuple[int, Term]](
        "formulas to children",
        lambda problem: [(number, child) for number, f in enumerate(problem.formulas) for child in f.children],
        lambda problem, edits: problem.with_formula(*edits[0]),
    ),
)


class ToyRoots(Roots):
    noun, entropy_rows = "Boolean formula", ("toy.negate-twice",)
    built_in = ("(set-info :status sat)(declare-const p Bool)(declare-const q Bool)(assert (or p (not q)))",)

    def print(self, problem: Any) -> str:
        return print_problem(problem)

    def parse(self, text: str, name: str) -> Problem:
        problem = parse.problem(text, name)
        operators = {term.operator for term in subterms(*problem.formulas) if isinstance(term, Apply)}
        if problem.theories or not operators <= OPERATORS.keys():
            raise GrammarError(name, 1, 1, "not a Boolean formula", "")
        return problem


def witness(problem: Problem, model: str | None, words: str) -> Witness:
    claim = f"(assert (not {print_term(conjunction(*problem.formulas))}))(check-sat)"
    return Witness(Status.UNSAT if model is None else Status.SAT, words, model or "", f"{model}\n{claim}")


class ToySearch(WitnessSearch):
    def witness(self, run: Any, status: Status, places: object) -> Witness | None:
        found = witness(run.problem, next(models(run.problem), None), "the truth table decides")
        return found if found.status is status else None


class ToyDomain(Domain):
    name, solver_name, roots = "tests.domains.toy:DOMAIN", "toy", ToyRoots()

    def registry(self, solving: object) -> Registry:
        return Registry(ROWS, ())

    def trace_source(self, solving: object) -> OutputEvents:
        return ToySolver.events

    def solver(self, solving: object, source: object, watchdog: object) -> Solver:
        return ToySolver()

    def releases(self, solving: object, parameters: object, z3: str) -> Mapping[str, str]:
        return {self.solver_name: ""}

    def witness_search(self, runs: object, solving: object, seed: object) -> WitnessSearch:
        return ToySearch()

    def model_witness(self, problem: Any, text: str, words: str, watchdog: object) -> Witness | None:
        return witness(problem, text, words) if text in models(problem) else None

    def shape(self, problem: Any) -> SystemShape:
        return SystemShape((), linear=True, recursive=False, doubled=has_bug(problem), operators=())

    def size(self, problem: Any) -> Size:
        return Size(len(problem.formulas), len(problem.functions), 0, problem.nodes, 0, 0, 0, 0)

    def shrink(self, problem: Any, test: Any, mode: object, on_progress: Any) -> Iterator[Shrunk[Problem]]:
        def admits(best: Problem, candidate: Problem) -> bool:
            return bool(candidate.assertions) and self.size(candidate) < self.size(best)

        return improve(Search[Problem](problem, test, print_problem, admits, on_progress), PASSES, self.size)


class Simplified(Extra):
    """The answer of the simplifier."""

    def __init__(self, formula: Term) -> None:
        self.formula = formula


def simplified(problem: Problem) -> Term:
    """Return a formula without repeated members of conjunctions; with the bug, it is false if there were any."""

    def at(term: Term) -> Term:
        children = [at(child) for child in term.children]
        if not is_operator(term, "and"):
            return term.rebuild(children) if children else term
        return conjunction(*dict.fromkeys(children)) if len(set(children)) == len(children) else FALSE

    return at(conjunction(*problem.formulas))


class Simplifier(Solver):
    name, events = "simplifier", OutputEvents("simplifier")

    def solve(self, text: str, parameters: object, rlimit: int) -> Outcome:
        formula = simplified(parse.problem(text))
        steps = [f"{term.operator} {len(term.children)}" for term in subterms(formula) if type(term) is Apply]
        return Outcome(Status.RESULT, "", trace_of_classes(steps), 0, 0.0, extra=Simplified(formula))


def difference(problem: Problem, formula: Term) -> Mapping[str, bool] | None:
    """Return values at which the formula and the problem differ; None if they are equivalent."""
    names = [function.name for function in problem.functions]
    rows = (dict(zip(names, row, strict=True)) for row in product((False, True), repeat=len(names)))
    whole = conjunction(*problem.formulas)
    return next((values for values in rows if truth(whole, values) != truth(formula, values)), None)


class SimplifierDomain(ToyDomain):
    """Boolean formulas for a solver whose answer is a formula, as that of a part of a solver is."""

    name, solver_name = "tests.domains.toy:SIMPLIFIER", "simplifier"

    def trace_source(self, solving: object) -> OutputEvents:
        return Simplifier.events

    def solver(self, solving: object, source: object, watchdog: object) -> Solver:
        return Simplifier()

    def verdicts(self, mutant: Mutant, outcome: Outcome, watchdog: object, solve: object) -> list[Verdict]:
        if not isinstance(outcome.extra, Simplified) or not isinstance(mutant.problem, Problem):
            return []
        wrong = difference(mutant.problem, outcome.extra.formula)
        if wrong is None:
            return [Verdict(RESULT.name, VerdictKind.PASS)]
        claim = (
            f"(assert (xor {print_term(conjunction(*mutant.problem.formulas))} {print_term(outcome.extra.formula)}))"
        )
        declared = "".join(f"(declare-const {name} Bool)" for name in wrong)
        return [
            Verdict(
                RESULT.name, VerdictKind.WRONG_RESULT, f"not equivalent at {wrong}", f"{declared}{claim}(check-sat)"
            )
        ]


DOMAIN, SIMPLIFIER = ToyDomain(), SimplifierDomain()
