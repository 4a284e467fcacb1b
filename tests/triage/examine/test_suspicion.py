"""Suspicions wait in a folder: whole, each once, the graver first, and bounded."""

from dataclasses import replace
from pathlib import Path

import pytest
from chcfuzz.domains.chc.roots import BUILT_IN
from chcfuzz.execution.seed_answers import Ground, SeedAnswer
from chcfuzz.mutators.recipe import Recipe, Step, encode
from chcfuzz.triage.examine import spool as spool_module
from chcfuzz.triage.examine.spool import Spool
from chcfuzz.triage.examine.suspicion import Suspicion, family_of, kinds_waiting, similarity_of, symptom_of

SEEN = Suspicion(
    encode(Recipe(BUILT_IN[0], (Step("order.swap-clauses", b"\1"),))),
    "wrong-answer",
    "answer",
    "unsat",
    "sat",
    "answers unsat, but sat is promised",
    SeedAnswer("sat", Ground.ANSWER, "(define-fun inv () Bool true)"),
    ("--rlimit=7",),
)


def unit(number: int) -> bytes:
    return encode(Recipe(BUILT_IN[0], (Step("order.swap-clauses", bytes([number])),)))


def test_a_suspicion_is_read_as_it_was_written(tmp_path: Path) -> None:
    assert Suspicion.read(SEEN.written()) == SEEN
    death = Suspicion(b"any bytes", "crash")
    assert Suspicion.read(death.written()) == death
    spool = Spool(tmp_path)
    assert spool.put(SEEN) is None
    assert list(spool) == [SEEN]


@pytest.mark.parametrize("damage", [b"", b"{}", b"null", b"[1]", SEEN.written()[:-40], b'{"format": "another"}'])
def test_a_damaged_suspicion_is_renamed_and_ignored(tmp_path: Path, damage: bytes) -> None:
    spool = Spool(tmp_path)
    spool.put(SEEN)
    path = spool.path(SEEN.name)
    path.write_bytes(damage)
    assert list(spool) == []
    assert not path.exists()
    assert path.with_suffix(".damaged").read_bytes() == damage


def test_equal_suspicions_are_stored_once_and_can_be_removed(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    assert spool.put(SEEN) is None
    assert spool.put(SEEN) is None
    assert spool.names() == [SEEN.name]
    spool.remove(SEEN.name)
    spool.remove(SEEN.name)
    assert len(spool) == 0


def test_a_sentence_on_waiting_suspicions_has_the_number_of_each_kind() -> None:
    wrong, other = SEEN.name, replace(SEEN, unit=unit(2)).name
    crash, model = (Suspicion(unit(3), kind).name for kind in ("crash", "wrong-model"))
    assert kinds_waiting([wrong, other, crash, model]) == ": 2 contradict the expected answer, 1 crash, 1 wrong model"
    assert kinds_waiting([wrong]) == ": 1 contradicts the expected answer"
    assert kinds_waiting([crash]) == ": 1 crash"
    assert kinds_waiting([]) == ""


def test_graver_suspicions_come_first(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    kinds = ["limit", "wrong-model", "crash", "wrong-answer"]
    for kind in kinds:
        spool.put(replace(SEEN, kind=kind))
    assert [seen.kind for seen in spool] == kinds[::-1]


def test_only_the_choices_of_the_last_step_leave_the_similarity_key() -> None:
    assert replace(SEEN, unit=unit(2)).similarity == SEEN.similarity == similarity_of(SEEN.name)
    parameters = encode(Recipe(BUILT_IN[0], (), (("fp.spacer.ctp", "false"),)))
    others = [
        replace(SEEN, kind="wrong-model"),
        replace(SEEN, seen="sat"),
        replace(SEEN, unit=encode(Recipe(BUILT_IN[1]))),
        replace(SEEN, unit=parameters),
        replace(SEEN, solving=("--z3=4.8.14.0",)),
        replace(SEEN, unit=encode(Recipe(BUILT_IN[0], (Step("names.rename-predicate", b"\1"),)))),
    ]
    assert len({SEEN.similarity, *(other.similarity for other in others)}) == 1 + len(others)


def test_the_symptom_does_not_depend_on_seed_chain_numbers_and_names() -> None:
    died = replace(SEEN, kind="crash", oracle="errors", seen="", expected=None, theories=("LIA",))
    first = replace(died, detail="it says: unknown symbol `x1` in /tmp/a/file.smt2:17")
    same = replace(first, unit=encode(Recipe(BUILT_IN[1])), detail="it says: unknown symbol `y` in /home/file.smt2:3")
    others = [
        replace(first, theories=("Arrays", "LIA")),
        replace(first, kind="exception"),
        replace(first, solver="z3-of-yesterday"),
        replace(first, detail="it dies of signal 11"),
        replace(first, detail="it dies of signal 6"),
        replace(first, detail="it says: a.cpp:12: f(): Assertion `x > 0' failed."),
        replace(first, detail="it says: a.cpp:12: f(): Assertion `x > y' failed."),
        replace(first, detail="it exits with exit code 3"),
    ]
    assert same.symptom == first.symptom == symptom_of(first.name)
    assert similarity_of(first.name) == first.similarity != same.similarity
    assert len({first.symptom, *(other.symptom for other in others)}) == 1 + len(others)
    assert {family_of(other.name) == family_of(first.name) for other in others[1:]} == {False}
    assert family_of(others[0].name) == family_of(first.name)


def test_answers_and_models_have_a_symptom_without_their_words() -> None:
    wrong = replace(SEEN, kind="wrong-model", oracle="model", detail="clause 3 is false")
    assert wrong.symptom == replace(wrong, detail="clause 4, about p, is false").symptom
    assert wrong.symptom != replace(wrong, detail="clause 3 is false; it complains: a check failed").symptom
    assert SEEN.symptom == replace(SEEN, detail="other words").symptom != replace(SEEN, seen="sat").symptom


def test_a_name_of_an_older_version_has_no_symptom() -> None:
    name = "1-0123456789abcdef-crash-0123456789abcdef.json"
    assert (similarity_of(name), symptom_of(name), family_of(name)) == ("0123456789abcdef", "", "")


def test_a_suspicion_is_on_the_disk_when_it_was_put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    durable: list[bool] = []
    monkeypatch.setattr(spool_module, "write_whole", lambda *_, **named: durable.append(named["durable"]))
    Spool(tmp_path).put(SEEN)
    assert durable == [True]
