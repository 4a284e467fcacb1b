"""`chcfuzz locate`: with bugs that are planted, so that it is known where they come from."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from chcfuzz.commands.locate import LocateOptions, locate_finding
from chcfuzz.commands.main import main
from chcfuzz.domains.chc.domain import DOMAIN
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.mutators.recipe import Recipe, encode
from chcfuzz.solvers import z3_release
from chcfuzz.solvers.command import Command
from chcfuzz.solvers.faults import FaultClass
from chcfuzz.solvers.outcome import Status
from chcfuzz.tracing.trace import NO_EVENTS
from chcfuzz.triage.examine.signature import Signature
from chcfuzz.triage.findings.location import FILE, Location, PartingStep, read_location
from chcfuzz.triage.locate import locating
from chcfuzz.triage.locate.case import LocateError, case_of
from chcfuzz.triage.locate.locating import Locating
from chcfuzz.triage.locate.messages import ParameterRow, Side
from chcfuzz.triage.locate.observer import side_of
from chcfuzz.triage.locate.pool import Neighbour, Observed, RunPool
from chcfuzz.triage.locate.rerun import rerun
from chcfuzz.triage.locate.tested_releases import UNDER_TEST, NamedRelease
from chcfuzz.triage.reduce.condition import Condition, read_finding

from tests.fuzz_targets.solvers import MARK
from tests.quality.rediscovery.known import table
from tests.traced import TRACED, ensure_release, needs_traced_build
from tests.triage.examine.test_examination import SAT
from tests.triage.records import a_record, a_reduction, write_record
from tests.triage.reduce.test_reduction import CTP, DOUBLED, SAT_UNTIL_UNSAT, finding, solving
from tests.users import BecomeUser

SLICE = ("fp.xform.slice", "false")
ROWS = (
    ParameterRow("fp.spacer.ctp", "true", ("false",)),
    ParameterRow("fp.spacer.eq_prop", "true", ("false",)),
    ParameterRow(*SLICE[:1], "true", ("false",)),
)
PLANTED = solving("PlantedSpacer")


@pytest.fixture
def _few_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    """All parameters and systems are some two hundred runs; these tests need a few, in the installed release."""
    monkeypatch.setattr(RunPool, "parameters", ROWS)
    monkeypatch.setattr(locating, "_MAX_EDITED", 6)
    monkeypatch.setattr(locating, "_MAX_MUTATED", 6)
    monkeypatch.setattr(locating, "_MAX_SEEDS", 3)
    monkeypatch.setattr(z3_release, "build_in_cache", lambda *_: None)


@pytest.fixture
def wrong_answer(tmp_path: Path) -> Path:
    """Unsat, where a conjunction holds a member twice, unless slicing is off."""
    recipe = replace(DOUBLED, parameters=(CTP,))
    return finding(tmp_path / "found", recipe, "wrong-answer", PLANTED, ("transforms off",), **SAT_UNTIL_UNSAT)


def located(folder: Path) -> Location:
    found = read_location(folder)
    assert found is not None
    return found


@pytest.mark.slow
@pytest.mark.usefixtures("_few_neighbours")
def test_a_planted_bug_is_located_where_it_was_planted(
    wrong_answer: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert locate_finding(wrong_answer, PLANTED, LocateOptions(1, bisect=False, debug_build=None)) == 0
    found = located(wrong_answer)
    assert found.of == "mutant"
    assert found.vanishes == (SLICE,)
    assert found.appears == ()
    assert "it shows under default parameters" in found.notes
    assert "no step of the solver is wrong, as far as they can be judged" in found.notes
    assert found.step == PartingStep(2, "boolean.dup-and", "equivalent")
    passing, failing = found.neighbours
    assert passing > 1
    assert failing > 3
    assert all(site.failing + site.passing < passing + failing for site in found.sites)
    said = capsys.readouterr().out
    assert "fp.xform.slice=false" in said
    assert max(map(len, said.splitlines())) <= 80
    readme = (wrong_answer / "README.txt").read_text()
    assert "Where it comes from:" in readme
    assert "fp.xform.slice=false" in readme


@pytest.mark.slow
@pytest.mark.usefixtures("_few_neighbours")
def test_what_alone_brings_it_and_what_cures_it_are_told_apart(tmp_path: Path) -> None:
    given = solving("SwitchedSpacer")
    recipe = replace(DOUBLED, parameters=(CTP, ("fp.spacer.eq_prop", "false")))
    folder = finding(tmp_path / "found", recipe, "wrong-answer", given, **SAT_UNTIL_UNSAT)
    assert locate_finding(folder, given, LocateOptions(2, bisect=False, debug_build=None)) == 0
    found = located(folder)
    assert found.vanishes == (("fp.spacer.ctp", "true"), SLICE)
    assert found.appears == (CTP,)


@pytest.mark.usefixtures("_few_neighbours")
def test_what_is_gone_is_told_and_nothing_is_written(wrong_answer: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        locate_finding(
            wrong_answer, solving("Spacer", "chcfuzz.domains.chc.solvers.spacer"), LocateOptions(1, False, None)
        )
        == 1
    )
    stage, said = capsys.readouterr().err.splitlines()
    assert stage == "chcfuzz: the finding: 0 of 1"
    assert said.startswith(
        f"chcfuzz: {str(wrong_answer)!r} cannot be reproduced: not in z3-solver 5.4.0.0: the solver answers"
    )
    assert not (wrong_answer / FILE).exists()


@pytest.mark.usefixtures("_few_neighbours")
def test_ctrl_c_keeps_what_is_known_by_then(
    wrong_answer: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Locating, "_find_step", interrupted)
    assert locate_finding(wrong_answer, PLANTED, LocateOptions(1, bisect=False, debug_build=None)) == 130
    assert located(wrong_answer).vanishes == (SLICE,)
    told = capsys.readouterr()
    assert "interrupted" in told.err
    assert "fp.xform.slice=false" in told.out


@pytest.mark.slow
@pytest.mark.usefixtures("_few_neighbours")
def test_a_death_loses_no_other_run() -> None:
    with RunPool(Condition("wrong-answer", "unsat"), solving("DyingSpacer", "tests.fuzz_targets.solvers")) as panel:
        both = [Neighbour("dead", Recipe(SAT.replace("inv", MARK))), Neighbour("alive", Recipe(SAT))]
        dead, alive = panel.each(panel.run, both)
    assert (dead.side, dead.description) == (Side.NEITHER, "it dies of signal 11")
    assert (alive.side, alive.description) == (Side.PASSING, "sat")
    assert len(alive.events.numbers) > 0


@pytest.mark.parametrize(
    ("kind", "status", "said", "side"),
    [
        ("wrong-answer", Status.UNSAT, None, Side.FAILING),
        ("wrong-answer", Status.SAT, None, Side.PASSING),
        ("wrong-answer", Status.LIMIT, None, Side.NEITHER),
        ("wrong-model", Status.SAT, "clause 1 is false", Side.FAILING),
        ("wrong-model", Status.UNSAT, None, Side.PASSING),
        ("wrong-model", Status.UNKNOWN, None, Side.NEITHER),
        ("exception", Status.ERROR, "at line 7", Side.FAILING),
        ("exception", Status.ERROR, "another one", Side.NEITHER),
        ("exception", Status.SAT, None, Side.PASSING),
    ],
)
def test_the_side_of_a_run(kind: str, status: Status, said: str | None, side: Side) -> None:
    assert side_of(Condition(kind, "unsat", "at line 0"), status, said) is side


def test_a_wrong_interpolant_is_the_same_at_another_cut() -> None:
    condition = Condition("wrong-interpolant", "unsat", "it is not implied")  # as stored
    assert side_of(condition, Status.UNSAT, FaultClass.NOT_IMPLIED) is Side.FAILING
    assert side_of(condition, Status.UNSAT, FaultClass.NOT_CONTRADICTING) is Side.NEITHER
    assert side_of(condition, Status.UNSAT, None) is Side.PASSING


def test_the_reduced_system_is_run_where_there_is_one(wrong_answer: Path) -> None:
    assert case_of(read_finding(wrong_answer), DOMAIN.roots).of == "mutant"
    (wrong_answer / "reduced.smt2").write_text(
        SAT.replace("(declare", "(set-option :fp.spacer.ctp false)\n(declare", 1)
    )
    (wrong_answer / "reduced-recipe").write_bytes(encode(Recipe(SAT, DOUBLED.steps[1:])))
    (wrong_answer / "reduced.json").write_bytes(a_reduction().to_json())
    case = case_of(read_finding(wrong_answer), DOMAIN.roots)
    assert case.of == "reduced"
    assert case.system is not None
    assert (case.system.steps, case.system.parameters) == ((), ())
    assert "set-option" not in case.system.seed
    assert "set-info" not in case.system.seed
    assert case.chain.steps == DOUBLED.steps[1:]
    (wrong_answer / "reduced.smt2").unlink()
    with pytest.raises(LocateError, match="cannot read the reduced system"):
        case_of(read_finding(wrong_answer), DOMAIN.roots)


def test_the_assertion_that_a_debug_build_fails_is_kept(wrong_answer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As one ends the process; a real one takes an hour to build."""
    monkeypatch.setattr(Locating, "_in_build", lambda *_: solving("ViolatingSpacer", "tests.fuzz_targets.solvers"))
    locating = Locating(read_finding(wrong_answer), PLANTED, 1, lambda *_: None)
    locating.find_assertion(Neighbour("the finding", DOUBLED), Path("5.4.0.0-debug"))
    assert locating.location.assertion == "src/muz/spacer/spacer_util.cpp:2170: m_level <= lvl"


