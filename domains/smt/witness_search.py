"""The search for witnesses that decide which of two answers to an SMT problem is right.

A model counts if our evaluator finds every assertion true under it. Models come from all solvers under test, under the
options of the recipe and under default options, from other configurations, and from the seed. The answer unsat lacks a
witness that can be checked: two solvers of different projects must answer unsat under default options, and each model
for sat must make an assertion false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import cast

from chcfuzz.domains.protocol import OtherModels, Refuted, Standoff, WitnessSearch
from chcfuzz.domains.smt.oracles import model as smt_model
from chcfuzz.domains.smt.oracles.evidence import model_script
from chcfuzz.domains.smt.reserves import Reserves
from chcfuzz.domains.smt.roots import as_problem
from chcfuzz.domains.smt.seed_status import answering
from chcfuzz.domains.smt.solvers.solver_engines import smt_solvers
from chcfuzz.domains.smt.solvers.together import SmtSolvers, project_of
from chcfuzz.domains.smt.standoff import standoff
from chcfuzz.execution.seed_answers import SeedAnswer
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.form import PLAIN
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.problem import BaseProblem, Pairs, Problem
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.oracles import left_open, second_solver
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.outcome import OPPOSITE, Outcome, Status
from chcfuzz.solvers.solver_names import SOLVER
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.triage.examine.conclusion import Witness
from chcfuzz.triage.examine.runs import DEFAULT, Run, RunConfiguration, Runs

Outcomes = Mapping[str, Outcome]  # by the name of the solver
_LEAST_AGREEING = 2  # solvers of different projects that answer unsat


class SmtWitnessSearch(WitnessSearch):
    """Searches for witnesses in an examination of a recipe."""

    def __init__(self, runs: Runs, seed: SeedAnswer | None, reserves: Reserves | None = None) -> None:
        self._runs = runs
        self._reserves = reserves
        cast(SmtSolvers, runs.pipeline.solver).remember()  # only options of the accused solver change
        self._seed = seed
        self._answers: dict[str, str] = {}
        self._solved: dict[tuple[str, Pairs], Outcomes] = {}
        self._in_reserve_solved: dict[str, Outcomes] = {}

    @property
    def answers(self) -> Mapping[str, str]:
        """The answers of all solvers under default options, by name."""
        return self._answers

    @property
    def plain_configurations(self) -> Sequence[RunConfiguration]:
        """The default options of each solver."""
        names = self._names()
        return tuple(RunConfiguration(f"{name}, {DEFAULT}", ((SOLVER, name),)) for name in names)

    def witness(self, run: Run, status: Status, places: Sequence[Run]) -> Witness | None:
        """Return a checked model for sat, or the agreement of two solvers for unsat; None without a witness."""
        if status is Status.SAT:
            return self._model(run, places)
        problem = as_problem(run.problem)
        accused = dict(run.recipe.selection).get(SOLVER, "")
        every = {**self._outcomes(problem, ()), **self._in_reserve(problem, accused)}
        others = {name: outcome for name, outcome in every.items() if name != accused}
        shown = run.shows(VerdictKind.WRONG_MODEL.value)
        wrong = run.verdict(VerdictKind.WRONG_MODEL.value).detail if shown else ""
        found = agreement(problem, others, wrong)
        return None if found is None else Witness(Status.UNSAT, found, "", core_script(problem))

    def contradicted(self, run: Run, witness: Witness) -> Sequence[Pairs]:
        """Return the selections of the other solvers whose answer to the problem of a run is wrong."""
        wrong, tested = OPPOSITE[witness.status], dict(run.recipe.selection).get(SOLVER)
        outcomes = self._outcomes(as_problem(run.problem), run.recipe.options)
        return tuple(
            ((SOLVER, name),) for name, outcome in outcomes.items() if outcome.status is wrong and name != tested
        )

    def agreeing(self, run: Run, status: Status) -> Sequence[str]:
        """Return the projects other than that of a run whose solvers give this answer to its problem."""
        tested = project_of(dict(run.recipe.selection).get(SOLVER, self._names()[0]))
        projects = answering(tuple(self._outcomes(as_problem(run.problem), ()).items()), status)
        return tuple(project for project in projects if project != tested)

    def standoff(self, run: Run) -> Standoff | None:
        """Return the answer of a run against that of as many other projects; None if more contradict it."""
        solvers, options, rlimit = cast(SmtSolvers, self._runs.pipeline.solver), run.recipe.options, self._runs.rlimit

        def of_one(name: str, problem: Problem) -> Outcome:
            return solvers.alone(name, print_problem(problem), options, rlimit)

        def found() -> Standoff | None:
            tested = dict(run.recipe.selection).get(SOLVER, self._names()[0])
            of_all = partial(self._outcomes, options=options)
            return standoff(as_problem(run.problem), run.recipe, tested, of_all, of_one)

        return self._runs.guarded(f"the core of {run.name}", found)

    def _model(self, run: Run, places: Sequence[Run]) -> Witness | None:
        problem, texts = as_problem(run.problem), dict[str, str]()
        for words, text in self._models(run, places):
            if text not in texts:
                texts[text] = words
                found = model_witness(problem, text, words)
                if found is not None:
                    return found
        closed = (closed_witness(problem, text, words) for text, words in texts.items())
        return None if self._is_taken_back(run) else next(filter(None, closed), None)

    def _is_taken_back(self, run: Run) -> bool:
        """Return whether the solver of an answer unsat answers sat with fixed values for all that SMT-LIB leaves open.

        Its answer is then about other values of these terms.
        """
        problem, tested = as_problem(run.problem), dict(run.recipe.selection).get(SOLVER, self._names()[0])
        if run.status is not Status.UNSAT or not left_open.in_terms(*problem.formulas):
            return False
        again = self._outcomes(left_open.closed_problem(problem), run.recipe.options).get(tested)
        return again is not None and again.status is Status.SAT

    def _models(self, run: Run, places: Sequence[Run]) -> Iterator[tuple[str, str]]:
        """Yield the origins and texts of models that may hold in the problem of a run."""
        problem = as_problem(run.problem)
        for place in places:
            if place.model and place.problem == run.problem:
                yield f"{place.where} it answers sat, with a model under which every assertion is true", place.model
        closed = left_open.closed_problem(problem) if left_open.in_terms(*problem.formulas) else problem
        for one, options in ((problem, run.recipe.options), (problem, ()), (closed, ()), (closed, run.recipe.options)):
            for name, outcome in self._outcomes(one, options).items():
                if outcome.status is Status.SAT and outcome.model is not None:
                    yield f"{name} answers sat, with a model under which every assertion is true", outcome.model.whole
        accused = dict(run.recipe.selection).get(SOLVER, self._names()[0])
        for name, outcome in self._in_reserve(problem, accused).items():
            if outcome.status is Status.SAT and outcome.model is not None:
                yield f"{name} answers sat, with a model under which every assertion is true", outcome.model.whole
        if self._seed is not None and self._seed.status == "sat" and self._seed.witness:
            yield "the model of the seed is a model of the mutant, too", self._seed.witness

    def _outcomes(self, problem: Problem, options: Pairs) -> Outcomes:
        """Return the outcomes of all solvers under these options; each problem is solved once."""
        text = print_problem(problem.with_header((), ()))
        key = (text, options)
        if key not in self._solved:
            pipeline = self._runs.pipeline
            words = "all solvers, " + (" ".join(name for name, _ in options) or DEFAULT)
            solve = partial(outcomes_of, lambda parameters: pipeline.solve(text, parameters), self._names(), options)
            self._solved[key] = self._runs.guarded(words, solve, Recipe(text, (), options)) or {}
            if not options:
                self._answers = {name: outcome.status.value for name, outcome in self._solved[key].items()}
        return self._solved[key]

    def _in_reserve(self, problem: Problem, accused: str) -> Outcomes:
        """Return the outcomes of the solvers in reserve, if no other project answers; each problem is solved once."""
        outcomes = self._outcomes(problem, ())
        others = (name for name, outcome in outcomes.items() if outcome.status.is_decided)
        if self._reserves is None or any(project_of(name) != project_of(accused) for name in others):
            return {}
        text = print_problem(problem.with_header((), ()))
        if text not in self._in_reserve_solved:
            solve = partial(self._reserves.all_outcomes, accused, text)
            found = self._runs.guarded("solvers in reserve", solve, Recipe(text)) or {}
            self._in_reserve_solved[text] = found
            self._answers |= {name: outcome.status.value for name, outcome in found.items()}
        return self._in_reserve_solved[text]

    def _names(self) -> tuple[str, ...]:
        return cast(SmtSolvers, self._runs.pipeline.solver).names


def outcomes_of(solve: Callable[[Pairs], Outcome], names: Sequence[str], options: Pairs) -> Outcomes:
    """Return the outcomes of all solvers by name, the first of `names` being under test."""
    first = names[0]
    outcome = solve(((SOLVER, first), *options))
    return {first: outcome, **dict(outcome.others)}


def agreement(problem: Problem, others: Outcomes, wrong: str) -> str | None:
    """Return a summary of the evidence for unsat; None if it does not suffice.

    Two solvers other than the accused one answer unsat, and a model for sat makes an assertion false: that of the
    accused solver, which `wrong` describes, or that of another one. Every other model must be wrong, too.
    """
    unsat = [name for name, outcome in others.items() if outcome.status is Status.UNSAT]
    evidence = [f"{' and '.join(unsat)} answer unsat"] + ([f"of the model given, {wrong}"] if wrong else [])
    for name, outcome in others.items():
        if outcome.status is Status.SAT:
            verdict = smt_model.check(problem, outcome)
            if verdict.kind is not VerdictKind.WRONG_MODEL:
                return None
            evidence.append(f"of the model of {name}, {verdict.detail}")
    return "; ".join(evidence) if _agree(unsat) and len(evidence) > 1 else None


def core_script(problem: Problem) -> str:
    """Return a script that checks all assertions together, once."""
    return print_problem(replace(problem, form=PLAIN))


def _agree(names: Sequence[str]) -> bool:
    return len({project_of(name) for name in names}) >= _LEAST_AGREEING


def model_witness(problem: Problem, text: str, words: str) -> Witness | None:
    """Return a model as a witness for sat; None if an assertion is not true under it, or cvc5 finds one false."""
    if smt_model.check_text(problem, text).kind is not VerdictKind.PASS:
        return None
    script = model_script(problem, text)
    answers = second_solver.answers(script)
    return None if "sat" in answers else Witness(Status.SAT, words, text, script, answers)


class Alone:
    """All solvers under default options, beside a campaign."""

    def __init__(self, solving: Solving, watchdog: Watchdog | None = None) -> None:
        self._solver = smt_solvers(solving, watchdog or Watchdog(solving.wall_seconds))
        self._rlimit = solving.rlimit

    def outcomes(self, problem: Problem) -> Outcomes:
        """Return the outcomes of all solvers by name."""
        text = print_problem(problem.with_header((), ()))
        return outcomes_of(lambda pairs: self._solver.solve(text, pairs, self._rlimit), self._solver.names, ())


def closed_witness(problem: Problem, text: str, words: str) -> Witness | None:
    """Return a model as a witness once all that SMT-LIB leaves open has a fixed value; None if nothing is open."""
    open_terms = left_open.in_terms(*problem.formulas)
    if not open_terms:
        return None
    fixed = f"{words} once {', '.join(open_terms)} has a value wherever SMT-LIB leaves it open"
    return model_witness(left_open.closed_problem(problem), text, fixed)


@cache
def _alone(rlimit: int, watchdog: Watchdog) -> Alone:
    return Alone(Solving(rlimit=rlimit), watchdog)


def refuted(problem: Problem, rlimit: int, watchdog: Watchdog, accused: Run | None) -> Refuted | None:
    """Return the agreement of two solvers on unsat under default options; the accused model must be wrong."""
    outcomes = _alone(rlimit, watchdog).outcomes(problem)
    if accused is None:
        unsat = [name for name, outcome in outcomes.items() if outcome.status is Status.UNSAT]
        decided = {outcome.status for outcome in outcomes.values() if outcome.status.is_decided}
        found = f"{' and '.join(unsat)} answer unsat" if _agree(unsat) and decided == {Status.UNSAT} else None
    elif accused.shows(VerdictKind.WRONG_MODEL.value):
        name = dict(accused.recipe.selection).get(SOLVER, "")
        others = {other: outcome for other, outcome in outcomes.items() if other != name}
        wrong = accused.verdict(VerdictKind.WRONG_MODEL.value).detail
        found = agreement(problem, others, wrong)
    else:
        found = None
    return None if found is None else Refuted(found, "", core_script(problem))


def other_models(solving: Solving) -> OtherModels:
    """Return a function that yields the models of all solvers under their default options."""
    alone = Alone(solving)

    def models(problem: BaseProblem) -> Iterator[tuple[str, str]]:
        for name, outcome in alone.outcomes(as_problem(problem)).items():
            if outcome.status is Status.SAT and outcome.model is not None:
                yield outcome.model.whole, f"the model of {name}"

    return models
