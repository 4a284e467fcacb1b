"""Counts and weights: sums, smoothing, tempering, saturation."""

from fractions import Fraction

import numpy as np
import pytest
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.weights import TermPlace
from chcfuzz.grammar.reading import parse
from chcfuzz.learning.counts import MOST, Counts, CountSum
from chcfuzz.learning.formula_model import TOTAL, FormulaModel, Tempering
from chcfuzz.learning.places import MASKS, number_of, numbers_of, word_numbers
from chcfuzz.learning.possible import of_class
from chcfuzz.learning.productions import sequence
from chcfuzz.learning.vocabulary import SORTS, START, words

ROOT_PLACE = TermPlace("Bool", START, 0, START, START, START)


def counts(*texts: str) -> Counts:
    return Counts.of(number for text in texts for number in numbers_of(sequence(parse.problem(text))))


AND = "(declare-const p Bool)(declare-const q Bool)(assert (and (not p) (or q p)))"
OR = "(declare-const p Bool)(declare-const x Int)(assert (or p (< x 0)))"


def test_a_node_is_counted_in_five_contexts() -> None:
    found = counts(AND)
    assert int(found.times.sum()) == 5 * 6
    below = TermPlace("Bool", "and.2", 1, START, "not.1", START)
    kept, own = MASKS[4]
    assert found.at(number_of(below) & kept | own) == {word_numbers()["or.2"]: 1}
    kept, own = MASKS[0]
    here = found.at(number_of(below) & kept | own)
    assert {words()[number]: times for number, times in here.items()} == {
        "and.2": 1, "not.1": 1, "or.2": 1, "variable.new": 2, "variable.second": 1,
    }  # fmt: skip


def test_counts_add_up_and_stay_below_a_limit() -> None:
    one, other = counts(AND), counts(OR)
    both = Counts.sum([one, other, one])
    assert both.times.sum() == 2 * one.times.sum() + other.times.sum()
    assert (np.diff(both.numbers) > 0).all()
    large = one.scaled(MOST)
    assert (Counts.sum([large, large]).times == MOST).all()
    assert (one.scaled(3).times == 3 * one.times).all()


def test_sums_in_batches_are_sums() -> None:
    total = CountSum(1_000_000)
    parts = [counts(AND), counts(OR), counts(AND, OR), counts(OR)]
    for part in parts:
        total.add(part)
    found, expected = total.total(), Counts.sum(parts)
    assert np.array_equal(found.numbers, expected.numbers)
    assert np.array_equal(found.times, expected.times)


def test_weights_are_the_probabilities_of_absolute_discounting() -> None:
    """Each context takes 3/4 from each count; the less deep one has this mass, and counts for 60 occurrences."""
    found = counts(AND, AND, AND, OR)
    names = ("and.2", "not.1", "or.2", "variable.new")
    place = TermPlace("Bool", "and.2", 1, START, "not.1", START)
    expected = [Fraction(1, len(names))] * len(names)
    for kept, own in MASKS:
        known = found.at(number_of(place) & kept | own)
        here = [known.get(word_numbers()[name], 0) for name in names]
        left = Fraction(3, 4) * sum(map(bool, here)) + 60
        expected = [
            (max(Fraction(0), count - Fraction(3, 4)) + left * before) / (sum(here) + 60)
            for count, before in zip(here, expected, strict=True)
        ]
    assert sum(expected) == 1
    weights = FormulaModel(found).weights(names, place)
    assert all(abs(weight - TOTAL * share) < len(names) for weight, share in zip(weights, expected, strict=True))


def test_rare_counts_of_deep_contexts_are_left_out_first() -> None:
    found = Counts.sum([counts(AND).scaled(5), counts(OR)])
    fewer = found.within(len(found.numbers) - 1)
    assert 0 < len(fewer.numbers) < len(found.numbers)
    assert (fewer.times[fewer.numbers >= MASKS[4][1]] >= 2).all()
    assert len(found.within(3).numbers) <= 3


@pytest.mark.parametrize("tempering", [Tempering(t, u) for t in (1, 5, 7, 10, 15, 20) for u in (0, 1 << 15, 1 << 16)])
def test_weights_are_positive_and_their_sum_is_a_constant(tempering: Tempering) -> None:
    model = FormulaModel(counts(AND, OR, AND), tempering)
    for sort in SORTS:
        names = of_class(sort)
        weights = model.weights(names, ROOT_PLACE._replace(sort=sort))
        assert (sum(weights), len(weights)) == (TOTAL, len(names))
        assert all(isinstance(weight, int) and weight > 0 for weight in weights)


def test_deeper_contexts_decide() -> None:
    model = FormulaModel(counts(*([AND] * 200), OR))
    names = ("and.2", "or.2", "not.1", "xor.2")
    at_root = dict(zip(names, model.weights(names, ROOT_PLACE), strict=True))
    assert at_root["and.2"] > 0.8 * TOTAL
    assert at_root["or.2"] > at_root["xor.2"] > 0
    second = dict(zip(names, model.weights(names, TermPlace("Bool", "and.2", 1, START, "not.1", START)), strict=True))
    assert second["or.2"] > 0.8 * TOTAL


def test_a_low_temperature_sharpens_and_a_high_one_flattens() -> None:
    model = FormulaModel(counts(AND, AND, AND, OR))
    names = ("and.2", "or.2", "not.1", "xor.2")
    shares = [model.tempered(Tempering(tenths)).weights(names, ROOT_PLACE)[0] for tenths in (2, 5, 10, 15, 20)]
    assert shares == sorted(shares, reverse=True)
    assert len(set(shares)) == len(shares)
    uniform = model.tempered(Tempering(10, 1 << 16)).weights(names, ROOT_PLACE)
    assert max(uniform) - min(uniform) <= 1


def test_picks_follow_the_weights() -> None:
    model = FormulaModel(counts(AND, AND, OR))
    names = ("and.2", "or.2", "not.1", "xor.2")
    weights = model.weights(names, ROOT_PLACE)
    step = 16
    picked = [model.pick(names, ROOT_PLACE, Choices(n.to_bytes(2, "little"))) for n in range(0, TOTAL, step)]
    for name, weight in zip(names, weights, strict=True):
        assert abs(step * picked.count(name) - weight) <= 2 * step


def test_productions_beside_saturated_counts_have_finite_information() -> None:
    model = FormulaModel(counts(OR).scaled(MOST))
    place = ROOT_PLACE._replace(parent="or.2", argument=1, sibling="variable.new")
    assert 0 < model.bits("xor.3", of_class("Bool"), number_of(place)) < 200
    assert min(model.weights(of_class("Bool"), place)) >= 1


def test_no_counts_give_uniform_weights() -> None:
    weights = FormulaModel(Counts.none()).weights(("and.2", "or.2", "not.1"), ROOT_PLACE)
    assert max(weights) - min(weights) <= 1
    assert FormulaModel(Counts.none()).bits("or.2", ("and.2", "or.2"), number_of(ROOT_PLACE)) == 1


def test_tempered_weights_are_powers() -> None:
    model = FormulaModel(counts(AND, AND, AND, OR))
    names = ("and.2", "or.2", "not.1", "xor.2")
    plain = model.weights(names, ROOT_PLACE)
    for tenths in (5, 20):
        powers = [(weight / TOTAL) ** (10 / tenths) for weight in plain]
        expected = [power / sum(powers) * TOTAL for power in powers]
        for weight, wanted in zip(model.tempered(Tempering(tenths)).weights(names, ROOT_PLACE), expected, strict=True):
            assert abs(weight - wanted) <= 2 + 0.001 * wanted
