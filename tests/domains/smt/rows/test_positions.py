"""Positions and lengths in strings and sequences move to the edges."""

import pytest
from chcfuzz.domains.smt.rows.positions import MUTATIONS
from chcfuzz.grammar.reading.parse import problem

from tests.domains.smt.rows.cases import results

TEXTS = "(declare-const w String)(declare-const l (Seq Int))"


def test_a_position_moves_to_each_edge() -> None:
    found = results(MUTATIONS, "smt_positions.edge", f'{TEXTS}(assert (= (str.at w x) "a"))', 200)
    edges = ("(- 1)", "0", "(str.len w)", "(- (str.len w) 1)", "(+ (str.len w) 1)", "(- x 1)", "(+ x 1)", "(- x)")
    assert found == {f'(assert (= (str.at w {edge}) "a"))' for edge in edges}


def test_a_length_is_a_position_too_and_a_constant_moves_by_one() -> None:
    found = results(MUTATIONS, "smt_positions.edge", f"{TEXTS}(assert (= (seq.extract l 4 y) l))", 400)
    starts = ("(- 1)", "0", "(seq.len l)", "(- (seq.len l) 1)", "(+ (seq.len l) 1)", "(- 4 1)", "(+ 4 1)", "(- 4)")
    ends = ("(- 1)", "0", "(seq.len l)", "(- (seq.len l) 1)", "(+ (seq.len l) 1)", "(- y 1)", "(+ y 1)", "(- y)")
    assert found == {
        *(f"(assert (= (seq.extract l {start} y) l))" for start in starts),
        *(f"(assert (= (seq.extract l 4 {end}) l))" for end in ends),
    }


def test_the_length_of_a_part_becomes_an_end_minus_its_start() -> None:
    found = results(MUTATIONS, "smt_positions.slice", f"{TEXTS}(assert (= (str.substr w x 7) w))", 400)
    assert {
        "(assert (= (str.substr w x (- y x)) w))",
        "(assert (= (str.substr w x (- 8 x)) w))",
        "(assert (= (str.substr w x (- (str.len w) x)) w))",
        "(assert (= (str.substr w (- (str.len w) 7) 7) w))",
    } <= found


def test_a_part_below_a_quantifier_ends_at_what_is_bound_there() -> None:
    text = f"{TEXTS}(assert (and (forall ((z Int)) (= w (str.substr w z 1))) (= w (str.substr w x 1))))"
    found = results(MUTATIONS, "smt_positions.slice", text, 400)
    assert [each for each in found if "(str.substr w z (- z z))" in each or "(str.substr w z (- y z))" in each]
    assert not [each for each in found if "(str.substr w x (- z x))" in each]


@pytest.mark.parametrize("text", ["(= (seq.nth l x) 1)", "(= (str.from_code x) w)", "(< x y)", "(= (str.len w) 1)"])
def test_open_values_and_numbers_that_are_no_positions_stay(text: str) -> None:
    given = problem(f"(declare-const x Int)(declare-const y Int){TEXTS}(assert {text})")
    assert not any(row.applies(given) for row in MUTATIONS)
