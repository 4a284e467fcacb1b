"""The confirmation queue: the order of turns, the output, and that no suspicion is lost."""

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from chcfuzz.execution.files import LinkError
from chcfuzz.execution.identity import solver_key
from chcfuzz.execution.reports import UnitReport
from chcfuzz.execution.seed_answers import Ground, SeedAnswer, SeedAnswers
from chcfuzz.execution.solving import Solving
from chcfuzz.mutators.recipe import Recipe, Step, decode, encode
from chcfuzz.triage.examine.conclusion import Conclusion, End
from chcfuzz.triage.examine.confirm import Confirmation, ConfirmError
from chcfuzz.triage.examine.messages import Described
from chcfuzz.triage.examine.signature import Signature
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.findings import examiner
from chcfuzz.triage.findings import suspicions as module
from chcfuzz.triage.findings.confirmation_queue import ConfirmationQueue
from chcfuzz.triage.findings.examiner import ALIKE, FAILED, OTHERS, STATUSES
from chcfuzz.triage.findings.reproducing import reproduced
from chcfuzz.triage.findings.store import FindingStore, drop, finding_folders
from chcfuzz.triage.findings.suspicions import Suspicions

from tests.campaign.conftest import UNSAT
from tests.targets import SAFETY_NET
from tests.triage.examine.test_examination import SAT

Examine = Callable[[Suspicion], Confirmation]
DESCRIBED = Described(UnitReport("5.4.0.0", SAT, SAT, SAT, (), "equivalent", "sat", ()), None)


def seen(number: int = 0, seed: str = SAT, ground: Ground = Ground.DECLARED, **facts: Any) -> Suspicion:
    unit = encode(Recipe(seed, (Step("order.swap-clauses", bytes([number])),)))
    made = Suspicion(unit, "wrong-answer", "answer", "unsat", "sat", "answers unsat", SeedAnswer("sat", ground))
    return replace(made, **facts)


def concluded(suspicion: Suspicion, end: End = End.CONFIRMED, **facts: Any) -> Confirmation:
    """A made-up conclusion; its signature names the row of the first step."""
    kind = "contradiction" if end is End.CONTRADICTION else suspicion.kind
    signature = Signature(kind, True, suspicion.seen, "order.swap-clauses", solver=solver_key(Solving()))
    conclusion = Conclusion(end, kind, f"it is {end}", suspicion.unit, signature)
    return Confirmation(suspicion, replace(conclusion, **facts), DESCRIBED)


class Rig:
    """A queue with made-up examinations: `examine` may be replaced, `looked` holds the examined suspicions."""

    def __init__(self, folder: Path) -> None:
        self.marks: list[tuple[str, str]] = []
        self.looked: list[Suspicion] = []
        self.examine: Examine = concluded
        self.answers = SeedAnswers(folder)
        self.announced: list[bool] = []
        self.queue = ConfirmationQueue(
            FindingStore(folder, 2),
            self.answers,
            lambda *mark: self.marks.append(mark),
            announce=self.announced.append,
        )

    def confirm(self, suspicion: Suspicion, _solving: Solving, *_: object) -> Confirmation:
        self.looked.append(suspicion)
        return self.examine(suspicion)

    def all(self) -> None:
        """Process the whole spool, as the thread does after the end of a campaign."""
        while (name := self.queue.turns.next(self.queue.suspicions.names())) is not None:
            self.queue.process(name)


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    rig = Rig(tmp_path / "found")
    monkeypatch.setattr(examiner, "confirm", rig.confirm)
    monkeypatch.setattr(examiner, "reproduced", lambda confirmation: confirmation)  # texts are made up, too
    yield rig
    rig.queue.stop()


def test_a_confirmed_suspicion_is_stored_reported_and_removed(rig: Rig, capfd: pytest.CaptureFixture[str]) -> None:
    rig.queue.suspicions.add(seen())
    rig.all()
    ((kind, name),) = rig.marks
    assert kind == "wrong-answer"
    assert (rig.queue.examiner.store.folder / name / "record.json").exists()
    assert capfd.readouterr().err.startswith("chcfuzz: wrong answer (it is confirmed; default parameters): ")
    assert len(rig.queue.suspicions) == 0


