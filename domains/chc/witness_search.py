"""The search for a checked witness that decides which of two answers is right.

Witnesses come from these sources, in this order: the witnesses of the seed and of the chain's prefixes, the nearest
first, converted along the chain; the solver under test in other configurations; other solvers, including another
release of Z3; bounded unrolling (`domains.chc.oracles.bounded_search`); all facts, where few follow (`least_model`).
No source is trusted. Z3 proves each clause of the system under a model, and chcfuzz evaluates the clauses that fail. A
refutation is derived again from its facts, and chcfuzz evaluates each step. A witness does not count if cvc5
contradicts it, in a clause or in a step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from chcfuzz.domains.chc.oracles import derive, model, plain_smt, proof
from chcfuzz.domains.chc.oracles.checked_derivation import check_derivation
from chcfuzz.domains.chc.oracles.evidence import definitions, model_script, refutation_script
from chcfuzz.domains.chc.oracles.least_model import least_model
from chcfuzz.domains.chc.oracles.refutation import Refutation, facts_of
from chcfuzz.domains.chc.oracles.refutation_text import parse_refutation, print_refutation
from chcfuzz.domains.chc.reserves import reserves
from chcfuzz.domains.chc.solvers.derivation import derivation_of
from chcfuzz.execution.seed_answers import SeedAnswer
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printable import counted
from chcfuzz.grammar.system import System, as_system
from chcfuzz.mutators.mutation import Move
from chcfuzz.mutators.rewriting.model_converter import carried_facts, carried_model
from chcfuzz.mutators.seeds import read_seed
from chcfuzz.oracles import second_solver
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.model_text import TextModel
from chcfuzz.solvers.other_solvers import CrossSolver, cross_solvers, installed_z3
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_parameters import with_transforms_off
from chcfuzz.triage.examine.conclusion import Witness
from chcfuzz.triage.examine.runs import DEFAULT, Run, RunConfiguration, Runs
from chcfuzz.triage.examine.signature import PLAIN

_MOST_DERIVED = 3  # prefixes of a chain whose refutation is searched for
_OTHER_PROJECTION = RunConfiguration("another projection", (("fp.spacer.native_mbp", "false"),))


class ChcWitnessSearch:
    """Searches for witnesses in an examination of a recipe. `answers` holds the answers of other solvers, by name."""

    def __init__(
        self,
        runs: Runs,
        watchdog: Watchdog,
        seed: SeedAnswer | None,
        others: Sequence[CrossSolver],
        project: str = "z3",
    ) -> None:
        """Prepare the search with `others`; `project` is that of the solver under test."""
        self._runs = runs
        self._watchdog = watchdog
        self._seed = seed
        self._others = others
        self._project = project
        self.answers: dict[str, str] = {}
        self.plain_configurations = (RunConfiguration(DEFAULT, ()), RunConfiguration(PLAIN, with_transforms_off()))

    def witness(self, run: Run, status: Status, places: Sequence[Run]) -> Witness | None:
        """Return a checked witness that the system of a run has this status; None if the search finds none.

        `places` are runs of the same system, of its chain's prefixes, and of its seed.
        """
        return self._model(run, places) if status is Status.SAT else self._refutation(run, places)

    def contradicted(self, _run: Run, _witness: Witness) -> tuple[()]:
        """Return no selection: only one solver is under test."""
        return ()

    def standoff(self, _run: Run) -> None:
        """Return None: only one solver is under test."""

    def agreeing(self, run: Run, status: Status) -> tuple[str, ...]:
        """Return the other projects whose solvers give this answer to the system of a run."""
        system, others = as_system(run.problem), (other for other in self._others if other.project != self._project)
        found = (other.project for other in others if other.solve(system, self._runs.rlimit).status is status)
        return tuple(dict.fromkeys(found))

    def doubt(self, run: Run) -> str:
        """Return a reason to doubt the answer sat: cvc5 refutes the clauses, or Spacer leads to a refutation.

        Spacer runs with its transforms off, and its proof is checked.
        """
        system = as_system(run.problem)
        if plain_smt.ask(system).is_unsat:
            return plain_smt.UNSAT
        search = partial(derive.derive, system, self._runs.rlimit, self._watchdog, thorough=False)
        found = self._runs.guarded("search for a refutation of a system with a wrong model", search, run.recipe)
        return "" if found is None or found.refutation is None else "the system has a refutation"

    # sat

    def _model(self, run: Run, places: Sequence[Run]) -> Witness | None:
        tried: set[str] = set()
        for words, text in self._models(run, places):
            if text in tried:
                continue
            tried.add(text)
            check = partial(model_witness, as_system(run.problem), text, words, self._watchdog)
            found = self._runs.guarded(f"check of a model: {words}", check, run.recipe)
            if found is not None:
                return found
        return None

    def _models(self, run: Run, places: Sequence[Run]) -> Iterator[tuple[str, str]]:
        """Yield the origins and texts of models that may hold in the system of a run."""
        for start, text, whose in self._models_before(run, places):
            carried = carried_model(self._moves(run, start), text)
            if carried is not None:
                yield f"the model of {whose}, carried along the chain, holds in every clause", carried
        for place in places:
            if place.model and place.problem == run.problem:
                yield f"{place.where} it answers sat, with a model that holds in every clause", place.model
        for other in self._others:
            outcome = other.solve(as_system(run.problem), self._runs.rlimit)
            self.answers[other.name] = outcome.status.value
            if outcome.status is Status.SAT and outcome.model is not None:
                text = "\n".join(definitions(as_system(run.problem), outcome.model))
                yield f"{other.name} answers sat, with a model that holds in every clause", text
        if self._project == "z3":
            again = self._runs.under(_OTHER_PROJECTION, run.recipe)
            if again is not None and again.model:
                words = "with its other projection, Spacer answers sat, with a model that holds in every clause"
                yield words, again.model
        derive_all = partial(least_model, as_system(run.problem), self._runs.rlimit, self._watchdog)
        least = self._runs.guarded("search for all facts that follow", derive_all, run.recipe)
        if least is not None:
            yield "the facts that follow from the clauses are a model, which holds in every clause", least

    def _models_before(self, run: Run, places: Sequence[Run]) -> Iterator[tuple[int, str, str]]:
        """Yield models of the chain's prefixes: the number of steps of the prefix, the text, and the origin."""
        if self._seed is not None and self._seed.status == "sat" and self._seed.witness:
            yield 0, self._seed.witness, "the seed"
        for place in places:
            if place.model and place.problem != run.problem:
                yield len(place.recipe.steps), place.model, place.name
        for setting in self.plain_configurations if run.recipe.steps else ():
            name = f"the seed ({setting.name})"
            seed = self._runs.under(RunConfiguration(name, setting.parameters), run.recipe.seed_alone)
            if seed is not None and seed.model:
                yield 0, seed.model, name

    def _moves(self, run: Run, start: int) -> tuple[Move, ...]:
        """Return the conversions of witnesses along the chain of a run after its first `start` steps."""
        return self._runs.pipeline.chains.moves(run.recipe)[start:]

    # unsat

    def _refutation(self, run: Run, places: Sequence[Run]) -> Witness | None:
        found = self._carried_from_seed(run)
        if found is None:
            own = self._derived(run)
            if own is not None:
                found = refutation_witness(
                    as_system(run.problem), own, f"the system has a refutation of {counted(len(own), 'step')}"
                )
        found = found or self._refutation_by_instances(run) or self._refutation_of_others(run)
        others = [place for place in places if place.status is Status.UNSAT and place.problem != run.problem]
        for place in others[:_MOST_DERIVED]:
            found = found or self._from_facts(run, self._derived(place), len(place.recipe.steps), place.name)
        return found

    def _refutation_by_instances(self, run: Run) -> Witness | None:
        """Return a refutation from the instantiations with which cvc5 refutes the clauses as plain SMT."""
        system = as_system(run.problem)
        found = plain_smt.ask(system)
        if found.is_unsat:
            self.answers["cvc5, clauses as plain SMT"] = "unsat"
        words = "the instantiations of cvc5 give a refutation"
        return None if found.refutation is None else refutation_witness(system, found.refutation, words)

    def _refutation_of_others(self, run: Run) -> Witness | None:
        """Return a refutation from the derivation of another solver, if every step of it is right."""
        for other in self._others:
            outcome = other.solve(as_system(run.problem), self._runs.rlimit)
            self.answers[other.name] = outcome.status.value
            derivation = derivation_of(outcome)
            if outcome.status is not Status.UNSAT or derivation is None:
                continue
            words = f"the derivation of {other.name}"
            steps, limit = derivation.steps, self._runs.rlimit
            follow = partial(check_derivation, as_system(run.problem), steps, limit, self._watchdog)
            followed = self._runs.guarded(f"check of {words}", follow, run.recipe)
            if followed is not None and followed.refutation is not None:
                return refutation_witness(as_system(run.problem), followed.refutation, f"{words} holds in every step")
        return None

    def _carried_from_seed(self, run: Run) -> Witness | None:
        seed = as_system(read_seed(run.recipe.seed, run.recipe.roots))
        if self._seed is None or self._seed.status != "unsat" or not self._seed.witness:
            return None
        try:
            known = parse_refutation(seed, self._seed.witness)
        except ChcfuzzError:
            return None
        return self._from_facts(run, known, 0, "the seed")

    def _from_facts(self, run: Run, refutation: Refutation | None, start: int, name: str) -> Witness | None:
        """Return a refutation of the prefix of `start` steps, converted along the chain and derived again there."""
        facts = refutation and carried_facts(self._moves(run, start), facts_of(refutation))
        if not facts:
            return None
        words = f"the refutation of {name}, carried along the chain"

        def derived() -> Refutation | None:
            return derive.refutation_from_facts(as_system(run.problem), facts, self._runs.rlimit, self._watchdog)

        found = self._runs.guarded(words, derived, run.recipe)
        return None if found is None else refutation_witness(as_system(run.problem), found, words)

    def _derived(self, run: Run) -> Refutation | None:
        def derived() -> Refutation | None:
            return derive.derive(as_system(run.problem), self._runs.rlimit, self._watchdog).refutation

        return self._runs.guarded(f"search for a refutation of {run.name}", derived, run.recipe)


