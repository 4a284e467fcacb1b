"""Second opinions: the choice of mutants is deterministic, and every opinion reports its result."""

import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from chcfuzz.domains.chc import second_opinion
from chcfuzz.domains.chc.solver_steps.oracle import StepsOracle
from chcfuzz.domains.chc.solvers import hyper_resolution
from chcfuzz.domains.chc.solvers.derivation import Derived
from chcfuzz.domains.chc.solvers.hyper_resolution import HyperResolutionAnswer
from chcfuzz.execution.pipeline import Execution, Pipeline
from chcfuzz.execution.solver_steps import JudgedSteps
from chcfuzz.execution.solving import Solving
from chcfuzz.mutators.chain import Mutant
from chcfuzz.mutators.recipe import Recipe, Step
from chcfuzz.oracles import second_solver
from chcfuzz.oracles.verdict import SOLVER_STEPS, Verdict, VerdictKind
from chcfuzz.solvers.model_text import TextModel
from chcfuzz.solvers.outcome import Status

from tests.campaign.conftest import FORGETFUL, MORE_SAT, SAT, UNSAT

ALWAYS = Pipeline(Solving(second_opinion=1))
NEVER = Pipeline(Solving(second_opinion=0))


def by_oracle(execution: Execution, name: str) -> list[Verdict]:
    return [verdict for verdict in execution.verdicts if verdict.oracle == name]


def executed(pipeline: Pipeline, seed: str, second: bool | None = None) -> Execution:
    return pipeline.execute(pipeline.mutant(Recipe(seed)), second=second)


def test_steps_can_be_judged_where_the_library_of_z3_runs_spacer() -> None:
    def shows_steps(**flags: str) -> bool:
        return Pipeline(Solving(second_opinion=0, **flags)).second_opinion.steps is not None  # type: ignore[arg-type]

    assert shows_steps()
    assert shows_steps(front_end="library")
    assert not shows_steps(front_end="program")
    assert not shows_steps(command=shlex.join([sys.executable, "-c", "print('unknown')"]))


def test_an_execution_judges_steps_only_for_a_pipeline_that_judges_them(monkeypatch: pytest.MonkeyPatch) -> None:
    step = Verdict(SOLVER_STEPS.name, VerdictKind.PASS)
    monkeypatch.setattr(StepsOracle, "check", lambda *_: JudgedSteps(step, 0, True))
    assert not by_oracle(executed(ALWAYS, SAT, second=True), SOLVER_STEPS.name)
    judging = Pipeline(Solving(second_opinion=0), judges_steps=True)
    assert by_oracle(executed(judging, SAT), SOLVER_STEPS.name) == [step]
    assert not by_oracle(executed(judging, SAT, second=False), SOLVER_STEPS.name)


def test_an_unsat_is_asked_for_a_refutation() -> None:
    (verdict,) = by_oracle(executed(ALWAYS, UNSAT), "refutation")
    assert verdict.kind is VerdictKind.PASS
    assert "along Spacer's proof" in verdict.detail


@pytest.mark.parametrize("seed", [SAT, MORE_SAT])
def test_a_model_is_shown_to_cvc5(seed: str) -> None:
    execution = executed(ALWAYS, seed)
    assert [verdict.kind for verdict in by_oracle(execution, "cvc5")] == [VerdictKind.PASS]
    assert by_oracle(execution, "refutation") == []


@pytest.mark.parametrize("seed", [SAT, UNSAT])
def test_nobody_is_asked_unless_it_is_wanted(seed: str) -> None:
    assert {verdict.oracle for verdict in executed(NEVER, seed).verdicts} <= {"errors", "answer", "resources", "model"}
    asked = executed(NEVER, seed, second=True)
    assert {verdict.oracle for verdict in asked.verdicts} & {"cvc5", "refutation"}


def test_an_undecided_execution_has_no_second_opinion() -> None:
    execution = ALWAYS.execute(ALWAYS.mutant(Recipe(SAT)), rlimit=1)
    assert execution.outcome.status is Status.LIMIT
    assert {verdict.oracle for verdict in execution.verdicts} == {"errors", "answer", "resources"}


def test_an_unsat_that_spacer_takes_back_without_transforms_is_a_finding() -> None:
    mutant = ALWAYS.mutant(Recipe(SAT))
    opinion = opinions(ALWAYS)(mutant, replace(ALWAYS.solve(mutant.text, ()), status=Status.UNSAT, model=None))
    assert Verdict("refutation", VerdictKind.WRONG_ANSWER, "answers unsat, and sat with its transforms off") in opinion


