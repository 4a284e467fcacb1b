"""Further suspicions of an examination: each accuses the right solver, of the right answer, for a stated reason."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from chcfuzz.domains.protocol import Standoff, WitnessSearch
from chcfuzz.execution.seed_answers import Ground, SeedAnswer
from chcfuzz.grammar.problem import Pairs
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.mutators.recipe import Recipe, decode
from chcfuzz.oracles.verdict import Verdict, VerdictKind
from chcfuzz.solvers.outcome import Status
from chcfuzz.triage.examine.conclusion import Witness
from chcfuzz.triage.examine.further import Further
from chcfuzz.triage.examine.runs import Run
from chcfuzz.triage.examine.suspicion import Suspicion

from tests.triage.examine.test_examination import SAT

CTP, Q3 = "fp.spacer.ctp", "fp.spacer.q3"
GIVEN = Recipe(SAT, (), ((CTP, "false"), (Q3, "false")))
SUSPICION = Suspicion(b"unit", "disagreement", "answers", "sat", "unsat", solving=("--rlimit=5",), solver="key")
PROVED = Witness(Status.SAT, "a model of cvc5", "the model", "the script")


@dataclass(frozen=True)
class Search(WitnessSearch):
    """A search that knows the others that are wrong, and a reason for doubt."""

    others: Sequence[Pairs] = ()
    reason: str = ""

    def witness(self, _run: Run, _status: Status, _places: Sequence[Run]) -> Witness | None:
        return None

    def contradicted(self, _run: Run, _witness: Witness) -> Sequence[Pairs]:
        return self.others

    def doubt(self, _run: Run) -> str:
        return self.reason


def further(search: Search | None = None) -> Further:
    return Further(SUSPICION, search or Search())


def run(status: Status = Status.SAT, *verdicts: Verdict) -> Run:
    return Run("given", GIVEN, parse(SAT), status, verdicts)


def test_a_wrong_model_doubts_the_answer_of_the_same_solver_if_there_is_a_reason() -> None:
    assert further().of_answer(run()) == ()
    (doubted,) = further(Search(reason="which cvc5 does not give")).of_answer(run())
    detail = "answers sat with a wrong model, which cvc5 does not give"
    assert decode(doubted.unit) == GIVEN
    assert doubted == Suspicion(
        doubted.unit, "disagreement", "plain-smt", "sat", detail=detail, solving=("--rlimit=5",), solver="key"
    )


def test_a_wrong_model_is_suspected_with_the_detail_of_its_verdict() -> None:
    wrong = Verdict("model", VerdictKind.WRONG_MODEL, "clause 1 is false", fault="odd")
    (own,) = further().of_model(run(Status.SAT, Verdict("answer", VerdictKind.PASS), wrong))
    assert own == Suspicion(
        own.unit,
        "wrong-model",
        "model",
        "sat",
        detail="clause 1 is false",
        solving=("--rlimit=5",),
        solver="key",
        fault="odd",
    )


def test_every_other_solver_that_a_witness_contradicts_is_suspected() -> None:
    found = further(Search([((Q3, "true"),), (("fp.xform.slice", "false"), (CTP, "true"))])).of_others(run(), PROVED)
    assert [decode(each.unit).parameters for each in found] == [
        ((CTP, "false"), (Q3, "true")),
        ((CTP, "true"), (Q3, "false"), ("fp.xform.slice", "false")),
    ]
    detail = "answers unsat, but sat is right: a model of cvc5"
    for each in found:
        assert decode(each.unit).seed == SAT
        other = Suspicion(each.unit, "disagreement", "answers", "unsat", detail=detail, solving=("--rlimit=5",))
        assert each == other, "its key is that of another solver, which is not known here"


def test_the_suspect_of_a_standoff_is_another_solver() -> None:
    assert further().of_suspect(Standoff(("one", "two"), "two for each")) == ()
    suspect = replace(GIVEN, parameters=((Q3, "true"),))
    (other,) = further().of_suspect(Standoff((), "three for unsat", (suspect, "sat")))
    assert decode(other.unit) == suspect
    assert other == Suspicion(
        other.unit, "disagreement", "answers", "sat", detail="three for unsat", solving=("--rlimit=5",)
    )


def test_the_answer_to_the_seed_is_suspected_only_if_it_is_the_opposite_of_the_proved_one() -> None:
    assert further().of_seed(None, PROVED) == ()
    assert further().of_seed(run(Status.SAT), PROVED) == ()
    assert further().of_seed(run(Status.UNKNOWN), PROVED) == ()
    (own,) = further().of_seed(run(Status.UNSAT), PROVED)
    assert decode(own.unit) == GIVEN
    assert own == Suspicion(
        own.unit,
        "wrong-answer",
        "answer",
        "unsat",
        "sat",
        "answers unsat, but sat is shown by a checked witness",
        SeedAnswer("sat", Ground.WITNESS, "the model"),
        ("--rlimit=5",),
        solver="key",
    )
