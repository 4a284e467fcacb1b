"""Arguments in the clothes of another theory: text before, text after, what is declined, and that all comes back."""

import pytest
from chcfuzz.domains.chc.rows import wrappers
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System
from chcfuzz.mutators.mutation import Mutation

from tests.mutators.judge import Judgment, carries_model, carries_refutation, draw, promise

ROWS = {row.id.partition(".")[2]: row for row in wrappers.MUTATIONS}
ARRAY = "((as const (Array Int Int)) 0)"

# A predicate of one sort: declaration, a fact, a body, and what they become.
CASES = [
    # row, choices, sort, term in the fact; sort, fact and body after
    ("cell", b"", "Int", "7", "(Array Int Int)", f"(p (store {ARRAY} 0 7))", f"(p (store {ARRAY} 0 x))"),
    (
        "cell",
        b"\1\1",
        "Int",
        "7",
        "(Array Int Int)",
        f"(p (store {ARRAY} 1 7))",
        "(exists ((x!0 (Array Int Int))) (and (p x!0) (= (select x!0 1) x)))",
    ),
    ("switch", b"", "Bool", "true", "Int", "(p (ite true 1 0))", "(p (ite x 1 0))"),
    (
        "switch",
        b"\1\1",
        "Bool",
        "true",
        "(_ BitVec 1)",
        "(p (ite true #b1 #b0))",
        "(exists ((x!0 (_ BitVec 1))) (and (p x!0) (= (= x!0 #b1) x)))",
    ),
    ("as-real", b"", "Int", "7", "Real", "(p 7.0)", "(p (to_real x))"),
    ("as-real", b"\1", "Int", "7", "Real", "(p 7.0)", "(exists ((x!0 Real)) (and (p x!0) (= (to_int x!0) x)))"),
    ("wider", b"", "(_ BitVec 4)", "#x7", "(_ BitVec 5)", "(p (concat #b0 #x7))", "(p (concat #b0 x))"),
    (
        "wider",
        b"\0\0\1\1",
        "(_ BitVec 4)",
        "#x7",
        "(_ BitVec 5)",
        "(p (concat #x7 #b0))",
        "(exists ((x!0 (_ BitVec 5))) (and (p x!0) (= ((_ extract 4 1) x!0) x)))",
    ),
    (
        "as-bits",
        b"\0\1",
        "Int",
        "7",
        "(_ BitVec 1)",
        "(p #b1)",
        "(exists ((x!0 (_ BitVec 1))) (and (p x!0) (= 7 x)))",
    ),
    ("record", b"", "Int", "7", "Held", "(p (hold 7))", "(p (hold x))"),
    (
        "record",
        b"\0\1\1",
        "Int",
        "7",
        "Held",
        "(p (hold 7))",
        "(exists ((x!0 Held)) (and (p x!0) (= (held x!0) x)))",
    ),
]
DATATYPES = {
    b"": "(declare-datatypes ((Held 0)) (((hold (held Int)))))",
    b"\0\1\1": "(declare-datatypes ((Held 0)) (((nothing) (hold (held Int)))))",
}

DECLINED = {
    "cell": "(declare-fun q () Bool)(assert q)",
    "switch": "(declare-fun q (Int) Bool)(assert (q 0))",
    "as-real": "(declare-fun q (Real) Bool)(assert (q 0.0))",
    "wider": "(declare-fun q (Int) Bool)(assert (q 0))",
    "as-bits": "(declare-fun q (Int) Bool)(assert (q 0))(assert (forall ((x Int)) (=> (q x) (q (+ x 1)))))",
    "record": "(declare-fun q () Bool)(assert q)",
}

SAFE = """(declare-fun p (Int Bool (_ BitVec 4)) Bool)
(assert (p 0 true #x0))
(assert (forall ((x Int) (b Bool) (v (_ BitVec 4))) (=> (and (p x b v) (< x 5)) (p (+ x 1) (not b) (bvadd v #x1)))))
(assert (forall ((x Int) (b Bool) (v (_ BitVec 4))) (=> (exists ((x Int)) (and (p x b v) (> x 7))) false)))
(assert (forall ((x Int) (v (_ BitVec 4))) (=> (p x true v) (or (< x 9) (= v #x3)))))"""
UNSAFE = SAFE.replace("(> x 7)", "(> x 3)")


