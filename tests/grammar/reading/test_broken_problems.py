"""Broken texts of SMT problems and of models: read or refused with a place, and never anything else."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.errors import ChcfuzzError, GrammarError
from chcfuzz.grammar.models.printed_models import read_model
from chcfuzz.grammar.models.structures import judge
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading.parse import checks, problem

from tests.grammar.reading.test_broken_text import broken

CORPUS = sorted((Path(__file__).resolve().parents[3] / "corpus-smt").rglob("*.smt2"))
TEXTS = [
    """(set-logic ALL)(declare-sort U 0)(declare-fun f (U Int) U)(declare-const a U)(push 1)(declare-const b Real)
    (assert (! (> b 1.5) :named n))(check-sat-assuming (n (not n)))(pop 1)(define-fun g ((x U)) U (f x 1))
    (assert (forall ((x U)) (distinct (g x) a)))(check-sat)(reset-assertions)(check-sat)(exit)""",
    """(declare-datatypes ((L 1)) ((par (T) ((nil) (cons (hd T) (tl (L T)))))))(declare-const l (L (_ BitVec 3)))
    (assert (match l ((nil true) ((cons h t) (bvult h (bvneg h))))))(assert (let ((m l)) (= m l)))(check-sat)""",
]
MODEL = """((declare-fun U!val!0 () U)(define-fun a () U U!val!0)(define-fun l () (L Int) (as @a_0 (L Int)))
(define-fun f ((x U) (y Int)) U (ite (= x a) (let ((z x)) z) (as @U_1 U)))(define-fun b () Real (- (/ 1 3)))
(define-fun m () (Array Int Bool) (store ((as const (Array Int Bool)) false) 1 true))
(define-fun v () (_ BitVec 5) #b01011)(define-fun k ((x Int)) Int (ite (and (= x 0)) 1 (- 1))))"""
DECLARED = """(declare-sort U 0)(declare-const a U)(declare-fun f (U Int) U)(declare-const b Real)
(declare-const m (Array Int Bool))(declare-const v (_ BitVec 5))(declare-fun k (Int) Int)(assert (= (f a 1) a))
(assert (forall ((x Int)) (=> (select m x) (> (k x) 0))))(assert (< b (/ 1 3)))(assert (bvult v #b11111))"""


def both(text: str) -> tuple[Problem, tuple[Problem, ...]]:
    return problem(text), checks(text)


def refusal(read: Callable[[], object]) -> str | None:
    """Why a text is refused, or None if it is read."""
    try:
        read()
    except ChcfuzzError as error:
        return str(error)
    return None


@pytest.mark.parametrize("number", [600, pytest.param(20_000, marks=pytest.mark.slow)])
def test_mutated_problems_are_read_or_refused(number: int) -> None:
    ends: Counter[str] = Counter()
    texts = TEXTS + [text for file in CORPUS[:: max(1, len(CORPUS) // 40)] if len(text := file.read_text()) < 2000]
    for seed in range(number):
        choices = Choices(hashlib.shake_256(b"broken problem %d" % seed).digest(200))
        text = broken(choices.pick(texts), choices)
        refused = refusal(partial(both, text))
        if refused is not None:
            assert re.match(r"<text>:\d+:\d+: [^\n]+$", refused), refused
            ends["refused"] += 1
            continue
        ends["read"] += 1
        stated = problem(text)
        assert stated == checks(text)[-1]
        printed = print_problem(stated)
        assert problem(printed) == stated
        assert print_problem(problem(printed)) == printed
    assert min(ends["read"], ends["refused"]) > number // 20, ends


@pytest.mark.parametrize("number", [600, pytest.param(20_000, marks=pytest.mark.slow)])
def test_mutated_models_are_read_or_refused(number: int) -> None:
    stated = problem(DECLARED)
    ends: Counter[str] = Counter()
    assert judge(stated, read_model(MODEL, stated)) == (True, False, True, True)
    for seed in range(number):
        choices = Choices(hashlib.shake_256(b"broken model %d" % seed).digest(200))
        text = broken(MODEL, choices)
        refused = refusal(partial(read_model, text, stated))
        if refused is not None:
            assert "\n" not in refused
            ends["refused"] += 1
            continue
        ends["read"] += 1
        assert len(judge(stated, read_model(text, stated))) == len(stated.assertions)
    assert min(ends["read"], ends["refused"]) > number // 20, ends


@pytest.mark.parametrize("text", TEXTS)
def test_every_prefix_is_read_or_refused(text: str) -> None:
    ends = {refusal(partial(problem, text[:end])) is None for end in range(len(text))}
    assert ends == {True, False}


@pytest.mark.parametrize(
    "text",
    [
        f"(declare-const a Bool)(assert {'(not ' * 5_000}a{')' * 5_000})",
        "(declare-const a Bool)" + "(push 1)" * 900 + "(assert a)(check-sat)",
        "(declare-const a Bool)(assert a)" + "(check-sat)" * 3000,
        "(define-fun f0 ((x Int)) Int (+ x x))"
        + "".join(f"(define-fun f{n + 1} ((x Int)) Int (f{n} (f{n} x)))" for n in range(5))
        + "(declare-const a Int)(assert (= a (f5 a)))",
    ],
)
def test_deep_long_and_doubled_texts_are_read(text: str) -> None:
    assert problem(text).assertions
    assert checks(text)


@pytest.mark.parametrize("numeral", ["9" * 5000, "-" + "9" * 5000])
def test_numbers_beyond_the_limits_are_refused(numeral: str) -> None:
    with pytest.raises(GrammarError, match="a number of more than 4000 digits"):
        problem(f"(declare-const a Int)(assert (= a {numeral}))")
    stated = problem("(declare-const a Int)(assert (= a 1))")
    assert read_model(f"(define-fun a () Int {numeral})", stated).unreadable == ("a",)
