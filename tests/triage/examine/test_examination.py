"""Conclusions of examinations of planted bugs, whose correct answers are known."""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from chcfuzz.domains.chc.oracles import derive
from chcfuzz.domains.chc.oracles.derive import SearchResult
from chcfuzz.domains.chc.witness_search import ChcWitnessSearch
from chcfuzz.execution.pipeline import Pipeline
from chcfuzz.execution.seed_answers import Ground, SeedAnswer, SeedAnswers
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.system import System
from chcfuzz.mutators.chain import Chains
from chcfuzz.mutators.mutation import Mutation, Needs, Promise
from chcfuzz.mutators.recipe import Recipe, Step, decode, encode
from chcfuzz.mutators.registry import Registry
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.z3_parameters import with_transforms_off
from chcfuzz.tracing.trace import NOTHING
from chcfuzz.triage.examine import runs as runs_module
from chcfuzz.triage.examine.conclusion import Conclusion, End
from chcfuzz.triage.examine.examination import Examination
from chcfuzz.triage.examine.messages import Message, RunReported
from chcfuzz.triage.examine.runs import RunConfiguration, Runs
from chcfuzz.triage.examine.suspicion import Suspicion

from tests.campaign.conftest import UNSAT
from tests.campaign.conftest import doubled as doubled_of

SAT = """(set-logic HORN)
(set-info :status sat)
(declare-fun inv (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (inv x y))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (inv x y) (< x 5) (= z (+ x 1))) (inv z y))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (> y 3)) false)))
(check-sat)
"""  # a hundredth of what the built-in seeds take
ENDLESS = SAT.replace("(< x 5)", "(>= x 0)")  # all its facts cannot be listed

CTP = ("fp.spacer.ctp", "false")
SLICE = ("fp.xform.slice", "false")