def other_solvers(solving: Solving) -> tuple[CrossSolver, ...]:
    """Return the other solvers: the installed Z3, unless it is under test, those of the flags, and those in reserve."""
    limits = (solving.wall_seconds, solving.memory_megabytes)
    z3_is_under_test = solving.command is None and solving.solver is None
    installed = installed_z3(*limits, is_under_test=z3_is_under_test)
    named = cross_solvers(solving.cross, solving.cross_z3, *limits, under_test=solving.solver_command())
    known = {other.name for other in (*installed, *named)}
    return (*installed, *named, *(other for other in reserves(solving) if other.name not in known))


def outcome_witness(system: System, outcome: Outcome, watchdog: Watchdog) -> Witness | None:
    """Return the model or the derivation of an outcome as a witness, if it is one."""
    if outcome.status is Status.SAT and outcome.model is not None:
        return model_witness(system, "\n".join(definitions(system, outcome.model)), "the model", watchdog)
    derivation = derivation_of(outcome)
    if derivation is None or not derivation.steps:
        return None
    found = check_derivation(system, derivation.steps, proof.RLIMIT, watchdog).refutation
    return None if found is None else refutation_witness(system, found, "the derivation")


def model_witness(system: System, text: str, words: str, watchdog: Watchdog) -> Witness | None:
    """Return a model as a witness for sat; None if a clause is not proved under it, or cvc5 finds a clause false."""
    if model.check_text(system, text, watchdog).kind is not VerdictKind.PASS:
        return None
    script = model_script(system, TextModel(text))
    answers = second_solver.answers(script)
    return None if "sat" in answers else Witness(Status.SAT, words, text, script, answers)


def refutation_witness(system: System, refutation: Refutation, words: str) -> Witness | None:
    """Return a refutation whose steps chcfuzz confirms, as a witness for unsat; None if cvc5 contradicts a step."""
    script = refutation_script(system, refutation)
    text = print_refutation(system, refutation)
    answers = second_solver.answers(script)
    return None if "sat" in answers else Witness(Status.UNSAT, words, text, script, answers)
