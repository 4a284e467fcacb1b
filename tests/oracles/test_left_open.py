"""Terms that SMT-LIB leaves open, and systems without any."""

import pytest
from chcfuzz.grammar.printing.printer import print_system, print_term
from chcfuzz.grammar.reading.parse import parse, problem
from chcfuzz.grammar.system import System
from chcfuzz.oracles import left_open

DECLARED = """(declare-datatypes ((L 0) (P 0)) (((nil) (cons (head Int) (tail L))) ((pair (first Int) (second L)))))
(declare-fun p (Int Real L P) Bool)"""


def system(body: str) -> System:
    bound = "(x Int) (y Int) (r Real) (s Real) (l L) (q P)"
    return parse(f"{DECLARED}(assert (forall ({bound}) (=> {body} (p x r l q))))")


CASES = [
    # a body, what is left open, the body with that closed
    ("(= x (div x y))", ["div"], "(= x (ite (not (= y 0)) (div x y) 0))"),
    ("(= x (mod x (+ y 1)))", ["mod"], "(= x (ite (not (= (+ y 1) 0)) (mod x (+ y 1)) 0))"),
    ("(= x (div x 2 y 0))", ["div"], "(= x (ite (not (or (= y 0) (= 0 0))) (div x 2 y 0) 0))"),
    ("(= r (/ r s))", ["/"], "(= r (ite (not (= s 0.0)) (/ r s) 0.0))"),
    ("(= x (head l))", ["head"], "(= x (ite ((_ is cons) l) (head l) 0))"),
    (
        "(= l (tail (tail l)))",
        ["tail"],
        """(= l (ite ((_ is cons) (ite ((_ is cons) l) (tail l) nil))
                     (tail (ite ((_ is cons) l) (tail l) nil)) nil))""",
    ),
    ("(and (= x (div x 2)) (= x (mod y (- 3))) (= r (/ r 2.0)))", [], None),
    ("(and (= x (first q)) (= l (second q)) ((_ is cons) l) (= l (cons 1 nil)))", [], None),
]


@pytest.mark.parametrize(("body", "names", "closed"), CASES)
def test_what_is_left_open_is_named_and_closed(body: str, names: list[str], closed: str | None) -> None:
    before = system(body)
    assert left_open.in_terms(before.clauses[0].formula) == names
    after = left_open.closed(before)
    assert print_system(after) == print_system(system(closed or body))
    assert parse(print_system(after)) == after
    if closed is None:
        assert after == before


def test_the_names_of_clauses_stay() -> None:
    text = f"{DECLARED}(assert (! (forall ((x Int) (r Real) (l L) (q P)) (p (div x x) r l q)) :named one))"
    (clause,) = left_open.closed(parse(text)).clauses
    assert clause.name == "one"
    assert "ite" in print_term(clause.formula)


def test_in_a_text_the_spellings_of_z3_count_too() -> None:
    assert left_open.in_symbols(system("true"), ["rem", "head", "|tail|", "first", "+", "x"]) == ["head", "rem", "tail"]


def test_a_constant_of_a_problem_may_be_zero() -> None:
    stated = problem("(declare-const x Int)(declare-const y Int)(assert (= (div x y) 0))")
    assert left_open.in_terms(*stated.formulas) == ["div"]
