"""One suspicion looked into: does it happen again, what does it need, who is right, and what is its cause?

Everything runs in the process that `confirm` starts. A verdict about an answer ends in one of these ways:

- CONFIRMED: the solver is wrong, and a checked witness says so;
- CONTRADICTION: two answers, and no witness settles it: a finding of its own kind, with all that was tried;
- SEED: the mutant's answer is right, and so would it be of the seed: its status, declared or answered, is wrong;
- OURS: a checked witness for each side. A mutation has broken its promise, or one of our checks is wrong;
- ALIKE: there are enough of its cause, so no witness was looked for;
- OTHERS: a solver that was asked besides is wrong, not the one under test;
- VANISHED: it does not happen in a fresh process.
"""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from chcfuzz.execution.pipeline import COMPLAINS
from chcfuzz.execution.seed_answers import Ground
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.oracles import carry_over, second_solver
from chcfuzz.oracles.proof import fault_class
from chcfuzz.oracles.verdict import Verdict, VerdictKind, asks_others
from chcfuzz.solvers.command import error_class
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.session import Request
from chcfuzz.solvers.z3_parameters import with_transforms_off
from chcfuzz.triage.examine.runs import GIVEN, PLAIN, SEED, Run, Runs, portfolio
from chcfuzz.triage.examine.scope import PREPROCESSING
from chcfuzz.triage.examine.signature import Cause, without_numbers
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.examine.witness_search import Truth, Witness
from chcfuzz.triage.shrink.recipe import reduce_chain

WRONG_ANSWER, WRONG_MODEL = VerdictKind.WRONG_ANSWER.value, VerdictKind.WRONG_MODEL.value
WRONG_PROOF, CARRY_OVER = VerdictKind.WRONG_PROOF.value, VerdictKind.CARRY_OVER.value
CONTRADICTION, BROKEN_PROMISE = "contradiction", "broken-promise"
_ABOUT_ANSWERS = (WRONG_ANSWER, VerdictKind.DISAGREEMENT.value, CONTRADICTION)
_OPPOSITE = {Status.SAT: Status.UNSAT, Status.UNSAT: Status.SAT}


class End(enum.StrEnum):
    """What becomes of a suspicion; see the module's docstring."""

    CONFIRMED = "confirmed"
    CONTRADICTION = "contradiction"
    SEED = "seed"
    OURS = "ours"
    ALIKE = "alike"
    OTHERS = "others"
    VANISHED = "vanished"


@dataclass(frozen=True)
class Conclusion:
    """What an examination found. `words`: what speaks against the accused answer, or why nothing does.

    `recipe` is the unit without the parameters that it does not need. `witness` and `against` are checked witnesses for
    what is right, and for what was answered; `evidence` is SMT-LIB that shows a wrong model, `cvc5` what cvc5 says of
    it. `statuses` are the answers of the chain's prefixes, the seed first; `tried` says what each other setting and
    solver answered. `seed` is a witness for the status that the seed was found to have, where that is news. `session`
    is for ask_session.py: how a process is started that ends otherwise than by itself, and what it is asked.
    """

    end: End
    kind: str
    words: str
    recipe: Recipe
    cause: Cause
    witness: Witness | None = None
    against: Witness | None = None
    evidence: str = ""
    cvc5: str = ""
    statuses: tuple[str, ...] = ()
    tried: Mapping[str, str] = field(default_factory=dict)
    seed: Witness | None = None
    session: Mapping[str, Any] = field(default_factory=dict)