def test_a_wrong_proof_of_spacers_is_a_finding_only_where_spacer_is_under_test(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = HyperResolutionAnswer(Status.UNSAT, "", (Derived(None, ()),))
    monkeypatch.setattr(hyper_resolution, "facts", lambda *_: wrong)
    found = []
    for command in (None, shlex.quote(str(Path(sys.executable).parent / "z3"))):
        pipeline = Pipeline(Solving(second_opinion=1, command=command))
        (verdict,) = by_oracle(executed(pipeline, UNSAT), "refutation")
        found.append(verdict.kind)
    assert found == [VerdictKind.WRONG_PROOF, VerdictKind.PASS]


def opinions(pipeline: Pipeline) -> Callable[..., Sequence[Verdict]]:
    return pipeline.second_opinion.verdicts


@pytest.mark.parametrize(
    ("said", "kind", "detail"),
    [
        (
            ("unsat", "sat", "unsat"),
            VerdictKind.UNDECIDED,
            "cvc5 finds clause 2 false under the model, its script is unsat",
        ),
        (("unsat", "unknown", "unsat"), VerdictKind.UNDECIDED, "cvc5 decides 2 clauses"),
        (("unsat", "unsat"), VerdictKind.UNDECIDED, "cvc5 decides 2 clauses"),
        ((), VerdictKind.UNDECIDED, "cvc5 decides 0 clauses"),
        (("unsat", "unsat", "unsat"), VerdictKind.PASS, ""),
    ],
)
def test_what_cvc5_says_is_weighed(
    monkeypatch: pytest.MonkeyPatch, said: tuple[str, ...], kind: VerdictKind, detail: str
) -> None:
    monkeypatch.setattr(second_solver, "answers", lambda _script: said)
    mutant = ALWAYS.mutant(Recipe(SAT))
    assert len(mutant.problem.formulas) == 3
    assert by_oracle(executed(ALWAYS, SAT), "cvc5") == [Verdict("cvc5", kind, detail)]


def test_cvc5_sees_a_wrong_model_too() -> None:
    forgetful = Pipeline(Solving(second_opinion=1, solver=FORGETFUL.partition("=")[2]))
    execution = executed(forgetful, SAT)
    assert [verdict.kind for verdict in by_oracle(execution, "cvc5")] == [VerdictKind.WRONG_MODEL]
    assert execution.finding is not None
    assert execution.finding.oracle == "model", "the one that shows why goes first"


def mutants() -> list[Mutant]:
    steps = [Step("names.rename-variable", bytes([a, b, a ^ b, 7])) for a in range(16) for b in range(8)]
    return [ALWAYS.mutant(Recipe(seed, (step,))) for seed in (SAT, UNSAT, MORE_SAT) for step in steps]


def test_the_same_mutants_are_asked_about_each_time_and_about_so_many() -> None:
    distinct = list({mutant.key: mutant for mutant in mutants()}.values())
    assert len(distinct) > 20
    for one_in in (1, 2, 5):
        first, second = (Pipeline(Solving(second_opinion=one_in)) for _ in range(2))
        asked = [first.is_for_second_opinion(mutant) for mutant in distinct]
        assert asked == [second.is_for_second_opinion(mutant) for mutant in distinct]
        assert asked == [int.from_bytes(mutant.key[:4], "big") % one_in == 0 for mutant in distinct]
    assert not any(NEVER.is_for_second_opinion(mutant) for mutant in distinct)


def test_another_release_is_asked_in_a_process_of_its_own() -> None:
    pipeline = Pipeline(Solving(second_opinion=1, cross_z3=("4.13.4",)))
    said = by_oracle(executed(pipeline, SAT), "cross")
    assert Verdict("cross", VerdictKind.PASS, "answers sat, Z3 4.13.4.0 sat", judges=("Z3 4.13.4.0",)) in said
    little = Pipeline(Solving(second_opinion=1, cross_z3=("4.13.4",), rlimit=100))
    sat = pipeline.solve(SAT, ())
    (limited,) = (v for v in opinions(little)(pipeline.mutant(Recipe(SAT)), sat) if "4.13.4" in v.detail)
    assert limited.kind is VerdictKind.UNDECIDED, "its own count decides, and no clock"


def test_cvc5_is_not_asked_about_what_a_model_leaves_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Z3's bmc engine answers sat and prints an empty model, which counts as a missing model, not as a wrong one."""
    monkeypatch.setattr(second_solver, "answers", lambda _script: ("sat", "sat", "sat"))
    mutant = ALWAYS.mutant(Recipe(SAT))
    found = opinions(ALWAYS)(mutant, replace(ALWAYS.solve(mutant.text, ()), model=TextModel("")))
    (verdict,) = (v for v in found if v.oracle == "cvc5")
    assert verdict == Verdict("cvc5", VerdictKind.UNDECIDED, "the model does not define inv")


def test_cvc5_is_not_asked_about_a_model_with_two_meanings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_solver, "answers", lambda _script: ("sat", "sat", "sat"))
    mutant = ALWAYS.mutant(Recipe(SAT))
    both = "\n".join(f"(define-fun inv ((x Int)) Bool {body})" for body in ("(>= x 0)", "false"))
    found = opinions(ALWAYS)(mutant, replace(ALWAYS.solve(mutant.text, ()), model=TextModel(both)))
    (verdict,) = (v for v in found if v.oracle == "cvc5")
    assert verdict == Verdict("cvc5", VerdictKind.UNDECIDED, "the model gives inv more than one meaning")


