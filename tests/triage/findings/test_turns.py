"""The order of examinations."""

from chcfuzz.triage.findings.confirmation_queue import Turns

# Rank, then similarity key (kind and seed, rest), then symptom (without and with theories), kind, unit.
WRONG = "0-aaaaaaaa00000000bbbbbbbb00000000-wrong-answer-1.json"
AGAIN = "0-aaaaaaaa00000000bbbbbbbb00000000-wrong-answer-2.json"
OTHER = "0-eeeeeeee00000000ffffffff00000000-wrong-answer-3.json"
MODEL = "4-cccccccc00000000dddddddd00000000-wrong-model-1.json"


def test_graver_suspicions_come_first_until_they_had_a_turn() -> None:
    turns = Turns()
    assert turns.next([MODEL, AGAIN, WRONG]) == WRONG
    assert turns.begin(WRONG) == 0
    assert turns.next([MODEL, AGAIN, OTHER]) == OTHER, "wrong answers are one turn ahead"
    assert turns.next([MODEL, AGAIN]) == MODEL, "one with the same symptom has had its turn"
    assert turns.begin(AGAIN) == 1


def test_a_confirmed_finding_counts_as_three_turns_of_its_seed() -> None:
    turns = Turns()
    turns.begin(WRONG)
    turns.confirmed(WRONG)
    assert turns.begin(AGAIN) == 3


def test_first_turns_and_failed_examinations_are_remembered() -> None:
    turns = Turns()
    assert turns.is_first(WRONG)
    turns.begin(WRONG)
    assert not turns.is_first(OTHER)
    assert turns.is_first(MODEL)
    assert turns.next([AGAIN], first_only=True) is None
    turns.failed(MODEL)
    assert turns.next([MODEL]) is None
