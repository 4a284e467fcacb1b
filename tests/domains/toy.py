"""A toy domain and its fuzz target: Boolean formulas, and a solver in this process with a planted bug."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

from chcfuzz.campaign.options import Options
from chcfuzz.execution.solving import Solving
from chcfuzz.fuzz_targets import program
from chcfuzz.grammar import parse
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.printer import print_problem
from chcfuzz.grammar.problem import Call, Problem
from chcfuzz.grammar.terms import FALSE, TRUE, Apply, Term, conjunction, is_operator, negation, postorder, subterms
from chcfuzz.mutators.mutation import Mutation, Promise
from chcfuzz.mutators.registry import Registry
from chcfuzz.solvers.model_text import TextModel
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.tracing.output import OutputEvents, trace_of_classes
from chcfuzz.triage.examine.conclusion import Witness
from chcfuzz.triage.examine.domain import Refuted
from chcfuzz.triage.examine.shape import Shape
from chcfuzz.triage.shrink.result import Shrunk
from chcfuzz.triage.shrink.search import Edits, Search, until_minimal
from chcfuzz.triage.shrink.size import Size

OPERATORS: dict[str, Callable[..., bool]] = {
    "not": lambda a: not a,
    "and": lambda *all_: all(all_),
    "or": lambda *all_: any(all_),
    "xor": lambda a, b: a != b,
}
BUILT_IN = (
    "(set-info :status sat)(declare-const p Bool)(declare-const q Bool)(assert (or p (not q)))(assert (xor p q))",
    "(set-info :status unsat)(declare-const p Bool)(declare-const q Bool)(assert (and p q))(assert (not (or p q)))",
)


def truth(term: Term, values: dict[str, bool]) -> bool:
    """Evaluate a formula."""
    done: dict[Term, bool] = {TRUE: True, FALSE: False}
    for here in postorder(term):
        if isinstance(here, Call):
            done[here] = values[here.function.name]
        elif isinstance(here, Apply):
            done[here] = OPERATORS[here.operator](*(done[child] for child in here.children))
    return done[term]


def models(problem: Problem) -> Iterator[str]:
    """Yield the models of a problem."""
    names = [function.name for function in problem.functions]
    for row in product((False, True), repeat=len(names)):
        if all(truth(formula, dict(zip(names, row, strict=True))) for formula in problem.formulas):
            yield "\n".join(f"(define-fun {n} () Bool {str(v).lower()})" for n, v in zip(names, row, strict=True))


def has_bug(problem: Problem) -> bool:
    """Determine whether the problem shows the planted bug: a conjunction has the same member twice."""
    conjunctions = [term for term in subterms(*problem.formulas) if is_operator(term, "and")]
    return any(len(set(term.children)) < len(term.children) for term in conjunctions)


class ToySolver:
    """A truth table. With the planted bug it answers unsat."""

    name, judge, counts_resources, sessions = "toy", "", False, None
    events, defaults = OutputEvents("toy"), dict[str, str]()

    def transforms_off(self, _parameters: object) -> None: ...

    def refused(self, problem: Any) -> str:
        return "more than 8 constants" if len(problem.functions) > 8 else ""

    def solve(self, text: str, _parameters: object, _rlimit: int) -> Outcome:
        problem = parse.problem(text)
        model = next(models(problem), None)
        status = Status.UNSAT if model is None or has_bug(problem) else Status.SAT
        words = [f"{term.operator} {len(term.children)}" for term in subterms(*problem.formulas) if type(term) is Apply]
        given = TextModel(model) if model is not None and status is Status.SAT else None
        return Outcome(status, "", trace_of_classes([status.value, *words]), 0, 0.0, given)

    solve_afresh = solve


def rewritten(make: Callable[[Term], Term], problem: Problem, choices: Choices) -> Problem:
    """Replace the formula of one assertion."""
    number = choices.index(len(problem.assertions))
    return problem.with_formula(number, make(problem.formulas[number]))


def row(name: str, make: Callable[[Term], Term]) -> Mutation:
    return Mutation(f"toy.{name}", Promise.EQUIVALENT, name, "", partial(rewritten, make), lambda p: bool(p.assertions))


ROWS = (
    row("negate-twice", lambda term: negation(negation(term))),
    row("add-true", lambda term: conjunction(term, TRUE)),
    row("add-false", lambda term: Apply("or", (term, FALSE))),
    row("repeat", lambda term: conjunction(term, term)),
)


class ToyRoots:
    noun, built_in, entropy_rows, classes = "Boolean formula", BUILT_IN, ("toy.negate-twice",), ("Bool",)
    query_parameters, print = (), staticmethod(print_problem)

    def class_of(self, _problem: object) -> str:
        return "Bool"

    def parse(self, text: str, name: str) -> Problem:
        problem = parse.problem(text, name)
        operators = {term.operator for term in subterms(*problem.formulas) if isinstance(term, Apply)}
        if problem.theories or not operators <= OPERATORS.keys():
            raise GrammarError(name, 1, 1, "not a Boolean formula", "")
        return problem

    def complexity(self, problem: Any) -> tuple[int, ...]:
        return (len(problem.formulas),)


def without_assertions(problem: Problem, gone: Sequence[int]) -> Problem:
    return problem.with_assertions([each for n, each in enumerate(problem.assertions) if n not in gone])


def with_children(problem: Problem, edits: Sequence[tuple[int, Term]]) -> Problem:
    return problem.with_formula(*edits[0])


PASSES = (
    Edits("drop notes", lambda p: [0] if p.info else [], lambda p, _: p.with_header((), ())),
    Edits("drop assertions", lambda p: range(len(p.assertions)), without_assertions),
    Edits("children", lambda p: [(n, c) for n, f in enumerate(p.formulas) for c in f.children], with_children),
)


class ToyWitnesses:
    """The search for witnesses: the truth table without the bug."""

    plain_configurations = ()

    def __init__(self) -> None:
        self.answers: dict[str, str] = {}

    def witness(self, run: Any, status: Status, _places: object) -> Witness | None:
        model = next(models(run.problem), None)
        if (model is not None) != (status is Status.SAT):
            return None
        return Witness(status, "the truth table says so", model or "no row is true", print_problem(run.problem))


class ToyDomain:
    name, solver_name, roots = "tests.domains.toy:DOMAIN", "toy", ToyRoots()

    def fuzz_target(self, _solving: Solving) -> str:
        return "toy"

    def check_usable(self, _solving: Solving) -> None: ...

    def registry(self, _solving: Solving) -> Registry:
        return Registry(ROWS, ())

    def trace_source(self, _solving: Solving) -> OutputEvents:
        return ToySolver.events

    def solver(self, *_given: object) -> ToySolver:
        return ToySolver()

    def held_memory(self) -> int:
        return 0

    def verdicts(self, *_given: object) -> tuple[()]:
        return ()

    def second_opinion(self, *_given: object) -> Any:
        return self

    has_others = False

    def model_text(self, _problem: object, model: Any) -> str:
        return str(model.definitions)

    def is_experimental(self, _parameter: str) -> bool:
        return False

    def unsupported_in(self, _problem: object) -> None: ...

    def witness_search(self, *_given: object) -> ToyWitnesses:
        return ToyWitnesses()

    def model_witness(self, problem: Any, text: str, words: str, _watchdog: object) -> Witness | None:
        return Witness(Status.SAT, words, text, text) if text in models(problem) else None

    def refute(self, *_given: object) -> Refuted | None:
        return None

    def other_models(self, _solving: Solving) -> Callable[[Any], Iterator[tuple[str, str]]]:
        return lambda problem: ((text, "the truth table") for text in models(problem))

    def shape(self, problem: Any) -> Shape:
        return Shape((), linear=True, recursive=False, doubled=has_bug(problem), operators=())

    def size(self, problem: Any) -> Size:
        return Size(len(problem.formulas), len(problem.functions), 0, problem.nodes, 0, 0, len(problem.info), 0)

    def shrink(self, problem: Any, test: Any, _mode: object, on_progress: Any) -> Iterator[Shrunk[Problem]]:
        def is_smaller(best: Problem, candidate: Problem) -> bool:
            return bool(candidate.assertions) and self.size(candidate) < self.size(best)

        search: Search[Problem] = Search(problem, test, print_problem, is_smaller, on_progress)
        yield Shrunk(problem, self.size(problem), None, search.counts)
        for name in until_minimal(search, PASSES):
            yield Shrunk(search.best, self.size(search.best), name, search.counts)
        yield Shrunk(search.best, self.size(search.best), None, search.counts, minimal=True)

    def single_edits(self, _problem: object) -> Iterator[tuple[str, Problem]]:
        return iter(())


DOMAIN = ToyDomain()


def prepare(options: Options) -> Options:
    return replace(options, solving=replace(options.solving, domain=DOMAIN.name))


if __name__ == "__main__":
    sys.exit(program.run(Path(__file__).resolve(), sys.argv[1:], prepare, lambda *_: "toy"))
