"""Preparation of a process that forks a child for each run or judgement: children inherit it instead of repeating it.

Without it, each child imports modules, makes the tables of the reader, starts Z3 and reads its parameters: 60 to 110 ms
of processor time, where a run of a small system takes 10 (measured on `corpus/lia/bank-transfer-unsafe.smt2`).
"""

from __future__ import annotations

from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.reading.syntax import tree_of

# The reader makes the tables of each state of its grammar when it first comes there.
_SCRIPT = """(set-option :fp.xform.slice false) (set-logic HORN)
(declare-datatypes ((d 0)) (((c (s Int)) (n)))) (declare-fun |p q| (Int (Array Int Bool) Real) Bool)
(assert (forall ((x Int) (a (Array Int Bool)))
  (=> (let ((y (- x 1))) (and (|p q| y a 1.5) (not (= ((as const (Array Int Bool)) true) (store a y false)))))
      (exists ((z Int)) (= x z)))))
(check-sat)"""


def prepare() -> None:
    """Read a system and a formula, and make Z3's first context; it must be activated."""
    import z3  # not at the top: its release is chosen first

    parse(_SCRIPT, "sample")
    tree_of("(or (not (<= p_0_n 1)) ((_ is c) p_1_n))", "sample", "term")
    z3.main_ctx()
