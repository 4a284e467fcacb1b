"""`chcfuzz reduce`: small, still the same finding, and whatever ends it leaves the best so far whole."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any

import pytest
from chcfuzz.commands.reduce import reduce_finding
from chcfuzz.domains.chc.oracles.model import check_text
from chcfuzz.execution.files import write_whole
from chcfuzz.execution.pipeline import Pipeline
from chcfuzz.execution.solving import Solving
from chcfuzz.execution.worker_pool import HelperError
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.mutators.recipe import Recipe, Step, decode, encode
from chcfuzz.solvers.model_text import pieces
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.triage.examine.signature import Signature
from chcfuzz.triage.findings.record import Finding
from chcfuzz.triage.findings.reductions import read_reduction
from chcfuzz.triage.reduce import reduction as reduce_module
from chcfuzz.triage.reduce import result_writer
from chcfuzz.triage.reduce.condition import Condition, ReduceError, read_finding
from chcfuzz.triage.reduce.judge import Judge
from chcfuzz.triage.reduce.messages import Judgement
from chcfuzz.triage.reduce.pool import JudgePool, Passed
from chcfuzz.triage.reduce.reduction import ReduceOptions, open_reducer
from chcfuzz.triage.shrink.explain import Replaceable
from chcfuzz.triage.shrink.result import Mode

from tests.campaign.conftest import UNSAT
from tests.fuzz_targets.solvers import MARK
from tests.quality.planted import repeats_a_member
from tests.targets import SAFETY_NET
from tests.triage.examine.test_examination import SAT
from tests.triage.records import a_record, write_record

CHCFUZZ = Path(sys.executable).parent / "chcfuzz"
DOUBLED = Recipe(SAT, (Step("order.shuffle-clauses", b"\1\2\3"), Step("boolean.dup-and", b"\0\0\0\0")))
CTP = ("fp.spacer.ctp", "false")
SLICE = "fp.xform.slice=false"
SAT_UNTIL_UNSAT = {"answer": "unsat", "expected": "sat", "witness_for": "sat"}


def solving(solver: str, module: str = "tests.quality.planted") -> Solving:
    return Solving(solver=f"{module}:{solver}", rlimit=200_000, wall_seconds=60.0)


def finding(where: Path, recipe: Recipe, kind: str, solving: Solving, cures: Sequence[str] = (), **more: Any) -> Path:
    """A finding's folder as `triage.findings.folder` writes it, as far as a reduction reads it."""
    where.mkdir()
    facts = {"parameters": dict(recipe.parameters), "solving": solving.arguments, **more}
    signature = Signature(kind, default=True, cures=tuple(cures))
    write_record(where, a_record(kind, signature=signature, **facts))
    (where / "recipe").write_bytes(encode(recipe))
    return where


@pytest.fixture
def wrong_answer(tmp_path: Path) -> Path:
    """Unsat, where a conjunction holds a member twice, unless slicing is off."""
    recipe = replace(DOUBLED, parameters=(CTP,))
    return finding(
        tmp_path / "found", recipe, "wrong-answer", solving("PlantedSpacer"), ("transforms off",), **SAT_UNTIL_UNSAT
    )


def judge(condition: Condition, solver: str) -> Judge:
    given = solving(solver)
    return Judge(condition, Pipeline(given), given)


class PoolHere(JudgePool):
    """Judges in this process: these tests do not depend on where that happens."""

    def __init__(self, condition: Condition, solving: Solving, jobs: int) -> None:
        super().__init__(condition, solving, jobs)
        self._pipeline = Pipeline(solving)
        self._judge = Judge(condition, self._pipeline, solving)
        self._lock = Lock()

    def judge(self, recipe: Recipe) -> tuple[Passed | None, str]:
        with self._lock:
            judgement = self._judge.judge(recipe)
        passed = Passed(recipe, self._pipeline.mutant(recipe).text, judgement) if judgement.passes else None
        return passed, judgement.message


@pytest.fixture
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reduce_module, "JudgePool", PoolHere)


def reduced(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "reduced.json").read_text())
    return found


