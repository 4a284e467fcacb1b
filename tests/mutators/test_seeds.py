"""Texts of seeds: a text that differs from its canonical text in layout alone is parsed once."""

import pytest
from chcfuzz.domains.chc.roots import BUILT_IN, ChcRoots
from chcfuzz.grammar.system import System
from chcfuzz.mutators import roots, seeds
from chcfuzz.mutators.recipe import Unit
from chcfuzz.mutators.seeds import read_seed


class Counting(ChcRoots):
    """The roots of CHC systems; `parsed` lists the texts that were parsed."""

    def __init__(self) -> None:
        self.parsed: list[str] = []

    def parse(self, text: str, name: str) -> System:
        self.parsed.append(text)
        return super().parse(text, name)


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> Counting:
    found = Counting()
    monkeypatch.setattr(roots, "_active", [found])
    return found


@pytest.mark.parametrize("text", BUILT_IN)
def test_another_layout_is_parsed_once(counting: Counting, text: str) -> None:
    unit = Unit(("; as a person (wrote) it\n" + text.replace(" ", "  ")).encode())
    assert unit.fault is None
    canonical = unit.canonical.seed
    assert canonical not in (text, unit.text)
    assert read_seed(canonical) == ChcRoots().parse(canonical, "its text"), "as if it had been parsed"
    assert counting.parsed == [unit.text]


def test_other_tokens_are_parsed_again(counting: Counting) -> None:
    unit = Unit(
        b"(set-logic HORN)(define-fun minus ((n Int)) Int (- n))(declare-fun p (Int) Bool)"
        b"(assert (forall ((x Int)) (=> (= x (minus 5)) (p x))))(check-sat)"
    )
    canonical = unit.canonical.seed
    assert read_seed(canonical) == ChcRoots().parse(canonical, "its text")
    assert counting.parsed == [unit.text, canonical]


def test_the_problems_of_texts_are_kept_while_the_texts_used_last_fit(
    counting: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = ("; " + str(number) * 9_000 + "\n" + BUILT_IN[0] for number in range(3))
    monkeypatch.setattr(seeds, "_MOST_CHARACTERS", len(first) + len(second))
    for text in (first, second, first, third, first, second, third):
        read_seed(text)
    assert counting.parsed == [first, second, third, second, third]
    large = "; " + "9" * 30_000 + "\n" + BUILT_IN[0]
    for text in (large, large, first):
        read_seed(text)
    assert counting.parsed[5:] == [large, first]
