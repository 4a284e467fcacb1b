"""A refutation that is printed and read is itself, and a broken line is named."""

from pathlib import Path

import pytest
from chcfuzz.domains.chc.oracles.refutation import DerivationStep as Step
from chcfuzz.domains.chc.oracles.refutation import Refutation, fault
from chcfuzz.domains.chc.oracles.refutation_text import (
    RefutationError,
    counted_from_1,
    parse_fact,
    parse_refutation,
    print_refutation,
)
from chcfuzz.grammar.evaluation.values import Constructed
from chcfuzz.grammar.printing.witness import Fact
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System

from tests.domains.chc.oracles.test_refutation import LOOP, PREDICATE, RIGHT

ROOT = Path(__file__).resolve().parents[4]
CORPUS = ROOT / "corpus"
WITNESSES = ROOT / "seeds" / "witnesses"
DERIVATIONS = sorted(path.relative_to(WITNESSES).with_suffix("") for path in WITNESSES.rglob("*.derivation"))

AWKWARD = parse(
    """(declare-datatypes ((|a, List| 0)) (((|- |) (|c, (| (|head = | Int) (|tail, from 1| |a, List|)))))
    (declare-fun |p, from 0 | (Int |a, List|) Bool)
    (declare-fun |q
    r| () Bool)
    (assert (forall ((|x, y| Int) (from Int) (dash Int) (|a = b| Int) (|from 1| |a, List|))
      (=> (and (= |x, y| from (+ dash 1) (- |a = b|)) (distinct |from 1| (|c, (| 1 |- |)))
          (|p, from 0 | |x, y| |from 1|))))
    (assert (forall ((|)  - | |a, List|) (|1| Int) (|;| Int))
      (=> (and (|p, from 0 | |1| |)  - |) (< |;| 3)) |q
    r|)))
    (assert (=> |q
    r| false))"""
)

LINES = print_refutation(LOOP, RIGHT).splitlines()


def read(system: System, *lines: str) -> Refutation:
    return parse_refutation(system, "".join(f"{line}\n" for line in lines))


@pytest.mark.parametrize("name", DERIVATIONS, ids=str)
def test_a_witness_printed_and_read_is_itself(name: Path) -> None:
    system = parse((CORPUS / name).with_suffix(".smt2").read_text(), str(name))
    text = (WITNESSES / name).with_suffix(".derivation").read_text()
    refutation = parse_refutation(system, text)
    assert fault(system, refutation) is None
    assert print_refutation(system, refutation) == text
    assert parse_refutation(system, print_refutation(system, refutation)) == refutation


def test_names_that_look_like_the_notation_are_read_as_names() -> None:
    p, q = AWKWARD.predicates
    nil = Constructed(p.parameters[1], "|- |")
    one = Constructed(nil.sort, "|c, (|", (5, nil))
    refutation = (
        Step(0, (), (5, 5, 4, -5, nil), Fact(p, (5, nil))),
        Step(0, (), (5, 5, 4, -5, one), Fact(p, (5, one))),
        Step(1, (0,), (nil, 5, 2), Fact(q, ())),
        Step(2, (2, 1), (), None),
    )
    assert fault(AWKWARD, refutation) is None
    text = print_refutation(AWKWARD, refutation)
    start = "0: clause 0, |x, y| = 5, from = 5, dash = 4, |a = b| = (- 5), |from 1| = |- | |- (|p, from 0 | 5 |- |)\n"
    assert text.startswith(start)
    assert parse_refutation(AWKWARD, text) == refutation


def test_a_text_without_a_line_is_a_refutation_without_a_step() -> None:
    assert parse_refutation(LOOP, "") == ()


def test_the_text_is_a_line_a_step() -> None:
    assert LINES == [
        "0: clause 0 |- (loop 0)",
        "1: clause 1, from 0, x = 0, y = 2 |- (loop 2)",
        "2: clause 2, from 1, x = 2 |- false",
    ]
    assert read(LOOP, *LINES) == RIGHT
    assert parse_refutation(LOOP, "\n".join(LINES)) == RIGHT, "the last line may lack its end"