def system(text: str) -> System:
    return parse(f"(set-logic HORN){text}")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_each_row_makes_this_of_that(case: tuple[str, bytes, str, str, str, str, str]) -> None:
    row, choices, sort, term, new, fact, body = case

    def text(sort_of_p: str, fact_of_p: str, query: str) -> str:
        return f"""(declare-fun p ({sort_of_p}) Bool)(assert {fact_of_p})
        (assert (forall ((x {sort})) (=> {query} false)))"""

    before = system(text(sort, f"(p {term})", "(p x)"))
    assert ROWS[row].applies(before)
    made = DATATYPES[choices] if row == "record" else ""
    assert ROWS[row].rewrite(before, Choices(choices)) == system(made + text(new, fact, body))


def test_two_neighbours_become_one_record() -> None:
    before = system("(declare-fun p (Int Bool Int) Bool)(assert (p 1 true 2))")
    after = system(
        """(declare-datatypes ((Held 0)) (((hold (held Int) (held!1 Bool)))))
        (declare-fun p (Held Int) Bool)(assert (p (hold 1 true) 2))"""
    )
    assert ROWS["record"].rewrite(before, Choices(b"\0\1")) == after


def test_names_of_a_new_data_type_are_free() -> None:
    text = "(declare-datatypes ((Held 0)) (((hold (held Int)))))(declare-fun p (Held) Bool)(assert (p (hold 1)))"
    after = ROWS["record"].rewrite(system(text), Choices(b""))
    assert after is not None
    assert [datatype.name for group in after.datatypes for datatype in group] == ["Held", "Held!1"]


def test_bound_arguments_do_not_hide_a_predicate() -> None:
    before = parse("(declare-fun x!0 (Int) Bool)(assert (x!0 7))(assert (forall ((x Int)) (=> (x!0 x) false)))")
    after = ROWS["as-real"].rewrite(before, Choices(b"\1"))
    assert after is not None
    assert "(exists ((x!0!1 Real)) (and (x!0 x!0!1) (= (to_int x!0!1) x)))" in print_system(after)
    assert parse(print_system(after)) == after


def test_rules_ask_for_the_few_values_of_what_becomes_bits_and_bodies_read_them() -> None:
    before = system(
        """(declare-fun p (Int) Bool)(assert (p (- 2)))
        (assert (forall ((x Int)) (=> (and (p x) (< x 2)) (p (+ x 2)))))"""
    )
    after = system(
        """(declare-fun p ((_ BitVec 2)) Bool)(assert (p #b11))
        (assert (forall ((x Int)) (=>
            (and (and (exists ((x!0 (_ BitVec 2)))
                        (and (p x!0) (= (ite (= x!0 #b11) (- 2) (ite (= x!0 #b00) 0 2)) x))) (< x 2))
                (or (= (+ x 2) (- 2)) (= (+ x 2) 0) (= (+ x 2) 2)))
            (p (ite (= (+ x 2) (- 2)) #b11 (ite (= (+ x 2) 0) #b00 #b01))))))"""
    )
    found = ROWS["as-bits"].rewrite(before, Choices(b"\0\3"))
    assert found is not None
    assert print_system(found) == print_system(after)


def test_a_sort_is_not_wrapped_without_end() -> None:
    found: System | None = system("(declare-fun p (Int) Bool)(assert (p 0))")
    for _ in range(20):
        assert found is not None
        last, found = found, ROWS["cell"].rewrite(found, Choices(b""))
        if found is None:
            break
    assert found is None
    assert not ROWS["cell"].applies(last)


@pytest.mark.parametrize("row", DECLINED)
def test_what_a_row_can_do_nothing_with_is_declined(row: str) -> None:
    assert not ROWS[row].applies(system(DECLINED[row]))
    assert ROWS[row].rewrite(system(DECLINED[row]), Choices(b"")) is None


def test_every_row_has_a_case_and_is_declined_somewhere() -> None:
    assert {row for row, *_ in CASES} == set(ROWS) == set(DECLINED)


@pytest.mark.parametrize("row", wrappers.MUTATIONS, ids=lambda row: row.id)
def test_answers_stay_and_witnesses_are_converted(row: Mutation) -> None:
    kept = 0
    for text in (SAFE, UNSAFE):
        for number in range(6):
            found = draw(row, "wrappers", system(text), number)
            assert found is not None
            result = [promise(found), carries_model(found), carries_refutation(found)]
            assert Judgment.BROKEN not in result, str(found)
            kept += result.count(Judgment.KEPT)
    assert kept >= 20