# Values that SMT-LIB leaves open -----------------------------------------------------------------------

LISTS = """(set-logic HORN)
(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
(declare-fun p (L) Bool)
(assert (p nil))
(assert (forall ((l L)) (=> (p l) (p (cons 1 l)))))
(check-sat)
"""
QUOTIENT = """(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (= x (div 1 0)) (p x))))
(assert (forall ((x Int)) (=> (and (p x) (> x 5)) false)))
(check-sat)
"""


def weighed(seed: str, definitions: str) -> Verdict:
    """Return cvc5's verdict on a model."""
    mutant = ALWAYS.mutant(Recipe(seed))
    given = replace(ALWAYS.solve(mutant.text, ()), status=Status.SAT, model=TextModel(definitions))
    (verdict,) = (verdict for verdict in opinions(ALWAYS)(mutant, given) if verdict.oracle == "cvc5")
    return verdict


def test_a_model_that_is_wrong_only_as_cvc5_reads_what_is_left_open_is_no_finding() -> None:
    verdict = weighed(LISTS, "(define-fun p ((l L)) Bool (>= (head l) 0))")
    assert verdict.kind is VerdictKind.UNDECIDED
    assert verdict.detail.endswith("which depends on what SMT-LIB leaves open of head")


def test_a_clause_that_is_false_however_one_reads_it_is_found_behind_one_that_depends_on_that() -> None:
    verdict = weighed(LISTS, "(define-fun p ((l L)) Bool (and (>= (head l) 0) (distinct l (cons 1 (cons 1 nil)))))")
    assert verdict.kind is VerdictKind.WRONG_MODEL
    assert verdict.detail.startswith("cvc5 finds clause 2 false under the model at l = (cons 1 nil)")
    assert verdict.judges == ("our evaluator", "cvc5")
    assert verdict.evidence


def said_by_another(seed: str, ours: Status, other: Callable[[Mutant], Status]) -> Verdict:
    """Return the verdict on a constant answer of the solver under test and the answers of another solver."""
    pipeline = Pipeline(Solving(second_opinion=1))
    mutant = pipeline.mutant(Recipe(seed))
    solved = replace(pipeline.solve(mutant.text, ()), model=None)
    opinion = pipeline.second_opinion
    assert isinstance(opinion, second_opinion.ChcSecondOpinion)
    opinion.solve = lambda _asked: replace(solved, status=ours)
    opinion.others = {"another": lambda asked: replace(solved, status=other(asked))}
    (verdict,) = (v for v in opinion.verdicts(mutant, replace(solved, status=ours)) if "another" in v.detail)
    return verdict


def test_solvers_that_differ_only_in_what_is_left_open_do_not_disagree() -> None:
    """One answers sat, another that reads (div 1 0) as 7 answers unsat, until both read it as 0."""
    verdict = said_by_another(QUOTIENT, Status.SAT, lambda asked: Status.SAT if "ite" in asked.text else Status.UNSAT)
    assert verdict.kind is VerdictKind.UNDECIDED
    assert verdict.detail.endswith("; they agree once div has a value wherever SMT-LIB leaves it open")


def test_solvers_that_differ_whatever_is_left_open_disagree() -> None:
    verdict = said_by_another(QUOTIENT, Status.SAT, lambda _asked: Status.UNSAT)
    assert verdict.kind is VerdictKind.DISAGREEMENT


@pytest.mark.slow
def test_solvers_that_differ_where_nothing_is_left_open_are_not_asked_again() -> None:
    asked: list[str] = []

    def unsat(mutant: Mutant) -> Status:
        asked.append(mutant.text)
        return Status.UNSAT

    assert said_by_another(SAT, Status.SAT, unsat).kind is VerdictKind.DISAGREEMENT
    assert len(asked) == 1
