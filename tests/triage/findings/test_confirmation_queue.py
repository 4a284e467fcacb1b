"""The desk: who gets a turn, what is told, and that nothing is lost."""

import threading
from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from chcfuzz.execution.seed_answers import Ground, SeedAnswer, SeedAnswers
from chcfuzz.execution.solving import Solving
from chcfuzz.mutators.recipe import Recipe, Step, decode, encode
from chcfuzz.triage.examine.confirm import Confirmation, ConfirmError
from chcfuzz.triage.examine.signature import Cause
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.findings import confirmation_queue as desk_module
from chcfuzz.triage.findings.confirmation_queue import ALIKE, FAILED, OTHERS, STATUSES, Desk
from chcfuzz.triage.findings.store import FindingStore

from tests.targets import SAFETY_NET
from tests.triage.examine.test_examination import SAT, UNSAT

Examine = Callable[[Suspicion], Confirmation]
DESCRIPTION = {
    "z3": "5.4.0.0",
    "seed": SAT,
    "mutant": SAT,
    "system": SAT,
    "parameters": [],
    "promise": "equivalent",
    "expected": "sat",
    "chain": [],
}


def seen(number: int = 0, seed: str = SAT, ground: Ground = Ground.DECLARED, **facts: Any) -> Suspicion:
    unit = encode(Recipe(seed, (Step("order.swap-clauses", bytes([number])),)))
    made = Suspicion(unit, "wrong-answer", "answer", "unsat", "sat", "answers unsat", SeedAnswer("sat", ground))
    return replace(made, **facts)


def concluded(suspicion: Suspicion, end: str = "confirmed", **facts: Any) -> Confirmation:
    """A made-up conclusion; its cause is told by the first step's row."""
    kind = "contradiction" if end == "contradiction" else suspicion.kind
    conclusion = {
        "end": end,
        "kind": kind,
        "words": f"told of {end}",
        "unit": b64encode(suspicion.unit).decode(),
        "cause": Cause(kind, True, suspicion.seen, "order.swap-clauses").record(),
        **facts,
    }
    return Confirmation(suspicion, conclusion, DESCRIPTION, {})


class Rig:
    """A desk whose examinations are made up: `examine` may be replaced, `looked` holds what was examined."""

    def __init__(self, folder: Path) -> None:
        self.marks: list[tuple[str, str]] = []
        self.looked: list[Suspicion] = []
        self.examine: Examine = concluded
        self.answers = SeedAnswers(folder)
        self.desk = Desk(FindingStore(folder, 2), self.answers, lambda *mark: self.marks.append(mark))

    def confirm(self, suspicion: Suspicion, _solving: Solving, *_: object) -> Confirmation:
        self.looked.append(suspicion)
        return self.examine(suspicion)

    def all(self) -> None:
        """Let the desk look into everything, as beside a campaign that has ended."""
        while (name := self.desk._next()) is not None:
            self.desk.look(name)


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    rig = Rig(tmp_path / "found")
    monkeypatch.setattr(desk_module, "confirm", rig.confirm)
    yield rig
    rig.desk.stop()


def test_what_waits_is_looked_into_kept_told_and_taken_out(rig: Rig, capfd: pytest.CaptureFixture[str]) -> None:
    rig.desk.suspect(seen())
    rig.all()
    ((kind, name),) = rig.marks
    assert kind == "wrong-answer"
    assert (rig.desk.store.folder / name / "record.json").exists()
    assert capfd.readouterr().err.startswith("chcfuzz: wrong answer (told of confirmed; default parameters): ")
    assert len(rig.desk.box) == 0


def test_each_kind_has_a_turn_before_one_has_two(rig: Rig) -> None:
    """However often the first one strikes: two causes under the same parameters are both in the folder."""
    for number in range(6):
        rig.desk.suspect(seen(number))
    rig.desk.suspect(seen(7, seed=UNSAT, seen="sat", expected="unsat"))
    rig.desk.suspect(seen(8, kind="wrong-model"))
    rig.all()
    kinds = [(suspicion.kind, suspicion.seen) for suspicion in rig.looked[:3]]
    assert sorted(kinds) == [("wrong-answer", "sat"), ("wrong-answer", "unsat"), ("wrong-model", "unsat")]
    assert kinds[-1][0] == "wrong-model"  # the graver first
    assert len(rig.looked) == 8


def test_a_second_cause_is_kept_though_the_first_strikes_again_and_again(rig: Rig) -> None:
    """They look alike before they are looked into, and only there turn out to be two."""

    def two(suspicion: Suspicion) -> Confirmation:
        row = (
            "names.rename-predicate" if decode(suspicion.unit).steps[0].choices == bytes([9]) else "order.swap-clauses"
        )
        return concluded(suspicion, cause=Cause("wrong-answer", True, "unsat", row).record())

    rig.examine = two
    for number in range(10):
        rig.desk.suspect(seen(number))
    rig.all()
    assert len(rig.marks) == 3
    assert rig.desk.tally[ALIKE] == 7


def test_a_contradiction_is_a_finding_of_its_own_kind(rig: Rig, capfd: pytest.CaptureFixture[str]) -> None:
    rig.examine = lambda suspicion: concluded(suspicion, "contradiction")
    rig.desk.suspect(seen())
    rig.all()
    assert [kind for kind, _ in rig.marks] == ["contradiction"]
    assert "chcfuzz: contradiction (told of contradiction" in capfd.readouterr().err


