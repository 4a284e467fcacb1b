"""Texts for Yices and MathSAT, which have parts of SMT-LIB: the words that they use, and refusals by name."""

import re

import pytest
import z3
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printing.dialects import print_for, reader_of_program
from chcfuzz.grammar.reading.parse import problem
from chcfuzz.grammar.terms import Apply, subterms
from chcfuzz.grammar.theory import split_operator

from tests.grammar.printing.test_dialects import BITS, NUMBERS, problems, z3_answer

# The operators in the table of symbols of Yices's frontend for SMT-LIB 2.
YICES = set(
    """not => and or xor = distinct ite select store - + * / <= < >= > div mod abs to_real to_int is_int divisible
    concat extract repeat bvcomp bvredand bvredor bvnot bvand bvor bvnand bvnor bvxor bvxnor bvneg bvadd bvsub bvmul
    bvudiv bvurem bvsdiv bvsrem bvsmod bvshl bvlshr bvashr zero_extend sign_extend rotate_left rotate_right bvult bvule
    bvugt bvuge bvslt bvsle bvsgt bvsge""".split()  # noqa: SIM905 - a list of them would not be easier to read
)
READERS = ("yices", "mathsat")
FLOATS = "(declare-const x (_ FloatingPoint 3 5))(declare-const r Real)(declare-const b Bool)"


def test_texts_for_yices_have_the_operators_of_its_table() -> None:
    refused, used = set(), set[str]()
    for stated in [each for groups in (NUMBERS, (BITS,)) for each in problems(groups)]:
        for reader in READERS:
            try:
                text = print_for(stated, reader)
            except ChcfuzzError as error:
                refused.add(str(error))
                continue
            found = {split_operator(t.operator)[0] for t in subterms(*problem(text).formulas) if isinstance(t, Apply)}
            assert found <= YICES
            used |= found
    assert used == YICES - {"concat", "divisible", "bvredand", "bvredor"}  # no widths to join; written in others
    assert refused == {f"{reader} does not have {word}" for reader in READERS for word in ("bv2nat", "int2bv")}


def test_a_text_for_a_fragment_has_the_same_answer() -> None:
    stated = problem(
        "(declare-sort U 0)(declare-const u U)(declare-fun f (U Int) Int)"
        "(declare-const v (_ BitVec 4))(declare-const r Real)"
        "(assert (bvsmulo v v))(assert (= (bvredor v) #b1))"
        "(assert (< 1 (abs (f u 3)) 3))(assert (> (abs r) (/ 1.0 3.0)))"
    )
    for reader in READERS:
        text = print_for(stated, reader)
        assert "bvsmulo" not in text
        assert "bvredor" not in text
        assert re.search(r"\(abs r\)", text) is None
        assert z3_answer(text) == "sat"
        assert z3_answer(text.replace("(check-sat)", "(assert (= v #x1))")) == "unsat"


@pytest.mark.parametrize(
    ("text", "yices", "mathsat"),
    [
        ("(assert (forall ((n Int)) (> n 0)))", "quantifiers", "quantifiers"),
        ("(declare-datatypes ((T 0)) (((a) (b (c Int)))))(declare-const t T)(assert (= t a))", *["data types"] * 2),
        ('(declare-const s String)(assert (= s "a"))', "the sort String", "the sort String"),
        ("(declare-const s (Seq Int))(assert (= s s))", "the sort Seq", "the sort Seq"),
        ("(declare-const a (Array Int Int))(assert (= a ((as const (Array Int Int)) 3)))", "constant arrays", ""),
        ("(declare-const a (Array Int Int))(assert (= (select a 1) 3))", "", ""),
        ("(declare-const v (_ BitVec 3))(assert (= (bv2nat v) 1))", "bv2nat", "bv2nat"),
        ("(declare-const x Float32)(assert (fp.isNaN x))", "the sort FloatingPoint", ""),
        (FLOATS + "(assert (= (fp.add RTZ x x) (fp.sqrt RNE x)))", "the sort FloatingPoint", ""),
        (FLOATS + "(assert (= (fp.add RNA x x) x))", "the sort FloatingPoint", "the rounding mode RNA"),
        (FLOATS + "(assert (= (fp.rem x x) x))", "the sort FloatingPoint", "fp.rem"),
        (FLOATS + "(assert (= (fp.fma RNE x x x) x))", "the sort FloatingPoint", "fp.fma"),
        (FLOATS + "(assert (= (fp.to_real x) r))", "the sort FloatingPoint", "fp.to_real"),
        (FLOATS + "(assert (= ((_ to_fp 3 5) RNE r) x))", "the sort FloatingPoint", "to_fp"),
        (FLOATS + "(assert (= ((_ to_fp 3 5) RNE ((_ fp.to_sbv 8) RTP x)) x))", "the sort FloatingPoint", ""),
        ("(declare-const m RoundingMode)(assert (= m RNE))", "the sort RoundingMode", "symbols of RoundingMode"),
    ],
)
def test_a_part_that_a_solver_does_not_have_is_named(text: str, yices: str, mathsat: str) -> None:
    stated = problem(text)
    for reader, part in (("yices", yices), ("mathsat", mathsat)):
        if part:
            with pytest.raises(ChcfuzzError, match=f"^{reader} does not have {part}"):
                print_for(stated, reader)
        else:
            printed = print_for(stated, reader)
            assert problem(printed).formulas == stated.formulas
            z3.Solver(ctx=z3.Context()).from_string(printed)


def test_the_programs_of_a_reader_get_its_texts() -> None:
    assert reader_of_program("yices-smt2") == "yices"
    assert reader_of_program("mathsat") == "mathsat"
    assert reader_of_program("z3") == ""
