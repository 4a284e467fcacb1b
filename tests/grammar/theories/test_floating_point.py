"""Floating point: texts, typing, values by hand, values against three solvers, and terms that are drawn."""

import random
import re
from itertools import islice

import pytest
import z3
from chcfuzz.domains.smt.passes import shrink
from chcfuzz.grammar.drawing.draw import Drawing
from chcfuzz.grammar.drawing.drawing_scope import DrawingScope
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.ieee import MODES, Format
from chcfuzz.grammar.evaluation.values import UNDETERMINED, as_term, domain, has_sort
from chcfuzz.grammar.printing.printer import print_problem, print_term
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading import parse
from chcfuzz.grammar.reading.leniences import rebuilt
from chcfuzz.grammar.sort_kinds import kind_of
from chcfuzz.grammar.sorts import BOOL, REAL, bitvec
from chcfuzz.grammar.terms import Apply, Term, Value, Variable, subterms
from chcfuzz.grammar.theories.float_kinds import MODE, floating
from chcfuzz.grammar.theories.floating_point import THEORY
from chcfuzz.grammar.theory import split_operator
from chcfuzz.triage.shrink.search import one_by_one

from tests.grammar.drawing.test_draw import stream
from tests.grammar.theories.float_terms import Comparison, drawn_terms, engines, small_terms
from tests.grammar.theories.horn_answers import answer_to

SMALL, SINGLE = floating(3, 5), floating(8, 24)
M, A, B = Variable("m", MODE), Variable("a", SMALL), Variable("b", SMALL)
V, R, P = Variable("v", bitvec(8)), Variable("r", REAL), Variable("p", BOOL)
SCOPE = (M, A, B, V, R, P)
ONE_THIRD = "(fp #b0 #b01111101 #b01010101010101010101011)"


def read(text: str) -> Term:
    return parse.parse_term(text, list(SCOPE))


def value(text: str) -> str:
    """Return the value of a closed term as text."""
    term = read(text)
    found = evaluate(term, {})
    return "open" if found is UNDETERMINED else print_term(as_term(found, term.sort))


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("Float16", "(_ FloatingPoint 5 11)"),
        ("Float32", "(_ FloatingPoint 8 24)"),
        ("Float64", "(_ FloatingPoint 11 53)"),
        ("Float128", "(_ FloatingPoint 15 113)"),
        ("(_ FloatingPoint 2 2)", "(_ FloatingPoint 2 2)"),
        ("RoundingMode", "RoundingMode"),
    ],
)
def test_sorts_are_read_and_printed(text: str, printed: str) -> None:
    stated = parse.problem(f"(declare-const x {text})(assert (= x x))")
    assert f"(declare-fun x () {printed})" in print_problem(stated)
    assert parse.problem(print_problem(stated)) == stated


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("(fp #b0 #b011 #x0)", "(fp #b0 #b011 #b0000)"),
        ("(fp #b1 #b000 #b0000)", "(_ -zero 3 5)"),
        ("(_ +oo 3 5)", "(_ +oo 3 5)"),
        ("(fp #b1 #b111 #b0000)", "(_ -oo 3 5)"),
        ("(fp #b1 #b111 #b0110)", "(_ NaN 3 5)"),
        ("(_ +zero 3 5)", "(_ +zero 3 5)"),
        ("roundNearestTiesToAway", "RNA"),
        ("roundTowardZero", "RTZ"),
        ("(fp.add RNE a b)", "(fp.add RNE a b)"),
        ("((_ to_fp 3 5) RTP (- 0.5))", "((_ to_fp 3 5) RTP (- (/ 1.0 2.0)))"),
        ("((_ to_fp 3 5) RNE 2)", "((_ to_fp 3 5) RNE 2.0)"),
        ("((_ to_fp_unsigned 3 5) m v)", "((_ to_fp_unsigned 3 5) m v)"),
        ("((_ fp.to_sbv 4) m a)", "((_ fp.to_sbv 4) m a)"),
        ("(fp ((_ extract 0 0) v) ((_ extract 3 1) v) #x0)", "(fp ((_ extract 0 0) v) ((_ extract 3 1) v) #x0)"),
    ],
)
def test_terms_are_read_and_printed(text: str, printed: str) -> None:
    assert print_term(read(text)) == printed
    assert read(printed) is read(text)