def test_a_debug_build_that_fails_nothing_is_told(wrong_answer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Locating, "_in_build", lambda *_: PLANTED)
    locating = Locating(read_finding(wrong_answer), PLANTED, 1, lambda *_: None)
    locating.find_assertion(Neighbour("the finding", DOUBLED), Path("5.4.0.0-debug"))
    assert locating.location.assertion is None
    assert locating.location.notes == ("no assertion fails in the debug build 5.4.0.0-debug; result: unsat",)


# Bug 11 of docs/z3-5.4.0.md: a check that fails in releases, too.
CHECKED = """(set-logic HORN)
(declare-fun p ((_ BitVec 2) (_ BitVec 2) Int) Bool)
(assert (p #b00 #b00 0))
(assert (=> (p #b00 #b01 0) (p #b01 #b00 0)))
(assert (forall ((x (_ BitVec 2)) (y (_ BitVec 2)) (z (_ BitVec 2)))
    (=> (and (p x y 0) (= z (bvxor x (bvlshr y #b01))) (distinct z #b00))
        false)))
(check-sat)
"""


def test_a_check_that_fails_in_a_release_is_read_from_its_output(tmp_path: Path) -> None:
    details = {"answer": "unknown", "witness": "Z3 raises: unreachable"}
    where = finding(tmp_path / "found", Recipe(CHECKED), "exception", Solving(), **details)
    locating = Locating(read_finding(where), Solving(), 1, lambda *_: None)
    locating.find_assertion(Neighbour("the finding", Recipe(CHECKED)), None)
    assert locating.location.assertion is not None
    assert re.fullmatch(r"src/muz/spacer/spacer_context\.cpp:\d+: Failed to verify: found", locating.location.assertion)