@pytest.mark.slow
def test_a_wrong_answer_becomes_small_and_keeps_a_checked_model(
    wrong_answer: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert reduce_finding(wrong_answer, solving("PlantedSpacer"), "finding", 1) == 0
    said = reduced(wrong_answer)
    assert said["minimal"]
    assert said["parameters"] == {}
    assert said["chain"] == ["boolean.dup-and"]
    assert (said["before"]["clauses"], said["after"]["clauses"]) == (3, 1)
    system = parse((wrong_answer / "reduced.smt2").read_text(), "reduced")
    assert system.status == "sat"
    assert repeats_a_member((wrong_answer / "reduced.smt2").read_text())
    assert holds_in(wrong_answer)
    words = f"reduced: 3 formulas, {said['before']['nodes']} nodes -> 1 formula, {said['after']['nodes']} nodes in "
    assert capsys.readouterr().out == f"{words}{said['tests']} tests\n"
    assert_readme_and_script_name_it(wrong_answer)


def assert_readme_and_script_name_it(folder: Path) -> None:
    named = {line.split()[0] for line in (folder / "README.txt").read_text().splitlines()[2:]}
    assert named == {path.name for path in folder.iterdir()} - {"README.txt"}
    script = (folder / "show.sh").read_text()
    assert '"$Z3" reduced.smt2' in script
    assert '"$Z3" reduced-model.smt2' in script
    assert os.access(folder / "show.sh", os.X_OK)


def holds_in(folder: Path) -> bool:
    """Whether the witness beside the reduced system is one of that system."""
    system = parse((folder / "reduced.smt2").read_text(), "reduced")
    model = "\n".join(
        piece for piece in pieces((folder / "reduced-model.smt2").read_text()) if piece.startswith("(define-fun")
    )
    return check_text(system, model, Watchdog(60.0)).kind.value == "pass"


@pytest.mark.slow
@pytest.mark.usefixtures("_here")
def test_the_same_finding_becomes_the_same_however_many_are_judged_at_once(wrong_answer: Path) -> None:
    found = []
    for jobs in (1, 3):
        reduce_finding(wrong_answer, solving("PlantedSpacer"), "finding", jobs)
        found.append(((wrong_answer / "reduced.smt2").read_text(), reduced(wrong_answer)["tests"]))
    assert found[0] == found[1]


@pytest.mark.slow
@pytest.mark.usefixtures("_here")
def test_in_equivalent_mode_each_clause_says_what_it_said(wrong_answer: Path) -> None:
    reduce_finding(wrong_answer, solving("PlantedSpacer"), "equivalent", 1)
    text = (wrong_answer / "equivalent.smt2").read_text()
    assert json.loads((wrong_answer / "equivalent.json").read_text())["after"]["clauses"] == 3
    assert repeats_a_member(text)
    assert Pipeline(Solving()).solve(text, ()).status.value == "sat"


@pytest.mark.usefixtures("_here")
def test_reductions_of_two_modes_do_not_replace_each_other(wrong_answer: Path) -> None:
    for mode in Mode:
        options = ReduceOptions(mode, max_tests=4)
        with open_reducer(read_finding(wrong_answer), solving("PlantedSpacer"), options) as reducer:
            reducer.run()
    found = Finding.read(wrong_answer).reductions
    assert {mode: files.stem for mode, files in found.items()} == {
        Mode.EQUIVALENT: "equivalent",
        Mode.FINDING: "reduced",
    }
    for stem in ("reduced", "equivalent"):
        left = {path.name for path in wrong_answer.glob(f"{stem}*")}
        assert left == {f"{stem}.smt2", f"{stem}.json", f"{stem}-model.smt2", f"{stem}-recipe"}
    script = (wrong_answer / "show.sh").read_text()
    assert '"$Z3" equivalent.smt2' in script
    assert '"$Z3" equivalent-model.smt2' in script
    assert_readme_and_script_name_it(wrong_answer)


def test_a_mode_that_a_domain_does_not_have_is_refused(wrong_answer: Path) -> None:
    with (
        pytest.raises(ReduceError, match="SMT problems have no --mode equivalent; leave it out"),
        open_reducer(read_finding(wrong_answer), Solving(domain="smt"), ReduceOptions(Mode.EQUIVALENT)),
    ):
        pass


@pytest.mark.usefixtures("_here")
def test_a_wrong_model_stays_wrong(tmp_path: Path) -> None:
    folder = finding(tmp_path / "found", Recipe(SAT), "wrong-model", solving("ForgetfulSpacer"))
    reduce_finding(folder, solving("ForgetfulSpacer"), "finding", 1)
    assert (folder / "reduced.smt2").read_text().count("assert") == 1
    asked = Pipeline(Solving()).solve((folder / "reduced-evidence.smt2").read_text().replace("ALL", "LIA"), ())
    assert asked.status.value == "sat"


@pytest.mark.usefixtures("_here")
def test_a_constant_that_does_not_matter_is_in_the_record(tmp_path: Path) -> None:
    text = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 5))(assert (forall ((x Int)) (=> (p x) (> x 3))))"
    more = {"answer": "unsat", "expected": "sat", "witness_for": "sat"}
    given = solving("NumeralSpacer")
    folder = finding(tmp_path / "found", Recipe(text), "wrong-answer", given, **more)
    (folder / "model.smt2").write_text("(define-fun p ((x Int)) Bool (> x 3))\n")
    reduce_finding(folder, given, "finding", 1)
    record = read_reduction(folder)
    assert record is not None
    assert record.minimal
    assert record.replaceable == (Replaceable(1, "0", 1, ("7", "(- 5)", "1000003")),)


