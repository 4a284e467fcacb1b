"""Layouts: what is written into arguments is what is read from them."""

from chcfuzz.domains.chc.generation.layouts import THEORIES, at_least, basis, congruent, layout, number, weighted_sum
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.sorts import BOOL, INT, REAL, bitvec
from chcfuzz.grammar.terms import TRUE, Variable, integer

X, Y, V = Variable("x", INT), Variable("y", INT), Variable("v", bitvec(8))


def test_numbers_that_were_written_are_read_in_every_layout() -> None:
    kinds: set[str] = set()
    for attempt in range(60):
        choices = Choices(b"", f"layout {attempt}".encode())
        on = basis(THEORIES, choices)
        here = layout("p", 4, 2, on, choices)
        given = [number(n, on.sort) for n in (7, 3, 1, 4)]
        once = here.write(given, (), 1, choices)
        again = here.write(given, once, 1, choices)  # upon what is there
        for arguments in (once, again):
            assert tuple(argument.sort for argument in arguments) == here.predicate.parameters
            assert arguments[-1] is TRUE
            assert [evaluate(term, {}) for term in here.read(arguments)] == [n.value for n in given]
            assert all(evaluate(result, {}) is True for result in here.shape(arguments))
        kinds.update(holder.kind for holder in here.holders)
    assert kinds == {"plain", "cells", "record", "list"}


def test_the_sort_of_numbers_is_that_of_a_theory() -> None:
    drawn = {basis(("LRA", "BV"), Choices(bytes([0, n]))).sort for n in range(2)}
    assert REAL in drawn
    assert any(sort.is_bitvector for sort in drawn)
    assert basis(("ADT",), Choices(b"")).sort is INT
    assert basis((), Choices(b"")).kinds == ("plain",)


def test_a_predicate_without_modes_has_no_argument_for_one() -> None:
    here = layout("p", 2, 1, basis(("LIA",), Choices(b"")), Choices(b""))
    assert BOOL not in here.predicate.parameters
    assert here.mode(0) == []


def test_forms_leave_out_what_counts_nothing() -> None:
    assert print_term(weighted_sum((2, 0), -1, (X, Y), INT)) == "(+ (* 2 x) (- 1))"
    assert weighted_sum((1, 0), 0, (X, Y), INT) is X
    assert weighted_sum((0, 0), 0, (X, Y), INT) is integer(0)
    assert print_term(weighted_sum((3,), -1, (V,), V.sort)) == "(bvadd (bvmul #x03 v) #xff)"


def test_the_ways_to_write_a_bound_mean_the_same() -> None:
    ways = {at_least(X, 3, Choices(bytes([n]))) for n in range(4)}
    assert len(ways) == 4
    for value in (2, 3, 4):
        assert {evaluate(way, {X: value}) for way in ways} == {value >= 3}


def test_a_congruence_of_bit_vectors_is_one_of_their_last_bits() -> None:
    assert print_term(congruent(V, 5, 4)) == "(= ((_ extract 1 0) v) #b01)"
    assert print_term(congruent(V, 5, 256)) == "(= v #x05)"
    assert print_term(congruent(X, 5, 3)) == "(= (mod x 3) 2)"
