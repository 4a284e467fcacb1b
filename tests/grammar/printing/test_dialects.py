"""Texts for each reader: read by the real solvers, with the answer of the canonical text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import bitwuzla
import cvc5
import pytest
import z3
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.printing.dialects import READERS, print_for
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.problem import Assertion, Problem
from chcfuzz.grammar.reading.parse import problem
from chcfuzz.grammar.sorts import BOOL, INT, REAL, Sort, array, bitvec
from chcfuzz.grammar.terms import Apply, Call, Function, real, vector
from chcfuzz.grammar.theories.strings import string
from chcfuzz.grammar.theory import applications, operators

BITS = (BOOL, bitvec(1), bitvec(4), array(bitvec(4), bitvec(4)))
NUMBERS = ((BOOL, INT, REAL), (INT, bitvec(4), array(INT, bitvec(4))))


def z3_answer(text: str) -> str:
    solver = z3.Solver(ctx=z3.Context())
    solver.set("rlimit", 500_000)
    solver.from_string(text)
    return str(solver.check())


def cvc5_answer(text: str) -> str:
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("arrays-exp", "true")
    solver.setOption("rlimit", "50000")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "text")
    answers = []
    while not (command := parser.nextCommand()).isNull():
        answers.append(command.invoke(solver, parser.getSymbolManager()).strip())
    (answer,) = filter(None, answers)
    return str(answer).split()[0]  # unknown has a reason


def bitwuzla_answer(text: str) -> str:
    parser = bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options())
    parser.parse(text, True, False)
    return str(parser.bitwuzla().check_sat())


WRITTEN_OUT = {name: row.written_out for name, row in operators().items() if row.written_out}
ANSWERS = {"z3": z3_answer, "cvc5": cvc5_answer, "bitwuzla": bitwuzla_answer}


def problems(groups: tuple[tuple[Sort, ...], ...]) -> Iterator[Problem]:
    """One problem for each operator and each list of sorts that it takes: its result is a constant."""
    for sorts in groups:
        for result, by_name in applications(sorts, with_smt_operators=True).items():
            for name, found in by_name.items():
                for operator, domain in {domain: (operator, domain) for operator, domain in found}.values():
                    args = [Function(f"{name}-{number}", (), sort) for number, sort in enumerate(domain)]
                    value = Function("result", (), result)
                    term = Apply("=", (Call(value), Apply(operator, list(map(Call, args)))))
                    yield Problem((), (), (*args, value), (Assertion(term),))


@pytest.mark.parametrize(("reader", "groups"), [("z3", NUMBERS), ("z3", (BITS,)), ("bitwuzla", (BITS,))])
def test_every_operator_is_read(reader: str, groups: tuple[tuple[Sort, ...], ...]) -> None:
    answers = {ANSWERS[reader](print_for(each, reader)) for each in problems(groups)}
    assert answers == {"sat"}


@pytest.mark.slow
@pytest.mark.parametrize("groups", [NUMBERS, (BITS,)])
@pytest.mark.parametrize("reader", ["cvc5", "smtlib"])
def test_every_operator_is_read_by_cvc5(reader: str, groups: tuple[tuple[Sort, ...], ...]) -> None:
    answers = {cvc5_answer(print_for(each, reader)) for each in problems(groups)}
    assert answers <= {"sat", "unknown"}


@pytest.mark.parametrize(
    "operator", sorted(each for each in WRITTEN_OUT if each != "abs" and not each.startswith(("str.", "set.")))
)
def test_an_operator_written_out_has_the_same_values(operator: str) -> None:
    unary = operator in ("bvredor", "bvredand", "bvnego", "sbv_to_int")
    for width in (1, 3):
        for numbers in product(range(1 << width), repeat=1 if unary else 2):
            args = [vector(number, width) for number in numbers]
            assert evaluate(WRITTEN_OUT[operator](*args), {}) == evaluate(Apply(operator, args), {}), numbers


def test_the_absolute_value_written_out_has_the_same_values() -> None:
    for number in (-2, 0, 3):
        assert evaluate(WRITTEN_OUT["abs"](real(number)), {}) == abs(number)


def test_a_chain_of_strings_written_out_has_the_same_values() -> None:
    for words, name in product(product(("", "a", "b"), repeat=3), ("str.<", "str.<=")):
        args = [string(word) for word in words]
        assert evaluate(WRITTEN_OUT[name](*args), {}) is evaluate(Apply(name, args), {})


MIXED = """(declare-sort |odd sort| 0)(declare-const |let| Int)(declare-const |odd name| |odd sort|)
(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))(declare-const l L)(declare-const r Real)
(declare-const m (Array Int Int))(declare-fun f (|odd sort| Bool) Int)(declare-const v (_ BitVec 4))
(assert (= m ((as const (Array Int Int)) (f |odd name| true))))
(assert (forall ((x Int)) (=> (< 0 x 3) (= (select ((as const (Array Int Int)) x) 3) x))))
(assert (= (select m 7) (+ (bv2nat v) (sbv_to_int v))))(assert (bvsmulo v v))(assert (= (bvredor v) #b1))
(assert (= ((_ int2bv 4) (abs (- 3))) #b0011))(assert (> (abs r) 0.5))
(assert ((_ is cons) l))(assert (distinct (hd l) (hd (tl l))))
"""


@pytest.mark.parametrize("reader", ["z3", "cvc5", "smtlib"])
@pytest.mark.parametrize("more", ["", "(assert (distinct (select m 1) (select m 2)))"])
def test_a_mixed_problem_is_read_with_the_same_answer(reader: str, more: str) -> None:
    stated = problem(MIXED.replace("|let|", "lot") + more)
    text = print_for(stated, reader)
    wanted = "unsat" if more else "sat"
    assert z3_answer(text) in (wanted, "unknown")
    if reader != "z3":  # cvc5 refuses constant arrays of other terms
        assert cvc5_answer(text) in (wanted, "unknown")
    assert problem(text).theories >= stated.theories


def test_the_forms_of_the_readers() -> None:
    stated = problem(MIXED.replace("|let|", "lot"))
    assert print_for(stated, "z3") == print_problem(stated)
    assert "ubv_to_int" in print_for(stated, "cvc5")
    assert "(_ int_to_bv 4)" in print_for(stated, "smtlib")
    assert "bvredor" not in print_for(stated, "smtlib")
    assert "as const" not in print_for(stated, "smtlib")
    assert "bvsmulo" not in print_for(stated, "princess")
    assert "bv2nat" in print_for(stated, "princess")
    three = problem("(declare-const a Int)(assert (= (div a a a) a))")
    assert "(div (div a a) a)" in print_for(three, "princess")
    value = problem("(declare-const m (Array Int Int))(assert (= m ((as const (Array Int Int)) 3)))")
    assert "as const" in print_for(value, "cvc5")


def test_a_reader_that_is_not_known_is_refused_in_one_line() -> None:
    stated = problem("(declare-const a Bool)(assert a)")
    assert all(print_for(stated, reader) for reader in READERS)
    with pytest.raises(ChcfuzzError, match="boolector is not a reader of problems; name one of smtlib"):
        print_for(stated, "boolector")


def test_new_names_are_in_nothing_else() -> None:
    text = """(declare-const constant Int)(declare-const m (Array Int Int))
    (assert (forall ((index Int) (constant!1 Int)) (= (select ((as const (Array Int Int)) (+ index constant)) 0)
        index)))"""
    stated = problem(text)
    printed = problem(print_for(stated, "smtlib"))
    assert [each.name for each in printed.functions] == ["constant", "m", "constant!2"]
    assert printed.functions[2].parameters == (INT,)
