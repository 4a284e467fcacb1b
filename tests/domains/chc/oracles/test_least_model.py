"""The facts of small systems as models."""

from chcfuzz.domains.chc.oracles.least_model import least_model
from chcfuzz.domains.chc.witness_search import model_witness
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import as_system
from chcfuzz.solvers.watchdog import Watchdog

_RLIMIT = 1_000_000

# Z3 5.4.1 answers unsat: of the fact that is derived last, Spacer keeps the first value alone.
SUMS = """
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((i Int) (s Int) (y (Array Int Int)))
  (=> (and (p (select y 1) (select y 0)) (< (select y 1) 4) (= i (+ (select y 1) 1)) (= s (+ (select y 0) i)))
      (p i s))))
(assert (forall ((i Int) (s Int)) (=> (and (p i s) (>= i 4) (not (= (* 2 s) (* i (+ i 1))))) false)))
"""


def _model_of(text: str) -> str | None:
    return least_model(as_system(parse(text)), _RLIMIT, Watchdog(60))


def test_all_facts_of_a_counter_are_a_model_that_is_checked() -> None:
    model = _model_of(SUMS)
    assert model is not None
    assert model.count("(and ") == 5
    witness = model_witness(as_system(parse(SUMS)), model, "all facts", Watchdog(60))
    assert witness is not None
    assert witness.text == model


def test_a_predicate_without_facts_is_false() -> None:
    text = "(declare-fun p (Bool) Bool)(declare-fun q () Bool)(assert (=> q (p true)))(assert (=> (p true) false))"
    assert _model_of(text) == "(define-fun p ((x!0 Bool)) Bool false)\n(define-fun q () Bool false)"


def test_facts_of_data_types_and_arrays_are_values() -> None:
    text = """
    (declare-datatype Colour ((red) (dark (of Colour))))
    (declare-fun p (Colour (Array Int Bool)) Bool)
    (assert (p red (store ((as const (Array Int Bool)) false) 3 true)))
    (assert (forall ((c Colour) (a (Array Int Bool))) (=> (and (p c a) (= c red)) (p (dark c) a))))
    (assert (forall ((c Colour) (a (Array Int Bool))) (=> (and (p c a) (not (select a 3))) false)))
    """
    model = _model_of(text)
    assert model is not None
    assert model.count("(= x!0 ") == 2
    assert model_witness(as_system(parse(text)), model, "all facts", Watchdog(60)) is not None


def test_a_counter_without_end_has_no_model_of_facts() -> None:
    text = "(declare-fun p (Int) Bool)(assert (p 0))(assert (forall ((i Int)) (=> (p i) (p (+ i 1)))))"
    assert _model_of(text) is None


def test_facts_that_reach_false_are_no_witness() -> None:
    text = "(declare-fun p (Int) Bool)(assert (p 0))(assert (forall ((i Int)) (=> (p i) false)))"
    model = _model_of(text)
    assert model == "(define-fun p ((x!0 Int)) Bool (= x!0 0))"
    assert model_witness(as_system(parse(text)), model, "all facts", Watchdog(60)) is None


def test_a_rule_that_comes_before_its_facts_is_asked_again() -> None:
    text = """
    (declare-fun p (Int) Bool)(declare-fun q (Int) Bool)
    (assert (forall ((x Int)) (=> (p x) (q (+ x 1)))))
    (assert (p 0))
    """
    assert _model_of(text) == ("(define-fun p ((x!0 Int)) Bool (= x!0 0))\n(define-fun q ((x!0 Int)) Bool (= x!0 1))")
