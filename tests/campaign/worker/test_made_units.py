"""The units that a worker made since its last execution."""

from chcfuzz.campaign.worker.made_units import MadeUnits, Origin


def test_a_unit_that_is_mutated_several_times_comes_from_the_first() -> None:
    made = MadeUnits()
    made.mutated(b"second", b"first", b"first")
    made.mutated(b"third", b"second", made.base_of(b"second"))
    assert made.get(b"second") == made.get(b"third") == Origin(b"first", b"first")
    assert (made.get(b"first"), made.base_of(b"first")) == (None, b"first")
    made.clear()
    assert made.get(b"third") is None


def test_a_crossover_comes_from_neither_unit_and_its_mutants_come_from_it() -> None:
    made = MadeUnits()
    made.crossed(b"crossed", b"corpus")
    made.mutated(b"mutated", b"crossed", made.base_of(b"crossed"))
    assert made.get(b"crossed") == Origin(None, b"corpus")
    assert made.get(b"mutated") == Origin(b"crossed", b"corpus")


def test_a_mutant_that_was_made_while_the_corpus_is_read_has_no_base() -> None:
    made = MadeUnits()
    made.mutated(b"mutant", b"seed")
    assert (made.get(b"mutant"), made.base_of(b"mutant")) == (Origin(b"seed"), b"mutant")
