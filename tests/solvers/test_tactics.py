"""Tactics of Z3 on problems whose results are small, refused, or far too large."""

from functools import partial

import pytest
from chcfuzz.execution.child_process import run_in_child
from chcfuzz.solvers.tactics import applied

PRODUCT = "(declare-const x (_ BitVec {0}))(declare-const y (_ BitVec {0}))(assert (= (bvadd x y) (bvmul x y)))"


def test_a_result_is_a_script() -> None:
    found = run_in_child(partial(applied, "(declare-const p Bool)(assert (not (not p)))", "simplify"))
    assert "(assert p)" in " ".join(found.split())
    assert run_in_child(partial(applied, "(assert (gone))", "simplify")) is None


@pytest.mark.slow
@pytest.mark.parametrize("width", [128, 512])
def test_a_result_that_is_too_large_is_none(capfd: pytest.CaptureFixture[str], width: int) -> None:
    assert run_in_child(partial(applied, PRODUCT.format(width), "bit-blast")) is None
    assert capfd.readouterr().err == ""
