"""A traced build with `tracing/native/facts.patch` logs facts, and its traces are those of the build without it."""

from functools import cache
from pathlib import Path

import pytest
from chcfuzz.domains.chc.solver_steps.judge_worker import StepsReply
from chcfuzz.domains.chc.solver_steps.worker import MODULE, StepsQuery
from chcfuzz.execution.solving import Solving
from chcfuzz.execution.worker_pool import HelperProcess
from chcfuzz.triage.fix.build import build_tree, patched_build
from chcfuzz.triage.fix.patch import read_patch

from tests.targets import ROOT
from tests.traced import TRACED, needs_build_tree

PATCH = ROOT / "tracing" / "native" / "facts.patch"
# The initial fact has an auxiliary variable, which the API of fixedpoints refuses to print.
AUXILIARY = """(set-logic HORN)(declare-fun p (Int) Bool)(declare-fun q (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x (* 2 y)) (> (* y y y) 7)) (p x))))
(assert (forall ((x Int)) (=> (p x) (q x (+ x 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (q x y) (> x 3)) false)))(check-sat)"""


@cache
def patched() -> Path:
    tree = build_tree(TRACED)
    return patched_build(tree, read_patch(PATCH, tree.source), 1, print)


def judged(library: Path, text: str) -> StepsReply:
    process = HelperProcess(MODULE, Solving(z3_library=library))
    try:
        return process.request(StepsQuery(text, ()), StepsReply)
    finally:
        process.end()


@pytest.mark.slow
@needs_build_tree
def test_facts_with_auxiliary_variables_are_judged() -> None:
    reply = judged(patched(), AUXILIARY)
    assert {step.judgement for step in reply.steps if step.kind == "fact"} == {"right"}
    assert any("exists" in step.formula for step in reply.steps if step.kind == "fact")


@pytest.mark.slow
@needs_build_tree
def test_the_patch_changes_no_trace_and_no_other_step() -> None:
    text = (ROOT / "corpus/lia/bank-transfer-unsafe.smt2").read_text()
    with_facts, without = judged(patched(), text), judged(TRACED, text)
    assert (with_facts.status, with_facts.traces) == (without.status, without.traces)
    lines = [
        [step.line.partition(": ")[2] for step in reply.steps if step.kind != "fact"] for reply in (with_facts, without)
    ]
    assert lines[0] == lines[1]