def test_a_debug_build_of_a_command_prints_an_assertion(wrong_answer: Path, tmp_path: Path) -> None:
    program = tmp_path / "debug-solver"
    lines = ("solver: /x/src/engine.cc:7: int f(): Assertion `n > 0' failed.", "    #0 0x1 in f /x/src/engine.cc:7:3")
    (tmp_path / "printed").write_text("\n".join(lines))
    program.write_text(f'#!/bin/sh\ngrep -q inv "$1" && cat {tmp_path / "printed"} >&2\nkill -ABRT $$\n')
    program.chmod(0o755)
    locating = Locating(read_finding(wrong_answer), PLANTED, 1, lambda *_: None)
    observed = Observed(Neighbour("the finding", Recipe(SAT)), Side.FAILING, "unsat", NO_EVENTS, SAT)
    locating.find_assertion_of_command(observed, Command.of([str(program)], 60.0))
    assert locating.location.assertion == "src/engine.cc:7: n > 0"
    assert locating.location.stack == ("src/engine.cc:7 f",)
    silent = Locating(read_finding(wrong_answer), PLANTED, 1, lambda *_: None)
    silent.find_assertion_of_command(observed, Command.of("true", 60.0))
    assert silent.location.assertion is None
    assert silent.location.notes == ("no assertion fails in the debug build true",)


