"""Texts of seeds: a text that differs from its canonical text in layout alone is parsed once."""

import pytest
from chcfuzz.domains.chc.roots import BUILT_IN, ChcRoots
from chcfuzz.grammar.system import System
from chcfuzz.mutators import roots
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