def test_what_did_not_come_again_says_so(rig: Rig, capfd: pytest.CaptureFixture[str]) -> None:
    rig.examine = lambda suspicion: concluded(suspicion, "vanished")
    rig.desk.suspect(seen())
    rig.all()
    assert (rig.desk.tally, rig.desk.vanished) == ({}, {"wrong-answer": 1})
    assert "wrong-answer (answers unsat): told of vanished: " in capfd.readouterr().err
    assert len(list((rig.desk.store.folder / "unconfirmed").glob("wrong-answer-*.json"))) == 1


def test_the_fault_of_another_solver_is_counted_alone(rig: Rig) -> None:
    rig.examine = lambda suspicion: concluded(suspicion, "others")
    rig.desk.suspect(seen())
    rig.all()
    assert rig.desk.tally == {OTHERS: 1}
    assert rig.marks == []


def test_a_wrong_declared_status_is_told_once_for_a_seed(rig: Rig, capfd: pytest.CaptureFixture[str]) -> None:
    rig.examine = lambda s: concluded(s, "seed", seed={"status": "unsat", "text": "0: clause 0 |- false\n"})
    for number in range(3):
        rig.desk.suspect(seen(number))
    rig.all()
    assert capfd.readouterr().err.count("a seed's declared status is wrong") == 1
    assert len(rig.looked) == 1  # the others are right then
    assert rig.desk.tally == {STATUSES: 1, ALIKE: 2}
    assert rig.answers.of(SAT) == SeedAnswer("unsat", Ground.WITNESS, "0: clause 0 |- false\n")


def test_a_seed_that_the_solver_itself_answers_wrong_is_a_suspicion_of_its_own(rig: Rig) -> None:
    silent = SAT.replace("(set-info :status sat)\n", "")
    rig.examine = lambda s: concluded(s, "seed", seed={"status": "unsat", "text": "a refutation"})
    rig.desk.suspect(seen(seed=silent, ground=Ground.ANSWER))
    rig.desk.look(rig.desk.box.names()[0])
    (waits,) = rig.desk.box
    assert decode(waits.unit) == Recipe(silent)
    assert (waits.kind, waits.seen, waits.expected) == ("wrong-answer", "sat", "unsat")
    assert waits.seed == SeedAnswer("unsat", Ground.WITNESS, "a refutation")


def test_a_death_on_the_way_is_looked_into_too(rig: Rig) -> None:
    death = Suspicion(SAT.encode(), "crash")
    rig.examine = lambda s: replace(concluded(s), deaths=(death,) if s.kind != "crash" else ())
    rig.desk.suspect(seen())
    rig.all()
    assert rig.looked[1] == death


def test_an_examination_that_fails_is_told_and_waits_on(rig: Rig, capfd: pytest.CaptureFixture[str]) -> None:
    def fails(suspicion: Suspicion) -> Confirmation:
        raise ConfirmError("of a made-up reason")

    rig.examine = fails
    rig.desk.suspect(seen())
    rig.all()
    assert rig.desk.tally == {FAILED: 1}
    assert "could not be looked into, and waits: of a made-up reason" in capfd.readouterr().err
    assert len(rig.desk.box) == 1


def test_what_an_earlier_campaign_found_is_a_finding_of_this_one_too(rig: Rig) -> None:
    rig.desk.suspect(seen())
    rig.all()
    rig.desk.suspect(seen())
    rig.all()
    assert len(rig.looked) == 1
    assert rig.marks[0] == rig.marks[1]


def test_at_the_end_everything_has_had_a_turn_and_the_rest_waits(rig: Rig) -> None:
    for number in range(3):
        rig.desk.suspect(seen(number))
        rig.desk.suspect(seen(number, kind="wrong-model"))
    rig.desk._finishing = True
    rig.desk.start()
    rig.desk.finish(60)
    assert sorted(suspicion.kind for suspicion in rig.looked) == ["wrong-answer", "wrong-model"]
    assert len(rig.desk.box) == 4


def test_what_is_interrupted_waits_for_the_next_campaign(rig: Rig) -> None:
    began, ended = threading.Event(), threading.Event()

    def interrupted(suspicion: Suspicion) -> Confirmation:
        began.set()
        ended.wait(60)
        raise ConfirmError("its process was killed")

    rig.examine = interrupted
    rig.desk.suspect(seen())
    rig.desk.start()
    assert began.wait(60)
    rig.desk._stopping.set()
    ended.set()
    rig.desk.stop()
    assert rig.desk.tally == {}
    assert len(rig.desk.box) == 1


def test_nobody_waits_for_the_rest_who_wants_to_leave(rig: Rig) -> None:
    began = threading.Event()

    def lasts(suspicion: Suspicion) -> Confirmation:
        began.set()
        assert rig.desk._stopping.wait(SAFETY_NET)
        raise ConfirmError("its process was killed")

    rig.examine = lasts
    rig.desk.suspect(seen())
    rig.desk.start()
    rig.desk.finish(SAFETY_NET, unless=began.is_set)
    assert len(rig.desk.box) == 1