@pytest.mark.usefixtures("_here")
def test_a_wrong_sat_keeps_a_refutation(tmp_path: Path) -> None:
    text = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (and (= x 1) (= x 1)) (p x))))"
    text += (
        "(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))(assert (forall ((x Int)) (=> (and (p x) (> x 2)) false)))"
    )
    more = {"expected": "unsat", "witness_for": "unsat"}
    folder = finding(tmp_path / "found", Recipe(text), "wrong-answer", solving("PlantedSpacer"), (SLICE,), **more)
    reduce_finding(folder, solving("PlantedSpacer"), "finding", 1)
    assert parse((folder / "reduced.smt2").read_text(), "reduced").status == "unsat"
    assert (folder / "reduced-refutation").read_text().rstrip().endswith("|- false")


@pytest.mark.slow
def test_a_death_is_the_same_death_or_none() -> None:
    given = solving("DyingSpacer", "tests.fuzz_targets.solvers")
    unit = Recipe(SAT.replace("inv", MARK))
    for detail, passes in (("it dies of signal 11", True), ("it dies of signal 6", False)):
        with JudgePool(Condition("crash", "death", detail), given, 1) as pool:
            found, words = pool.judge(unit)
            assert (found is not None, words) == (passes, "it dies of signal 11")
            assert pool.judge(Recipe(SAT)) == (None, "the solver answers sat without a verdict 'crash'")


@pytest.mark.slow
def test_a_death_becomes_small(tmp_path: Path) -> None:
    given = solving("DyingSpacer", "tests.fuzz_targets.solvers")
    unit = Recipe(SAT.replace("inv", MARK), (), (CTP,))
    folder = finding(tmp_path / "found", unit, "crash", given, answer="death", witness="it dies of signal 11")
    assert reduce_finding(folder, given, "finding", 2) == 0
    assert reduced(folder)["parameters"] == {}
    system = parse((folder / "reduced.smt2").read_text(), "reduced")
    assert system.clauses == ()
    assert [predicate.name for predicate in system.predicates] == [MARK]


def test_what_a_solver_prints_is_no_answer() -> None:
    with JudgePool(Condition("limit", "sat"), solving("NoisySpacer", "tests.fuzz_targets.solvers"), 1) as pool:
        assert pool.judge(Recipe(SAT)) == (None, "the solver answers sat without a verdict 'limit'")


@pytest.mark.slow
def test_a_candidate_that_kills_the_solver_costs_only_itself() -> None:
    given = solving("PlainDyingSpacer", "tests.fuzz_targets.solvers")
    with JudgePool(Condition("wrong-answer", "sat"), given, 1) as pool:
        assert pool.judge(Recipe(SAT, (), tuple(sorted(PLAIN.items()))))[1] == "it dies of signal 11"
        assert pool.judge(Recipe(SAT, (), (CTP,))) == (None, "no refutation was found")


PLAIN = {"fp.xform.inline_eager": "false", "fp.xform.inline_linear": "false", "fp.xform.slice": "false"}


def test_a_process_that_fails_is_reported_in_one_line() -> None:
    with (
        JudgePool(Condition("crash", "death"), solving("NoSuchSpacer"), 1) as pool,
        pytest.raises(HelperError) as caught,
    ):
        pool.judge(Recipe(SAT))
    assert "NoSuchSpacer" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_unsat_that_no_model_contradicts_is_not_the_finding() -> None:
    wrong = Condition("wrong-answer", "unsat")
    assert judge(wrong, "StubbornSpacer").judge(DOUBLED).message == "the model of Z3's own Spacer holds in every clause"
    assert judge(wrong, "StubbornSpacer").judge(Recipe(UNSAT)) == Judgement(
        False, "no known model holds in every clause"
    )


