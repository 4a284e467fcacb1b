"""Equalities of floating point: equal for all values of a small format, by the evaluator, and laws that do not hold."""

from collections.abc import Iterator
from itertools import product

import pytest
from chcfuzz.domains.smt.rows import floats as smt_floats
from chcfuzz.domains.smt.rows.floats import DEFINITIONS, defined_terms, is_exact, same
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.ieee import MODES, Format
from chcfuzz.grammar.evaluation.values import UNDETERMINED, Ground, domain
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.reading.parse import parse_term
from chcfuzz.grammar.sorts import Sort, bitvec
from chcfuzz.grammar.terms import Apply, Term, Value, Variable, free_variables
from chcfuzz.grammar.theories.float_kinds import MODE, floating

from tests.domains.smt.rows.cases import results

SORT = floating(2, 3)
X, Y, Z = (Variable(name, SORT) for name in "xyz")
M, V = Variable("m", MODE), Variable("v", bitvec(3))
ALL_MODES = [Value(place, MODE) for place in range(len(MODES))]
WITH_MODE = {"fp.add": 2, "fp.sub": 2, "fp.mul": 2, "fp.div": 2, "fp.fma": 3, "fp.sqrt": 1, "fp.roundToIntegral": 1}
ONE_ARGUMENT = ("fp.neg", "fp.abs")


def values(term: Term, variables: tuple[Variable, ...]) -> Iterator[Ground]:
    for each in product(*(domain(variable.sort, 100) or () for variable in variables)):
        yield evaluate(term, dict(zip(variables, each, strict=True)))  # type: ignore[misc]


def differ(term: Term, other: Term) -> bool:
    """Return whether two terms differ under some values; where one is open, both have to be."""
    variables = tuple(dict.fromkeys((*free_variables(term), *free_variables(other))))
    return any(a != b for a, b in zip(values(term, variables), values(other, variables), strict=True))


def applications(operator: str, sort: Sort) -> Iterator[Term]:
    """Yield applications to variables, with each rounding mode, and a variable in its place."""
    x, y, z = (Variable(name, sort) for name in "xyz")
    if operator in WITH_MODE:
        args = (x, y, z)[: WITH_MODE[operator]]
        yield from (Apply(operator, (mode, *args)) for mode in (*ALL_MODES, M))
    elif operator in ONE_ARGUMENT or operator.startswith("fp.is"):
        yield Apply(operator, (x,))
    else:
        yield Apply(operator, (x, y))


@pytest.mark.parametrize("bits", [2, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize("operator", [each for each in DEFINITIONS if each != "fp.fma"])
def test_a_definition_has_the_values_of_its_operator(operator: str, bits: int) -> None:
    for term in applications(operator, floating(2, bits)):
        assert isinstance(term, Apply)
        for other in defined_terms(term):
            assert not differ(term, other), f"{print_term(term)} and {print_term(other)}"


def test_a_sum_of_a_number_and_itself_is_its_double() -> None:
    for mode in (*ALL_MODES, M):
        term = Apply("fp.add", (mode, X, X))
        doubled = [other for other in defined_terms(term) if isinstance(other, Apply) and other.operator == "fp.mul"]
        assert len(doubled) == 1
        assert not differ(term, doubled[0])


@pytest.mark.slow
def test_definitions_of_a_product_and_sum_have_the_same_values() -> None:
    for term in applications("fp.fma", floating(2, 2)):
        assert isinstance(term, Apply)
        for other in defined_terms(term):
            assert not differ(term, other), f"{print_term(term)} and {print_term(other)}"


def test_a_neutral_element_changes_no_value() -> None:
    drawn = {same(X, Choices(b"", str(number).encode())) for number in range(150)}
    assert len(drawn) > 40
    for other in drawn:
        assert not differ(X, other), print_term(other)


TEMPTING = [
    ("x", "(fp.add RNE x (_ +zero 2 3))"),
    ("x", "(fp.add RTN x (_ -zero 2 3))"),
    ("x", "(fp.sub RTN x (_ +zero 2 3))"),
    ("(_ +zero 2 3)", "(fp.sub RNE x x)"),
    ("(_ +zero 2 3)", "(fp.mul RNE x (_ +zero 2 3))"),
    ("true", "(fp.eq x x)"),
    ("(fp.eq x y)", "(= x y)"),
    ("(fp.lt x y)", "(not (fp.geq x y))"),
    ("(fp.div RNE x x)", "(fp #b0 #b01 #b00)"),
    ("(fp.sub RNE x y)", "(fp.neg (fp.sub RNE y x))"),
    ("(fp.add RNE x y)", "(fp.neg (fp.add RNE (fp.neg x) (fp.neg y)))"),
    ("(fp.add RTP x y)", "(fp.neg (fp.add RTP (fp.neg x) (fp.neg y)))"),
    ("(fp.mul RTP x y)", "(fp.neg (fp.mul RTP x (fp.neg y)))"),
    ("(fp.mul RNE x y)", "(fp.fma RNE x y (_ +zero 2 3))"),
    ("(fp.div RNE x y)", "(fp.mul RNE x (fp.div RNE (fp #b0 #b01 #b00) y))"),
    ("(fp.sqrt RNE (fp.mul RNE x x))", "(fp.abs x)"),
    ("(fp.add RNE (fp.add RNE x y) z)", "(fp.add RNE x (fp.add RNE y z))"),
    ("(fp.mul RNE x (fp.add RNE y z))", "(fp.add RNE (fp.mul RNE x y) (fp.mul RNE x z))"),
    ("(fp.fma RNE x y z)", "(fp.add RNE (fp.mul RNE x y) z)"),
    ("(fp.isNegative x)", "(fp.lt x (_ +zero 2 3))"),
    ("(fp.isPositive x)", "(not (fp.isNegative x))"),
    ("(fp.max x y)", "(ite (fp.lt x y) y x)"),
    ("(fp.min x y)", "(ite (fp.lt x y) x y)"),
    ("(fp.roundToIntegral RTZ x)", "(fp.roundToIntegral RNE x)"),
    ("x", "((_ to_fp 2 3) RNE ((_ to_fp 3 2) RNE x))"),
]


@pytest.mark.parametrize(("law", "other"), TEMPTING)
def test_laws_that_do_not_hold_are_not_there(law: str, other: str) -> None:
    term, wrong = (parse_term(text, [X, Y, Z]) for text in (law, other))
    assert differ(term, wrong)
    for left, right in ((term, wrong), (wrong, term)):
        if isinstance(left, Apply) and left.operator in DEFINITIONS and left.children[-1].sort is SORT:
            assert right not in defined_terms(left)
    assert wrong not in {same(term, Choices(b"", str(number).encode())) for number in range(150) if term.sort is SORT}


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("((_ to_fp 3 4) m x)", True),
        ("((_ to_fp 2 3) m x)", True),
        ("((_ to_fp 2 2) m x)", False),
        ("((_ to_fp 3 2) m x)", False),
        ("((_ to_fp 4 3) m v)", True),
        ("((_ to_fp_unsigned 4 3) m v)", True),
        ("((_ to_fp 2 3) m v)", False),
        ("((_ to_fp_unsigned 4 2) m v)", False),
        ("((_ to_fp 2 3) m 0.5)", False),
        ("((_ to_fp 1 2) v)", False),
        ("(fp.sqrt m x)", False),
    ],
)
def test_conversions_are_exact_only_where_each_mode_gives_the_same(text: str, exact: bool) -> None:
    if "to_fp 1 2" in text:
        term: Term = parse_term("((_ to_fp 2 3) ((_ zero_extend 2) v))", [V])
    else:
        term = parse_term(text, [M, X, V])
    assert is_exact(term) is exact
    if exact:
        (mode, argument) = term.children
        for other in ALL_MODES:
            assert not differ(term, term.rebuild((other, argument)))
        assert mode is M