def test_parts_that_become_constants_are_a_constant_as_in_the_text() -> None:
    term = read("(fp ((_ extract 0 0) v) #b011 #x1)")
    assert rebuilt(term, [Value(1, bitvec(1)), *term.children[1:]]) is read("(fp #b1 #b011 #x1)")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("(declare-const x (_ FloatingPoint 1 5))", "at least 2 bits, not 1 and 5"),
        ("(declare-const x (_ FloatingPoint 8 1))", "at least 2 bits, not 8 and 1"),
        ("(declare-const x (_ FloatingPoint 0 0))", "at least 2 bits, not 0 and 0"),
        ("(declare-const x (_ FloatingPoint 8 1000000))", "at most 65536 bits, not 1000008"),
        ("(declare-const x (_ FloatingPoint 8))", "unknown"),
        ("(assert (= (_ NaN 1 5) (_ NaN 1 5)))", "at least 2 bits"),
        ("(assert (fp.isNaN (fp #b00 #b011 #b01)))", "fp is not defined on"),
        ("(assert (fp.isNaN (fp #b0 #b1 #b01)))", "at least 2 bits"),
        ("(assert (fp.leq (_ NaN 3 5) (_ NaN 5 3)))", "fp.leq is not defined on"),
        ("(assert (fp.isNaN (fp.add (_ NaN 3 5) (_ NaN 3 5))))", "fp.add is not defined on"),
        ("(assert (= RNE ((_ to_fp 3 5) #x0)))", "(_ to_fp 3 5) is not defined on"),
        ("(assert (fp.isNaN ((_ to_fp 3) RNE 1.0)))", "(_ to_fp 3) is not defined on"),
        ("(assert (= #x1 ((_ fp.to_ubv 0) RNE (_ NaN 3 5))))", "1 to 65536 bits, not 0"),
        ("(declare-const fp.add Bool)", "has a meaning already"),
    ],
)
def test_wrong_texts_are_refused_in_one_line(text: str, error: str) -> None:
    with pytest.raises(ChcfuzzError) as raised:
        parse.problem(text)
    assert error in str(raised.value)
    assert "\n" not in str(raised.value)


