"""Terms that SMT-LIB leaves open, and systems without any."""

from itertools import product

import pytest
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.values import UNDETERMINED, domain
from chcfuzz.grammar.printing.printer import print_system, print_term
from chcfuzz.grammar.reading.parse import parse, parse_term, problem
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Variable
from chcfuzz.grammar.theories.float_kinds import MODE, floating
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


def test_a_vector_of_a_float_is_open_beyond_its_bounds_whatever_the_format() -> None:
    for exponent in (3, 17, 18, 60_000):  # 8 is the greatest power of two of the first one
        stated = problem(
            f"(declare-const a (_ FloatingPoint {exponent} 3))(assert (= ((_ fp.to_sbv 4) RTZ a) #b0101))(check-sat)"
        )
        closed = print_term(left_open.closed_problem(stated).formulas[0])
        assert (exponent, "fp.leq" in closed, "fp.gt" in closed) == (exponent, True, True)


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


F = floating(2, 3)
FLOATS = "(declare-const x (_ FloatingPoint 4 5))(declare-const y (_ FloatingPoint 4 5))(declare-const m RoundingMode)"


@pytest.mark.parametrize(
    ("body", "names", "closed"),
    [
        (
            "(= x (fp.min x y))",
            ["fp.min"],
            "(= x (ite (or (= x y) (not (fp.isZero x)) (not (fp.isZero y))) (fp.min x y) (_ +zero 4 5)))",
        ),
        ("(= x (fp.max x (fp #b0 #b0001 #x1)))", [], None),
        ("(= x (fp.min x (_ -zero 4 5)))", ["fp.min"], ""),
        (
            "(= #x3 ((_ fp.to_sbv 4) m x))",
            ["(_ fp.to_sbv 4)"],
            """(= #x3 (ite (and (and (not (fp.isNaN (fp.roundToIntegral m x)))
                                     (not (fp.isInfinite (fp.roundToIntegral m x))))
                                (fp.leq (fp #b1 #b1010 #x0) (fp.roundToIntegral m x))
                                (fp.gt (fp #b0 #b1010 #x0) (fp.roundToIntegral m x)))
                           ((_ fp.to_sbv 4) m x) #x0))""",
        ),
        (
            "(= #x03 ((_ fp.to_ubv 8) m x))",
            ["(_ fp.to_ubv 8)"],
            """(= #x03 (ite (and (and (not (fp.isNaN (fp.roundToIntegral m x)))
                                      (not (fp.isInfinite (fp.roundToIntegral m x))))
                                 (fp.leq (_ +zero 4 5) (fp.roundToIntegral m x)))
                            ((_ fp.to_ubv 8) m x) #x00))""",
        ),
        (
            "(< (fp.to_real x) 1.0)",
            ["fp.to_real"],
            "(< (ite (and (not (fp.isNaN x)) (not (fp.isInfinite x))) (fp.to_real x) 0.0) 1.0)",
        ),
        ("(= x (fp.div m x y))", [], None),
    ],
)
def test_operators_of_floating_point_that_are_partial_are_closed(
    body: str, names: list[str], closed: str | None
) -> None:
    before = problem(f"{FLOATS}(assert {body})")
    assert left_open.in_terms(*before.formulas) == names
    after = left_open.closed_problem(before)
    assert left_open.in_terms(*after.formulas) == names  # the operator stays, where its value does not matter
    if closed:
        assert after == problem(f"{FLOATS}(assert {closed})")
    elif closed is None:
        assert after == before


def test_a_closed_problem_over_all_values_has_a_value_and_keeps_those_that_smtlib_fixes() -> None:
    bound = "(x (_ FloatingPoint 2 3)) (y (_ FloatingPoint 2 3)) (m RoundingMode)"
    for term, sort in (
        ("(fp.max x y)", "(_ FloatingPoint 2 3)"),
        ("((_ fp.to_ubv 2) m x)", "(_ BitVec 2)"),
        ("((_ fp.to_sbv 3) m x)", "(_ BitVec 3)"),
    ):
        variables = [Variable("x", F), Variable("y", F), Variable("m", MODE)]
        before = parse_term(term, variables)
        (wrapped,) = left_open.closed_problem(problem(f"(assert (exists ({bound}) (= {term} {term})))")).formulas
        after = wrapped.children[0].children[0]
        assert str(before.sort) == sort
        for values in product(*(domain(each.sort, 100) or () for each in variables)):
            given = dict(zip(variables, values, strict=True))
            known, closed = evaluate(before, given), evaluate(after, given)
            assert closed is not UNDETERMINED
            assert known in (closed, UNDETERMINED)
