"""`chcfuzz confirm`: contradictions and unconfirmed suspicions are examined again."""

from dataclasses import replace
from pathlib import Path

import pytest
from chcfuzz.execution.seed_answers import Ground, SeedAnswer
from chcfuzz.execution.solving import Solving
from chcfuzz.mutators import roots
from chcfuzz.mutators.recipe import Recipe, decode, encode
from chcfuzz.triage.examine.conclusion import End
from chcfuzz.triage.examine.confirm import Confirmation
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.findings import examiner
from chcfuzz.triage.findings.reexamination import confirm_again
from chcfuzz.triage.findings.store import FindingStore
from chcfuzz.triage.findings.suspicions import Suspicions

from tests.triage.findings.test_confirmation_queue import concluded, seen


@pytest.fixture(autouse=True)
def _texts_are_made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examiner, "reproduced", lambda confirmation: confirmation)


@pytest.mark.parametrize(
    ("end", "settled"), [(End.CONTRADICTION, 0), (End.ALIKE, 0), (End.CONFIRMED, 1), (End.OTHERS, 1)]
)
def test_a_contradiction_stays_until_a_witness_settles_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: End, settled: int
) -> None:
    store = FindingStore(tmp_path, 5)
    old = store.keep(concluded(seen(), End.CONTRADICTION))
    assert old is not None

    def again(suspicion: Suspicion, solving: Solving, *_: object) -> Confirmation:
        assert solving.rlimit == 77
        return concluded(suspicion, end)

    monkeypatch.setattr(examiner, "confirm", again)
    result = confirm_again(tmp_path, lambda _: Solving(rlimit=77), per_bucket=5)
    assert (result.contradictions, result.settled, result.waiting) == (1, settled, 0)
    assert old.exists() is not bool(settled)
    assert result.found == ({"wrong-answer": 1} if end is End.CONFIRMED else {})
    assert len(list(tmp_path.glob("wrong-answer-*"))) == (end is End.CONFIRMED)


def test_a_death_during_the_examination_of_a_contradiction_that_stays_is_examined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    FindingStore(tmp_path, 5).keep(concluded(seen(), End.CONTRADICTION))

    def again(suspicion: Suspicion, *_: object) -> Confirmation:
        if suspicion.kind == "crash":
            return concluded(suspicion)
        return replace(concluded(suspicion, End.CONTRADICTION), deaths=(replace(seen(7), kind="crash"),))

    monkeypatch.setattr(examiner, "confirm", again)
    assert confirm_again(tmp_path, lambda _: Solving(), per_bucket=5).found == {"crash": 1}


def test_a_status_that_falls_settles_all_contradictions_that_it_implied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = FindingStore(tmp_path, 5)
    for number in range(3):
        store.keep(concluded(seen(number), End.CONTRADICTION))
    proved = SeedAnswer("unsat", Ground.WITNESS, "0: clause 0 |- false\n")
    monkeypatch.setattr(examiner, "confirm", lambda suspicion, *_: concluded(suspicion, End.SEED, seed=proved))
    result = confirm_again(tmp_path, lambda _: Solving(), per_bucket=5)
    assert (result.contradictions, result.settled, result.waiting) == (3, 3, 0)
    assert [path.name for path in tmp_path.glob("contradiction-*")] == []


def test_waiting_and_unconfirmed_suspicions_are_examined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    FindingStore(tmp_path, 5).put_aside(seen(1))
    Suspicions(tmp_path).add(replace(seen(2), kind="wrong-model"))
    monkeypatch.setattr(examiner, "confirm", lambda suspicion, *_: concluded(suspicion))
    result = confirm_again(tmp_path, lambda _: Solving(), per_bucket=5)
    assert result.found == {"wrong-answer": 1, "wrong-model": 1}
    assert list((tmp_path / "unconfirmed").iterdir()) == []
    assert result.lines() == [
        "findings: wrong-answer 1, wrong-model 1",
        "0 suspicions wait",
    ]


