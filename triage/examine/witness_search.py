"""Where the truth about a system is looked for, until one side has a witness that was checked.

In this order: the witness of the seed and of the chain's prefixes, the nearest first, carried along the chain; what the
solver under test says under other settings; other solvers, another release of Z3 among them; bounded unrolling (the
second way of `oracles.derive`). Nothing is trusted where it was found: a model is proved clause by clause on the system
itself, with our evaluator for what fails; a refutation is derived again from its facts, each step evaluated. A witness
that cvc5 contradicts, in a clause or in a step, does not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from chcfuzz.execution.seed_answers import SeedAnswer
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.system import System, as_system
from chcfuzz.mutators.mutation import Move
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.mutators.rewriting.model_converter import carried_facts, carried_model
from chcfuzz.mutators.seeds import read_seed
from chcfuzz.oracles import derive, model, second_solver
from chcfuzz.oracles.evidence import definitions, model_script, refutation_script
from chcfuzz.oracles.refutation import Refutation, facts_of, parse_refutation, print_refutation
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.cross import CrossSolver, cross_solvers, installed_z3
from chcfuzz.solvers.model_text import TextModel
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_parameters import with_transforms_off
from chcfuzz.triage.examine.runs import DEFAULT, GIVEN, PLAIN, Run, Runs, Setting

_MOST_DERIVED = 3  # prefixes of a chain whose refutation is looked for


@dataclass(frozen=True)
class Witness:
    """Speaks for `status` of a system: `text` is a model's `define-fun`s, or a refutation.

    `words` say where it was found, `script` is SMT-LIB that any solver can check, `cvc5` what cvc5 answers to it.
    """

    status: Status
    words: str
    text: str
    script: str
    cvc5: tuple[str, ...] = ()


class Truth:
    """Looks for witnesses in an examination of a recipe. `asked`: what each other solver said, once it was asked."""

    def __init__(self, runs: Runs, watchdog: Watchdog, seed: SeedAnswer | None, others: Sequence[CrossSolver]) -> None:
        self._runs = runs
        self._watchdog = watchdog
        self._seed = seed
        self._others = others
        self.asked: dict[str, str] = {}
        self.plain_settings = (Setting(DEFAULT, ()), Setting(PLAIN, with_transforms_off()))

    def witness(self, run: Run, status: Status, places: Sequence[Run]) -> Witness | None:
        """A checked witness that the system of a run has this status; None where none is found.

        `places` are runs of the same system, of those before it in its chain, and of its seed.
        """
        return self._model(run, places) if status is Status.SAT else self._refutation(run, places)

    # sat

    def _model(self, run: Run, places: Sequence[Run]) -> Witness | None:
        tried: set[str] = set()
        for words, text in self._models(run, places):
            if text in tried:
                continue
            tried.add(text)
            check = partial(model_witness, run.system, text, words, self._watchdog)
            found = self._runs.guarded(f"check of a model: {words}", check, run.recipe)
            if found is not None:
                return found
        return None

    def _models(self, run: Run, places: Sequence[Run]) -> Iterator[tuple[str, str]]:
        """Models to be checked on the system of a run, and where they come from."""
        for start, text, whose in self._models_before(run, places):
            carried = carried_model(self._moves(run, start), text)
            if carried is not None:
                yield f"the model of {whose}, carried along the chain, holds in every clause", carried
        for place in places:
            if place.model and place.system == run.system:
                under = "its own parameters" if place.name == GIVEN else place.name
                yield f"under {under} it answers sat, with a model that holds in every clause", place.model
        for other in self._others:
            outcome = other.solve(run.system, self._runs.rlimit)
            self.asked[other.name] = outcome.status.value
            if outcome.status is Status.SAT and outcome.model is not None:
                text = "\n".join(definitions(run.system, outcome.model))
                yield f"{other.name} answers sat, with a model that holds in every clause", text

    def _models_before(self, run: Run, places: Sequence[Run]) -> Iterator[tuple[int, str, str]]:
        """Models of the systems before it in the chain: after how many steps, the text, whose."""
        if self._seed is not None and self._seed.status == "sat" and self._seed.witness:
            yield 0, self._seed.witness, "the seed"
        for place in places:
            if place.model and place.system != run.system:
                yield len(place.recipe.steps), place.model, place.name
        for setting in self.plain_settings if run.recipe.steps else ():
            name = f"the seed ({setting.name})"
            seed = self._runs.under(Setting(name, setting.parameters), Recipe(run.recipe.seed))
            if seed is not None and seed.model:
                yield 0, seed.model, name

    def _moves(self, run: Run, start: int) -> tuple[Move, ...]:
        """The chain of a run from after so many steps on."""
        return self._runs.pipeline.chains.moves(run.recipe)[start:]

    # unsat

    def _refutation(self, run: Run, places: Sequence[Run]) -> Witness | None:
        found = self._carried_from_seed(run)
        if found is None:
            own = self._derived(run)
            if own is not None:
                found = refutation_witness(run.system, own, f"the system has a refutation of {len(own)} steps")
        found = found or self._refutation_of_others(run)
        others = [place for place in places if place.status is Status.UNSAT and place.system != run.system]
        for place in others[:_MOST_DERIVED]:
            found = found or self._from_facts(run, self._derived(place), len(place.recipe.steps), place.name)
        return found

    def _refutation_of_others(self, run: Run) -> Witness | None:
        """A refutation from the derivation that another solver gives, if every step of it is right."""
        for other in self._others:
            outcome = other.solve(run.system, self._runs.rlimit)
            self.asked[other.name] = outcome.status.value
            if outcome.status is not Status.UNSAT or outcome.proof is None:
                continue
            words = f"the derivation of {other.name}"
            follow = partial(
                derive.check_derivation, run.system, outcome.proof.steps, self._runs.rlimit, self._watchdog
            )
            said = self._runs.guarded(f"check of {words}", follow, run.recipe)
            if said is not None and said.refutation is not None:
                return refutation_witness(run.system, said.refutation, f"{words} holds in every step")
        return None

    def _carried_from_seed(self, run: Run) -> Witness | None:
        seed = as_system(read_seed(run.recipe.seed))
        if self._seed is None or self._seed.status != "unsat" or not self._seed.witness:
            return None
        try:
            known = parse_refutation(seed, self._seed.witness)
        except ChcfuzzError:
            return None
        return self._from_facts(run, known, 0, "the seed")

    def _from_facts(self, run: Run, refutation: Refutation | None, start: int, name: str) -> Witness | None:
        """A refutation of the system after so many steps, carried to the end of the chain and derived again there."""
        facts = refutation and carried_facts(self._moves(run, start), facts_of(refutation))
        if not facts:
            return None
        words = f"the refutation of {name}, carried along the chain"

        def derived() -> Refutation | None:
            return derive.refutation_from_facts(run.system, facts, self._runs.rlimit, self._watchdog)

        found = self._runs.guarded(words, derived, run.recipe)
        return None if found is None else refutation_witness(run.system, found, words)

    def _derived(self, run: Run) -> Refutation | None:
        def derived() -> Refutation | None:
            return derive.derive(run.system, self._runs.rlimit, self._watchdog).refutation

        return self._runs.guarded(f"search for a refutation of {run.name}", derived, run.recipe)


def other_solvers(solving: Solving) -> tuple[CrossSolver, ...]:
    """Who else can be asked about a system: the installed Z3, where it is not under test, and whom the user names."""
    limits = (solving.wall_seconds, solving.memory_megabytes)
    z3_is_under_test = solving.command is None and solving.solver is None
    installed = installed_z3(*limits, is_under_test=z3_is_under_test)
    named = cross_solvers(solving.cross, solving.cross_z3, *limits, under_test=solving.solver_command())
    return (*installed, *named)


def model_witness(system: System, text: str, words: str, watchdog: Watchdog) -> Witness | None:
    """A model as a witness for sat; None where a clause is not proved under it, or cvc5 finds one false."""
    if model.check_text(system, text, watchdog).kind is not VerdictKind.PASS:
        return None
    script = model_script(system, TextModel(text))
    said = second_solver.answers(script)
    return None if "sat" in said else Witness(Status.SAT, words, text, script, said)


def refutation_witness(system: System, refutation: Refutation, words: str) -> Witness | None:
    """Return a refutation whose steps our evaluator confirms, as a witness for unsat; None if cvc5 objects."""
    script = refutation_script(system, refutation)
    text = print_refutation(system, refutation)
    answers = second_solver.answers(script)
    return None if "sat" in answers else Witness(Status.UNSAT, words, text, script, answers)
