"""Tactics of Z3 on problems whose results are small, refused, or far too large."""

import json
import subprocess
import sys

import pytest

PRODUCT = "(declare-const x (_ BitVec {0}))(declare-const y (_ BitVec {0}))(assert (= (bvadd x y) (bvmul x y)))"
PROGRAM = "import json, sys; from chcfuzz.solvers.tactics import applied; print(json.dumps(applied(*sys.argv[1:])))"


def applied(text: str, tactic: str) -> str | None:
    """The result in a new process, because Z3's memory in this one may have any size."""
    done = subprocess.run([sys.executable, "-c", PROGRAM, text, tactic], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    found: str | None = json.loads(done.stdout)
    return found


def test_a_result_is_a_script() -> None:
    found = applied("(declare-const p Bool)(assert (not (not p)))", "simplify")
    assert found is not None
    assert "(assert p)" in " ".join(found.split())
    assert applied("(assert (gone))", "simplify") is None


@pytest.mark.slow
@pytest.mark.parametrize("width", [128, 512])
def test_a_result_that_is_too_large_is_none(width: int) -> None:
    assert applied(PRODUCT.format(width), "bit-blast") is None