def test_declared_symbols_with_names_of_the_theory_are_renamed() -> None:
    stated = parse.problem("(declare-const RNE Int)(declare-fun fp (Int) Int)(assert (= (fp RNE) 1))")
    assert "(= (fp! RNE!) 1)" in print_problem(stated)
    bound = read("(forall ((RNE Int)) (= RNE 1))")
    assert "(RNE " not in print_term(bound)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(fp.div RNE ((_ to_fp 8 24) RNE 1.0) ((_ to_fp 8 24) RNE 3.0))", ONE_THIRD),
        ("(fp.add RNE (_ -zero 3 5) (_ +zero 3 5))", "(_ +zero 3 5)"),
        ("(fp.add RTN (_ -zero 3 5) (_ +zero 3 5))", "(_ -zero 3 5)"),
        ("(fp.add RTN (_ +zero 3 5) (_ +zero 3 5))", "(_ +zero 3 5)"),
        ("(fp.sub RNE (_ -oo 3 5) (_ -oo 3 5))", "(_ NaN 3 5)"),
        ("(fp.mul RNE (_ -oo 3 5) (_ +zero 3 5))", "(_ NaN 3 5)"),
        ("(fp.div RNE (_ NaN 3 5) (_ +zero 3 5))", "(_ NaN 3 5)"),
        ("(fp.div RNE (fp #b0 #b011 #x0) (_ -zero 3 5))", "(_ -oo 3 5)"),
        ("(fp.sqrt RNE (_ -zero 3 5))", "(_ -zero 3 5)"),
        ("(fp.sqrt RNE (fp #b1 #b011 #x0))", "(_ NaN 3 5)"),
        ("(fp.sqrt RTP (fp #b0 #b100 #x0))", "(fp #b0 #b011 #b0111)"),
        ("(fp.sqrt RTZ (fp #b0 #b100 #x0))", "(fp #b0 #b011 #b0110)"),
        ("(fp.add RTZ (fp #b0 #b110 #xf) (fp #b0 #b110 #xf))", "(fp #b0 #b110 #b1111)"),
        ("(fp.add RNA (fp #b0 #b110 #xf) (fp #b0 #b110 #xf))", "(_ +oo 3 5)"),
        ("(fp.fma RTN (fp #b0 #b011 #x0) (fp #b0 #b011 #x0) (fp #b1 #b011 #x0))", "(_ -zero 3 5)"),
        ("(fp.rem (fp #b0 #b100 #x8) (fp #b0 #b011 #x0))", "(_ +zero 3 5)"),
        ("(fp.rem (fp #b0 #b100 #x4) (fp #b0 #b011 #x0))", "(fp #b0 #b010 #b0000)"),
        ("(fp.rem (fp #b1 #b100 #x8) (_ +oo 3 5))", "(fp #b1 #b100 #b1000)"),
        ("(fp.roundToIntegral RNE (fp #b1 #b010 #x0))", "(_ -zero 3 5)"),
        ("(fp.roundToIntegral RNA (fp #b1 #b010 #x0))", "(fp #b1 #b011 #b0000)"),
        ("(fp.min (_ NaN 3 5) (_ -oo 3 5))", "(_ -oo 3 5)"),
        ("(fp.max (_ NaN 3 5) (_ NaN 3 5))", "(_ NaN 3 5)"),
        ("(fp.min (_ -zero 3 5) (_ -zero 3 5))", "(_ -zero 3 5)"),
        ("(fp.eq (_ -zero 3 5) (_ +zero 3 5))", "true"),
        ("(= (_ -zero 3 5) (_ +zero 3 5))", "false"),
        ("(= (_ NaN 3 5) (_ NaN 3 5))", "true"),
        ("(fp.eq (_ NaN 3 5) (_ NaN 3 5))", "false"),
        ("(fp.leq (_ -oo 3 5) (_ -zero 3 5) (_ +zero 3 5) (_ +oo 3 5))", "true"),
        ("(fp.lt (_ -zero 3 5) (_ +zero 3 5))", "false"),
        ("(or (fp.isNegative (_ NaN 3 5)) (fp.isPositive (_ NaN 3 5)))", "false"),
        ("(fp.isSubnormal (fp #b0 #b000 #x1))", "true"),
        ("(fp.neg (_ NaN 3 5))", "(_ NaN 3 5)"),
        ("((_ to_fp 3 5) #xff)", "(_ NaN 3 5)"),
        ("((_ to_fp 3 5) RNE #xff)", "(fp #b1 #b011 #b0000)"),
        ("((_ to_fp_unsigned 3 5) RNE #xff)", "(_ +oo 3 5)"),
        ("((_ to_fp_unsigned 3 5) RTZ #xff)", "(fp #b0 #b110 #b1111)"),
        ("((_ to_fp 2 3) RNE (_ NaN 3 5))", "(_ NaN 2 3)"),
        ("((_ fp.to_ubv 4) RNE (fp #b1 #b010 #x0))", "#x0"),
        ("((_ fp.to_sbv 4) RTN (fp #b1 #b010 #x0))", "#xf"),
        ("(fp.to_real (fp #b1 #b010 #x8))", "(- (/ 3.0 4.0))"),
    ],
)
def test_values_follow_smtlib(text: str, expected: str) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "(fp.min (_ -zero 3 5) (_ +zero 3 5))",
        "(fp.max (_ +zero 3 5) (_ -zero 3 5))",
        "((_ fp.to_ubv 4) RTN (fp #b1 #b010 #x0))",
        "((_ fp.to_ubv 3) RNE (fp #b0 #b110 #x0))",
        "((_ fp.to_sbv 4) RNE (fp #b0 #b110 #x0))",
        "((_ fp.to_ubv 4) RNE (_ NaN 3 5))",
        "((_ fp.to_sbv 4) RNE (_ +oo 3 5))",
        "(fp.to_real (_ -oo 3 5))",
        "(fp.to_real (_ NaN 3 5))",
    ],
)
def test_values_that_smtlib_leaves_open_are_undetermined(text: str) -> None:
    assert value(text) == "open"


def test_arithmetic_in_formats_with_huge_exponents_is_undetermined() -> None:
    huge = "(_ +oo 60 4)"
    assert value(f"(fp.add RNE {huge} {huge})") == "open"
    assert value(f"(fp.isInfinite (fp.neg {huge}))") == "true"
    assert kind_of(floating(60, 4)).number(3, floating(60, 4)).value == 0