@pytest.mark.parametrize(
    "line",
    [
        "",
        "1: clause 1",
        "2: clause 1, from 0, x = 0, y = 2 |- (loop 2)",
        "clause 1, from 0, x = 0, y = 2 |- (loop 2)",
        "1: clause one, from 0, x = 0, y = 2 |- (loop 2)",
        "1: clause 9, from 0, x = 0, y = 2 |- (loop 2)",
        "1: clause -1, from 0, x = 0 |- (loop 2)",
        "1: clause 1, from zero, x = 0, y = 2 |- (loop 2)",
        "1: clause 1, from 0, x = 0 |- (loop 2)",
        "1: clause 1, from 0, x = 0, y = 2, z = 3 |- (loop 2)",
        "1: clause 1, from 0, x = 0, y: 2 |- (loop 2)",
        "1: clause 1, from 0, x = 0, y = |- (loop 2)",
        "1: clause 1, from 0, x = 0, y = 2 -> (loop 2)",
        "1: clause 1, from 0, x = 0, y = 2 |- (loop 2) |- false",
        "1: clause 1, from 0, x = 0, y = 2 |- (loop 2",
        "1: clause 1, from 0, x = 0, y = 2 |- (loop x)",
        "1: clause 1, from 0, x = 0, y = 2 |- (other 2)",
        "1: clause 1, from 0, x = 0, y = 2 |- (= 2 2)",
        "1: clause 1, from 0, x = 0, y = 2 |- (loop (div 1 0))",
        "1: clause 1, from 0, x = 0, y = (div 1 0) |- (loop 2)",
        "1: clause 1, from 0, x = 0, y = 2)) |- (loop 2)",
        "1: clause 1, from 0, x = 0, y = 2 |- true",
        "1: clause 1, from 0, x = |0, y = 2 |- (loop 2)",
    ],
)
def test_broken_text_is_rejected_in_one_line_with_its_place(line: str) -> None:
    with pytest.raises(RefutationError) as caught:
        read(LOOP, LINES[0], line, LINES[2])
    assert str(caught.value).startswith("step 1 of a refutation cannot be read: ")
    assert len(str(caught.value).splitlines()) == 1
    assert len(str(caught.value)) < 120


@pytest.mark.slow
def test_a_long_value_is_printed_and_read_without_recursion() -> None:
    system = parse(
        """(declare-datatypes ((N 0)) (((zero) (next (before N)))))
        (declare-fun p (N) Bool)
        (assert (forall ((n N)) (=> (not (= n zero)) (p n))))
        (assert (forall ((n N)) (=> (p n) false)))"""
    )
    (sort,) = system.predicates[0].parameters
    value = Constructed(sort, "zero")
    for _ in range(3_000):
        value = Constructed(sort, "next", (value,))
    refutation = (
        Step(0, (), (value,), Fact(system.predicates[0], (value,))),
        Step(1, (0,), (value,), None),
    )
    assert fault(system, refutation) is None
    assert parse_refutation(system, print_refutation(system, refutation)) == refutation


def test_a_fact_is_read_as_text() -> None:
    assert parse_fact(LOOP, "(loop (- 3))") == Fact(PREDICATE, (-3,))
    assert str(Fact(PREDICATE, (-3,))) == "(loop (- 3))"


def test_a_person_reads_steps_and_clauses_that_are_counted_from_1() -> None:
    text = print_refutation(LOOP, RIGHT)
    shown = counted_from_1(text)
    assert shown.splitlines()[:3] == [
        "; steps and clauses are counted from 1",
        "1: clause 1 |- (loop 0)",
        "2: clause 2, from 1, x = 0, y = 2 |- (loop 2)",
    ]
    assert counted_from_1(shown) == shown


def test_names_keep_their_numbers() -> None:
    name = "|7: clause 8, from 9\n3: clause 4|"
    text = f"0: clause 0, {name} = |- | |- (p |- |)\n1: clause 0, from 0 |- false"
    shown = f"1: clause 1, {name} = |- | |- (p |- |)\n2: clause 1, from 1 |- false"
    assert counted_from_1(text) == f"; steps and clauses are counted from 1\n{shown}"
