"""A corpus on two solvers: with bugs that are planted in one of them, and between two releases."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from chcfuzz.campaign.corpus_folder import units_in
from chcfuzz.commands.main import main
from chcfuzz.corpus_tools.regress import (
    DEATH,
    Compared,
    Regression,
    Seen,
    UnitChange,
    against,
    compared,
    smallest,
    write_corpus,
)
from chcfuzz.corpus_tools.regress_record import record
from chcfuzz.execution.codec import to_json
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.mutators.recipe import digest

from tests.campaign.conftest import MORE_SAT, UNSAT, doubled
from tests.fuzz_targets.solvers import MARK
from tests.triage.records import a_record, write_record

PLAIN = Solving(wall_seconds=100.0)
UNLUCKY = f"(set-logic HORN)(declare-fun {MARK} () Bool)(assert {MARK})(assert (=> {MARK} false))(check-sat)"
SAT = Seen("sat", cost=100_000)
WRONG = replace(SAT, wrong_answer="answers sat, unsat is promised")


@pytest.mark.parametrize(
    ("old", "new", "change"),
    [
        (SAT, SAT, UnitChange.SAME),
        (SAT, Seen("unsat"), UnitChange.CONTRADICTION),
        (Seen("unsat"), replace(SAT, is_checked=True), UnitChange.MENDED),
        (Seen("unsat", is_checked=True), SAT, UnitChange.CONTRADICTION),
        (Seen("unsat", is_checked=True), replace(SAT, is_checked=True), UnitChange.CONTRADICTION),
        (SAT, replace(SAT, wrong_model="clause 1 is false"), UnitChange.WRONG_MODEL),
        (replace(SAT, wrong_model="clause 1 is false"), SAT, UnitChange.MENDED),
        (SAT, Seen(DEATH), UnitChange.DEATH),
        (Seen(DEATH), SAT, UnitChange.MENDED),
        (Seen(DEATH), Seen(DEATH), UnitChange.SAME),
        (Seen("unknown"), WRONG, UnitChange.WRONG_ANSWER),
        (Seen(DEATH), WRONG, UnitChange.WRONG_ANSWER),
        (WRONG, WRONG, UnitChange.SAME),
        (WRONG, Seen("unsat"), UnitChange.MENDED),
        (WRONG, Seen("unsat", error="a step is wrong"), UnitChange.ERROR),
        (Seen("unsat"), WRONG, UnitChange.CONTRADICTION),
        (WRONG, Seen("unknown"), UnitChange.MENDED),
        (WRONG, replace(WRONG, wrong_model="clause 1 is false"), UnitChange.WRONG_MODEL),
        (replace(WRONG, wrong_model="clause 1 is false"), WRONG, UnitChange.SAME),
        (replace(SAT, wrong_model="clause 1 is false"), Seen(DEATH), UnitChange.DEATH),
        (Seen("unknown"), Seen("error", error="ASSERTION VIOLATION"), UnitChange.ERROR),
        (SAT, Seen("unknown"), UnitChange.LOST),
        (replace(SAT, wrong_model="clause 1 is false"), Seen("unknown"), UnitChange.LOST),
        (replace(SAT, error="a step is wrong"), Seen("limit"), UnitChange.LOST),
        (Seen(DEATH), Seen("unknown"), UnitChange.MENDED),
        (replace(SAT, wrong_model="clause 1 is false"), replace(SAT, wrong_model="clause 2 is false"), UnitChange.SAME),
        (Seen(DEATH, "it dies of signal 6"), Seen(DEATH, "it dies of signal 11"), UnitChange.DEATH),
        (Seen(DEATH, "signal 6: at 0x7f2a, line 3"), Seen(DEATH, "signal 6: at 0x55ab, line 12"), UnitChange.SAME),
        (
            Seen("crash", error="file one", error_class="one"),
            Seen("crash", error="two", error_class="two"),
            UnitChange.ERROR,
        ),
        (
            Seen("crash", error="line 1", error_class="line"),
            Seen("crash", error="line 2", error_class="line"),
            UnitChange.SAME,
        ),
        (Seen("error", error="ASSERTION VIOLATION 1"), Seen(DEATH, "it dies of signal 11"), UnitChange.DEATH),
        (replace(SAT, cost=0), SAT, UnitChange.SAME),  # a command does not count its work
        (SAT, replace(SAT, cost=0), UnitChange.SAME),
        (Seen("limit"), SAT, UnitChange.GAINED),
        (Seen("limit"), Seen("unknown"), UnitChange.SAME),
        (SAT, replace(SAT, cost=1_000_001), UnitChange.DEARER),
        (SAT, replace(SAT, cost=1_000_000), UnitChange.SAME),
        (SAT, replace(SAT, cost=9_000), UnitChange.CHEAPER),
        (replace(SAT, cost=1_000), replace(SAT, cost=19_000), UnitChange.SAME),  # nothing worth a word
        (
            Seen("limit", cost=1_000),
            Seen("limit", cost=1_000_000),
            UnitChange.SAME,
        ),  # a run that a limit ends does not have a cost
    ],
)
def test_the_most_severe_change_is_reported(old: Seen, new: Seen, change: UnitChange) -> None:
    assert compared(old, new, 10) is change


def test_a_result_with_many_values_is_one_short_text() -> None:
    detail = "clause 1 is false under the model at " + ", ".join(f"x{number} = {number}" for number in range(150))
    assert len(str(Seen("sat", wrong_model=detail))) < 320
    assert len(str(Seen("unsat", error=detail))) < 320


@pytest.mark.parametrize(
    ("named", "old"),
    [
        ("4.13.4.0", Solving(z3="4.13.4.0")),
        ("5.4.0", Solving(z3="5.4.0")),
        ("golem -l QF_LIA", Solving(command="golem -l QF_LIA")),
    ],
)
def test_the_old_solver_is_a_release_or_a_command(named: str, old: Solving) -> None:
    assert against(named, Solving(z3="5.4.0.0", solver="some:Spacer", rlimit=7)) == replace(old, rlimit=7)


def test_the_old_solver_may_be_the_folder_of_a_build(tmp_path: Path) -> None:
    assert against(str(tmp_path), Solving()) == Solving(z3_library=tmp_path)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A seed, a mutant of it that triggers planted bugs, and a seed with the other answer."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "doubled").write_bytes(doubled(seed=MORE_SAT))
    (folder / "more.smt2").write_text(MORE_SAT)
    (folder / "unsat.smt2").write_text(UNSAT)
    (folder / "copy.smt2").write_text(UNSAT)
    return folder


def regression(new: str, corpus: Path, old: str | None = None, jobs: int = 1) -> list[Compared]:
    given = replace(PLAIN, solver=new)
    with Regression(given, replace(PLAIN, solver=old), jobs, 10) as running:
        return list(running.run(units_in([corpus])[0]))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("new", "changes"),
    [
        ("tests.quality.planted:PlantedSpacer", {"doubled": UnitChange.CONTRADICTION}),
        (
            "tests.quality.planted:ForgetfulSpacer",
            {"doubled": UnitChange.WRONG_MODEL, "more.smt2": UnitChange.WRONG_MODEL},
        ),
    ],
)
def test_changes_by_a_new_bug_are_reported_for_each_unit(
    corpus: Path, new: str, changes: dict[str, UnitChange]
) -> None:
    found = regression(new, corpus)
    assert [each.unit.name for each in found] == ["copy.smt2", "doubled", "more.smt2"]  # each content once
    assert {each.unit.name: each.change for each in found if each.change is not UnitChange.SAME} == changes
    assert {each.unit.name: each.expected for each in found} == {
        "copy.smt2": "unsat",
        "doubled": "sat",
        "more.smt2": "sat",
    }


def answering(tmp_path: Path, text: str) -> str:
    """A command that prints this text on every system."""
    program = tmp_path / f"prints-{text.split()[0]}"
    program.write_text(f"#!/bin/sh\necho '{text}'\n")
    program.chmod(0o755)
    return str(program)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "change", "code"),
    [("sat", "wrong-answer", 1), ("ASSERTION VIOLATION", "error", 1), ("unsat", "gained", 0)],
)
def test_a_new_wrong_answer_is_not_a_gain(
    tmp_path: Path, text: str, change: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "u.smt2").write_text(UNSAT)
    old, new = answering(tmp_path, "unknown"), answering(tmp_path, text)
    assert main(["regress", str(tmp_path / "u.smt2"), "--command", new, "--against", old]) == code
    assert f"1 unit: 1 {change}" in capsys.readouterr().out


@pytest.mark.slow
def test_an_answer_with_a_checked_model_is_a_gain_although_the_file_declares_the_other_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "(set-logic HORN)(set-info :status unsat)(declare-fun p (Int) Bool)(assert (p 0))(check-sat)"
    (tmp_path / "u.smt2").write_text(text)
    old, new = answering(tmp_path, "unknown"), answering(tmp_path, "sat\n(define-fun p ((x Int)) Bool true)")
    assert main(["regress", str(tmp_path / "u.smt2"), "--command", new, "--against", old]) == 0
    assert "1 unit: 1 gained" in capsys.readouterr().out


@pytest.mark.slow
def test_costs_are_not_compared_with_those_of_a_command(tmp_path: Path) -> None:
    (tmp_path / "u.smt2").write_text(UNSAT)
    command = replace(PLAIN, command=answering(tmp_path, "unsat"))
    with Regression(PLAIN, command, 1, 0.001) as running:
        (found,) = running.run([tmp_path / "u.smt2"])
    assert found.new.cost > 0
    assert found.change is UnitChange.SAME


@pytest.mark.slow
def test_a_solver_that_does_not_end_is_not_described_by_an_exit_code(tmp_path: Path) -> None:
    (tmp_path / "a.smt2").write_text(UNLUCKY)
    deaf = replace(PLAIN, solver="tests.fuzz_targets.solvers:DeafSpacer", wall_seconds=0.1)
    with Regression(deaf, PLAIN, 1, 10) as running:
        (found,) = running.run([tmp_path / "a.smt2"])
    assert (found.change, str(found.old), str(found.new)) == (UnitChange.DEATH, "unsat", "death (it does not end)")


@pytest.mark.slow
def test_a_death_costs_one_unit(tmp_path: Path) -> None:
    (tmp_path / "a.smt2").write_text(UNLUCKY)
    (tmp_path / "b.smt2").write_text(UNSAT)
    dead, alive = regression("tests.fuzz_targets.solvers:DyingSpacer", tmp_path)
    assert (dead.change, dead.old.answer, dead.new.words) == (UnitChange.DEATH, "unsat", "it dies of signal 11")
    assert alive.change is UnitChange.SAME


@pytest.mark.slow
def test_deaths_of_two_signals_are_different(tmp_path: Path) -> None:
    (tmp_path / "u.smt2").write_text(UNSAT)
    abort, fault = (replace(PLAIN, command=f"sh -c 'kill -{signal} $$' {{}}") for signal in ("ABRT", "SEGV"))
    changes = []
    for old in (abort, fault):
        with Regression(fault, old, 1, 10) as running:
            (found,) = running.run([tmp_path / "u.smt2"])
        changes.append(found.change)
    assert changes == [UnitChange.ERROR, UnitChange.SAME]


@pytest.mark.slow
def test_parallel_runs_have_the_same_results(corpus: Path) -> None:
    planted = "tests.quality.planted:PlantedSpacer"
    assert regression(planted, corpus, jobs=2) == regression(planted, corpus)


def test_files_that_are_not_units_are_reported(tmp_path: Path) -> None:
    (tmp_path / "a.smt2").write_text("(set-logic HORN)(assert (<")
    (tmp_path / "b.smt2").write_text(UNSAT)
    units, refused = units_in([tmp_path])
    assert [unit.name for unit in units] == ["b.smt2"]
    assert len(refused) == 1
    assert "a.smt2' is not a valid CHC system" in refused[0]


def test_a_corpus_without_units_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no unit in "):
        units_in([tmp_path])
    with pytest.raises(UsageError, match="no such file or folder: 'nowhere'"):
        units_in([Path("nowhere")])


def of(name: str, cost: int, trace: str, change: UnitChange = UnitChange.SAME, seconds: float = 1.0) -> Compared:
    seen = Seen("sat", cost=cost, trace=trace, seconds=seconds / 2)
    return Compared(Path(name), "sat", seen, seen, change)


def test_the_smaller_corpus_keeps_what_changed_and_the_cheapest_of_each_trace() -> None:
    found = [of("dear", 9, "t"), of("cheap", 1, "t"), of("other", 5, "u"), of("changed", 100, "t", UnitChange.LOST)]
    assert [each.unit.name for each in smallest(found, 10)] == ["changed", "other"]
    assert [each.unit.name for each in smallest(found[:3], 10)] == ["cheap", "other"]


def test_the_smaller_corpus_takes_no_longer_than_it_may() -> None:
    found = [of(f"{number:02}", number, f"{number}", seconds=30) for number in range(10)]
    assert [each.unit.name for each in smallest(found, 2)] == ["00", "01", "02", "03"]


def test_the_smaller_corpus_is_written_as_units(tmp_path: Path, corpus: Path) -> None:
    write_corpus([replace(of("x", 1, "t"), unit=corpus / "unsat.smt2")], tmp_path / "small")
    assert [path.name for path in (tmp_path / "small").iterdir()] == ["unsat.smt2"]
    assert (tmp_path / "small" / "unsat.smt2").read_text() == UNSAT


@pytest.mark.parametrize("words", [("regress", "unsat.smt2", "--against", "true", "--findings"), ("report", "--queue")])
def test_a_folder_of_findings_that_does_not_exist_is_not_one_without_findings(
    words: tuple[str, ...], corpus: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(corpus)
    assert main([*words, "nosuch"]) == 2
    assert "no findings folder 'nosuch'" in capsys.readouterr().err


def test_a_smaller_corpus_with_the_unit_of_a_finding_is_not_taken_for_a_finding(tmp_path: Path) -> None:
    finding = tmp_path / "wrong-answer-1"
    finding.mkdir()
    (finding / "recipe").write_text(UNSAT)
    (tmp_path / "other").write_text(MORE_SAT)
    units = (finding / "recipe", tmp_path / "other")
    write_corpus([replace(of("x", 1, "t"), unit=unit) for unit in units], tmp_path / "small")
    assert sorted(path.name for path in (tmp_path / "small").iterdir()) == sorted([digest(UNSAT.encode()), "other"])


def test_the_record_for_machines_holds_no_clock() -> None:
    found = [of("a", 1, "t", UnitChange.LOST), of("b", 1, "t")]
    content = record(("z3 1", "z3 2"), found, [], [])
    assert content.counts == {change.value: {"lost": 1, "same": 1}.get(change.value, 0) for change in UnitChange}
    assert [each.unit for each in content.changes] == ["a"]
    assert not re.search("seconds", to_json(content).decode())


def test_findings_of_another_domain_are_not_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the domain of CHC systems, the unit of the second one is a built-in system."""
    for name, solving in (("crash-1", ()), ("crash-2", ("--domain=smt",))):
        write_record(tmp_path / name, a_record("crash", solving=solving))
        (tmp_path / name / "recipe").write_bytes(UNSAT.encode())
    monkeypatch.setattr(Regression, "_run_again", lambda _, finding: finding.folder.name)
    assert Regression(PLAIN, PLAIN, 1, 10).known(tmp_path) == ["crash-1"]