def test_a_wrong_model_alone_does_not_make_a_sat_wrong() -> None:
    found = judge(Condition("wrong-answer", "sat"), "ForgetfulSpacer").judge(Recipe(SAT))
    assert found == Judgement(False, "no refutation was found")


def test_a_sat_without_a_refutation_is_not_the_finding() -> None:
    found = judge(Condition("wrong-answer", "sat"), "PlantedSpacer").judge(Recipe(SAT))
    assert found == Judgement(False, "no refutation was found")


@pytest.mark.parametrize(
    ("cures", "passes"),
    [
        ((), True),
        ((SLICE,), True),
        (("fp.xform.inline_eager=false", SLICE), True),
        (("transforms off", "fp.xform.inline_eager=false"), True),
        (("fp.xform.inline_eager=false",), False),
    ],
)
def test_a_wrong_answer_that_no_setting_cures_that_cured_it_has_another_cause(
    cures: tuple[str, ...], passes: bool
) -> None:
    assert judge(Condition("wrong-answer", "unsat", cures=cures), "PlantedSpacer").judge(DOUBLED).passes == passes


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("parameters", [(), (CTP,)])
def test_a_wrong_model_that_the_transforms_make_does_not_become_another_one(
    known: bool, parameters: tuple[tuple[str, str], ...]
) -> None:
    found = judge(Condition("wrong-model", "sat", by_transforms=known), "TransformedSpacer").judge(
        Recipe(SAT, (), parameters)
    )
    assert found.passes == (known == (parameters == ()))


@pytest.mark.parametrize(
    ("cures", "passes"),
    [
        ((), True),
        (("inlining off",), True),
        (("inlining off", "fp.xform.inline_linear=false"), True),
        (("inlining off", "fp.xform.inline_eager=false"), False),
    ],
)
def test_a_wrong_model_of_one_way_to_inline_does_not_become_one_of_the_other(
    cures: tuple[str, ...], passes: bool
) -> None:
    condition = Condition("wrong-model", "sat", cures=("transforms off", *cures), by_transforms=True)
    assert judge(condition, "LinearSpacer").judge(Recipe(SAT)).passes == passes


@pytest.mark.parametrize(
    ("judges", "cvc5", "passes"),
    [(("Z3",), "", False), (("Z3",), "sat", True), (("our evaluator", "Z3"), "", True), (("Z3",), "unsat", False)],
)
def test_a_wrong_model_stays_one_that_another_judge_than_z3_finds_wrong(
    monkeypatch: pytest.MonkeyPatch, judges: tuple[str, ...], cvc5: str, passes: bool
) -> None:
    monkeypatch.setattr("chcfuzz.oracles.second_solver.answers", lambda _: (cvc5,) if cvc5 else ())
    monkeypatch.setattr("chcfuzz.domains.chc.oracles.failing.Failing.judges", lambda *_: judges)
    assert judge(Condition("wrong-model", "sat"), "ForgetfulSpacer").judge(Recipe(SAT)).passes == passes


def test_an_error_is_the_same_one_without_its_numbers() -> None:
    said = judge(Condition("limit", "sat", "counts 0 resource units under a limit of 0"), "GreedySpacer")
    assert said.judge(DOUBLED).passes
    assert not said.judge(Recipe(SAT)).passes
    assert not judge(Condition("limit", "sat", "another one"), "GreedySpacer").judge(DOUBLED).passes