def test_bisecting_another_solver_is_bad_use(wrong_answer: Path) -> None:
    with pytest.raises(UsageError, match=r"--bisect needs releases of z3-solver"):
        locate_finding(wrong_answer, Solving(command="true"), LocateOptions(1, bisect=True, debug_build=None))


def test_a_debug_build_that_is_nowhere_is_told(wrong_answer: Path, become_user: BecomeUser) -> None:
    become_user(wrong_answer)
    with pytest.raises(
        UsageError, match=r"'4.8.14.0' is not a folder, and a debug build of that version is not in the cache"
    ):
        locate_finding(wrong_answer, PLANTED, LocateOptions(1, bisect=False, debug_build="4.8.14.0"))


def test_a_release_that_cannot_be_run_is_told_and_the_others_are_asked(
    wrong_answer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def released(version: str) -> None:
        if version == "4.8.13.0":
            raise z3_release.ReleaseError("pip finds no wheel")

    monkeypatch.setattr(z3_release, "in_cache", lambda: ("4.8.13.0", "4.8.14.0"))
    monkeypatch.setattr(z3_release, "on_offer", lambda: ())
    monkeypatch.setattr(z3_release, "released", released)
    locating = Locating(read_finding(wrong_answer), solving("NoSuchSpacer"), 1, lambda *_: None)
    locating.bisect(Neighbour("the finding", DOUBLED))
    found = locating.location.versions
    assert found is not None
    assert found.first_bad == "5.4.0.0"
    said = dict(found.asked)
    assert said["4.8.13.0"] == "pip finds no wheel"
    assert said["4.8.14.0"].startswith("the helper process triage.locate.worker failed: ")
    assert locating.location.notes == (
        "pip found no list of releases (no network?), so only releases in the cache were tested",
    )


@pytest.mark.slow
@needs_traced_build
@pytest.mark.usefixtures("_few_neighbours")
def test_a_traced_build_of_its_release_tells_sites_and_functions(
    wrong_answer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(z3_release, "build_in_cache", lambda _, profile: TRACED if profile == "trace" else None)
    assert locate_finding(wrong_answer, PLANTED, LocateOptions(1, bisect=False, debug_build=None)) == 0
    found = located(wrong_answer)
    assert found.vanishes == (SLICE,)
    assert found.event is None or ".cpp:" in f"{found.event.failing} {found.event.passing}"
    assert any("spacer::" in site.where or "datalog::" in site.where for site in found.sites)
    assert not any("Spacer's log" in note for note in found.notes)


@pytest.mark.slow
def test_bisecting_a_known_bug_names_the_releases_of_the_table(tmp_path: Path) -> None:
    known = next(row for row in table() if row.name == "select-of-store")
    assert known.good_before is not None
    assert known.first_good is not None
    for version in (known.release, known.good_before, known.first_good):
        ensure_release(version)
    given = Solving(z3=known.release)
    said = {"answer": "unsat", "expected": known.answer, "z3": known.release}
    folder = finding(tmp_path / "found", known.recipe, "wrong-answer", given, **said)
    locating = Locating(read_finding(folder), given, 1, lambda *_: None)
    locating.bisect(Neighbour("the finding", known.recipe))
    found = locating.location.versions
    assert found is not None
    assert (found.last_good, found.first_good) == (known.good_before, known.first_good)
    assert dict(found.asked)[known.release] == "bad"


@pytest.mark.slow
def test_releases_of_a_command_that_a_user_names_are_bisected(wrong_answer: Path, tmp_path: Path) -> None:
    for name, answer in (("old", "unknown"), ("good", "sat"), ("bad", "unsat"), ("tested", "unsat")):
        (tmp_path / name).write_text(f"#!/bin/sh\necho {answer}\n")
        (tmp_path / name).chmod(0o755)
    given = Solving(command=str(tmp_path / "tested"))
    named = [NamedRelease(name, str(tmp_path / name)) for name in ("old", "good", "bad", "gone")]
    locating = Locating(read_finding(wrong_answer), given, 1, lambda *_: None)
    locating.bisect(Neighbour("the finding", Recipe(SAT)), named)
    found = locating.location.versions
    assert found is not None
    assert (found.first_bad, found.last_good, found.first_good) == ("bad", "good", None)
    assert [(name, result) for name, result in found.asked if name != "gone"] == [
        ("old", "unknown"),
        ("good", "good"),
        ("bad", "bad"),
        (UNDER_TEST, "bad"),
    ]
    assert "gone" in dict(found.asked)["gone"]


def test_a_report_searches_the_releases_unless_they_are_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def released(version: str) -> None:
        if version == "4.8.13.0":
            raise z3_release.ReleaseError("pip finds no wheel")

    details = {"answer": "unknown", "witness": "Z3 raises: unreachable"}
    where = finding(tmp_path / "found", Recipe(CHECKED), "exception", Solving(), **details)
    signature = Signature("exception", default=True, detail="Z3 raises: unreachable")
    write_record(where, a_record("exception", signature=signature, solving=(), **details))
    for name in ("mutant.smt2", "seed.smt2"):
        (where / name).write_text(CHECKED)
    monkeypatch.setattr(z3_release, "in_cache", lambda: ("4.8.13.0",))
    monkeypatch.setattr(z3_release, "on_offer", lambda: ())
    monkeypatch.setattr(z3_release, "released", released)
    assert main(["report", str(where), "--no-bisect", "--recheck=4.8.13.0", "--out", str(tmp_path / "first")]) == 0
    assert "Other releases were not tested." in (tmp_path / "first" / "report.md").read_text()
    assert main(["report", str(where), "--recheck=4.8.13.0", "--out", str(tmp_path / "second")]) == 0
    report = (tmp_path / "second" / "report.md").read_text()
    assert "| 4.8.13.0 | pip finds no wheel |" in report
    assert "Other releases were not tested." not in report
    found = located(where).versions
    assert found is not None
    assert "names q, r, s" in found.variants
    monkeypatch.setattr(Locating, "run_in_releases", lambda _: pytest.fail("they are known"))
    assert main(["report", str(where), "--recheck=4.8.13.0", "--out", str(tmp_path / "third")]) == 0


def test_a_release_is_bad_if_only_a_variant_shows_the_finding(wrong_answer: Path, tmp_path: Path) -> None:
    """The bug of the old release hangs on the name of the predicate."""
    (tmp_path / "right").write_text("#!/bin/sh\necho sat\n")
    (tmp_path / "old").write_text("#!/bin/sh\ngrep -q 'declare-fun inv' \"$1\" && echo sat || echo unsat\n")
    (tmp_path / "tested").write_text("#!/bin/sh\necho unsat\n")
    for name in ("right", "old", "tested"):
        (tmp_path / name).chmod(0o755)
    given = Solving(command=str(tmp_path / "tested"))
    named = [NamedRelease(name, str(tmp_path / name)) for name in ("right", "old")]
    locating = Locating(read_finding(wrong_answer), given, 1, lambda *_: None)
    locating.bisect(Neighbour("the finding", Recipe(SAT)), named)
    found = locating.location.versions
    assert found is not None
    assert (found.first_bad, found.last_good) == ("old", "right")
    assert found.shown_by == (("old", "names q, r, s"),)
    assert found.variants[:2] == ("names q, r, s", "reversed order")
    assert found.results == (("right", "good"), ("old", "bad, with names q, r, s"), (UNDER_TEST, "bad"))


def test_a_release_without_a_command_and_one_of_z3_are_refused(
    wrong_answer: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["locate", str(wrong_answer), *PLANTED.arguments, "--release", "golem-1.0"]) == 2
    assert "write NAME=COMMAND" in capsys.readouterr().err
    with pytest.raises(UsageError, match="--release names releases of a command"):
        locate_finding(wrong_answer, PLANTED, LocateOptions(releases=(("1.0", "golem"),)))


def test_an_answer_in_place_of_a_wrong_model_is_right_only_if_it_is_proved(tmp_path: Path) -> None:
    """The planted solver answers unsat for a sat system."""
    folder = finding(tmp_path / "found", DOUBLED, "wrong-model", PLANTED, answer="sat", expected="sat")
    assert rerun(folder, PLANTED) == (Side.NEITHER, "unsat")
    right = solving("Spacer", "chcfuzz.domains.chc.solvers.spacer")
    assert rerun(folder, right) == (Side.PASSING, "sat, right")
