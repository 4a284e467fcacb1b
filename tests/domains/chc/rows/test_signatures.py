"""Arguments of predicates: text before, text after, and systems that rows decline."""

import pytest
from chcfuzz.domains.chc.rows import signatures
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System

ROWS = {row.id.partition(".")[2]: row for row in signatures.MUTATIONS}
COUNTER = """(declare-fun p (Int Int) Bool)
(assert (p 7 0))
(assert (forall ((x Int) (z Int)) (=> (and (p z x) (< x 5)) (p 7 (+ x 1)))))
(assert (forall ((x Int) (z Int)) (not (and (p z x) (> x 9)))))"""

CASES = [
    # row, choices, what it makes of the counter: of (p 7 0), of the rule, of the query
    ("permute", b"", "(Int Int)", "(p 0 7)", "(p x z)", "(p (+ x 1) 7)", "", "(p x z)"),
    ("shift", b"", "(Int Int)", "(p (+ 7 1) 0)", "(p (+ z 1) x)", "(p (+ 7 1) (+ x 1))", "", "(p (+ z 1) x)"),
    ("shift", b"\1\2\1", "(Int Int)", "(p 7 (- 0 7))", "(p z (- x 7))", "(p 7 (- (+ x 1) 7))", "", "(p z (- x 7))"),
    ("negate", b"", "(Int Int)", "(p (- 7) 0)", "(p (- z) x)", "(p (- 7) (+ x 1))", "", "(p (- z) x)"),
    ("sum", b"\1", "(Int Int)", "(p 7 (+ 0 7))", "(p z (+ x z))", "(p 7 (+ (+ x 1) 7))", "", "(p z (+ x z))"),
    ("scale", b"\1\1", "(Int Int)", "(p 7 (* 3 0))", "(p z (* 3 x))", "(p 7 (* 3 (+ x 1)))", "", "(p z (* 3 x))"),
    ("add-constant", b"\0\0\1", "(Int Int Int)", "(p 1 7 0)", "(p 1 z x)", "(p 1 7 (+ x 1))", "", "(p 1 z x)"),
    (
        "add-constant",
        b"\1\1\1\1",
        "(Int Bool Int)",
        "(p 7 true 0)",
        "(p z y x)",
        "(p 7 true (+ x 1))",
        "(y Bool)",
        "(p z true x)",
    ),
    ("duplicate", b"", "(Int Int Int)", "(p 7 7 0)", "(p z z x)", "(p 7 7 (+ x 1))", "", "(p z z x)"),
    ("duplicate", b"\0\1", "(Int Int Int)", "(p 7 7 0)", "(p y z x)", "(p 7 7 (+ x 1))", "(y Int)", "(p z z x)"),
    ("drop-constant", b"", "(Int)", "(p 0)", "(and (p x) (= z 7))", "(p (+ x 1))", "", "(and (p x) (= z 7))"),
    ("drop-unused", b"", "(Int)", "(p 0)", "(p x)", "(p (+ x 1))", "", "(p x)"),
]


def system(text: str) -> System:
    return parse(f"(set-logic HORN){text}")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_each_row_makes_this_of_the_counter(case: tuple[str, bytes, str, str, str, str, str, str]) -> None:
    row, choices, sorts, fact, body, head, bound, query = case
    after = f"""(declare-fun p {sorts} Bool)
    (assert {fact})
    (assert (forall ((x Int) (z Int) {bound}) (=> (and {body} (< x 5)) {head})))
    (assert (forall ((x Int) (z Int)) (not (and {query} (> x 9)))))"""
    assert ROWS[row].applies(system(COUNTER))
    assert ROWS[row].rewrite(system(COUNTER), Choices(choices)) == system(after)


def test_a_free_argument_of_a_head_has_all_values() -> None:
    after = """(declare-fun p (Int Int Int) Bool)
    (assert (forall ((y Int)) (p y 7 0)))
    (assert (forall ((x Int) (z Int) (y!1 Int) (y Int)) (=> (and (p y!1 z x) (< x 5)) (p y 7 (+ x 1)))))
    (assert (forall ((x Int) (z Int)) (not (and (p 0 z x) (> x 9)))))"""
    assert ROWS["add-free"].rewrite(system(COUNTER), Choices(b"\0\0\1\2")) == system(after)