class Examination:
    """Looks into one suspicion; `examined` is all there is to call."""

    def __init__(
        self, suspicion: Suspicion, recipe: Recipe, runs: Runs, truth: Truth, full: Collection[str] = ()
    ) -> None:
        """`full` names causes (`Cause.bucket`) of which there are enough."""
        self._suspicion = suspicion
        self._recipe = recipe
        self._runs = runs
        self._truth = truth
        self._full = full

    def examined(self) -> Conclusion:
        """Run the unit again, and look into what it shows."""
        if self._suspicion.kind == VerdictKind.PERFORMANCE.value:
            seed = self._runs.execute(SEED, Recipe(self._recipe.seed))
            self._runs.seed_cost = None if seed is None else seed.cost
        if self._suspicion.kind == CARRY_OVER:
            return self._about_what_came_before()
        given = self._given()
        if not self._shows_again(given):
            return self._concluded(End.VANISHED, "it does not happen again in a fresh process")
        self._recipe = self._with_needed_parameters()
        given = self._given()
        assert given is not None
        if self._suspicion.kind in _ABOUT_ANSWERS:
            return self._about_the_answer(given)
        if self._suspicion.kind == WRONG_MODEL:
            return self._about_the_model(given)
        if self._suspicion.kind == WRONG_PROOF:
            verdict = given.verdict(WRONG_PROOF)
            shown = {"evidence": verdict.evidence, "detail": fault_class(verdict.detail)}
            return self._concluded(End.CONFIRMED, verdict.detail, **shown)
        detail = given.verdict(self._suspicion.kind).detail
        return self._concluded(End.CONFIRMED, detail, detail=without_numbers(detail))

    # What it needs

    def _given(self, recipe: Recipe | None = None, name: str = GIVEN) -> Run | None:
        """The unit as it is now, or another recipe, executed as it was when it was seen."""
        return self._runs.execute(name, recipe or self._recipe, second=asks_others(self._suspicion.oracle))

    def _shows_again(self, run: Run | None) -> bool:
        if run is None:
            return False
        if self._suspicion.kind in _ABOUT_ANSWERS:
            return run.status.value == self._suspicion.seen
        return run.shows(self._suspicion.kind)

    def _with_needed_parameters(self) -> Recipe:
        """The recipe without the parameters that it does not need; what the transforms cure stays what they cure.

        A wrong model that the transforms make is another one than that which a parameter makes without them.
        """
        recipe = self._recipe
        cured = self._is_cured_by_transforms(recipe)
        for pair in recipe.parameters:
            smaller = replace(recipe, parameters=tuple(other for other in recipe.parameters if other != pair))
            again = self._given(smaller, f"with {_names(smaller)}")
            if self._shows_again(again) and self._is_cured_by_transforms(smaller) == cured:
                recipe = smaller
        return recipe

    def _is_cured_by_transforms(self, recipe: Recipe) -> bool:
        if self._runs.pipeline.command is not None:
            return False
        plain = replace(recipe, parameters=with_transforms_off(recipe.parameters))
        name = f"{PLAIN}, with {_names(recipe)}" if recipe.parameters else PLAIN
        run = self._runs.execute(name, plain)
        return run is not None and run.status.is_decided and not self._shows_again(run)

    # What a process carries over

    def _about_what_came_before(self) -> Conclusion:
        """The unit by itself, twice, and after what came before it: the same requests have to do the same again."""
        pipeline = self._runs.pipeline
        assert pipeline.command is not None
        command, mutant = pipeline.command, pipeline.mutant(self._recipe)
        alone = [pipeline.execute(mutant, second=False, fresh=True) for _ in range(2)]
        self._runs.tell_of(GIVEN, alone[0])
        if alone[0].outcome.status is not alone[1].outcome.status:
            return self._concluded(End.VANISHED, "it ends in two ways in processes of its own, too")

        def after(before: tuple[Request, ...]) -> Verdict:
            later = command.solve_after(before, mutant.text, mutant.parameters, self._runs.rlimit)
            return carry_over.compared(alone[0].outcome.status, later.status, len(before))

        if not after(self._suspicion.before).kind.is_finding:
            return self._concluded(End.VANISHED, "it ends as by itself after the same systems in a fresh process")
        before = reduce_chain(self._suspicion.before, lambda kept: after(kept).kind.is_finding)
        told = {
            "start": command.start(mutant.parameters, self._runs.rlimit),
            "server": bool(command.dialect.server),
            "requests": (*before, command.request(mutant.text, mutant.parameters, self._runs.rlimit)),
        }
        by_itself = f"{alone[0].outcome.status.value} by itself, {self._suspicion.seen} after other systems"
        alike = {"seen": self._suspicion.seen, "detail": by_itself}
        return self._concluded(End.CONFIRMED, after(before).detail, session=told, **alike)

    # A wrong model

    def _about_the_model(self, given: Run) -> Conclusion:
        verdict = given.verdict(WRONG_MODEL)
        cured = self._is_cured_by_transforms(self._recipe)
        facts: dict[str, Any] = {"known": PREPROCESSING} if cured else {"parts_at": self._first_to_show()}
        complaint = verdict.detail.partition(COMPLAINS)[2]
        if complaint:  # of one cause as far as it tells: at which step it shows says less
            facts = {"detail": error_class(complaint)}
        said = "".join(second_solver.answers(verdict.evidence)) if verdict.evidence else ""
        shown = {"evidence": verdict.evidence, "cvc5": said, **facts}
        if said == "unsat":
            return self._concluded(End.CONTRADICTION, f"{verdict.detail}; cvc5 finds the clause true", **shown)
        if said != "sat" and verdict.judges == ("Z3",) and self._runs.pipeline.command is None:
            words = f"{verdict.detail}; nobody but Z3, whose model it is, could tell"
            return self._concluded(End.CONTRADICTION, words, **shown)
        return self._concluded(End.CONFIRMED, verdict.detail, **shown)

    def _first_to_show(self) -> str:
        """The row of the first step after which the verdict shows."""
        steps = self._recipe.steps
        for number in range(len(steps)):
            if self._shows_again(self._given(replace(self._recipe, steps=steps[:number]), _step(number))):
                return self._row(number)
        return self._row(len(steps))

    # A wrong answer

    def _about_the_answer(self, given: Run) -> Conclusion:
        seen, right = given.status, _OPPOSITE[given.status]
        prefixes = self._prefixes()
        settings = {s.name: self._runs.under(s, self._recipe) for s in portfolio(self._runs.pipeline, self._recipe)}
        statuses = tuple(_said(run) for run in prefixes)
        places = [run for run in (*reversed(prefixes), *settings.values()) if run is not None]
        shown: dict[str, Any] = {
            "statuses": statuses,
            "tried": {name: _said(run) for name, run in settings.items()},
            "seen": seen.value,
            "parts_at": self._row(statuses.index(seen.value)),
            "seed_id": hashlib.sha256(self._recipe.seed.encode()).hexdigest()[:8],
            "cures": tuple(name for name, run in settings.items() if run is not None and run.status is right),
        }
        known = self._concluded(End.ALIKE, "there are enough of its cause", WRONG_ANSWER, **shown)
        if known.cause.bucket in self._full:
            return known
        against = self._truth.witness(given, seen, [given, *places])
        witness = self._truth.witness(given, right, places)
        shown |= {"against": against, "witness": witness}
        shown["tried"] |= self._truth.asked
        if witness and against:
            words = f"{witness.words}, and yet {against.words}: one of our checks is wrong"
            return self._concluded(End.OURS, words, **shown)
        if witness:
            return self._concluded(End.CONFIRMED, f"{witness.words}{_complaint(given)}", WRONG_ANSWER, **shown)
        if given.shows(WRONG_MODEL):
            verdict = given.verdict(WRONG_MODEL)
            words = f"the model it gives is wrong: {verdict.detail}"
            return self._concluded(End.CONFIRMED, words, WRONG_ANSWER, evidence=verdict.evidence, **shown)
        if against:
            return self._answered_right(against, shown)
        said = "is promised" if self._suspicion.oracle == "answer" else f"is said too ({self._suspicion.detail})"
        words = f"answers {seen.value}, {right.value} {said}"
        return self._concluded(End.CONTRADICTION, f"{words}; no witness settles it", **shown)

    def _prefixes(self) -> list[Run | None]:
        """The chain's prefixes executed, the seed first and the unit last, all under the unit's parameters."""
        steps = self._recipe.steps
        return [self._runs.execute(_step(n), replace(self._recipe, steps=steps[:n])) for n in range(len(steps) + 1)]

    def _answered_right(self, against: Witness, shown: dict[str, Any]) -> Conclusion:
        """The answer has a witness: then what was expected of it is wrong, and that is what the seed's is taken for."""
        if self._suspicion.expected is None:
            return self._concluded(End.OTHERS, f"the answer is right: {against.words}", **shown)
        seed = Recipe(self._recipe.seed)
        alone = [self._runs.execute("the seed alone", seed)]
        alone += [self._runs.under(replace(s, name=f"the seed, {s.name}"), seed) for s in self._truth.plain_settings]
        places = [run for run in alone if run is not None]
        if not places:
            return self._concluded(End.CONTRADICTION, f"the answer is right ({against.words}); the seed kills", **shown)
        same = self._truth.witness(places[0], against.status, places)
        if same is not None:
            words = f"the seed is {same.status.value}, not {self._suspicion.expected}: {same.words}"
            return self._concluded(End.SEED, words, **{**shown, "seed": same})
        other = self._truth.witness(places[0], _OPPOSITE[against.status], places)
        if other is not None:
            words = f"the answer is right ({against.words}), as is the seed's ({other.words}): a promise is broken"
            return self._concluded(End.OURS, words, **shown)
        ground = self._suspicion.seed.ground if self._suspicion.seed else Ground.NONE
        words = f"the answer is right ({against.words}), and nothing settles the seed's, which stands by {ground}"
        return self._concluded(End.CONTRADICTION, words, **shown)

    # Together

    def _row(self, number: int) -> str:
        """What comes before the prefix of so many steps: the row of its last step."""
        if number:
            return self._recipe.steps[number - 1].mutation
        return "parameters" if self._recipe.parameters else "seed"

    def _concluded(self, end: End, words: str, kind: str = "", **more: Any) -> Conclusion:
        kind = {End.CONTRADICTION: CONTRADICTION, End.OURS: BROKEN_PROMISE}.get(end, kind or self._suspicion.kind)
        names = tuple(name for name, _ in self._recipe.parameters)
        facts = {name: more.pop(name) for name in ("seen", "parts_at", "cures", "known", "detail") if name in more}
        cause = Cause(kind, default=not names, seed=more.pop("seed_id", ""), **facts)
        if not cause.seen:  # of a wrong answer the cures tell more
            cause = replace(cause, parameters=names)
        return Conclusion(end, kind, words, self._recipe, cause, **more)


def _step(number: int) -> str:
    return f"step {number}" if number else SEED


def _names(recipe: Recipe) -> str:
    return " ".join(name for name, _ in recipe.parameters) or "no parameter"


def _complaint(run: Run) -> str:
    """What the solver complained of before its answer, as its verdicts tell it."""
    told = (verdict.detail.partition(COMPLAINS) for verdict in run.verdicts)
    return next((f"{mark}{words}" for _, mark, words in told if words), "")


def _said(run: Run | None) -> str:
    return "death" if run is None else run.status.value
