"""The examination of a suspicion: whether it is reproducible, what it needs, who is right, and its signature.

Everything runs in the process that `confirm` starts. The subject of the suspicion's kind (`oracles.verdict`) decides
how it is examined; `conclusion.End` lists the results.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from chcfuzz.domains.protocol import WitnessSearch
from chcfuzz.execution.seed_answers import Ground, SeedAnswer
from chcfuzz.grammar.printable import printable
from chcfuzz.mutators.chain import LEAST_AGREEING, with_status
from chcfuzz.mutators.recipe import Recipe, Step, encode, trivial_like
from chcfuzz.oracles import second_solver
from chcfuzz.oracles.verdict import (
    ANSWER,
    CROSS,
    Facts,
    Severity,
    Subject,
    VerdictKind,
    asks_others,
    complaint_text,
    facts_of,
)
from chcfuzz.solvers.command_trace import error_class
from chcfuzz.solvers.faults import names_cause
from chcfuzz.solvers.outcome import OPPOSITE, Status
from chcfuzz.solvers.z3_parameters import with_off
from chcfuzz.triage.examine.answer_search import MOST_RUNS, AnswerSearch, WrongAnswer
from chcfuzz.triage.examine.conclusion import ANSWERED, Conclusion, End, Witness
from chcfuzz.triage.examine.earlier_requests import examine_history
from chcfuzz.triage.examine.further import Further
from chcfuzz.triage.examine.runs import GIVEN, SEED, Run, RunConfiguration, Runs, doubt_of_fault, portfolio
from chcfuzz.triage.examine.signature import (
    GIVEN_PLAIN,
    PLAIN,
    SWITCHED_OFF,
    Signature,
    message_class,
    seed_digest,
    without_numbers,
)
from chcfuzz.triage.examine.suspicion import Suspicion

_WRONG_ANSWER, _WRONG_MODEL = VerdictKind.WRONG_ANSWER.value, VerdictKind.WRONG_MODEL.value
_KIND_OF_END = {
    End.CONTRADICTION: VerdictKind.CONTRADICTION.value,
    End.BROKEN_PROMISE: VerdictKind.BROKEN_PROMISE.value,
}
_CONTRADICTING = (VerdictKind.DISAGREEMENT, VerdictKind.WRONG_ANSWER)
_ORDERS = tuple(Step("order.shuffle-clauses", bytes([number])) for number in range(4))


class Examination:
    """Examines one suspicion; `examine` is the only public method."""

    def __init__(
        self, suspicion: Suspicion, recipe: Recipe, runs: Runs, search: WitnessSearch, full: Collection[str] = ()
    ) -> None:
        """Prepare the examination; `full` names the signatures that have enough findings."""
        self._suspicion = suspicion
        self._recipe = recipe
        self._runs = runs
        self._search = search
        self._further = Further(suspicion, search)
        self._full = full
        self._solver = ""

    def examine(self, solver: str = "") -> Conclusion:
        """Execute the unit again, and return the conclusion; `solver` is the key of the solver in signatures."""
        self._solver = solver
        if self._facts.subject is Subject.COST:
            seed = self._runs.execute(SEED, self._recipe.seed_alone)
            self._runs.seed_cost = None if seed is None else seed.cost
        if self._facts.subject is Subject.HISTORY:
            return self._concluded(*examine_history(self._suspicion, self._recipe, self._runs))
        given = self._given()
        if not self._shows_again(given):
            return self._concluded(End.VANISHED, "it does not happen again in a fresh process")
        self._recipe = self._with_needed_parameters()
        given = self._given()
        assert given is not None
        match self._facts.subject:
            case Subject.ANSWER:
                return self._examine_answer(given)
            case Subject.MODEL:
                return self._examine_model(given)
            case Subject.OUTPUT:
                return self._examine_output(given)
        verdict = given.verdict(self._suspicion.kind)
        concluded = self._concluded(End.CONFIRMED, verdict.detail, self._draft(detail=without_numbers(verdict.fault)))
        if self._facts.subject in (Subject.DEATH, Subject.MESSAGE) and self._fails_on_everything(verdict.fault):
            return replace(concluded, signature=replace(concluded.signature, theories=()))
        return concluded

    def _fails_on_everything(self, fault: str) -> bool:
        """Determine whether the solver fails alike on a trivial problem, so that theories distinguish nothing."""
        run = self._runs.execute("a trivial problem", trivial_like(self._recipe))
        kind = self._suspicion.kind
        return run is not None and run.shows(kind) and message_class(run.verdict(kind).fault) == message_class(fault)

    @property
    def _facts(self) -> Facts:
        return facts_of(self._suspicion.kind)

    # Reproduction, and the needed parameters

    def _given(self, recipe: Recipe | None = None, name: str = GIVEN) -> Run | None:
        """Execute the unit, or another recipe, as the campaign executed it."""
        return self._runs.execute(name, recipe or self._recipe, second=asks_others(self._suspicion.oracle))

    def _shows_again(self, run: Run | None) -> bool:
        if run is None:
            return False
        if self._facts.subject is Subject.ANSWER:
            return run.status.value == self._suspicion.seen
        return run.shows(self._suspicion.kind)

    def _with_needed_parameters(self) -> Recipe:
        """Return the recipe without the parameters that it does not need.

        Removing a parameter must not change whether the solver is right with the transforms off: a wrong model that the
        transforms cause is another bug than one that a parameter causes without them.
        """
        recipe = self._recipe
        cured = self._is_cured_by_transforms(recipe)
        for pair in recipe.options:
            smaller = replace(recipe, parameters=tuple(other for other in recipe.parameters if other != pair))
            again = self._given(smaller, f"with {_names(smaller)}")
            if self._shows_again(again) and self._is_cured_by_transforms(smaller) == cured:
                recipe = smaller
        return recipe

    def _is_cured_by_transforms(self, recipe: Recipe) -> bool:
        """Determine whether the solver is right with the transforms off."""
        parameters = self._runs.pipeline.solver.transforms_off(recipe.parameters)
        name = f"{PLAIN}, with {_names(recipe)}" if recipe.parameters else PLAIN
        return parameters is not None and self._is_cured_with(name, replace(recipe, parameters=parameters))

    def _is_cured_with(self, name: str, plain: Recipe) -> bool:
        """Determine whether the solver is right under other parameters, and not wrong in other orders of the clauses.

        Without the transforms it makes another model, which can be right by luck in one order.
        """
        run = self._runs.execute(name, plain)
        if run is None or not run.status.is_decided or self._shows_again(run):
            return False
        others = (replace(plain, steps=(*plain.steps, order)) for order in _ORDERS)
        return not any(
            self._shows_again(self._runs.execute(f"{name}, order {number}", other))
            for number, other in enumerate(others, 1)
        )

    # A wrong model or derivation

    def _examine_model(self, given: Run) -> Conclusion:
        verdict = given.verdict(_WRONG_MODEL)
        if verdict.complaint:  # distinguishes causes better than the step does
            draft = self._draft(detail=error_class(verdict.complaint))
        elif self._is_cured_by_transforms(self._recipe):
            draft = self._draft()
            draft = replace(draft, signature=replace(draft.signature, cures=tuple(self._cures_of_model())))
        else:
            draft = self._draft(parts_at=self._first_to_show())
        cvc5 = second_solver.answers(verdict.evidence) if verdict.evidence else ()
        draft = replace(draft, evidence=verdict.evidence, cvc5="".join(cvc5), more=self._further.of_answer(given))
        doubt = doubt_of_fault(verdict, cvc5, self._runs.pipeline.solver.judge)
        if doubt:
            return self._concluded(End.CONTRADICTION, f"{verdict.detail}; {doubt}", draft)
        return self._concluded(End.CONFIRMED, verdict.detail, draft)

    def _cures_of_model(self) -> Iterator[str]:
        """Yield the configurations under which a model is right that the transforms make wrong.

        Inlining is two transforms in Z3, and slicing is a third one, so each switch that cures it alone is one, too.
        """
        yield GIVEN_PLAIN if self._parameters else PLAIN
        for name, switches in SWITCHED_OFF.items():
            if self._is_cured_with(name, replace(self._recipe, parameters=with_off(self._recipe.parameters, switches))):
                yield name

    def _first_to_show(self) -> str:
        """Return the row of the first step after which the verdict occurs."""
        steps = self._recipe.steps
        for number in range(len(steps)):
            if self._shows_again(self._given(replace(self._recipe, steps=steps[:number]), _step(number))):
                return self._row(number)
        return self._row(len(steps))

    def _examine_output(self, given: Run) -> Conclusion:
        verdict = given.verdict(self._suspicion.kind)
        draft = replace(self._draft(detail=verdict.fault), evidence=verdict.evidence)
        concluded = self._concluded(End.CONFIRMED, verdict.detail, draft)
        if self._facts.severity is not Severity.STEP or concluded.signature.name in self._full:
            return concluded
        found = AnswerSearch(self._runs, self._search, given).found(self._exposing())
        if found is None:
            return replace(concluded, words=f"{concluded.words}; no wrong answer in {MOST_RUNS} runs next to it")
        return self._led_to_answer(concluded, found)

    def _exposing(self) -> Sequence[str]:
        """Return the systems that expose the first wrong step of the solver in another run."""
        pipeline = self._runs.pipeline
        wrong = pipeline.first_wrong_step(pipeline.mutant(self._recipe))
        return () if wrong is None else wrong.exposing

    def _led_to_answer(self, concluded: Conclusion, found: WrongAnswer) -> Conclusion:
        """Return the conclusion on a wrong step that led to a wrong answer."""
        witness, script = found.witness, self._runs.pipeline.mutant(found.run.recipe).script()
        right = f"{witness.status.value} is right: {witness.words}"
        words = f"{concluded.words}; it leads to a wrong answer, {found.run.status.value} to {ANSWERED}, but {right}"
        return replace(
            concluded,
            words=words,
            answered=with_status(script, witness.status.value, printable(" ".join(witness.words.split()))),
            more=(*concluded.more, *self._further.of_step(found.run, witness)),
        )

    # A wrong answer

    def _examine_answer(self, given: Run) -> Conclusion:
        prefixes = self._prefixes()
        tried = {
            each.name: self._runs.under(each, self._recipe) for each in portfolio(self._runs.pipeline, self._recipe)
        }
        front_ends = self._other_front_ends()
        draft = self._draft_of_answer(given, prefixes, tried)
        known = self._concluded(End.ALIKE, "enough findings have its signature", draft, _WRONG_ANSWER)
        if known.signature.name in self._full:
            return known
        places = [run for run in (*reversed(prefixes), *tried.values(), *front_ends.values()) if run is not None]
        against = self._search.witness(given, given.status, [given, *places])
        witness = self._search.witness(given, OPPOSITE[given.status], places)
        answers = {**draft.tried, **_answers(front_ends), **self._search.answers}
        return self._judged(given, replace(draft, against=against, witness=witness, tried=answers))

    def _prefixes(self) -> list[Run | None]:
        """Execute the prefixes of the chain, the seed first and the unit last, under the parameters of the unit."""
        steps = self._recipe.steps
        return [self._runs.execute(_step(n), replace(self._recipe, steps=steps[:n])) for n in range(len(steps) + 1)]

    def _draft_of_answer(
        self, given: Run, prefixes: Collection[Run | None], tried: dict[str, Run | None]
    ) -> Conclusion:
        """Return a draft with the answers of the prefixes and of the other configurations."""
        statuses = tuple(map(_answer, prefixes))
        right = OPPOSITE[given.status]
        signature = Signature(
            _WRONG_ANSWER,
            default=not self._parameters,
            seen=given.status.value,
            parts_at=self._row(statuses.index(given.status.value)),
            cures=tuple(name for name, run in tried.items() if run is not None and run.status is right),
        )
        return replace(self._draft(signature), statuses=statuses, tried=_answers(tried))

    def _other_front_ends(self) -> dict[str, Run | None]:
        """Execute the unit with the other front ends of the solver, by name."""
        others = self._runs.pipeline.solver.other_front_ends(self._recipe.parameters)
        return {name: self._runs.under(RunConfiguration(name, tuple(own)), self._recipe) for name, own in others}

    def _judged(self, given: Run, draft: Conclusion) -> Conclusion:
        """Return the conclusion on an answer, once witnesses for both answers were searched for."""
        witness, against = draft.witness, draft.against
        if witness and against:
            words = f"{witness.words}, but also {against.words}: a check of chcfuzz is wrong"
            return self._concluded(End.BROKEN_PROMISE, words, draft)
        if witness:
            words = f"{witness.words}{complaint_text(_complaint(given))}"
            return self._concluded(End.CONFIRMED, words, draft, _WRONG_ANSWER)
        model = ""
        if given.shows(_WRONG_MODEL):  # no evidence about the answer, but a bug of its own
            draft = replace(draft, more=self._further.of_model(given))
            model = f", and the model is wrong: {given.verdict(_WRONG_MODEL).detail}"
        if against:
            return self._answered_right(given, against, draft)
        is_promised = self._suspicion.oracle == ANSWER.name
        seed = self._suspicion.seed
        has_ground = is_promised and seed is not None and seed.ground not in (Ground.NONE, Ground.ANSWER)
        standoff = None if model or has_ground else self._search.standoff(given)
        if standoff is not None and standoff.suspect is not None:
            more = (*draft.more, *self._further.of_suspect(standoff))
            return self._concluded(End.OTHERS, standoff.words, replace(draft, more=more))
        if standoff is not None:
            draft = replace(draft, signature=replace(draft.signature, between=standoff.between))
            model = f"; {standoff.words}"
        withdrawn = self._withdrawn()
        if withdrawn is not None:
            return self._of_wrong_seed(f"{' and '.join(withdrawn.projects)} answer it", withdrawn, draft)
        source = f"is {self._promise_source()}" if is_promised else f"is answered too ({self._suspicion.detail})"
        words = f"answers {given.status.value}, {OPPOSITE[given.status].value} {source}; no witness decides{model}"
        return self._concluded(End.CONTRADICTION, words, draft)

    def _promise_source(self) -> str:
        """Return the source of the promised answer, as a participle."""
        seed = self._suspicion.seed
        if seed is None or seed.status is None:
            return "promised"
        match seed.ground:
            case Ground.DECLARED:
                return f"promised, because the file of the seed declares {seed.status}"
            case Ground.ANSWER:
                return f"promised by its own answer {seed.status} to the seed alone"
        return f"promised, because the seed is {seed.status} by {seed.backing}"

    def _withdrawn(self) -> SeedAnswer | None:
        """Return the status of the seed if two other projects contradict the own answer of the solver to it."""
        seed = self._suspicion.seed
        if not self._suspicion.rests_on_promise or seed is None or seed.ground is not Ground.ANSWER:
            return None
        run = self._runs.execute("the seed alone", replace(self._recipe, steps=(), parameters=self._recipe.selection))
        if run is None or seed.status is None:
            return None
        right = OPPOSITE[Status(seed.status)]
        projects = tuple(self._search.agreeing(run, right))
        return SeedAnswer(right.value, Ground.AGREED, "", projects) if len(projects) >= LEAST_AGREEING else None

    def _of_wrong_seed(self, reason: str, seed: SeedAnswer, draft: Conclusion) -> Conclusion:
        """Return the conclusion that the status of the seed is another one, for this reason."""
        words = f"the seed is {seed.status}, not {OPPOSITE[Status(seed.status or '')].value}: {reason}"
        return self._concluded(End.SEED, words, replace(draft, seed=seed))

    def _answered_right(self, given: Run, against: Witness, draft: Conclusion) -> Conclusion:
        """Return the conclusion on an answer that has a witness: the expectation, which the seed implies, is wrong."""
        if self._suspicion.expected in (None, against.status.value):
            return self._others_are_wrong(given, against, draft)
        seed = replace(self._recipe, steps=(), parameters=self._recipe.selection)
        alone = [self._runs.execute("the seed alone", seed)]
        for each in self._search.plain_configurations:
            alone.append(self._runs.under(replace(each, name=f"the seed, {each.name}"), seed))
        places = [run for run in alone if run is not None]
        right = f"the answer is right ({against.words})"
        if not places:
            return self._concluded(End.CONTRADICTION, f"{right}; the seed kills the solver", draft)
        same = self._search.witness(places[0], against.status, places)
        if same is not None:
            draft = replace(draft, more=(*draft.more, *self._further.of_seed(alone[0], same)))
            return self._of_wrong_seed(same.words, SeedAnswer(same.status.value, Ground.WITNESS, same.text), draft)
        other = self._search.witness(places[0], OPPOSITE[against.status], places)
        if other is not None:
            words = f"{right}, and so is that of the seed ({other.words}): a promise is broken"
            return self._concluded(End.BROKEN_PROMISE, words, draft)
        withdrawn = self._withdrawn()
        if withdrawn is not None:
            return self._of_wrong_seed(f"{' and '.join(withdrawn.projects)} answer it", withdrawn, draft)
        ground = self._suspicion.seed.ground if self._suspicion.seed else Ground.NONE
        if ground is Ground.ANSWER and alone[0] is not None:
            more = (*draft.more, *self._further.of_own_answer(alone[0], against))
            words = f"{right}, so the own answer to the seed is suspected"
            return self._concluded(End.OTHERS, words, replace(draft, more=more))
        words = f"{right}; no witness decides the status of the seed, which is known by {ground}"
        return self._concluded(End.CONTRADICTION, words, draft)

    def _others_are_wrong(self, given: Run, against: Witness, draft: Conclusion) -> Conclusion:
        """Return the conclusion on a right answer: a contradiction if another solver still answers otherwise."""
        more = (*draft.more, *self._further.of_others(given, against))
        draft, right = replace(draft, more=more), f"the answer is right: {against.words}"
        if self._suspicion.oracle != CROSS.name:
            return self._concluded(End.OTHERS, right, draft)
        others = [each for each in given.verdicts if each.oracle == CROSS.name and each.kind in _CONTRADICTING]
        if not others:
            return self._concluded(End.VANISHED, f"{right}; no other solver answers otherwise again", draft)
        draft = replace(draft, signature=replace(draft.signature, parts_at="", between=others[0].judges))
        return self._concluded(End.CONTRADICTION, f"{others[0].detail}; {right}", draft)

    # Conclusions

    @property
    def _parameters(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self._recipe.in_force)

    def _row(self, number: int) -> str:
        """Return the row of the last step in the prefix of `number` steps."""
        if number:
            return self._recipe.steps[number - 1].mutation
        return "parameters" if self._recipe.in_force else "seed"

    def _draft(self, signature: Signature | None = None, *, detail: str = "", parts_at: str = "") -> Conclusion:
        """Return a conclusion without its result; the default signature names the parameters."""
        kind, names = self._suspicion.kind, self._parameters
        if signature is None:
            signature = Signature(kind, not names, parts_at=parts_at, parameters=names, detail=detail)
        return Conclusion(End.VANISHED, kind, "", encode(self._recipe), signature)

    def _concluded(self, end: End, words: str, draft: Conclusion | None = None, kind: str = "") -> Conclusion:
        """Return a draft with its result; `kind` is the kind of finding unless the result implies another one."""
        kind = _KIND_OF_END.get(end, kind or self._suspicion.kind)
        draft = draft or self._draft()
        signature = replace(
            draft.signature,
            kind=kind,
            seed=seed_digest(self._recipe.seed),
            solver=self._solver,
            theories=() if names_cause(draft.signature.detail) else self._theories(),
        )
        return replace(draft, end=end, words=words, kind=kind, signature=signature)

    def _theories(self) -> tuple[str, ...]:
        return tuple(sorted(self._runs.pipeline.mutant(self._recipe).problem.theories))


def _step(number: int) -> str:
    return f"step {number}" if number else SEED


def _names(recipe: Recipe) -> str:
    return " ".join(name for name, _ in recipe.options) or "no parameter"


def _complaint(run: Run) -> str:
    """Return the message that the solver printed before its answer."""
    return next((verdict.complaint for verdict in run.verdicts if verdict.complaint), "")


def _answers(runs: Mapping[str, Run | None]) -> dict[str, str]:
    return {name: _answer(run) for name, run in runs.items()}


def _answer(run: Run | None) -> str:
    return "death" if run is None else run.status.value