FLOATS = "(declare-const d (_ FloatingPoint 3 5))(declare-const e (_ FloatingPoint 3 5))(declare-const m RoundingMode)"


@pytest.mark.parametrize(
    ("row", "text", "made"),
    [
        ("same", "(assert (fp.isNaN d))", "(assert (fp.isNaN (fp.neg (fp.neg d))))"),
        ("defined", "(assert (fp.lt d e))", "(assert (fp.gt e d))"),
        (
            "by-mode",
            "(assert (= d (fp.add m d e)))",
            "(assert (= d (ite (= m RTP) (fp.add RTP d e) (fp.add m d e))))",
        ),
        ("exact-mode", "(assert (fp.isNaN ((_ to_fp 4 6) m d)))", "(assert (fp.isNaN ((_ to_fp 4 6) RTZ d)))"),
        (
            "of-vector",
            "(assert (= d ((_ to_fp 3 5) m a)))",
            "(assert (= d ((_ to_fp 3 5) m ((_ sign_extend 3) a))))",
        ),
        (
            "of-vector",
            "(assert (= d ((_ to_fp 3 5) RTN a)))",
            "(assert (= d (ite (bvslt a #x0) (fp.neg ((_ to_fp_unsigned 3 5) RTP (bvneg a))) "
            "((_ to_fp_unsigned 3 5) RTN a))))",
        ),
        (
            "wider-real",
            "(assert (> s (fp.to_real d)))",
            "(assert (> s (ite (or (fp.isNaN d) (fp.isInfinite d)) (fp.to_real d) "
            "(fp.to_real ((_ to_fp 4 7) RNA d)))))",
        ),
    ],
)
def test_each_row_rewrites_a_term(row: str, text: str, made: str) -> None:
    assert made in results(smt_floats.MUTATIONS, f"smt_floats.{row}", FLOATS + text, 200)


@pytest.mark.parametrize("row", [each.id for each in smt_floats.MUTATIONS])
def test_no_row_changes_a_problem_without_floats(row: str) -> None:
    assert results(smt_floats.MUTATIONS, row, "(assert (and (= a b) (= s 1.0) (f x)))") == set()


def test_a_bit_vector_has_the_same_number_when_it_is_converted_by_its_magnitude() -> None:
    for mode in ALL_MODES:
        term = parse_term(f"((_ to_fp 2 3) {print_term(mode)} v)", [V])
        others = {smt_floats.of_vector(term, Choices(b"", str(number).encode())) for number in range(40)}
        assert len(others) > 5
        for other in others:
            assert other is not None
            assert not differ(term, other), print_term(other)


def test_a_number_that_is_open_keeps_its_format() -> None:
    x = Variable("x", floating(2, 3))
    term = parse_term("(fp.to_real x)", [x])
    other = smt_floats.through_real(term, Choices(b""))
    assert not differ(term, other)
    for value in values(x, (x,)):
        is_open, as_before, _ = other.children
        assert as_before == term
        assert evaluate(is_open, {x: value}) is (evaluate(term, {x: value}) is UNDETERMINED)


def test_a_wider_format_has_all_numbers() -> None:
    for f in (Format(2, 3), Format(5, 11), Format(8, 24), Format(11, 53), Format(8, 8)):
        g = smt_floats.wider(f)
        assert g.exponent > f.exponent
        assert g.significand > f.significand
    assert evaluate(parse_term("(fp.to_real (_ NaN 2 3))", []), {}) is UNDETERMINED