@pytest.mark.parametrize(
    ("row", "sort", "choices", "before", "after"),
    [
        ("shift", "(_ BitVec 4)", b"\1", "#x1", "(bvadd #x1 #x2)"),
        ("shift", "Real", b"\0\1", "1.0", "(- 1.0 1.0)"),
        ("negate", "(_ BitVec 4)", b"\1", "#x1", "(bvnot #x1)"),
        ("negate", "Bool", b"", "true", "(not true)"),
        ("scale", "Real", b"\1", "1.0", "(* 0.5 1.0)"),
        ("scale", "(_ BitVec 4)", b"", "#x1", "(bvmul #x3 #x1)"),
    ],
)
def test_other_sorts_have_changes_of_their_own(row: str, sort: str, choices: bytes, before: str, after: str) -> None:
    text = "(declare-fun p ({}) Bool)(assert (p {}))"
    assert ROWS[row].rewrite(system(text.format(sort, before)), Choices(choices)) == system(text.format(sort, after))


DECLINED = {
    "permute": "(declare-fun p (Int) Bool)(declare-fun q (Int Int) Bool)(assert (p 0))",
    "shift": "(declare-fun p (Bool) Bool)(assert (p true))",
    "negate": "(declare-fun p ((Array Int Int)) Bool)(assert (forall ((a (Array Int Int))) (p a)))",
    "sum": "(declare-fun p (Int Bool) Bool)(assert (p 0 true))",
    "scale": "(declare-fun p (Bool) Bool)(assert (p true))",
    "add-free": "(declare-fun p (Int) Bool)(assert (not (= 0 1)))",
    "add-constant": "(declare-fun p (Int) Bool)(assert (not (= 0 1)))",
    "duplicate": "(declare-fun p () Bool)(assert p)",
    "drop-constant": "(declare-fun p (Int) Bool)(assert (p 0))(assert (p 1))(assert (p 1))",
    "drop-unused": "(declare-fun p (Int Int) Bool)(assert (forall ((x Int)) (=> (p x x) false)))",
}


@pytest.mark.parametrize("row", DECLINED)
def test_what_a_row_can_do_nothing_with_is_declined(row: str) -> None:
    assert not ROWS[row].applies(system(DECLINED[row]))
    assert ROWS[row].rewrite(system(DECLINED[row]), Choices(b"")) is None


@pytest.mark.parametrize(
    ("clause", "goes"),
    [
        ("(forall ((x Int) (z Int)) (=> (p x z) (p x (+ z 1))))", True),
        ("(forall ((x Int) (z Int)) (=> (and (p x z) (p 1 z)) (p x z)))", False),  # the same for both
        ("(forall ((x Int) (z Int)) (=> (and (p x z) (< z 0)) (p x z)))", False),
        ("(forall ((x Int) (z Int)) (=> (p x z) (q z)))", False),
        ("(forall ((x Int) (z Int)) (=> (p x z) (< z 0)))", False),
        ("(forall ((x Int) (z Int)) (=> (p x (+ z 1)) (p x z)))", False),
        ("(forall ((x Int) (z Int)) (=> (p x z) (p z z)))", False),
        ("(forall ((x Int)) (=> (exists ((z Int)) (p x z)) (p x 7)))", True),
        ("(forall ((x Int)) (=> (exists ((z Int)) (and (p x z) (= z x))) (p x 7)))", False),
    ],
)
def test_an_argument_is_dropped_only_if_no_body_uses_it(clause: str, goes: bool) -> None:
    text = "(declare-fun p (Int Int) Bool)(declare-fun q (Int) Bool)(assert (q 0))(assert (=> (q 0) false))"
    uses = "(assert (forall ((x Int)) (=> (p x x) (< x 0))))" if not goes else ""
    before = system(f"{text}(assert {clause})(assert (forall ((x Int) (z Int)) (=> (p x z) (q x)))){uses}")
    changed = ROWS["drop-unused"].rewrite(before, Choices(b""))
    dropped = changed is not None and [len(p.parameters) for p in changed.predicates if p.name == "p"] == [1]
    assert dropped is goes


def test_an_atom_in_a_quantified_body_is_no_single_one() -> None:
    """The term (p x) occurs as two atoms: a common variable for their second arguments would make them equal."""
    text = """(declare-fun p ({}) Bool)(assert (p {}))
    (assert (not (and (exists ((x Int)) (and (p {}) (< x 5))) (exists ((x Int)) (and (p {}) (> x 7))))))"""
    before = system(text.format("Int", "6", "x", "x"))
    after = system(text.format("Int Int", "6 6", "x x", "x x"))
    assert {ROWS["duplicate"].rewrite(before, Choices(b"\0" + bytes([n]))) for n in range(4)} == {after}


def test_every_row_has_a_case_and_is_declined_somewhere() -> None:
    assert {row for row, *_ in CASES} | {"add-free"} == set(ROWS)
    assert set(DECLINED) == set(ROWS)
