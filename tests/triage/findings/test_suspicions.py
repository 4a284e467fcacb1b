"""Suspicions wait in a folder: whole, each once, the graver first, and bounded; a frequent bug cannot fill it."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from chcfuzz.domains.chc.roots import BUILT_IN
from chcfuzz.mutators.recipe import Recipe, Step, encode
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.findings import suspicions as module
from chcfuzz.triage.findings.suspicions import COUNTED, Result, Suspicions, displaced

SEEN = Suspicion(encode(Recipe(BUILT_IN[0])), "wrong-answer", "answer", "unsat", "sat", solving=("--rlimit=7",))


def death(
    number: int, *theories: str, detail: str = "it dies of signal 11", row: str = "order.swap-clauses"
) -> Suspicion:
    step = Step(row, number.to_bytes(2, "little"))
    return Suspicion(encode(Recipe(BUILT_IN[number % 3], (step,))), "crash", "errors", detail=detail, theories=theories)


@pytest.fixture
def suspicions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Suspicions:
    monkeypatch.setattr(module, "MOST_ALIKE", 6)
    return Suspicions(tmp_path)


def test_few_of_a_frequent_bug_wait_and_the_others_are_counted(suspicions: Suspicions) -> None:
    deaths = [death(number, "LIA") for number in range(20)]
    assert [suspicions.add(each) for each in deaths] == [True] * 6 + [False] * 14
    assert len(suspicions) == 6
    assert suspicions.counted().numbers == {"crash: it dies of signal 11": 14}
    assert suspicions.add(deaths[0]), "it is there already"
    assert suspicions.counted().total == 14


def test_another_bug_is_not_displaced(suspicions: Suspicions) -> None:
    for number in range(20):
        suspicions.add(death(number, "LIA"))
    assert suspicions.add(death(0, "LIA", detail="it dies of signal 6"))
    assert suspicions.add(replace(death(0, "LIA"), kind="wrong-model"))
    assert len(suspicions) == 8


def test_theories_share_the_places_of_a_family(suspicions: Suspicions) -> None:
    for number in range(20):
        suspicions.add(death(number, "LIA"))
    arrays = [death(number, "Arrays", "LIA") for number in range(5)]
    before = suspicions.names()
    assert [suspicions.add(each) for each in arrays] == [True] * 3 + [False] * 2
    assert len(set(suspicions.names()) - set(before)) == 3
    assert suspicions.add(death(7, "ADT"))
    waiting = [found.theories for found in suspicions]
    assert len(waiting) == 6
    numbers = {theories: waiting.count(theories) for theories in waiting}
    assert sorted(numbers.values()) == [1, 2, 3]
    assert numbers["ADT",] == 1
    assert suspicions.counted().total == 20 + 5 + 1 - 6, "the number of all is known"


def test_a_place_that_an_examination_has_freed_is_taken_again(suspicions: Suspicions) -> None:
    for number in range(7):
        suspicions.add(death(number, "LIA"))
    suspicions.settle(suspicions.names()[0], Result())
    assert suspicions.add(death(8, "LIA"))


def test_processes_that_count_at_the_same_time_lose_nothing(suspicions: Suspicions) -> None:
    def put(part: int) -> None:
        for number in range(10):
            suspicions.add(death(10 * part + number, "LIA"))

    threads = [threading.Thread(target=put, args=(part,)) for part in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(suspicions) == 6
    assert suspicions.counted().total == 34


@pytest.mark.parametrize("content", [b"", b"{}", b"[1]"])
def test_a_damaged_file_of_counts_begins_again(suspicions: Suspicions, tmp_path: Path, content: bytes) -> None:
    for number in range(7):
        suspicions.add(death(number, "LIA"))
    (tmp_path / ".suspicions" / COUNTED).write_bytes(content)
    assert not suspicions.add(death(8, "LIA"))
    assert suspicions.counted().total == 1


def test_the_counts_are_never_written_through_a_link(suspicions: Suspicions, tmp_path: Path) -> None:
    for number in range(6):
        suspicions.add(death(number, "LIA"))
    (foreign := tmp_path / "foreign").write_text("mine")
    (tmp_path / ".suspicions" / COUNTED).symlink_to(foreign)
    assert not suspicions.add(death(8, "LIA"))
    assert foreign.read_text() == "mine"
    assert suspicions.counted().total == 1


def test_the_file_of_counts_is_bounded(suspicions: Suspicions, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_ROWS", 2)
    for signal in range(4):
        for number in range(7):
            suspicions.add(death(number, detail=f"it dies of signal {signal}"))
    assert list(suspicions.counted().numbers) == ["crash: it dies of signal 0", "crash: it dies of signal 1", "others"]
    assert suspicions.counted().total == 4


def name(family: str, theories: str, number: int) -> str:
    """File name of a suspicion with a symptom."""
    return f"1-{number:016}{family:0>8}{theories:0>8}-crash-{number:016}.json"


@pytest.mark.parametrize(
    ("waiting", "added", "gone"),
    [
        ("aaabb", "a", None),
        ("aaaabb", "a", "new"),
        ("aaaabb", "b", "a3"),
        ("bbbbaa", "a", "b3"),
        ("aaaabb", "c", "a3"),
        ("aaabbb", "b", "new"),
        ("aaabbb", "c", "a2"),
        ("abcdef", "g", "new"),
    ],
)
def test_the_symptom_with_the_most_places_gives_one_up(
    monkeypatch: pytest.MonkeyPatch, waiting: str, added: str, gone: str | None
) -> None:
    monkeypatch.setattr(module, "MOST_ALIKE", 6)
    names = [name("f", symptom, number) for number, symptom in enumerate(waiting)]
    others = [name("e", "a", number) for number in range(9)]
    new = name("f", added, 9)
    expected = new if gone == "new" else None if gone is None else names[waiting.index(gone[0]) + int(gone[1])]
    assert displaced(new, [*others, *names]) == expected
    assert displaced(names[0], names) is None, "it waits already"


@pytest.mark.parametrize("damage", [b"", b"{}", b"null", b"[1]", SEEN.written()[:-40], b'{"format": "another"}'])
def test_a_damaged_suspicion_is_renamed_and_ignored(tmp_path: Path, damage: bytes) -> None:
    suspicions = Suspicions(tmp_path)
    suspicions.add(SEEN)
    path = suspicions.path(SEEN.name)
    path.write_bytes(damage)
    assert list(suspicions) == []
    assert not path.exists()
    assert path.with_suffix(".damaged").read_bytes() == damage


def test_equal_suspicions_are_stored_once_and_settled_twice(tmp_path: Path) -> None:
    suspicions = Suspicions(tmp_path)
    assert suspicions.add(SEEN)
    assert list(suspicions) == [SEEN]
    assert suspicions.add(SEEN)
    assert suspicions.names() == [SEEN.name]
    suspicions.settle(SEEN.name, Result())
    suspicions.settle(SEEN.name, Result())
    assert len(suspicions) == 0


def test_graver_suspicions_come_first(tmp_path: Path) -> None:
    suspicions = Suspicions(tmp_path)
    kinds = ["limit", "wrong-model", "crash", "wrong-answer"]
    for kind in kinds:
        suspicions.add(replace(SEEN, kind=kind))
    assert [seen.kind for seen in suspicions] == kinds[::-1]


def test_a_suspicion_is_on_the_disk_when_it_was_added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    durable: list[bool] = []
    monkeypatch.setattr(module, "write_whole", lambda *_, **named: durable.append(named["durable"]))
    Suspicions(tmp_path).add(SEEN)
    assert durable == [True]
