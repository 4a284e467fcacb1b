"""Temperatures and uniform shares are chosen by how often they opened features."""

from collections import Counter

from chcfuzz.grammar.choices import Choices
from chcfuzz.learning.tempering import ROWS, SHARES, TEMPERATURES, Temperings, count, nothing_tried


def chosen(temperings: Temperings, number: int = 400) -> tuple[Counter[int], Counter[int]]:
    found = [temperings.choose(Choices(b"", str(seed).encode())) for seed in range(number)]
    return Counter(each.tenths for each in found), Counter(each.uniform for each in found)


def test_all_choices_are_equally_likely_at_first() -> None:
    temperings = Temperings()
    before = chosen(temperings)
    assert set(before[0]) == set(TEMPERATURES)
    assert set(before[1]) == set(SHARES)
    assert max(before[0].values()) < 2 * min(before[0].values())
    temperings.learn(nothing_tried())
    assert chosen(temperings) == before


def test_a_choice_that_opens_features_is_made_more_often_and_the_others_still_are() -> None:
    tallies = nothing_tried()
    for number in range(200):
        temperature = number % len(TEMPERATURES)
        count(tallies, (temperature, len(TEMPERATURES) + number % len(SHARES)), temperature == 1)
    temperings = Temperings()
    temperings.learn(tallies)
    tenths, shares = chosen(temperings)
    assert tenths.most_common(1)[0][0] == TEMPERATURES[1]
    assert tenths[TEMPERATURES[1]] > 2 * tenths[TEMPERATURES[0]] > 0
    assert max(shares.values()) < 2 * min(shares.values())


def test_a_text_is_credited_with_the_choice_it_was_drawn_by() -> None:
    temperings = Temperings()
    temperings.note(b"before any choice")
    assert temperings.rows_of(b"before any choice") == ()
    tempering = temperings.choose(Choices(b"", b"some"))
    temperings.note(b"text")
    temperings.choose(Choices(b"", b"other"))
    first, second = temperings.rows_of(b"text")
    assert TEMPERATURES[first] == tempering.tenths
    assert SHARES[second - len(TEMPERATURES)] == tempering.uniform
    assert second < ROWS
    assert temperings.rows_of(b"unknown") == ()
