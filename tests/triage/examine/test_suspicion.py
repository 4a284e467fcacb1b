"""Suspicions wait in a folder: whole, each once, the graver first, and bounded."""

from dataclasses import replace
from pathlib import Path

import pytest
from chcfuzz.domains.chc.roots import BUILT_IN
from chcfuzz.execution.seed_answers import Ground, SeedAnswer
from chcfuzz.mutators.recipe import Recipe, Step, encode
from chcfuzz.triage.examine import suspicion
from chcfuzz.triage.examine.suspicion import Spool, Suspicion, similarity_of

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
    assert spool.put(SEEN)
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
    assert spool.put(SEEN)
    assert spool.put(SEEN)
    assert spool.names() == [SEEN.name]
    spool.remove(SEEN.name)
    spool.remove(SEEN.name)
    assert len(spool) == 0


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


def test_a_frequent_suspicion_does_not_displace_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suspicion, "MOST_ALIKE", 3)
    spool = Spool(tmp_path)
    assert [spool.put(replace(SEEN, unit=unit(number))) for number in range(5)] == [True, True, True, False, False]
    assert spool.put(replace(SEEN, unit=unit(0)))  # it is there already
    assert spool.put(replace(SEEN, kind="crash"))
    assert len(spool) == 4