@pytest.fixture(autouse=True)
def _few_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole portfolio has a hundred settings; these tests need three."""
    monkeypatch.setattr(
        "chcfuzz.triage.examine.examination.portfolio",
        lambda _, recipe: [
            RunConfiguration("transforms off", with_transforms_off()),
            RunConfiguration(
                "fp.xform.slice=false", tuple(sorted({**dict(recipe.parameters), SLICE[0]: "false"}.items()))
            ),
            RunConfiguration(
                "fp.spacer.ctp=false", tuple(sorted({**dict(recipe.parameters), CTP[0]: "false"}.items()))
            ),
        ],
    )


def doubled(seed: str = SAT, parameters: tuple[tuple[str, str], ...] = ()) -> bytes:
    return doubled_of(seed=seed, parameters=parameters)


def examined(
    suspicion: Suspicion,
    solver: str | None = None,
    without: Sequence[str] = (),
    full: Sequence[str] = (),
    **changed: Any,
) -> Conclusion:
    """Examine in this process; `changed` are attributes of the pipeline, but for `cross` and `send`."""
    send, cross = changed.pop("send", lambda _: None), changed.pop("cross", ())
    recipe = decode(suspicion.unit)
    answers = SeedAnswers()
    if suspicion.seed is not None:
        answers.note(recipe.seed, suspicion.seed)
    solving = Solving(solver=solver and f"tests.quality.planted:{solver}", wall_seconds=100.0, rlimit=1_000_000)
    solving = replace(solving, cross=cross)
    pipeline = Pipeline(solving, answers=answers)
    for name, value in changed.items():
        setattr(pipeline, name, value)
    runs = Runs(pipeline, solving.rlimit, frozenset(without), send)
    search = ChcWitnessSearch(runs, pipeline.watchdog, suspicion.seed, ())
    return Examination(suspicion, recipe, runs, search, full).examine()


def wrong_unsat(unit: bytes, ground: Ground = Ground.DECLARED) -> Suspicion:
    return Suspicion(unit, "wrong-answer", "answer", "unsat", "sat", "answers unsat", SeedAnswer("sat", ground))


def test_the_model_of_the_seed_confirms_a_wrong_unsat() -> None:
    found = examined(wrong_unsat(doubled(parameters=(CTP,))), "PlantedSpacer")
    assert (found.end, found.kind) == (End.CONFIRMED, "wrong-answer")
    assert found.recipe.parameters == ()
    assert found.statuses == ("sat", "unsat")
    assert (found.signature.parts_at, found.signature.seen, found.signature.default) == (
        "boolean.dup-and",
        "unsat",
        True,
    )
    assert found.signature.cures == ("transforms off", "fp.xform.slice=false")
    assert found.tried["fp.spacer.ctp=false"] == "unsat"
    assert found.witness is not None
    assert found.witness.status is Status.SAT
    assert "the model of the seed, carried along the chain" in found.words
    assert "sat" not in found.witness.cvc5
    assert found.witness.cvc5


@pytest.fixture
def liar(tmp_path: Path) -> str:
    """A command that answers unsat to each system."""
    path = tmp_path / "liar"
    path.write_text("#!/bin/sh\necho unsat\n")
    path.chmod(0o755)
    return str(path)


def test_another_solver_that_is_wrong_is_a_contradiction_between_them(liar: str) -> None:
    found = examined(Suspicion(encode(Recipe(SAT)), "disagreement", "cross", "sat", "sat"), cross=(shlex.quote(liar),))
    assert (found.end, found.kind) == (End.CONTRADICTION, "contradiction")
    assert f"{liar} is wrong; the answer is right: " in found.words
    assert found.signature.between == (liar,)
    assert found.against is not None
    assert found.against.status is Status.SAT


def test_another_solver_that_is_right_again_is_no_contradiction() -> None:
    suspicion = Suspicion(encode(Recipe(SAT)), "disagreement", "cross", "sat", "sat")
    assert examined(suspicion).end is End.VANISHED


def test_a_refutation_confirms_a_wrong_sat() -> None:
    unit = doubled(seed=UNSAT)
    seen = Suspicion(unit, "wrong-answer", "answer", "sat", "unsat", "", SeedAnswer("unsat", Ground.ANSWER))
    found = examined(seen, "PlantedSpacer")
    assert found.end is End.CONFIRMED
    assert found.witness is not None
    assert found.witness.status is Status.UNSAT
    assert found.witness.text.rstrip().endswith("|- false")


def test_the_seed_confirms_an_answer_that_is_wrong_in_every_configuration() -> None:
    found = examined(wrong_unsat(doubled(), Ground.ANSWER), "StubbornSpacer")
    assert found.end is End.CONFIRMED
    assert found.signature.cures == ()
    assert set(found.tried.values()) == {"unsat"}


def test_without_a_witness_it_is_a_contradiction_and_lists_the_tried_configurations() -> None:
    seed = ENDLESS.replace("(= x 0)", "(= x 0) (= x 0)")  # the seed itself shows the bug
    found = examined(wrong_unsat(encode(Recipe(seed))), "StubbornSpacer")
    assert (found.end, found.kind) == (End.CONTRADICTION, "contradiction")
    assert found.witness is None
    assert found.against is None
    assert "answers unsat, sat is promised" in found.words
    assert found.tried


def test_a_witness_against_the_declared_status_accuses_the_seed() -> None:
    unit = doubled(seed=SAT.replace(":status sat", ":status unsat"))
    seen = Suspicion(unit, "wrong-answer", "answer", "sat", "unsat", "", SeedAnswer("unsat", Ground.DECLARED))
    found = examined(seen)
    assert found.end is End.SEED
    assert found.seed is not None
    assert found.seed.status == "sat"
    assert "the seed is sat, not unsat" in found.words


def _without_queries(system: System, _choices: Choices) -> System | None:
    return system.with_clauses([clause for clause in system.clauses if not clause.is_query])


def test_a_mutation_that_breaks_its_promise_is_a_fault_of_chcfuzz() -> None:
    lie = Mutation(
        "test.lie",
        Promise.EQUIVALENT,
        "drops the queries",
        "none",
        _without_queries,
        lambda _: True,
        needs=Needs.CLAUSES,
    )
    unsat = SAT.replace("status sat", "status unsat").replace("(> y 3)", "(< y 3)")
    recipe = Recipe(unsat, (Step("test.lie", b""),))
    seen = Suspicion(encode(recipe), "wrong-answer", "answer", "sat", "unsat", "", SeedAnswer("unsat", Ground.DECLARED))
    found = examined(seen, chains=Chains(Registry([lie], [])))
    assert (found.end, found.kind) == (End.BROKEN_PROMISE, "broken-promise")
    assert "a promise is broken" in found.words


def test_a_signature_with_enough_findings_ends_the_examination_early() -> None:
    first = examined(wrong_unsat(doubled()), "PlantedSpacer")
    again = examined(wrong_unsat(doubled()), "PlantedSpacer", full=[first.signature.name])
    assert (again.end, again.signature, again.witness) == (End.ALIKE, first.signature, None)


def test_a_verdict_that_does_not_occur_again_has_vanished() -> None:
    assert examined(wrong_unsat(doubled())).end is End.VANISHED


def test_a_right_sat_with_a_wrong_model_is_a_wrong_model_and_no_wrong_answer() -> None:
    wrong = SAT.replace(":status sat", ":status unsat")
    seen = Suspicion(wrong.encode(), "wrong-answer", "answer", "sat", "unsat", "", SeedAnswer("unsat", Ground.DECLARED))
    found = examined(seen, "TransformedSpacer")  # the model is right with the transforms off
    assert found.end is End.SEED
    assert found.seed is not None
    assert found.seed.status == "sat"
    assert [(each.kind, each.oracle, each.seen, each.expected) for each in found.more] == [
        ("wrong-model", "model", "sat", None)
    ]


def test_a_wrong_model_without_a_witness_leaves_the_answer_open() -> None:
    wrong = ENDLESS.replace(":status sat", ":status unsat")
    seen = Suspicion(wrong.encode(), "wrong-answer", "answer", "sat", "unsat", "", SeedAnswer("unsat", Ground.DECLARED))
    found = examined(seen, "ForgetfulSpacer")
    assert (found.end, found.kind) == (End.CONTRADICTION, "contradiction")
    assert "no witness decides, and the model is wrong: clause 1" in found.words
    assert [each.kind for each in found.more] == ["wrong-model"]


def test_a_wrong_model_of_an_unsatisfiable_system_leads_to_the_wrong_answer() -> None:
    system = UNSAT.replace("(set-info :status unsat)\n", "")
    found = examined(Suspicion(system.encode(), "wrong-model", "model", "sat"), "HastySpacer")
    assert (found.end, found.kind) == (End.CONFIRMED, "wrong-model")
    (doubt,) = found.more
    assert (doubt.kind, doubt.oracle, doubt.seen) == ("disagreement", "plain-smt", "sat")
    settled = examined(doubt, "HastySpacer")
    assert (settled.end, settled.kind) == (End.CONFIRMED, "wrong-answer")
    assert settled.witness is not None
    assert settled.witness.status is Status.UNSAT


def test_the_solvers_own_wrong_answer_to_a_seed_with_that_status_is_suspected() -> None:
    wrong = UNSAT.replace(":status unsat", ":status sat")
    seen = replace(wrong_unsat(doubled(seed=wrong)), solving=("--rlimit=5",))
    found = examined(seen, "SeedSpacer")
    assert found.end is End.SEED
    (own,) = found.more
    assert (own.kind, own.oracle, own.seen, own.expected) == ("wrong-answer", "answer", "sat", "unsat")
    assert own.seed is not None
    assert own.seed.ground is Ground.WITNESS
    assert decode(own.unit) == Recipe(decode(seen.unit).seed)
    assert own.solving == seen.solving


def test_a_wrong_model_that_the_transforms_cure_looks_known_and_is_not_known() -> None:
    seen = Suspicion(SAT.encode(), "wrong-model", "model", "sat", "sat")
    found = examined(seen, "TransformedSpacer")
    assert found.end is End.CONFIRMED
    assert found.signature.known is None
    assert found.signature.is_cured_by_transforms
    assert not found.signature.is_cured_by_inlining
    assert "(assert" in found.evidence
    assert found.cvc5 == "sat"


def test_a_wrong_model_that_is_right_without_inlining_looks_like_the_public_issue() -> None:
    found = examined(Suspicion(SAT.encode(), "wrong-model", "model", "sat", "sat"), "InlinedSpacer")
    assert found.signature.cures == ("transforms off", "inlining off")
    assert found.signature.is_cured_by_inlining


def test_the_signature_of_a_wrong_model_distinguishes_the_two_ways_to_inline() -> None:
    found = examined(Suspicion(SAT.encode(), "wrong-model", "model", "sat", "sat"), "LinearSpacer")
    assert found.signature.cures == ("transforms off", "inlining off", "fp.xform.inline_linear=false")


def test_a_wrong_model_that_is_right_without_the_transforms_by_luck_does_not_look_known() -> None:
    seen = Suspicion(SAT.encode(), "wrong-model", "model", "sat", "sat")
    found = examined(seen, "LuckySpacer")
    assert found.end is End.CONFIRMED
    assert not found.signature.cures


def test_a_known_wrong_model_does_not_hide_another_one() -> None:
    """The transforms alone make the model wrong; with `ctp` off it is wrong without them, too."""
    seen = Suspicion(encode(Recipe(SAT, (), (CTP,))), "wrong-model", "model", "sat", "sat")
    found = examined(seen, "TransformedSpacer")
    assert found.end is End.CONFIRMED
    assert found.recipe.parameters == (CTP,)
    assert found.signature.known is None


@pytest.mark.parametrize(
    ("judges", "cvc5", "end"),
    [
        (("our evaluator", "Z3"), "unknown", End.CONFIRMED),
        (("Z3",), "sat", End.CONFIRMED),
        (("Z3",), "unknown", End.CONTRADICTION),
        (("our evaluator", "Z3"), "unsat", End.CONTRADICTION),
    ],
)
def test_a_wrong_model_needs_a_second_judge_besides_z3(
    monkeypatch: pytest.MonkeyPatch, judges: tuple[str, ...], cvc5: str, end: End
) -> None:
    monkeypatch.setattr("chcfuzz.domains.chc.oracles.failing.Failing.judges", lambda *_: judges)
    monkeypatch.setattr("chcfuzz.oracles.second_solver.answers", lambda _: [cvc5])
    seen = Suspicion(SAT.encode(), "wrong-model", "model", "sat", "sat")
    assert examined(seen, "TransformedSpacer").end is end


@pytest.mark.slow
def test_a_run_that_killed_an_earlier_process_is_skipped() -> None:
    found = examined(wrong_unsat(doubled()), "PlantedSpacer", without=["transforms off", "the seed"])
    assert found.end is End.CONFIRMED
    assert found.tried["transforms off"] == "death"
    assert found.statuses[0] == "death"


def test_the_last_report_on_the_unit_is_that_without_the_parameters_that_it_does_not_need() -> None:
    sent: list[Message] = []
    seen = Suspicion(doubled(parameters=(CTP,)), VerdictKind.LIMIT.value, "resources", "sat")
    assert examined(seen, "GreedySpacer", send=sent.append).recipe.parameters == ()
    runs = [each.report.run for each in sent if isinstance(each, RunReported)]
    assert runs.index("with no parameter") < len(runs) - 1 - runs[::-1].index("given")


def test_other_verdicts_are_confirmed_by_a_second_occurrence() -> None:
    unit = doubled(parameters=(CTP,))
    seen = Suspicion(unit, VerdictKind.LIMIT.value, "resources", "sat")
    found = examined(seen, "GreedySpacer")
    assert found.end is End.CONFIRMED
    assert found.recipe.parameters == ()
    assert found.signature.detail
    assert not any(character in found.signature.detail for character in "123456789")


def test_the_portfolio_holds_every_supported_parameter_once_and_ends_with_a_larger_limit() -> None:
    pipeline = Pipeline(Solving())
    settings = list(runs_module.portfolio(pipeline, Recipe(SAT, (), (CTP,))))
    names = [setting.name for setting in settings]
    assert len(set(names)) == len(names) > 20
    assert names[:3] == ["default parameters", "transforms off", "given, transforms off"]
    assert settings[-1] == RunConfiguration("10 times the resource limit", (CTP,), 10)
    assert not any(name.startswith(("fp.spacer.ctp", "fp.spacer.native_mbp", "fp.spacer.gpdr")) for name in names)
    assert all(CTP in setting.parameters for setting in settings[3:])


def test_the_instantiations_of_cvc5_confirm_a_wrong_sat_that_no_search_refutes(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = SearchResult(None, "no refutation was found", Status.UNKNOWN)
    monkeypatch.setattr(derive, "derive", lambda *_arguments, **_named: nothing)
    unit = SAT.replace(":status sat", ":status unsat").replace("(> y 3)", "(> x 3)").encode()
    seen = Suspicion(unit, "wrong-answer", "answer", "sat", "unsat", "", SeedAnswer("unsat", Ground.DECLARED))
    found = examined(seen, "HastySpacer")
    assert (found.end, found.kind) == (End.CONFIRMED, "wrong-answer")
    assert found.words.startswith("the instantiations of cvc5 give a refutation")
    assert found.witness is not None
    assert set(found.witness.cvc5) == {"unsat"}


@pytest.mark.parametrize("spares", ["nothing", "integers"])
def test_a_solver_that_dies_of_everything_has_one_signature_for_all_theories(spares: str) -> None:
    def solve(text: str, *_: object, **__: object) -> Outcome:
        if spares == "integers" and "Array" not in text:
            return Outcome(Status.SAT, "", NOTHING, 0, 0.0)
        return Outcome(Status.CRASH, "dies of signal 11", NOTHING, 0, 0.0)

    arrays = "(declare-fun p ((Array Int Int)) Bool)(assert (forall ((a (Array Int Int))) (p a)))"
    found = examined(Suspicion(encode(Recipe(arrays)), "crash", "errors"), solve=solve)
    assert (found.end, found.signature.detail) == (End.CONFIRMED, "it dies of signal 11")
    assert found.signature.theories == (() if spares == "nothing" else ("Arrays", "LIA"))
