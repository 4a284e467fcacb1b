"""Seed texts: read once, remembered, and some that are always there."""

from __future__ import annotations

import functools
from collections import OrderedDict

from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.parse import parse
from chcfuzz.grammar.printer import print_system
from chcfuzz.grammar.system import System

# What bytes stand for that name no seed of their own.
BUILT_IN = (
    """(set-logic HORN)
(set-info :status sat)
(declare-fun inv (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (inv x y))))
(assert (forall ((x Int) (y Int) (x1 Int) (y1 Int))
  (=> (and (inv x y) (< x 10) (= x1 (+ x 1)) (= y1 (+ y 2))) (inv x1 y1))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (>= x 10) (not (= y 20))) false)))
(check-sat)
""",
    """(set-logic HORN)
(set-info :status unsat)
(declare-fun fib (Int Int) Bool)
(assert (forall ((n Int)) (=> (and (>= n 0) (< n 2)) (fib n n))))
(assert (forall ((n Int) (a Int) (b Int))
  (=> (and (>= n 2) (fib (- n 1) a) (fib (- n 2) b)) (fib n (+ a b)))))
(assert (forall ((n Int) (r Int)) (=> (and (fib n r) (= n 4) (not (= r 4))) false)))
(check-sat)
""",
    """(set-logic HORN)
(set-info :status sat)
(declare-fun even (Real Bool) Bool)
(declare-fun odd (Real Bool) Bool)
(assert (forall ((x Real) (b Bool)) (=> (and (= x 0.0) b) (even x b))))
(assert (forall ((x Real) (b Bool)) (=> (even x b) (odd (+ x 1.0) (not b)))))
(assert (forall ((x Real) (b Bool)) (=> (odd x b) (even (+ x 1.0) (not b)))))
(assert (forall ((x Real) (b Bool)) (=> (and (or (even x b) (odd x (not b))) (not b)) false)))
(check-sat)
""",
    """(set-logic HORN)
(set-info :status unsat)
(declare-fun filled (Int (Array Int Int)) Bool)
(assert (forall ((a (Array Int Int))) (filled 0 a)))
(assert (forall ((i Int) (a (Array Int Int)))
  (=> (and (filled i a) (< i 3)) (filled (+ i 1) (store a i 7)))))
(assert (forall ((i Int) (a (Array Int Int))) (=> (and (filled i a) (= i 3) (= (select a 1) 7)) false)))
(check-sat)
""",
)


_MOST_REMEMBERED = 8192
_remembered: OrderedDict[str, System | GrammarError] = OrderedDict()


def _read(text: str) -> System | GrammarError:
    found = _remembered.get(text)
    if found is not None:
        _remembered.move_to_end(text)
    else:
        try:
            found = parse(text, "seed")
        except GrammarError as error:
            found = error
        _remember(text, found)
    return found


def _remember(text: str, found: System | GrammarError) -> None:
    _remembered[text] = found
    if len(_remembered) > _MOST_REMEMBERED:
        _remembered.popitem(last=False)


def canonical_seed(text: str) -> str:
    """The text of a system as we print it, itself known from now on; other texts as they are."""
    system = read_seed(text)
    if system is None:
        return text
    printed = print_system(system)
    if printed not in _remembered:
        _remember(printed, system)
    return printed


@functools.cache
def _built_in() -> frozenset[str]:
    return frozenset((*BUILT_IN, *map(canonical_seed, BUILT_IN)))


def is_built_in(text: str) -> bool:
    """Whether a text is a built-in seed, as it stands here or as we print it."""
    return text in _built_in()


def read_seed(text: str) -> System | None:
    """The system that a text states; None if it states none."""
    found = _read(text)
    return found if isinstance(found, System) else None


def refusal(text: str, name: str) -> GrammarError | None:
    """Why the text of this name states no system; None if it states one."""
    found = _read(text)
    return None if isinstance(found, System) else found.of(name)
