"""A planted fault in each part is found under the part's name, by contracts and in a campaign; honest parts pass."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from chcfuzz.domains.parts.oracles.contracts import judged
from chcfuzz.domains.parts.oracles.violations import Violation
from chcfuzz.domains.parts.part_solver import PartSolver
from chcfuzz.domains.parts.question import PartProblem
from chcfuzz.domains.parts.question_text import read
from chcfuzz.execution.solving import Solving
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.watchdog import Watchdog

from tests.domains.parts import planted
from tests.domains.smt.test_planted import CHCFUZZ, run
from tests.targets import ROOT

TARGET = ROOT / "fuzz_targets" / "parts.py"
BETWEEN = "(declare-const x Int)(declare-const y Int)(assert (< 0 x))(assert (< x y))(assert (< y 9))"
VALUES = "((x 1) (y 2))"
TRADED = "(declare-const x Int)(declare-const y Int)(assert (<= 0 x 2))(assert (<= (+ x y) 3))"
TRUTHS = "(declare-const p Bool)(declare-const q Bool)(assert (or p q))(assert (not q))"
TRUE = "((p true) (q false))"
CLASH = "(declare-const p Bool)(declare-const q Bool)(assert (or p q))(assert (not q))(assert (not p))"
PLANTED = [
    (f"(project (x) {VALUES})", BETWEEN, "DROPPED_LITERAL", Violation.WEAK),
    (f"(project (x) {VALUES})", BETWEEN, "LEFT_VARIABLE", Violation.LEFT),
    (f"(project (x) {VALUES})", BETWEEN, "FALSE", Violation.FALSE),
    (f"(mbp (x) {VALUES})", BETWEEN, "DROPPED_LITERAL", Violation.WEAK),
    (f"(mbp (x) {VALUES})", BETWEEN, "LEFT_VARIABLE", Violation.LEFT),
    (f"(witness (x) {VALUES})", BETWEEN, "FALSE", Violation.FALSE),
    (f"(implicant () {VALUES})", BETWEEN, "DROPPED_LITERAL", Violation.NOT_IMPLIED),
    (f"(implicant () {VALUES})", BETWEEN, "FALSE", Violation.FALSE),
    (f"(simplify () {VALUES})", BETWEEN, "DROPPED_LITERAL", Violation.DIFFERENT),
    (f"(cvc5-simplify () {VALUES})", BETWEEN, "DROPPED_LITERAL", Violation.DIFFERENT),
    (f"(bitwuzla-simplify () {TRUE})", TRUTHS, "DROPPED_LITERAL", Violation.DIFFERENT),
    (f"(simplifier (simplify) {TRUE})", TRUTHS, "OTHER_ANSWER", Violation.UNSAT),
    (f"(simplifier (simplify) {TRUE})", TRUTHS, "SHIFTED_MODEL", Violation.MODEL),
    (f"(tactic (simplify) {TRUE})", TRUTHS, "OTHER_ANSWER", Violation.UNSAT),
    (f"(tactic (simplify) {TRUE})", TRUTHS, "SHIFTED_MODEL", Violation.MODEL),
    (f"(eliminate (x) {VALUES})", BETWEEN, "FALSE", Violation.DIFFERENT),
    (f"(qe-lite (x) {VALUES})", BETWEEN, "FALSE", Violation.DIFFERENT),
    (f"(cvc5-eliminate (x) {VALUES})", BETWEEN, "FALSE", Violation.DIFFERENT),
    (f"(cvc5-disjunct (x) {VALUES})", BETWEEN, "DROPPED_LITERAL", Violation.WEAK),
    (f"(optimum (x) {VALUES})", BETWEEN, "OTHER_ANSWER", Violation.UNSAT),
    (f"(core () {TRUE})", TRUTHS, "OTHER_ANSWER", Violation.UNSAT),
    (f"(push () {TRUE})", TRUTHS, "SHIFTED_MODEL", Violation.MODEL),
    ("(core () () ((minimize true)))", CLASH, "ONLY_FIRST", Violation.CORE),
    ("(tactic (simplify) () ((core true)))", CLASH, "DROPPED_CORE", Violation.CORE),
    (f"(qsat (x) {VALUES})", BETWEEN, "OTHER_ANSWER", Violation.UNSAT),
    (f"(consequences (p q) {TRUE})", TRUTHS, "ONLY_FIRST", Violation.MISSING),
    (f"(consequences (p q) {TRUE} ((assumed true)))", TRUTHS, "WRONG_LITERAL", Violation.NOT_CONSEQUENCE),
    (f"(cube () {TRUE})", TRUTHS, "FALSE", Violation.CUBES),
    (f"(soft () {TRUE})", TRUTHS, "HIGHER_COST", Violation.OPTIMUM),
    ("(proof)", CLASH, "WRONG_STEP", Violation.STEP),
    (f"(cover (x) {VALUES})", BETWEEN, "FALSE_COVER", Violation.DIFFERENT),
    (f"(pareto (x y) {VALUES})", TRADED, "NO_POINTS", Violation.FRONT),
    ("(tactic-proof (simplify))", CLASH, "WRONG_STEP", Violation.STEP),
    (f"(bitwuzla-check () {TRUE})", TRUTHS, "OTHER_ANSWER", Violation.UNSAT),
]


@pytest.fixture(scope="module")
def solver() -> Iterator[PartSolver]:
    solving = Solving(domain="parts", wall_seconds=100)
    found = planted.HONEST.solver(solving, None, Watchdog(100))
    assert isinstance(found, PartSolver)
    yield found
    found.close()


@pytest.mark.parametrize(("question", "formula", "fault", "violation"), PLANTED)
def test_a_planted_fault_is_found_and_the_honest_part_passes(
    solver: PartSolver, question: str, formula: str, fault: str, violation: Violation
) -> None:
    text = f'(set-info :chcfuzz-part "{question}")\n{formula}'
    problem = read(text)
    assert isinstance(problem, PartProblem)
    outcome = solver.solve(text, (), 1_000_000)
    assert outcome.status is Status.RESULT, outcome.reason
    assert judged(problem, outcome, Watchdog(100)).kind is VerdictKind.PASS
    faulty = planted.FaultyParts.faulty(problem, outcome, planted.FAULTS[fault])
    verdict = judged(problem, faulty, Watchdog(100))
    assert verdict.fault.startswith(f"{problem.question.label}: {violation.value}")


def test_ground_facts_are_judged_in_the_refutation_and_in_the_answer(solver: PartSolver) -> None:
    text = f'(set-info :chcfuzz-part "(ground (x) {VALUES})")\n{BETWEEN}'
    problem = read(text)
    assert isinstance(problem, PartProblem)
    outcome = solver.solve(text, (), 1_000_000)

    def fault(name: str) -> str:
        faulty = planted.FaultyParts.faulty(problem, outcome, planted.FAULTS[name])
        return judged(problem, faulty, Watchdog(100)).fault

    assert fault("AS_DOCUMENTED") == ""
    assert fault("HONEST") == f"ground: {Violation.GROUND.value} answer"  # of Z3 5.4.1, see reports/z3/37-*
    assert fault("WRONG_FACT") == f"ground: {Violation.GROUND.value} refutation"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "kind"),
    [("DROPPED_LITERAL", "wrong-result"), pytest.param("DEATH", "crash", marks=pytest.mark.exhaustive)],
    ids=["dropped", "death"],
)
def test_a_campaign_finds_reduces_and_reports_a_planted_fault(tmp_path: Path, fault: str, kind: str) -> None:
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds" / "seed.smt2").write_text(f'(set-info :chcfuzz-part "(simplify () {VALUES})")\n{BETWEEN}')
    domain = f"--domain=tests.domains.parts.planted:{fault}"
    run(tmp_path, str(TARGET), "seeds", domain, "--part=simplify", "-runs=6", "-seed=1", "--wall-seconds=100")
    folder = next((tmp_path / "findings").glob(f"{kind}-*"))
    record = json.loads((folder / "record.json").read_text())
    assert record["witness"].startswith("simplify: ")
    run(tmp_path, *CHCFUZZ, "reduce", str(folder), domain)
    reduced = (folder / "reduced.smt2").read_text()
    assert reduced.count("(assert") == 1
    run(tmp_path, *CHCFUZZ, "report", str(folder), "--no-bisect", "--out", "report", domain)
    report = (tmp_path / "report" / "report.md").read_text()
    assert "ask_part.py reduced.smt2" in report
    assert reduced.strip() in report


@pytest.mark.slow
def test_a_campaign_on_an_honest_part_finds_nothing(tmp_path: Path) -> None:
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds" / "seed.smt2").write_text(f'(set-info :chcfuzz-part "(core () {VALUES})")\n{BETWEEN}')
    run(tmp_path, str(TARGET), "seeds", "--part=core", "-runs=30", "-seed=1", "--wall-seconds=100")
    assert not list((tmp_path / "findings").glob("*/record.json"))