def test_two_suspicions_of_one_finding_count_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Suspicions(tmp_path).add(seen(2))
    [waiting] = tmp_path.glob(".suspicions/[0-9]*.json")
    waiting.with_name(f"{waiting.stem}-again.json").write_bytes(waiting.read_bytes())
    monkeypatch.setattr(examiner, "confirm", lambda suspicion, *_: concluded(suspicion))
    assert confirm_again(tmp_path, lambda _: Solving(), per_bucket=5).found == {"wrong-answer": 1}
    assert len(list(tmp_path.glob("wrong-answer-*"))) == 1


def test_in_a_limited_time_only_waiting_suspicions_are_examined_and_none_is_begun_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, suspicions = FindingStore(tmp_path, 5), Suspicions(tmp_path)
    store.put_aside(seen(1))
    store.keep(concluded(seen(3), End.CONTRADICTION))
    suspicions.add(replace(seen(2), kind="wrong-model"))
    monkeypatch.setattr(examiner, "confirm", lambda suspicion, *_: concluded(suspicion))
    late = confirm_again(tmp_path, lambda _: Solving(), per_bucket=5, seconds=0)
    assert (late.found, late.contradictions, late.waiting) == ({}, 0, 1)
    in_time = confirm_again(tmp_path, lambda _: Solving(), per_bucket=5, seconds=1000)
    assert (in_time.found, in_time.contradictions, in_time.waiting) == ({"wrong-model": 1}, 0, 0)
    assert list((tmp_path / "unconfirmed").iterdir()) != []


def test_each_suspicion_is_read_in_its_own_domain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the domain of CHC systems, the unit would be a built-in system without parameters."""
    problem = "(set-logic QF_BV)\n(declare-const x (_ BitVec 4))\n(assert (bvult x #x1))\n(check-sat)\n"
    used = roots.active()
    roots.activate(roots.load("smt").roots)
    recipe = Recipe(problem, (), (("smt.arith.solver", "2"),))
    Suspicions(tmp_path).add(Suspicion(encode(recipe), "crash", solving=("--domain=smt",)))
    plain = replace(recipe, parameters=())
    FindingStore(tmp_path, 5).put_aside(Suspicion(encode(plain), "limit", solving=("--domain=smt",)))
    roots.activate(used)
    found = []

    def again(suspicion: Suspicion, *_: object) -> Confirmation:
        found.append(decode(suspicion.unit))
        return concluded(suspicion, End.OTHERS)

    monkeypatch.setattr(examiner, "confirm", again)
    confirm_again(tmp_path, lambda suspicion: Solving.parsed(suspicion.solving), per_bucket=5)
    assert found == [recipe, plain]
    assert roots.active() is used


def test_a_contradiction_without_its_suspicion_stays_and_is_reported(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = FindingStore(tmp_path, 5).keep(concluded(seen(), End.CONTRADICTION))
    assert folder is not None
    (folder / "suspicion.json").unlink()
    result = confirm_again(tmp_path, lambda _: Solving(), per_bucket=5)
    assert (result.contradictions, result.settled) == (1, 0)
    assert f"{folder.name} could not be examined: its 'suspicion.json' is missing or damaged" in capfd.readouterr().err


def test_a_suspicion_that_cannot_be_read_is_reported_and_kept(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    suspicions = Suspicions(tmp_path)
    suspicions.add(seen())
    path = suspicions.path(seen().name)
    path.write_bytes(path.read_bytes().replace(b"chcfuzz-suspicion 1", b"chcfuzz-suspicion 0"))
    assert confirm_again(tmp_path, lambda _: Solving(), per_bucket=5).waiting == 0
    kept = path.with_suffix(".damaged")
    assert f"a suspicion is damaged or of another version, and is not examined: {kept}" in capfd.readouterr().err
    assert kept.is_file()


def test_a_finding_that_cannot_be_read_keeps_no_suspicion_from_its_examination(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "crash-1").mkdir()
    (tmp_path / "crash-1" / "record.json").write_text("{")
    Suspicions(tmp_path).add(seen())
    monkeypatch.setattr(examiner, "confirm", lambda suspicion, *_: concluded(suspicion))
    assert confirm_again(tmp_path, lambda _: Solving(), per_bucket=5).found == {"wrong-answer": 1}
    assert "record.json' is damaged" in capfd.readouterr().err
