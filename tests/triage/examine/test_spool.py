"""The spool has few suspicions of each frequent bug, of all theories, and counts the others."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from chcfuzz.domains.chc.roots import BUILT_IN
from chcfuzz.mutators.recipe import Recipe, Step, encode
from chcfuzz.triage.examine import spool as spool_module
from chcfuzz.triage.examine.spool import COUNTED, Spool, displaced
from chcfuzz.triage.examine.suspicion import Suspicion


def death(
    number: int, *theories: str, detail: str = "it dies of signal 11", row: str = "order.swap-clauses"
) -> Suspicion:
    step = Step(row, number.to_bytes(2, "little"))
    return Suspicion(encode(Recipe(BUILT_IN[number % 3], (step,))), "crash", "errors", detail=detail, theories=theories)


@pytest.fixture
def spool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Spool:
    monkeypatch.setattr(spool_module, "MOST_ALIKE", 6)
    return Spool(tmp_path)


def test_few_of_a_frequent_bug_wait_and_the_others_are_counted(spool: Spool) -> None:
    deaths = [death(number, "LIA") for number in range(20)]
    assert [spool.put(each) for each in deaths] == [None] * 6 + [each.name for each in deaths[6:]]
    assert len(spool) == 6
    assert spool.counted().numbers == {"crash: it dies of signal 11": 14}
    assert spool.put(deaths[0]) is None, "it is there already"
    assert spool.counted().total == 14


def test_another_bug_is_not_displaced(spool: Spool) -> None:
    for number in range(20):
        spool.put(death(number, "LIA"))
    assert spool.put(death(0, "LIA", detail="it dies of signal 6")) is None
    assert spool.put(replace(death(0, "LIA"), kind="wrong-model")) is None
    assert len(spool) == 8


def test_theories_share_the_places_of_a_family(spool: Spool) -> None:
    for number in range(20):
        spool.put(death(number, "LIA"))
    arrays = [death(number, "Arrays", "LIA") for number in range(5)]
    before = spool.names()
    displaced = [spool.put(each) for each in arrays]
    assert set(displaced[:3]) <= set(before)
    assert displaced[3:] == [each.name for each in arrays[3:]]
    assert spool.put(death(7, "ADT")) != death(7, "ADT").name
    waiting = [found.theories for found in spool]
    assert len(waiting) == 6
    numbers = {theories: waiting.count(theories) for theories in waiting}
    assert sorted(numbers.values()) == [1, 2, 3]
    assert numbers["ADT",] == 1
    assert spool.counted().total == 20 + 5 + 1 - 6, "the number of all is known"


def test_a_place_that_an_examination_has_freed_is_taken_again(spool: Spool) -> None:
    for number in range(7):
        spool.put(death(number, "LIA"))
    spool.remove(spool.names()[0])
    assert spool.put(death(8, "LIA")) is None


def test_processes_that_count_at_the_same_time_lose_nothing(spool: Spool) -> None:
    def put(part: int) -> None:
        for number in range(10):
            spool.put(death(10 * part + number, "LIA"))

    threads = [threading.Thread(target=put, args=(part,)) for part in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(spool) == 6
    assert spool.counted().total == 34


@pytest.mark.parametrize("content", [b"", b"{}", b"[1]"])
def test_a_damaged_file_of_counts_begins_again(spool: Spool, tmp_path: Path, content: bytes) -> None:
    for number in range(7):
        spool.put(death(number, "LIA"))
    (tmp_path / ".suspicions" / COUNTED).write_bytes(content)
    assert spool.put(death(8, "LIA")) == death(8, "LIA").name
    assert spool.counted().total == 1


def test_the_counts_are_never_written_through_a_link(spool: Spool, tmp_path: Path) -> None:
    for number in range(6):
        spool.put(death(number, "LIA"))
    (foreign := tmp_path / "foreign").write_text("mine")
    (tmp_path / ".suspicions" / COUNTED).symlink_to(foreign)
    assert spool.put(death(8, "LIA")) == death(8, "LIA").name
    assert foreign.read_text() == "mine"
    assert spool.counted().total == 1


def test_the_file_of_counts_is_bounded(spool: Spool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool_module, "_MOST_ROWS", 2)
    for signal in range(4):
        for number in range(7):
            spool.put(death(number, detail=f"it dies of signal {signal}"))
    assert list(spool.counted().numbers) == ["crash: it dies of signal 0", "crash: it dies of signal 1", "others"]
    assert spool.counted().total == 4


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
    monkeypatch.setattr(spool_module, "MOST_ALIKE", 6)
    names = [name("f", symptom, number) for number, symptom in enumerate(waiting)]
    others = [name("e", "a", number) for number in range(9)]
    new = name("f", added, 9)
    expected = new if gone == "new" else None if gone is None else names[waiting.index(gone[0]) + int(gone[1])]
    assert displaced(new, [*others, *names]) == expected
    assert displaced(names[0], names) is None, "it waits already"