def test_the_values_of_a_small_format_have_one_nan_and_two_zeros() -> None:
    values = domain(floating(2, 3), 100)
    assert values is not None
    texts = [print_term(as_term(each, floating(2, 3))) for each in values]
    assert len(texts) == len(set(texts)) == 27
    assert {"(_ NaN 2 3)", "(_ +zero 2 3)", "(_ -zero 2 3)"} <= set(texts)
    assert all(has_sort(each, floating(2, 3)) for each in values)
    assert not has_sort(Format(2, 3).nan + 1, floating(2, 3))
    assert value("(exists ((x (_ FloatingPoint 2 3))) (not (fp.eq x x)))") == "true"
    assert value("(forall ((m RoundingMode)) (fp.isNaN (fp.sqrt m (_ -oo 3 5))))") == "true"


def test_every_operator_is_drawn_and_reads_back() -> None:
    drawing = Drawing(DrawingScope(SCOPE, (), ()))
    drawn = [drawing.term(sort, stream(n), 12) for sort in (BOOL, SMALL, MODE, V.sort, REAL) for n in range(200)]
    names = {split_operator(here.operator)[0] for each in drawn for here in subterms(each) if isinstance(here, Apply)}
    assert {each.name for each in THEORY.operators} <= names
    for each in drawn:
        assert read(print_term(each)) is each
    assert len(
        {here.value for each in drawn for here in subterms(each) if isinstance(here, Value) and here.sort is MODE}
    ) == len(MODES)


@pytest.mark.parametrize(("bound", "answer"), [("(fp.leq x (_ +oo 2 3))", z3.sat), ("(fp.lt x #4.0)", z3.unsat)])
def test_spacer_decides_systems_with_floats(bound: str, answer: object) -> None:
    one, four = ("((_ to_fp 2 3) RNE 1.0)", "((_ to_fp 2 3) RNE 2.0)")
    found = answer_to(f"""(set-logic HORN)(declare-fun p ((_ FloatingPoint 2 3)) Bool)(assert (p (_ +zero 2 3)))
        (assert (forall ((x (_ FloatingPoint 2 3))) (=> (p x) (p (fp.add RNE x {one})))))
        (assert (forall ((x (_ FloatingPoint 2 3))) (=> (p x) {bound.replace("#4.0", four)})))""")
    assert found == answer


def test_a_problem_is_reduced_to_a_small_format() -> None:
    text = """(declare-const x Float32)(declare-const y Float64)(declare-const m RoundingMode)
    (assert (and (fp.lt (fp.add m x ((_ to_fp 8 24) RNE y)) (fp #b0 #x81 #b11000000000000000000001)) (fp.isNormal y)))
    (assert (fp.isNaN (fp.abs (fp.neg x))))"""

    def passes(problem: Problem) -> bool:
        return "fp.lt" in print_problem(problem) and "to_fp" in print_problem(problem)

    *_, last = shrink(parse.problem(text), one_by_one(passes), lambda _: None)
    printed = print_problem(last.system)
    assert "(assert (fp.lt " in printed
    assert re.findall(r"(\(_ FloatingPoint \d+ \d+\)|_ to_fp \d+ \d+)", printed) == ["_ to_fp 2 2"]
    assert "RNE" in printed


def test_values_become_simpler_until_zero() -> None:
    for pattern in (0x3FC90FDB, 0xFF800000, 0x7FC00000, 0x80000000, 1):
        value = Value(pattern, SINGLE)
        while simpler := kind_of(SINGLE).simpler(value):
            assert all(has_sort(each.value, SINGLE) and each.value < value.value for each in simpler)
            value = simpler[len(simpler) // 2]
        assert value.value == 0


def solvers_agree(comparison: Comparison) -> None:
    assert comparison.differences == []
    assert not [row for row in comparison.tally if "confirms" not in row and "value" not in row and "open" not in row]


def test_solvers_agree_on_drawn_ground_terms() -> None:
    comparison = Comparison(engines())
    comparison.compare(islice(drawn_terms(random.Random(2)), 1000))
    solvers_agree(comparison)
    assert comparison.tally["z3 confirms"] > 900
    assert comparison.tally["bitwuzla confirms"] > 400


@pytest.mark.exhaustive
def test_solvers_agree_on_all_values_of_small_formats() -> None:
    comparison = Comparison(engines())
    comparison.compare(small_terms())
    solvers_agree(comparison)
    assert comparison.tally["z3 confirms"] == comparison.tally["with a value"] > 500_000
