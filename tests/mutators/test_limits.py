"""Systems at the limits of what is read: wide bit-vectors, long numbers, large sorts. No row may raise on one."""

import hashlib

import pytest
from chcfuzz.domains.chc.rows.registry import registry
from chcfuzz.mutators.chain import Chains
from chcfuzz.mutators.recipe import Recipe, Step

ROWS = registry(None)
LONG = "9" * 3998  # a fraction's text may have 4,000 digits


def seed(sort: str, start: str, after: str, bound: str) -> str:
    return f"""(set-logic HORN)
(declare-fun p ({sort}) Bool)
(declare-fun q ({sort} {sort}) Bool)
(assert (forall ((x {sort})) (=> (= x {start}) (p x))))
(assert (forall ((x {sort}) (y {sort})) (=> (and (p x) {bound} (= y {after})) (q x y))))
(assert (forall ((x {sort}) (y {sort})) (=> (q x y) (p y))))
(assert (forall ((x {sort})) (=> (and (p x) (= x {after})) false)))
(check-sat)
"""


def of_width(width: int) -> str:
    bits = f"(_ BitVec {width})"
    return seed(bits, f"(_ bv0 {width})", f"(bvadd x (_ bv1 {width}))", f"(bvult x (_ bv3 {width}))")


def nested_arrays(depth: int) -> str:
    sort = "Int"
    for _ in range(depth):
        sort = f"(Array Int {sort})"
    return seed(sort, "x", "x", "(= x x)")


SYSTEMS = {
    "257 bits": of_width(257),
    "65536 bits": of_width(65536),
    "long integers": seed("Int", f"{LONG}99", f"(+ x {LONG}99)", f"(<= x {LONG}99)"),
    "long fractions": seed("Real", f"{LONG}.0", f"(+ x {LONG}.0)", f"(<= x {LONG}.0)"),
    "nested arrays": nested_arrays(99),
}
QUICK = ("257 bits", "65536 bits", "long integers")


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in SYSTEMS])
def test_no_row_raises_on_a_system_at_a_limit(name: str) -> None:
    chains = Chains(ROWS)
    for row in ROWS.mutations:
        choices = hashlib.shake_256(row.id.encode()).digest(40)
        mutant = chains.apply(Recipe(SYSTEMS[name], (Step(row.id, choices, b"key"),)))
        assert len(mutant.steps) == 1


@pytest.mark.parametrize(("bound", "changes"), [("9" * 4000, False), ("9" * 3999, True)])
def test_a_step_that_would_make_a_number_too_long_changes_nothing(bound: str, changes: bool) -> None:
    text = seed("Int", "0", "(+ x 1)", f"(<= x {bound})")
    mutant = Chains(ROWS).apply(Recipe(text, (Step("arithmetic.add-ineq", b"\x00", b"key"),)))
    assert mutant.steps[0].changed is changes