def test_a_finding_that_its_text_does_not_show_is_put_aside(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(examiner, "reproduced", reproduced)
    rig.queue.suspicions.add(seen())  # answers unsat, and the system is sat
    rig.all()
    assert rig.marks == []
    assert "its text does not show it: `z3 mutant.smt2` does not show it, `python3 ask_z3.py" in capfd.readouterr().err
    assert len(list((rig.queue.examiner.store.folder / "unconfirmed").glob("*.json"))) == 1


def test_a_result_and_its_folder_reach_the_disk_before_its_suspicion_goes(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    sync, unlink = os.fsync, Path.unlink

    def noted_sync(file: int) -> None:
        sync(file)
        done.append(os.readlink(f"/proc/self/fd/{file}"))

    def noted_unlink(path: Path, missing_ok: bool = False) -> None:
        unlink(path, missing_ok)
        done.append(f"removed {path}")

    ends = {0: End.CONFIRMED, 1: End.VANISHED}
    rig.examine = lambda found: concluded(found, ends[decode(found.unit).steps[0].choices[0]])
    for number in ends:
        rig.queue.suspicions.add(seen(number))
    assert len(rig.queue.suspicions) == 2
    monkeypatch.setattr(os, "fsync", noted_sync)
    monkeypatch.setattr(Path, "unlink", noted_unlink)
    rig.all()
    folder = rig.queue.examiner.store.folder
    removals = [at for at, what in enumerate(done) if what.startswith("removed")]
    assert len(removals) == 2
    parts = [done[: removals[0]], done[removals[0] : removals[1]]]
    (finding,) = (part for part in parts if str(folder) in part)
    assert {Path(path).name for path in finding} >= {"record.json", "recipe", "show.sh"}
    (aside,) = (part for part in parts if str(folder / "unconfirmed") in part)
    assert len([path for path in aside if "/.writing-" in path]) == 2


@pytest.mark.parametrize("end", [End.CONFIRMED, End.ALIKE, End.OTHERS, End.VANISHED])
def test_a_suspicion_is_lost_only_if_what_was_written_about_it_is_gone(rig: Rig, end: End) -> None:
    store, names = rig.queue.examiner.store, {seen(1).name}
    suspicions = Suspicions(store.folder)
    assert suspicions.lost(names) == names
    rig.queue.suspicions.add(seen(1))
    assert suspicions.lost(names) == set()
    rig.queue.suspicions.add(seen(2))
    rig.examine = lambda found: concluded(found, end if found.name in names else End.CONFIRMED)
    rig.all()
    assert len(rig.queue.suspicions) == 0
    assert suspicions.lost(names) == set()
    for path in store.folder.glob("[!.]*"):
        shutil.rmtree(path)
    assert suspicions.lost(names) == (set() if end is End.OTHERS else names)  # an examined right answer leaves nothing


def test_a_suspicion_that_was_only_counted_is_not_lost(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_ALIKE", 2)
    all_seen = [seen(number, theories=("LIA",)) for number in range(3)]
    all_seen.append(seen(3, theories=("Arrays",)))  # takes the place of one of the others
    assert [rig.queue.suspicions.add(each) for each in all_seen] == [True, True, False, True]
    assert rig.queue.suspicions.counted().total == 2
    assert Suspicions(rig.queue.examiner.store.folder).lost(each.name for each in all_seen) == set()


def test_a_folder_in_the_place_of_the_results_is_named(rig: Rig) -> None:
    suspicions, path = Suspicions(rig.queue.examiner.store.folder), rig.queue.examiner.store.folder / ".results"
    suspicions.ensure_plain()
    path.mkdir(parents=True)
    with pytest.raises(LinkError, match=r"^'.*/\.results' is not a plain file, and links are not followed; remove it$"):
        suspicions.ensure_plain()


def test_a_removed_finding_of_a_full_bucket_is_not_lost(rig: Rig) -> None:
    rig.queue.suspicions.add(seen())
    rig.all()
    (finding,) = finding_folders(rig.queue.examiner.store.folder)
    drop(rig.queue.examiner.store.folder, finding)
    assert Suspicions(rig.queue.examiner.store.folder).lost({seen().name}) == set()


def test_each_similarity_key_has_a_turn_before_one_has_two(rig: Rig) -> None:
    """A frequent bug does not displace another one under the same parameters."""
    for number in range(6):
        rig.queue.suspicions.add(seen(number))
    rig.queue.suspicions.add(seen(7, seed=UNSAT, seen="sat", expected="unsat"))
    rig.queue.suspicions.add(seen(8, kind="wrong-model"))
    rig.all()
    kinds = [(suspicion.kind, suspicion.seen) for suspicion in rig.looked[:3]]
    assert sorted(kinds) == [("wrong-answer", "sat"), ("wrong-answer", "unsat"), ("wrong-model", "unsat")]
    assert kinds[-1][0] == "wrong-model"  # the graver first
    assert len(rig.looked) == 8


def test_each_seed_has_a_turn_before_one_has_two(rig: Rig) -> None:
    """A bug that many kinds of steps next to one seed show does not displace the first suspicion of another seed."""
    for row in ("order.swap-clauses", "names.rename-predicate", "boolean.dup-and", "order.shuffle-clauses"):
        unit = encode(Recipe(SAT, (Step(row, b"\1"),)))
        rig.queue.suspicions.add(replace(seen(), unit=unit))
    rig.queue.suspicions.add(seen(7, seed=UNSAT, seen="sat", expected="unsat"))
    rig.all()
    seeds = [decode(suspicion.unit).seed for suspicion in rig.looked]
    assert len(set(seeds[:2])) == 2
    assert len(seeds) == 5


def test_a_seed_whose_suspicions_are_not_confirmed_soon_has_another_turn(rig: Rig) -> None:
    def seed_at(place: int) -> str:
        return decode(rig.looked[place].unit).seed

    rig.examine = lambda suspicion: concluded(
        suspicion, End.CONTRADICTION if decode(suspicion.unit).seed == seed_at(0) else End.CONFIRMED
    )
    for seed in (SAT, UNSAT):
        for row in ("order.swap-clauses", "names.rename-predicate", "boolean.dup-and", "order.shuffle-clauses"):
            rig.queue.suspicions.add(replace(seen(), unit=encode(Recipe(seed, (Step(row, b"\1"),)))))
    rig.all()
    assert seed_at(0) == seed_at(2) == seed_at(3) != seed_at(1)
    assert len(rig.looked) == 8


def test_a_second_wrong_answer_comes_before_a_wrong_model_if_the_first_is_not_confirmed(rig: Rig) -> None:
    ends = iter((End.VANISHED, End.CONFIRMED, End.CONFIRMED, End.CONFIRMED))
    rig.examine = lambda suspicion: concluded(suspicion, next(ends))
    rig.queue.suspicions.add(seen(8, kind="wrong-model"))
    for row in ("order.swap-clauses", "names.rename-predicate", "boolean.dup-and"):
        rig.queue.suspicions.add(replace(seen(), unit=encode(Recipe(SAT, (Step(row, b"\1"),)))))
    rig.all()
    kinds = [suspicion.kind for suspicion in rig.looked]
    assert kinds == ["wrong-answer", "wrong-answer", "wrong-model", "wrong-answer"]


def test_a_second_signature_is_kept_beside_a_frequent_one(rig: Rig) -> None:
    """They have one similarity key, and only the examination distinguishes them."""

    def two(suspicion: Suspicion) -> Confirmation:
        row = (
            "names.rename-predicate" if decode(suspicion.unit).steps[0].choices == bytes([9]) else "order.swap-clauses"
        )
        return concluded(suspicion, signature=Signature("wrong-answer", True, "unsat", row))

    rig.examine = two
    for number in range(10):
        rig.queue.suspicions.add(seen(number))
    rig.all()
    assert len(rig.marks) == 3
    assert rig.queue.examiner.tally[ALIKE] == 7


def test_a_contradiction_is_a_finding_of_its_own_kind(rig: Rig, capfd: pytest.CaptureFixture[str]) -> None:
    rig.examine = lambda suspicion: concluded(suspicion, End.CONTRADICTION)
    rig.queue.suspicions.add(seen())
    rig.all()
    assert [kind for kind, _ in rig.marks] == ["contradiction"]
    assert "chcfuzz: contradiction (it is contradiction" in capfd.readouterr().err


def test_a_vanished_suspicion_is_reported(rig: Rig, capfd: pytest.CaptureFixture[str]) -> None:
    rig.examine = lambda suspicion: concluded(suspicion, End.VANISHED)
    rig.queue.suspicions.add(seen())
    rig.all()
    assert (rig.queue.examiner.tally, rig.queue.examiner.vanished) == ({}, {"wrong-answer": 1})
    assert "wrong-answer (answers unsat): it is vanished: " in capfd.readouterr().err
    assert len(list((rig.queue.examiner.store.folder / "unconfirmed").glob("wrong-answer-*.json"))) == 1


def test_the_fault_of_another_solver_is_counted_alone(rig: Rig) -> None:
    rig.examine = lambda suspicion: concluded(suspicion, End.OTHERS)
    rig.queue.suspicions.add(seen())
    rig.all()
    assert rig.queue.examiner.tally == {OTHERS: 1}
    assert rig.marks == []


def test_a_wrong_declared_status_is_reported_once_for_a_seed(rig: Rig, capfd: pytest.CaptureFixture[str]) -> None:
    rig.examine = lambda s: concluded(s, End.SEED, seed=SeedAnswer("unsat", Ground.WITNESS, "0: clause 0 |- false\n"))
    for number in range(3):
        rig.queue.suspicions.add(seen(number))
    rig.all()
    assert capfd.readouterr().err.count("a seed's declared status is wrong") == 1
    assert len(rig.looked) == 1  # the others are right then
    assert rig.queue.examiner.tally == {STATUSES: 1, ALIKE: 2}
    assert rig.answers.of(SAT) == SeedAnswer("unsat", Ground.WITNESS, "0: clause 0 |- false\n")


def test_contradictions_that_a_fallen_status_implied_are_taken_back_and_others_stay(
    rig: Rig, capfd: pytest.CaptureFixture[str]
) -> None:
    implied, other = seen(1), seen(2, kind="disagreement", oracle="cross", seen="sat")
    of_another_seed = seen(3, seed=UNSAT)
    for suspicion in (implied, other, of_another_seed):
        rig.queue.examiner.store.keep(concluded(suspicion, End.CONTRADICTION))
    assert len(finding_folders(rig.queue.examiner.store.folder)) == 3
    rig.examine = lambda s: concluded(s, End.SEED, seed=SeedAnswer("unsat", Ground.WITNESS, "0: clause 0 |- false\n"))
    rig.queue.suspicions.add(seen(4))
    rig.all()
    left = {(path / "recipe").read_bytes() for path in finding_folders(rig.queue.examiner.store.folder)}
    assert left == {other.unit, of_another_seed.unit}
    (aside,) = (rig.queue.examiner.store.folder / "unconfirmed").glob("*.json")
    assert Suspicion.read(aside.read_bytes()) == implied
    assert "is taken back, because the status of its seed was wrong" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("kind", "oracle"),
    [("wrong-model", "model"), ("crash", "errors"), ("exception", "errors"), ("disagreement", "cross")],
)
def test_a_proved_status_of_the_seed_settles_only_suspicions_of_the_promise(rig: Rig, kind: str, oracle: str) -> None:
    rig.queue.suspicions.add(seen(kind=kind, oracle=oracle, seen="sat"))
    rig.queue.suspicions.add(seen())
    rig.answers.note(SAT, SeedAnswer("unsat", Ground.WITNESS, "a refutation"))
    rig.all()
    assert [suspicion.kind for suspicion in rig.looked] == [kind]
    assert rig.queue.examiner.tally[ALIKE] == 1


def test_an_examination_may_raise_further_suspicions(rig: Rig) -> None:
    model = seen(1, kind="wrong-model", oracle="model", seen="sat", expected=None)
    own = replace(seen(2), unit=SAT.encode(), seed=SeedAnswer("unsat", Ground.WITNESS, "a refutation"))
    proved = SeedAnswer("unsat", Ground.WITNESS, "0: clause 0 |- false\n")
    rig.examine = lambda s: concluded(s, End.SEED, seed=proved, more=(model, own)) if s.expected else concluded(s)
    rig.queue.suspicions.add(replace(seen(), execution=7, seconds=1.5))
    rig.queue.process(rig.queue.suspicions.names()[0])
    assert list(rig.queue.suspicions) == [replace(each, execution=7, seconds=1.5) for each in (own, model)]
    rig.queue.suspicions.add(seen(3, seed=SAT + "\n"))
    assert rig.queue.examiner.tally == {STATUSES: 1}


def test_a_wrong_answer_to_the_seed_is_a_suspicion_of_its_own(rig: Rig) -> None:
    silent = SAT.replace("(set-info :status sat)\n", "")
    rig.examine = lambda s: concluded(s, End.SEED, seed=SeedAnswer("unsat", Ground.WITNESS, "a refutation"))
    rig.queue.suspicions.add(seen(seed=silent, ground=Ground.ANSWER))
    rig.queue.process(rig.queue.suspicions.names()[0])
    (waits,) = rig.queue.suspicions
    assert decode(waits.unit) == Recipe(silent)
    assert (waits.kind, waits.seen, waits.expected) == ("wrong-answer", "sat", "unsat")
    assert waits.seed == SeedAnswer("unsat", Ground.WITNESS, "a refutation")


def test_a_hope_that_two_projects_withdraw_settles_all_suspicions_that_hung_on_it(rig: Rig) -> None:
    silent = SAT.replace("(set-info :status sat)\n", "")
    agreed = SeedAnswer("unsat", Ground.AGREED, projects=("cvc5", "bitwuzla"))
    rig.examine = lambda s: concluded(s, End.SEED, seed=agreed) if s.unit != silent.encode() else concluded(s)
    for number in range(3):
        rig.queue.suspicions.add(seen(number, seed=silent, ground=Ground.ANSWER))
    for name in rig.queue.suspicions.names():
        rig.queue.process(name)
    assert len(rig.looked) == 1, "the answers of the others are right then"
    assert rig.answers.of(silent) == agreed
    (waits,) = rig.queue.suspicions
    assert (decode(waits.unit), waits.seen, waits.expected) == (Recipe(silent), "sat", "unsat")
    assert "unsat is shown by the answers of cvc5 and bitwuzla" in waits.detail


def test_a_death_during_an_examination_is_examined_too(rig: Rig) -> None:
    death = Suspicion(SAT.encode(), "crash")
    rig.examine = lambda s: replace(concluded(s), deaths=(death,) if s.kind != "crash" else ())
    rig.queue.suspicions.add(seen())
    rig.all()
    assert rig.looked[1] == death


def test_a_failed_examination_is_reported_and_its_suspicion_stays(rig: Rig, capfd: pytest.CaptureFixture[str]) -> None:
    def fails(_: Suspicion) -> Confirmation:
        raise ConfirmError("of a made-up reason")

    rig.examine = fails
    rig.queue.suspicions.add(seen())
    rig.all()
    assert rig.queue.examiner.tally == {FAILED: 1}
    assert "could not be confirmed, and stays in the spool: of a made-up reason" in capfd.readouterr().err
    assert len(rig.queue.suspicions) == 1


def test_what_an_earlier_campaign_found_is_a_finding_of_this_one_too(rig: Rig) -> None:
    rig.queue.suspicions.add(seen())
    rig.all()
    rig.queue.suspicions.add(seen())
    rig.all()
    assert len(rig.looked) == 1
    assert rig.marks[0] == rig.marks[1]


def test_the_first_examination_of_each_kind_is_announced(rig: Rig) -> None:
    for number in range(2):
        rig.queue.suspicions.add(seen(number))
        rig.queue.suspicions.add(seen(number, kind="wrong-model"))

    def fails_for_a_model(suspicion: Suspicion) -> Confirmation:
        if suspicion.kind == "wrong-model":
            raise ConfirmError("its process was killed")
        return concluded(suspicion)

    rig.examine = fails_for_a_model
    rig.all()
    firsts = [suspicion.kind not in {each.kind for each in rig.looked[:n]} for n, suspicion in enumerate(rig.looked)]
    assert rig.announced == [said for is_first in firsts for said in (is_first, False)]
    assert rig.announced.count(True) == 2


def test_at_the_end_each_key_has_had_a_turn_and_the_rest_stays(rig: Rig) -> None:
    for number in range(3):
        rig.queue.suspicions.add(seen(number))
        rig.queue.suspicions.add(seen(number, kind="wrong-model"))
    finishing = threading.Event()

    def waits(suspicion: Suspicion) -> Confirmation:
        assert finishing.wait(SAFETY_NET)
        return concluded(suspicion)

    rig.examine = waits
    rig.queue.start()
    rig.queue.finish(SAFETY_NET, unless=lambda: bool(finishing.set()))
    assert sorted(suspicion.kind for suspicion in rig.looked) == ["wrong-answer", "wrong-model"]
    assert len(rig.queue.suspicions) == 4


def test_an_interrupted_suspicion_stays_for_the_next_campaign(rig: Rig) -> None:
    began = threading.Event()

    def interrupted(_: Suspicion) -> Confirmation:
        began.set()
        assert rig.queue.stopping.wait(SAFETY_NET)
        raise ConfirmError("its process was killed")

    rig.examine = interrupted
    rig.queue.suspicions.add(seen())
    rig.queue.start()
    assert began.wait(SAFETY_NET)
    rig.queue.stop()
    assert rig.queue.examiner.tally == {}
    assert len(rig.queue.suspicions) == 1


def test_finishing_ends_early_on_request(rig: Rig) -> None:
    began = threading.Event()

    def lasts(_: Suspicion) -> Confirmation:
        began.set()
        assert rig.queue.stopping.wait(SAFETY_NET)
        raise ConfirmError("its process was killed")

    rig.examine = lasts
    rig.queue.suspicions.add(seen())
    rig.queue.start()
    rig.queue.finish(SAFETY_NET, unless=began.is_set)
    assert len(rig.queue.suspicions) == 1
