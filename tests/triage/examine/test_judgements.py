"""How an examination judges answers: every combination of witnesses, models and other solvers, with a played solver."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from chcfuzz.domains.protocol import Standoff, WitnessSearch
from chcfuzz.execution.pipeline import Pipeline
from chcfuzz.execution.seed_answers import Ground, SeedAnswer
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.problem import Pairs
from chcfuzz.mutators.recipe import Recipe, Step, decode, encode
from chcfuzz.oracles.verdict import Verdict, VerdictKind
from chcfuzz.solvers.faults import FaultClass
from chcfuzz.solvers.outcome import OPPOSITE, Status
from chcfuzz.tracing.source import Parameters
from chcfuzz.triage.examine import examination
from chcfuzz.triage.examine.conclusion import Conclusion, End, Witness
from chcfuzz.triage.examine.examination import Examination
from chcfuzz.triage.examine.runs import Run, RunConfiguration, Runs
from chcfuzz.triage.examine.signature import seed_digest
from chcfuzz.triage.examine.suspicion import Suspicion

from tests.played import Play, PlayedSolver, outcome
from tests.triage.examine.test_examination import SAT

CTP, Q3 = ("fp.spacer.ctp", "false"), ("fp.spacer.q3", "false")
STEPS = tuple(Step("boolean.dup-and", bytes([number, 0, 0, 0])) for number in range(2))
RECIPE = Recipe(SAT, STEPS)
SUSPICION = Suspicion(encode(RECIPE), "wrong-answer", "answer", "unsat", "sat", "its detail")
Answer = Callable[[str, Parameters], Status]
TEXTS = [Pipeline(Solving()).mutant(replace(RECIPE, steps=STEPS[:number])).text for number in range(3)]
RIGHT = Witness(Status.SAT, "a model", "its text", "its script")
WRONG = Witness(Status.UNSAT, "a refutation", "its text", "its script")


@dataclass
class Search(WitnessSearch):
    """A search with given results: witnesses of the unit and of the seed by status, a standoff, wrong other solvers."""

    unit: Sequence[Witness] = ()
    seed: Sequence[Witness] = ()
    stand: Standoff | None = None
    projects: Sequence[str] = ()
    others: Sequence[Pairs] = ()
    configurations: Sequence[RunConfiguration] = ()

    @property
    def answers(self) -> Mapping[str, str]:
        return {"another": "unknown"}

    @property
    def plain_configurations(self) -> Sequence[RunConfiguration]:
        return self.configurations

    def witness(self, run: Run, status: Status, _places: Sequence[Run]) -> Witness | None:
        known = self.unit if run.recipe.steps else self.seed
        return next((witness for witness in known if witness.status is status), None)

    def contradicted(self, _run: Run, _witness: Witness) -> Sequence[Pairs]:
        return self.others

    def agreeing(self, run: Run, _status: Status) -> Sequence[str]:
        return () if run.recipe.steps else self.projects

    def standoff(self, _run: Run) -> Standoff | None:
        return self.stand


def always(status: Status) -> Answer:
    return lambda _text, _parameters: status


@pytest.fixture
def conclude(monkeypatch: pytest.MonkeyPatch, play: Play) -> Callable[..., Conclusion]:
    """Function that examines a suspicion with a played solver and given witnesses."""
    monkeypatch.setattr(examination, "portfolio", lambda *_: [RunConfiguration("q3 off", (Q3,))])

    def run(
        suspicion: Suspicion = SUSPICION,
        answer: Answer = always(Status.UNSAT),  # noqa: B008
        without: Sequence[str] = (),
        reason: str = "",
        **search: Any,
    ) -> Conclusion:
        recipe = decode(suspicion.unit)
        pipeline, solver = play(PlayedSolver)
        solver.answer = lambda text, parameters: outcome(answer(text, parameters), reason)
        runs = Runs(pipeline, 1000, frozenset(without), lambda _: None)
        return Examination(suspicion, recipe, runs, Search(**search)).examine("its key")

    return run


Conclude = Callable[..., Conclusion]


def test_a_witness_against_the_answer_confirms_it(conclude: Conclude) -> None:
    found = conclude(unit=[RIGHT], reason="a message")
    assert (found.end, found.kind, found.words) == (End.CONFIRMED, "wrong-answer", "a model; it complains: a message")
    assert (found.witness, found.against) == (RIGHT, None)
    assert found.statuses == ("unsat", "unsat", "unsat")
    assert found.tried == {"q3 off": "unsat", "another": "unknown"}
    signature = found.signature
    assert (signature.kind, signature.seen, signature.default) == ("wrong-answer", "unsat", True)
    assert (signature.parts_at, signature.cures, signature.solver) == ("seed", (), "its key")
    assert (signature.seed, signature.theories) == (seed_digest(SAT), ("LIA",))


def test_the_signature_names_the_first_step_with_the_answer_and_the_configurations_that_are_right(
    conclude: Conclude,
) -> None:
    found = conclude(
        unit=[RIGHT],
        answer=lambda text, parameters: Status.UNSAT if text == TEXTS[-1] and Q3 not in parameters else Status.SAT,
    )
    assert found.statuses == ("sat", "sat", "unsat")
    assert found.signature.parts_at == "boolean.dup-and"
    assert found.signature.cures == ("q3 off",)


def test_witnesses_for_both_answers_are_a_fault_of_chcfuzz(conclude: Conclude) -> None:
    found = conclude(unit=[RIGHT, WRONG])
    assert (found.end, found.kind) == (End.BROKEN_PROMISE, "broken-promise")
    assert found.words == "a model, but also a refutation: a check of chcfuzz is wrong"


@pytest.mark.parametrize(
    ("oracle", "words"),
    [
        ("answer", "answers unsat, sat is promised; no witness decides"),
        ("cross", "answers unsat, sat is answered too (its detail); no witness decides"),
    ],
)
def test_without_a_witness_it_is_a_contradiction(conclude: Conclude, oracle: str, words: str) -> None:
    found = conclude(replace(SUSPICION, oracle=oracle))
    assert (found.end, found.kind, found.words) == (End.CONTRADICTION, "contradiction", words)


BETWEEN = Standoff(("one", "two"), "two projects against two")
SUSPECT = Standoff((), "three for sat", (replace(RECIPE, parameters=(CTP,)), "unsat"))


def test_a_standoff_is_a_contradiction_between_its_solvers(conclude: Conclude) -> None:
    found = conclude(stand=BETWEEN)
    assert (found.end, found.signature.between) == (End.CONTRADICTION, ("one", "two"))
    assert found.words == "answers unsat, sat is promised; no witness decides; two projects against two"


def test_a_standoff_that_suspects_another_solver_raises_a_suspicion_of_it(conclude: Conclude) -> None:
    found = conclude(stand=SUSPECT)
    assert (found.end, found.words) == (End.OTHERS, "three for sat")
    (other,) = found.more
    assert (decode(other.unit).parameters, other.seen) == ((CTP,), "unsat")


@pytest.mark.parametrize(
    ("oracle", "ground", "counts"),
    [
        ("answer", Ground.DECLARED, False),
        ("answer", Ground.WITNESS, False),
        ("answer", Ground.ANSWER, True),
        ("answer", None, True),
        ("cross", Ground.DECLARED, True),
    ],
)
def test_a_seed_with_a_ground_needs_no_vote_of_other_solvers(
    conclude: Conclude, oracle: str, ground: Ground | None, counts: bool
) -> None:
    seed = None if ground is None else SeedAnswer("sat", ground)
    found = conclude(replace(SUSPICION, oracle=oracle, seed=seed), stand=BETWEEN)
    assert found.end is End.CONTRADICTION
    assert found.signature.between == (BETWEEN.between if counts else ())


OTHERS = [((Q3[0], "true"),)]


@pytest.mark.parametrize("expected", [None, "unsat"])
def test_an_answer_with_a_witness_accuses_the_others(conclude: Conclude, expected: str | None) -> None:
    found = conclude(replace(SUSPICION, expected=expected), unit=[WRONG], others=OTHERS)
    assert (found.end, found.words, found.against) == (End.OTHERS, "the answer is right: a refutation", WRONG)
    (other,) = found.more
    assert (decode(other.unit).parameters, other.seen) == (OTHERS[0], "sat")


def test_a_right_answer_shows_that_the_answer_of_the_seed_is_wrong(conclude: Conclude) -> None:
    found = conclude(unit=[WRONG], seed=[WRONG])
    assert (found.end, found.seed) == (End.SEED, SeedAnswer("unsat", Ground.WITNESS, "its text"))
    assert found.words == "the seed is unsat, not sat: a refutation"
    assert found.more == ()
    accused = conclude(unit=[WRONG], seed=[WRONG], answer=lambda text, _: _alone(text, Status.SAT))
    (own,) = accused.more
    assert (own.kind, own.seen, own.expected) == ("wrong-answer", "sat", "unsat")


def _alone(text: str, status: Status) -> Status:
    """Return the status for the seed, and its opposite for a mutant."""
    return status if text == TEXTS[0] else OPPOSITE[status]


def test_a_right_answer_and_a_right_seed_break_the_promise(conclude: Conclude) -> None:
    found = conclude(unit=[WRONG], seed=[RIGHT])
    assert (found.end, found.kind) == (End.BROKEN_PROMISE, "broken-promise")
    assert (
        found.words == "the answer is right (a refutation), and so is that of the seed (a model): a promise is broken"
    )


OWN = replace(SUSPICION, seed=SeedAnswer("sat", Ground.ANSWER))


@pytest.mark.parametrize("unit", [(), (WRONG,)])
def test_two_other_projects_withdraw_the_own_answer_to_the_seed(conclude: Conclude, unit: tuple[Witness, ...]) -> None:
    found = conclude(OWN, unit=unit, projects=("cvc5", "bitwuzla"))
    assert found.end is End.SEED
    assert found.seed == SeedAnswer("unsat", Ground.AGREED, projects=("cvc5", "bitwuzla"))
    assert found.words == "the seed is unsat, not sat: cvc5 and bitwuzla answer it"
    assert conclude(OWN, unit=unit, projects=("cvc5",)).end is not End.SEED
    declared = replace(SUSPICION, seed=SeedAnswer("sat", Ground.DECLARED))
    assert conclude(declared, unit=unit, projects=("cvc5", "bitwuzla")).end is End.CONTRADICTION


def test_a_right_answer_against_the_own_answer_to_the_seed_accuses_that_one(conclude: Conclude) -> None:
    found = conclude(OWN, unit=[WRONG], answer=lambda text, _: _alone(text, Status.SAT))
    assert (found.end, found.words) == (
        End.OTHERS,
        "the answer is right (a refutation), so the own answer to the seed is suspected",
    )
    (own,) = found.more
    assert (decode(own.unit), own.kind, own.seen) == (Recipe(SAT), "disagreement", "sat")
    assert "unsat to a mutant by boolean.dup-and, boolean.dup-and, which is right: a refutation" in own.detail


@pytest.mark.parametrize(
    ("ground", "words"),
    [
        (Ground.DECLARED, "promised, because the file of the seed declares sat"),
        (Ground.ANSWER, "promised by its own answer sat to the seed alone"),
        (Ground.AGREED, "promised, because the seed is sat by the answers of cvc5 and bitwuzla"),
    ],
)
def test_a_contradiction_names_the_source_of_the_promise(conclude: Conclude, ground: Ground, words: str) -> None:
    found = conclude(replace(SUSPICION, seed=SeedAnswer("sat", ground, projects=("cvc5", "bitwuzla"))))
    assert found.words == f"answers unsat, sat is {words}; no witness decides"


@pytest.mark.parametrize(("seed", "ground"), [(None, "none"), (SeedAnswer("sat", Ground.DECLARED), "declared")])
def test_a_seed_without_a_witness_is_a_contradiction_with_its_ground(
    conclude: Conclude, seed: SeedAnswer | None, ground: str
) -> None:
    found = conclude(replace(SUSPICION, seed=seed), unit=[WRONG])
    words = "the answer is right (a refutation); no witness decides the status of the seed, which is known by "
    assert (found.end, found.words) == (End.CONTRADICTION, words + (seed.ground if seed else Ground.NONE))
    assert (seed.ground if seed else Ground.NONE).value.startswith(ground[:3])


def test_a_seed_that_kills_the_solver_decides_nothing(conclude: Conclude) -> None:
    found = conclude(unit=[WRONG], without=["the seed", "the seed alone"])
    assert found.words == "the answer is right (a refutation); the seed kills the solver"
    again = RunConfiguration("plain", (CTP,))
    found = conclude(unit=[WRONG], seed=[WRONG], without=["the seed", "the seed alone"], configurations=[again])
    assert found.end is End.SEED, "the seed is solved in the other configuration"


def test_a_unit_that_kills_the_solver_now_has_vanished(conclude: Conclude) -> None:
    found = conclude(without=["given"])
    assert (found.end, found.words) == (End.VANISHED, "it does not happen again in a fresh process")


def test_the_cost_of_a_mutant_is_compared_with_that_of_its_seed_again(play: Play) -> None:
    unit = encode(RECIPE)
    seen = Suspicion(unit, VerdictKind.PERFORMANCE.value, "cost", "sat")

    def costs(seed: int) -> End:
        pipeline, solver = play(PlayedSolver, rlimit=10_000_000)
        solver.answer = lambda text, _: outcome(cost=seed if _alone(text, Status.SAT) is Status.SAT else 3_000_000)
        runs = Runs(pipeline, 10_000_000, frozenset(), lambda _: None)
        return Examination(seen, decode(unit), runs, Search()).examine().end

    assert costs(20_000) is End.CONFIRMED
    assert costs(40_000) is End.VANISHED


@pytest.mark.parametrize(
    ("detail", "fault"), [("step t12 follows from 3", FaultClass.ALETHE_ORDER), ("at x = 3", FaultClass.STEP)]
)
def test_a_wrong_derivation_is_confirmed_with_its_evidence_and_class(
    conclude: Conclude, monkeypatch: pytest.MonkeyPatch, detail: str, fault: str
) -> None:
    wrong = Verdict("proof", VerdictKind.WRONG_PROOF, detail, "(check-sat)", fault=fault)
    _answers_with(monkeypatch, wrong)
    found = conclude(Suspicion(encode(RECIPE), "wrong-proof", "proof", "unsat"))
    assert (found.end, found.words, found.evidence) == (End.CONFIRMED, detail, "(check-sat)")
    assert found.signature.detail == fault


def _answers_with(monkeypatch: pytest.MonkeyPatch, verdict: Verdict) -> None:
    """Let every execution have a verdict."""
    execute = Pipeline.execute

    def with_verdict(self: Pipeline, *arguments: object) -> object:
        done = execute(self, *arguments)  # type: ignore[arg-type]
        return replace(done, verdicts=(*done.verdicts, verdict))

    monkeypatch.setattr(Pipeline, "execute", with_verdict)


def test_a_complaint_distinguishes_wrong_models(conclude: Conclude, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Verdict("model", VerdictKind.WRONG_MODEL, "a clause is false", judges=("our evaluator",))
    _answers_with(monkeypatch, replace(wrong, complaint="line 17: odd"))
    seen = Suspicion(encode(RECIPE), "wrong-model", "model", "sat")
    found = conclude(seen, answer=always(Status.SAT))
    assert found.end is End.CONFIRMED
    assert "odd" in found.signature.detail
    assert "17" not in found.signature.detail
    assert found.signature.parts_at == ""


def test_a_wrong_model_without_a_complaint_is_named_by_the_first_step_that_shows_it(
    conclude: Conclude, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = Verdict("model", VerdictKind.WRONG_MODEL, "a clause is false", judges=("our evaluator",))
    _answers_with(monkeypatch, wrong)
    seen = Suspicion(encode(RECIPE), "wrong-model", "model", "sat")
    found = conclude(seen, answer=always(Status.SAT))
    assert (found.signature.parts_at, found.signature.detail) == ("seed", "")