@pytest.mark.usefixtures("_here")
def test_interrupted_it_keeps_the_best_so_far(
    wrong_answer: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    judge_here = PoolHere.judge
    passed: list[str] = []

    def interrupted(pool: PoolHere, recipe: Recipe) -> tuple[Passed | None, str]:
        if len(passed) == 5:
            raise KeyboardInterrupt
        found = judge_here(pool, recipe)
        passed.extend([found[0].system] if found[0] else [])
        return found

    monkeypatch.setattr(PoolHere, "judge", interrupted)
    assert reduce_finding(wrong_answer, solving("PlantedSpacer"), "finding", 1) == 130
    best = parse((wrong_answer / "reduced.smt2").read_text(), "reduced")
    assert replace(best, info=()) == parse(passed[-1], "passed")
    assert holds_in(wrong_answer)
    assert not reduced(wrong_answer)["minimal"]
    assert "interrupted" in capsys.readouterr().out


class PowerCutError(BaseException):
    """Nothing after it is done."""


@pytest.mark.usefixtures("_here")
@pytest.mark.parametrize("moment", [0, 1, 2, 3, 6, 8])
def test_wherever_it_is_cut_off_no_witness_lies_beside_another_system(
    wrong_answer: Path, monkeypatch: pytest.MonkeyPatch, moment: int
) -> None:
    last: dict[str, bytes] = {}  # what was written of one result
    done = 0

    def cut(path: Path, content: bytes) -> None:
        nonlocal done
        if done == moment:
            raise PowerCutError
        done += 1
        if path.name == "reduced.smt2":
            last.clear()
        last[path.name] = content
        write_whole(path, content)

    monkeypatch.setattr(result_writer, "_SECONDS_BETWEEN", 0.0)
    monkeypatch.setattr(result_writer, "write_whole", cut)
    with pytest.raises(PowerCutError):
        reduce_finding(wrong_answer, solving("PlantedSpacer"), "finding", 1)
    assert is_whole(wrong_answer)
    assert all(path.read_bytes() == last.get(path.name) for path in wrong_answer.glob("reduced*"))


def is_whole(folder: Path) -> bool:
    """Whether the finding and the files of its reduction are whole, each witness one of the reduced system."""
    decode((folder / "recipe").read_bytes())
    read_finding(folder)
    names = {path.name for path in folder.iterdir()}
    if "reduced.json" in names:
        return {"reduced.smt2", "reduced-model.smt2"} <= names and bool(reduced(folder)) and holds_in(folder)
    if "reduced-model.smt2" in names:
        return holds_in(folder)
    return "reduced.smt2" not in names or repeats_a_member((folder / "reduced.smt2").read_text())


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_ended_at_any_moment_it_leaves_whole_files(wrong_answer: Path, end: signal.Signals) -> None:
    for number in range(8):
        with subprocess.Popen([str(CHCFUZZ), "reduce", str(wrong_answer)], stdout=subprocess.DEVNULL) as process:
            time.sleep(0.5 + 0.4 * number)  # another moment each time, whatever it does then
            process.send_signal(end)
        assert is_whole(wrong_answer)


@pytest.fixture
def chcfuzz(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """The command, as users type it."""

    def run(*words: object) -> subprocess.CompletedProcess[str]:
        command = [str(CHCFUZZ), "reduce", *map(str, words)]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=SAFETY_NET, check=False)

    return run


@pytest.mark.slow
def test_the_command_reduces_under_the_flags_that_the_finding_was_found_with(
    wrong_answer: Path, chcfuzz: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    refused = chcfuzz(wrong_answer)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "which runs code; to allow that, add this flag to your command line" in refused.stderr
    done = chcfuzz(wrong_answer, "--jobs=2", "--solver=tests.quality.planted:PlantedSpacer")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("reduced: 3 formulas, ")
    assert done.stderr == ""
    assert reduced(wrong_answer)["minimal"]


@pytest.mark.slow
def test_a_finding_that_cannot_be_reproduced_is_reported(
    wrong_answer: Path, chcfuzz: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    done = chcfuzz(wrong_answer, "--solver=chcfuzz.domains.chc.solvers.spacer:Spacer")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "chcfuzz: 'FOLDER' cannot be reproduced: the solver answers sat, not unsat\n".replace(
        "FOLDER", str(wrong_answer)
    )
    assert not (wrong_answer / "reduced.smt2").exists()


def test_a_kind_without_a_condition_is_refused(tmp_path: Path) -> None:
    folder = finding(tmp_path / "found", DOUBLED, "contradiction", solving("PlantedSpacer"))
    with pytest.raises(ReduceError, match="'contradiction'"):
        read_finding(folder)


def test_a_command_whose_message_has_addresses_dies_the_same_death(tmp_path: Path) -> None:
    dying = tmp_path / "dying"
    dying.write_text(
        '#!/bin/sh\necho "==$$==ERROR: AddressSanitizer: SEGV on unknown address 0xab$$" >&2\nkill -6 $$\n'
    )
    dying.chmod(0o755)
    given = Solving(command=str(dying), rlimit=200_000, wall_seconds=60.0)
    witness = "it dies of signal 6 (Aborted): ERROR: AddressSanitizer: SEGV on unknown address 0xab1"
    folder = finding(tmp_path / "found", Recipe(SAT), "crash", given, answer="crash", witness=witness)
    condition = read_finding(folder).condition
    found = Judge(condition, Pipeline(given), given).judge(Recipe(SAT))
    assert (found.passes, found.message.rpartition("0x")[0]) == (True, witness.rpartition("0x")[0])
