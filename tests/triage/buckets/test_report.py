"""`chcfuzz report`: complete, ready to paste, and without traces of this machine."""

import getpass
import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from chcfuzz.commands.main import main
from chcfuzz.execution.seed_answers import Ground, SeedAnswer, SeedAnswers
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.mutators.recipe import encode
from chcfuzz.solvers import z3_release
from chcfuzz.triage.buckets.buckets import Member, bucketed, write_buckets
from chcfuzz.triage.buckets.known_issues import known_issues
from chcfuzz.triage.buckets.report import ReportChecks, ReportError, write_report
from chcfuzz.triage.buckets.traits import read_traits
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.findings.confirmation_queue import ConfirmationQueue
from chcfuzz.triage.findings.fix import Effect, FindingEffect, Fix, write_fix
from chcfuzz.triage.findings.folder import by_program
from chcfuzz.triage.findings.location import (
    Introduction,
    Location,
    PartingEvent,
    PartingStep,
    SuspiciousSite,
    Versions,
    write_location,
)
from chcfuzz.triage.findings.store import FindingStore
from chcfuzz.triage.reduce.reduction import reduce_at_most
from chcfuzz.triage.shrink.result import Mode

from tests.quality.rediscovery.known import table
from tests.traced import ensure_release
from tests.triage.buckets.test_traits import REDUCED, written
from tests.triage.records import a_reduction

STEP = {"mutation": "boolean.dup-and", "choices": "", "key": "", "changed": True, "words": "a member is duplicated"}
MORE: dict[str, Any] = {
    "chcfuzz": "0.1.0",
    "promise": "equivalent",
    "chain": [STEP],
    "tried": {"transforms off": "sat", "eld": "sat"},
}
MODEL = "; A model\n(define-fun p () Bool\n  true)\n(assert (not p))\n(check-sat)\n"


def full(where: Path, kind: str = "wrong-answer", minimal: bool = True, **more: Any) -> Path:
    """A finding's folder, reduced."""
    folder = written(where, kind, **{**MORE, **more})
    (folder / "reduced.smt2").write_text(REDUCED)
    reduction = a_reduction(minimal=minimal, chain=("boolean.dup-and",), words="the model under transforms off")
    (folder / "reduced.json").write_bytes(reduction.to_json())
    (folder / "seed.smt2").write_text(REDUCED)
    (folder / "ask_cvc5.py").write_text("")
    return folder


def changed(record: Path, **more: Any) -> None:
    """Change some fields of a JSON file."""
    record.write_text(json.dumps({**json.loads(record.read_text()), **more}))


@pytest.fixture
def wrong_answer(tmp_path: Path) -> Path:
    """Unsat, with a model."""
    (tmp_path / "found").mkdir()
    folder = full(tmp_path / "found" / "wrong-answer-111111-a")
    (folder / "reduced-model.smt2").write_text(MODEL)
    return folder


def reported(finding: Path, out: Path, answers: Sequence[str] = ("unsat",)) -> str:
    """The report, with a second solver that gives these answers."""
    return write_report(finding, out, known_issues(), ReportChecks(lambda _: tuple(answers))).read_text()


def sections(report: str) -> dict[str, str]:
    """By heading; the title and the system under ""."""
    first, *others = re.split(r"^## (.*)\n", report, flags=re.MULTILINE)
    return {"": first, **dict(zip(others[::2], others[1::2], strict=True))}


def test_a_wrong_answer_is_reported_with_all_that_maintainers_ask_for(wrong_answer: Path, tmp_path: Path) -> None:
    found = sections(reported(wrong_answer, tmp_path / "out"))
    assert found[""].startswith("# Spacer: unsat instead of sat (Bool, default options)\n")
    assert f"```smt2\n{REDUCED}```" in found[""]
    assert "```sh\npip install z3-solver==5.4.0.0\nz3 reduced.smt2\n```" in found["To reproduce"]
    assert "The solver answers `unsat`; `sat` is right." in found["To reproduce"]
    assert "```smt2\n(define-fun p () Bool\n  true)\n```" in found["Why it is wrong"]
    assert "`z3 reduced-model.smt2`" in found["Why it is wrong"]
    assert "cvc5 on `reduced-model.smt2`: `unsat`, as expected." in found["How it was checked"]
    assert "eld answers `sat`" in found["How it was checked"]
    assert "transforms off" not in found["How it was checked"]
    assert found["Scope"].strip() == "Wrong answer; all options default."
    assert found["Introduced in"].splitlines()[1:3] == [
        "Observed in z3-solver 5.4.0.0.",
        "Other releases were not tested.",
    ]
    assert "1. a member is duplicated (`boolean.dup-and`)" in found["How it was found"]


def test_the_first_wrong_step_of_the_solver_is_on_the_first_screen(wrong_answer: Path, tmp_path: Path) -> None:
    step = "9: lemma of p at level 1: wrong (it excludes a fact of height 0): false"
    write_location(wrong_answer, Location("reduced", solver_step=step, component="generalizer; right without x"))
    found = sections(reported(wrong_answer, tmp_path / "out"))
    assert "- Cause: not known; the first wrong step is made by generalizer; right without x." in found[""]
    assert f"- First wrong step of the solver: {step}." in found[""]
    assert f"- The first wrong step of the solver: {step}." in found["Diagnosis"]


def test_a_reduction_to_equivalent_clauses_claims_no_more_than_that(wrong_answer: Path, tmp_path: Path) -> None:
    for name in ("reduced.smt2", "reduced.json", "reduced-model.smt2"):
        new = wrong_answer / name.replace("reduced", "equivalent")
        (wrong_answer / name).rename(new)
    changed(wrong_answer / "equivalent.json", mode="equivalent")
    found = sections(reported(wrong_answer, tmp_path / "out"))
    assert "`equivalent.smt2`: each clause is equivalent to one of `mutant.smt2`;" in found[""]
    assert "vanishes" not in found[""]
    assert "z3 equivalent.smt2\n" in found["To reproduce"]
    assert "`z3 equivalent-model.smt2`" in found["Why it is wrong"]
    assert {"equivalent.smt2", "equivalent-model.smt2"} <= {path.name for path in (tmp_path / "out").iterdir()}


def test_each_of_two_reductions_is_named_by_its_own_sentence(wrong_answer: Path, tmp_path: Path) -> None:
    (wrong_answer / "equivalent.smt2").write_text(REDUCED)
    (wrong_answer / "equivalent.json").write_bytes(a_reduction(mode=Mode.EQUIVALENT).to_json())
    found = sections(reported(wrong_answer, tmp_path / "out"))[""]
    assert "Reduced to `reduced.smt2`: the bug vanishes without any one clause" in found
    assert "`equivalent.smt2` is reduced, too: each of its clauses is equivalent to one of `mutant.smt2`." in found


@pytest.mark.parametrize(
    ("needed", "said"),
    [
        (("boolean.dup-and",), "into `mutant.smt2`:"),
        ((), "into `mutant.smt2`, but the fault needs none of them."),
    ],
)
def test_the_steps_that_the_fault_does_not_need_are_left_out(
    wrong_answer: Path, tmp_path: Path, needed: tuple[str, ...], said: str
) -> None:
    (wrong_answer / "reduced.json").write_bytes(a_reduction(chain=needed).to_json())
    found = sections(reported(wrong_answer, tmp_path / "out"))["How it was found"]
    assert said in found
    assert ("(`boolean.dup-and`)" in found) == bool(needed)


def test_the_needed_rows_are_called_so_if_others_were_applied(wrong_answer: Path, tmp_path: Path) -> None:
    changed(wrong_answer / "record.json", chain=[STEP, {**STEP, "mutation": "boolean.dup-or"}])
    found = sections(reported(wrong_answer, tmp_path / "out"))["How it was found"]
    assert "into `mutant.smt2`. The fault needs these rows (`reduced-recipe`):" in found
    assert "(`boolean.dup-or`)" not in found


def test_the_folder_has_what_shows_it_and_its_readme_names_that_alone(wrong_answer: Path, tmp_path: Path) -> None:
    reported(wrong_answer, tmp_path / "out")
    there = {path.name for path in (tmp_path / "out").iterdir()}
    readme = (tmp_path / "out" / "README.txt").read_text()
    assert {line.split()[0] for line in readme.splitlines()[2:]} == there - {"README.txt", "report.md"}
    assert {"reduced.smt2", "reduced-model.smt2", "mutant.smt2", "seed.smt2", "recipe", "show.sh"} <= there
    assert not there & {"record.json", "reduced.json", "suspicion.json"}
    assert os.access(tmp_path / "out" / "show.sh", os.X_OK)
    assert '"$Z3" reduced-model.smt2' in (tmp_path / "out" / "show.sh").read_text()


def test_an_unexpected_answer_of_the_second_solver_is_reported(wrong_answer: Path, tmp_path: Path) -> None:
    for number, answers in enumerate((["sat", "unsat"], [])):
        assert "`unsat` is expected" in reported(wrong_answer, tmp_path / str(number), answers)


def test_a_refutation_is_shown_step_by_step(tmp_path: Path) -> None:
    folder = full(tmp_path / "found", answer="sat", expected="unsat", witness_for="unsat")
    (folder / "reduced-refutation").write_text("0: clause 1 |- (p 0)\n")
    (folder / "reduced-refutation.smt2").write_text("(check-sat)\n")
    found = sections(reported(folder, tmp_path / "out"))
    assert "The solver answers `sat`; `unsat` is right." in found["To reproduce"]
    assert "```\n; steps and clauses are counted from 1\n1: clause 2 |- (p 0)\n```" in found["Why it is wrong"]
    assert "`z3 reduced-refutation.smt2`" in found["Why it is wrong"]


def test_a_wrong_model_is_shown_with_where_it_fails(tmp_path: Path) -> None:
    folder = full(tmp_path / "found", "wrong-model", answer="sat", witness_for=None)
    (folder / "reduced-evidence.smt2").write_text(MODEL)
    report = reported(folder, tmp_path / "out", ["sat"])
    assert report.startswith("# Spacer: sat with a wrong model (Bool, default options)\n")
    assert "z3 reduced.smt2 -model\n" in report
    assert "(define-fun p () Bool" in sections(report)["Why it is wrong"]
    assert "cvc5 on `reduced-evidence.smt2`: `sat`, as expected." in report
    assert "Possibly known" not in report  # only over LIA


def test_where_it_is_located_the_report_says_where(wrong_answer: Path, tmp_path: Path) -> None:
    versions = Versions("4.12.1.0", "4.11.2.0", "4.14.0.0", (("4.11.2.0", "good"), ("4.12.1.0", "bad")))
    location = Location(
        "reduced",
        vanishes=(("fp.xform.slice", "false"), ("fp.xform.unfold_rules", "2")),
        appears=(("fp.spacer.ctp", "false"),),
        step=PartingStep(2, "boolean.dup-and", "equivalent"),
        event=PartingEvent(7, "propagate", "block", None),
        sites=(SuspiciousSite("spacer_context.cpp:12", 0.5, 3, 1),),
        versions=versions,
        assertion="m_weak_abs",
    )
    write_location(wrong_answer, location)
    changed(wrong_answer / "record.json", z3="4.13.4.0")
    found = sections(reported(wrong_answer, tmp_path / "out"))
    assert "First bad release: 4.12.1.0. Last good release before it: 4.11.2.0." in found["Introduced in"]
    assert "First good release after it: 4.14.0.0." in found["Introduced in"]
    assert "| 4.12.1.0 | bad |" in found["Introduced in"]
    where = found["Diagnosis"]
    for words in ("`fp.xform.slice=false`", "`fp.spacer.ctp=false`", "step 2", "`propagate`", "`block`", "m_weak_abs"):
        assert words in where
    assert "Suspicious (0.50; 3 failing, 1 passing runs): `spacer_context.cpp:12`" in where
    assert "- The bug vanishes with each of `fp.xform.unfold_rules=2` alone." in where, "as `chcfuzz locate` prints it"
    assert "7521" in found["Scope"]


def test_the_first_screen_has_answer_witness_cause_and_system(wrong_answer: Path, tmp_path: Path) -> None:
    write_location(wrong_answer, Location("reduced", vanishes=(("fp.xform.slice", "false"),)))
    first = reported(wrong_answer, tmp_path / "out").splitlines()[:25]
    assert "- Answer: `unsat`; `sat` is right, in z3-solver 5.4.0.0." in first
    assert "- Witness: the model under transforms off (`reduced-model.smt2`)." in first
    slicing = "`datalog::mk_slice` (src/muz/transforms/dl_mk_slice.cpp)"
    assert f"- Cause: not known; vanishes with `fp.xform.slice=false`, a switch of {slicing}." in first
    assert "- Missing here: a diagnosis; the release that introduced it; a candidate fix." in first
    assert "(check-sat)" in first


def test_what_is_not_known_is_named_in_the_first_lines(wrong_answer: Path, tmp_path: Path) -> None:
    first = reported(wrong_answer, tmp_path / "out").splitlines()[:10]
    assert "- Cause: not known." in first
    assert "- Missing here: a diagnosis; the release that introduced it; a candidate fix." in first


def test_the_oldest_release_that_was_tried_is_not_the_first_bad_one(wrong_answer: Path, tmp_path: Path) -> None:
    write_location(wrong_answer, Location("reduced", versions=Versions("4.8.12.0", None, None, (("4.8.12.0", "bad"),))))
    found = sections(reported(wrong_answer, tmp_path / "out"))
    assert (
        "The oldest tested release that shows it is 4.8.12.0; an older good one was not found."
        in found["Introduced in"]
    )
    assert "First bad" not in found["Introduced in"]
    assert "the release that introduced it" in found[""]


def test_the_first_bad_commit_is_in_the_first_lines(wrong_answer: Path, tmp_path: Path) -> None:
    found = Introduction(("0123456789abcdef",), "arrays of any arity", "2025-02-18", ("src/a.cpp",), 0, (("0", "bad"),))
    write_location(wrong_answer, Location("mutant", introduction=found))
    first = sections(reported(wrong_answer, tmp_path / "out"))[""]
    assert "- First bad commit: 0123456789 (2025-02-18), 'arrays of any arity'." in first
    assert "the release that introduced it" not in first


def test_a_run_without_events_is_left_out(wrong_answer: Path, tmp_path: Path) -> None:
    write_location(wrong_answer, Location("reduced", event=PartingEvent(0, None, "propagate", None)))
    assert "Diagnosis" not in sections(reported(wrong_answer, tmp_path / "out"))


def test_a_patch_that_a_person_wrote_is_not_measured(wrong_answer: Path, tmp_path: Path) -> None:
    (wrong_answer / "fix.patch").write_text("--- a/src/a.cpp\n")
    found = sections(reported(wrong_answer, tmp_path / "out"))
    assert "- Candidate fix: `fix.patch`, not measured." in found[""]
    assert "a candidate fix" not in found[""]
    assert "This patch is not measured" in found["Candidate fix"]
    assert "```diff\n--- a/src/a.cpp\n```" in found["Candidate fix"]
    assert (tmp_path / "out" / "fix.patch").read_text() == "--- a/src/a.cpp\n"


def test_events_without_a_place_in_the_sources_are_left_out(wrong_answer: Path, tmp_path: Path) -> None:
    sites = (SuspiciousSite("propagate", 1.0, 112, 3), SuspiciousSite("a.cpp:7 datalog::f", 0.9, 9, 1))
    write_location(wrong_answer, Location("reduced", sites=sites))
    found = sections(reported(wrong_answer, tmp_path / "out"))
    assert "propagate" not in found["Diagnosis"]
    assert "- Cause: not known; suspected near `a.cpp:7 datalog::f`." in found[""]


def test_a_bucket_shares_location_and_fix_of_its_findings(wrong_answer: Path, tmp_path: Path) -> None:
    sibling = full(tmp_path / "found" / "wrong-answer-222222-b")
    versions = Versions("4.9.1.0", "4.8.17.0", None, (("4.8.17.0", "good"), ("4.9.1.0", "bad")))
    write_location(sibling, Location("reduced", versions=versions))
    write_location(wrong_answer, Location("reduced", vanishes=(("fp.xform.slice", "false"),)))
    effect = FindingEffect(sibling.name, True, "unsat, wrong", "sat, right", Effect.CURED)
    write_fix(sibling, Fix("0123456789ab", ("src/a.cpp",), "5.4.0.0", (effect,)), b"--- a/src/a.cpp\n")
    (sibling / "diagnosis.md").write_text("`slice` drops an argument.\n\nDetails follow.\n")
    out = tmp_path / "out"
    text = write_report(wrong_answer, out, known_issues(), ReportChecks(lambda _: ("unsat",)), [sibling]).read_text()
    found = sections(text)
    assert "- Cause: `slice` drops an argument." in found[""]
    assert "- Introduced in: 4.9.1.0; 4.8.17.0 is right." in found[""]
    assert "https://github.com/Z3Prover/z3/compare/z3-4.8.17...z3-4.9.1" in found["Introduced in"]
    assert "- Candidate fix: cures 1 of 1 findings of the bucket, and makes no results wrong." in found[""]
    assert "Missing" not in found[""]
    assert "```diff\n--- a/src/a.cpp\n```" in found["Candidate fix"]
    for part in ("Diagnosis", "Introduced in", "Candidate fix"):
        assert f"Measured on another finding of the same bucket: {sibling.name}." in found[part]
    assert (out / "fix.patch").read_text() == "--- a/src/a.cpp\n"


def test_a_transform_that_the_finding_needs_is_blamed(tmp_path: Path) -> None:
    folder = full(tmp_path / "found", parameters={"fp.xform.unfold_rules": "2"})
    reduction = a_reduction(parameters={"fp.xform.unfold_rules": "2"}, words="the model")
    (folder / "reduced.json").write_bytes(reduction.to_json())
    found = sections(reported(folder, tmp_path / "out"))
    unfolding = "`datalog::mk_unfold` (src/muz/transforms/dl_mk_unfold.cpp)"
    assert f"The bug needs `fp.xform.unfold_rules=2`, a switch of {unfolding}." in found["Diagnosis"]


def test_a_run_on_the_day_of_the_report_is_part_of_it(wrong_answer: Path, tmp_path: Path) -> None:
    checks = ReportChecks(lambda _: ("unsat",), (("z3-solver 5.4.1.0", "unsat, wrong"),))
    text = write_report(wrong_answer, tmp_path / "out", known_issues(), checks).read_text()
    found = sections(text)
    assert "; z3-solver 5.4.1.0: unsat, wrong." in next(line for line in found[""].splitlines() if "- Answer: " in line)
    assert "Run again for this report in z3-solver 5.4.1.0: unsat, wrong." in found["How it was checked"]


def test_constants_that_do_not_matter_are_named(wrong_answer: Path, tmp_path: Path) -> None:
    constants = [{"formula": 2, "constant": "0", "occurrence": 2, "values": ["7", "(- 5)"]}]
    changed(wrong_answer / "reduced.json", replaceable=constants)
    found = sections(reported(wrong_answer, tmp_path / "out"))[""]
    assert "`0` in formula 2, occurrence 2 (`7`, `(- 5)`)." in found


def test_all_that_the_solver_prints_is_shown(tmp_path: Path) -> None:
    """Errors, too: an answer with an error is another one than the answer alone."""
    program = tmp_path / "solver"
    program.write_text('#!/bin/sh\necho unsat\necho "(error \\"line 12: no model of $(basename $1)\\")" >&2\nexit 1\n')
    program.chmod(0o755)
    folder = full(tmp_path / "found", command=[str(program), "{}"])
    changed(folder / "reduced.json", command=[str(program), "{}"])
    assert main(["report", str(folder), "--no-bisect", "--out", str(tmp_path / "out")]) == 0
    found = sections((tmp_path / "out" / "report.md").read_text())["To reproduce"]
    assert '```\nunsat\n(error "line 12: no model of reduced.smt2")\n```' in found


def test_the_released_solver_prints_the_wrong_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(z3_release, "chosen", lambda *_: z3_release.installed())
    folder = full(tmp_path / "found", "wrong-model", answer="sat", witness_for=None)
    assert main(["report", str(folder), "--no-bisect", "--out", str(tmp_path / "out")]) == 0
    found = sections((tmp_path / "out" / "report.md").read_text())["To reproduce"]
    assert "z3 reduced.smt2 -model\n```\n\nIts whole output:\n\n```\n" in found


def test_the_script_prints_the_model_that_is_wrong(wrong_answer: Path, tmp_path: Path) -> None:
    folder = full(tmp_path / "model", "wrong-model", answer="sat", witness_for=None)
    reported(folder, tmp_path / "one")
    assert '"$Z3" reduced.smt2 -model' in (tmp_path / "one" / "show.sh").read_text()
    assert "ask_z3.py reduced.smt2 -model" in (tmp_path / "one" / "show.sh").read_text()
    reported(wrong_answer, tmp_path / "two")
    assert "-model\n" not in (tmp_path / "two" / "show.sh").read_text()


def test_a_report_without_evidence_does_not_say_that_its_script_checks_some(wrong_answer: Path, tmp_path: Path) -> None:
    folder = full(tmp_path / "crash", "crash", witness_for=None)
    assert "`./show.sh` runs this in a virtual environment." in reported(folder, tmp_path / "one")
    assert "and checks the evidence below with Z3 and cvc5." in reported(wrong_answer, tmp_path / "two")


def test_what_is_not_reduced_or_not_to_the_end_says_so(tmp_path: Path) -> None:
    raw = written(tmp_path / "raw", **MORE)
    assert "not reduced yet" in reported(raw, tmp_path / "one")
    assert "a smaller system may exist" in reported(full(tmp_path / "half", minimal=False), tmp_path / "two")


def test_nothing_in_it_is_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command under test has a path, an error names a file, and the record has the flags."""
    home = tmp_path / "home" / "jane-doe"
    home.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home)
    words = f"cannot open {home}/deep/file.smt2 in {home}"
    command = [f"{home}/solvers/eld", "-ssol"]
    folder = full(home / "found", "exception", command=command, witness=words)
    changed(folder / "record.json", solving=[f"--command={home}/solvers/eld"])
    changed(folder / "reduced.json", command=command, words=words)
    reported(folder, tmp_path / "out")
    for path in (tmp_path / "out").iterdir():
        content = path.read_bytes().decode("utf-8", "replace")
        for own in (str(tmp_path), str(home), "jane-doe", str(Path.cwd()), socket.gethostname()):
            assert own not in content, path.name
        if getpass.getuser() != "root":  # which is a word
            assert getpass.getuser() not in content, path.name
    assert "eld -ssol" in (tmp_path / "out" / "report.md").read_text()
    assert "annot open ./deep/file.smt2" in (tmp_path / "out" / "report.md").read_text()


def test_the_queue_lists_the_findings_of_several_folders(
    wrong_answer: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "more").mkdir()
    other = full(tmp_path / "more" / "wrong-model-222222-b", "wrong-model", answer="sat", witness_for=None)
    assert main(["report", "--queue", str(wrong_answer.parent), str(other.parent)]) == 0
    printed = capsys.readouterr().out
    first, thread, place = printed.splitlines()[:3]
    assert first == "Z3: no limit on reports (https://github.com/Z3Prover/z3#readme)"
    assert thread == "  reports of fuzzers are collected in https://github.com/Z3Prover/z3/issues/9319"
    assert place.startswith("  file now: wrong-unsat-")
    assert f"{wrong_answer}, 1 finding; cause: not known" in printed
    assert str(other) in printed
    assert main(["report"]) == 2
    assert "--queue" in capsys.readouterr().err


def test_a_bucket_is_reported_by_its_representative(
    wrong_answer: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    buckets = bucketed([Member(read_traits(wrong_answer))])
    into = wrong_answer.parent / "buckets.json"
    write_buckets(into, buckets)
    assert main(["report", buckets[0].name, f"--buckets={into}", "--no-bisect"]) == 0
    assert capsys.readouterr().out == f"report-{buckets[0].name}/report.md\n"
    assert (tmp_path / f"report-{buckets[0].name}" / "report.md").is_file()
    assert main(["report", "none", f"--buckets={into}"]) == 2
    assert "'none'" in capsys.readouterr().err
    wrong_answer.rename(tmp_path / "away")
    assert main(["report", buckets[0].name, f"--buckets={into}", "--out=other"]) == 2
    assert "name the folder of one" in capsys.readouterr().err


def test_a_folder_that_is_there_is_left_alone(wrong_answer: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with pytest.raises(ReportError, match="--out"):
        reported(wrong_answer, tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []


def test_what_is_no_finding_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ChcfuzzError, match=r"record\.json"):
        reported(tmp_path, tmp_path / "out")


@pytest.mark.slow
def test_the_script_of_a_report_shows_it_in_a_fresh_environment(tmp_path: Path) -> None:
    known = next(row for row in table() if row.name == "slice-solved-by-a-choice")
    ensure_release(known.release)
    store = FindingStore(tmp_path / "found", 1)
    solving = Solving(z3=known.release)
    seed = SeedAnswer("sat", Ground.DECLARED)
    queue = ConfirmationQueue(store, SeedAnswers(), lambda *_: None)
    seen = Suspicion(encode(known.recipe), "wrong-answer", "answer", "unsat", "sat", "", seed, solving.arguments)
    queue.suspicions.add(seen)
    finding = queue.process(seen.name)
    assert finding is not None
    reduce_at_most(finding, solving, 100)
    write_report(finding, tmp_path / "out", known_issues())
    environment = {name: value for name, value in os.environ.items() if name not in ("Z3", "PYTHON", "PYTHONPATH")}
    done = subprocess.run(
        [tmp_path / "out" / "show.sh"], cwd="/", env=environment, capture_output=True, text=True, check=True
    )
    lines = done.stdout.splitlines()
    assert sys.prefix not in done.stdout
    for name in ("mutant.smt2", "reduced.smt2"):
        assert lines[lines.index(f"{name}: unsat was seen here, sat is right:") + 1] == "unsat"
    after = lines.index("reduced-model.smt2: unsat for each clause, because the model holds (Z3):")
    answers = [line for line in lines[after:] if line in ("sat", "unsat", "unknown")]
    assert answers
    assert set(answers) == {"unsat"}


NAMED = """(set-logic HORN)
(declare-fun |p
```
# not in the block
| (Int) Bool)
(declare-fun |q\x1b]0;title\x07````| (Int) Bool)
(check-sat)
"""


def test_names_do_not_leave_their_block_and_move_no_cursor(wrong_answer: Path, tmp_path: Path) -> None:
    (wrong_answer / "reduced.smt2").write_text(NAMED)
    words = "the model at |x\x1b[2J\n# heading <img src=y> [a](b)| = 0"
    changed(wrong_answer / "reduced.json", words=words)
    (wrong_answer / "reduced-model.smt2").unlink()
    text = reported(wrong_answer, tmp_path / "out")
    assert text.isascii()
    assert "\x1b" not in text
    assert "\x07" not in text
    opened = [line for line in text.splitlines() if line.startswith("`````")]
    assert opened[:2] == ["`````smt2", "`````"]
    assert text.index("`````smt2") < text.index("# not in the block") < text.index("\n`````\n")
    assert "|q\\x1b]0;title\\x07````|" in text
    assert "The model at |x\\x1b[2J\\n# heading \\<img src=y> [a]\\(b)| = 0." in text
    assert (tmp_path / "out" / "reduced.smt2").read_text() == NAMED, "the file itself is as it was"


def test_the_queue_has_a_finding_that_was_renamed_after_it_got_its_bucket(
    wrong_answer: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_buckets(wrong_answer.parent / "buckets.json", bucketed([Member(read_traits(wrong_answer))]))
    renamed = wrong_answer.rename(wrong_answer.with_name("zero.bak"))
    assert main(["report", "--queue", str(wrong_answer.parent)]) == 0
    assert str(renamed) in capsys.readouterr().out


def test_a_report_on_the_current_folder_is_named_by_the_finding(
    wrong_answer: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(wrong_answer)
    assert main(["report", ".", "--no-bisect"]) == 0
    assert capsys.readouterr().out == f"report-{wrong_answer.name}/report.md\n"


def test_a_folder_of_findings_is_not_a_finding_to_be_removed(
    wrong_answer: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(wrong_answer.parent)]) == 2
    said = capsys.readouterr().err
    assert "is not a finding: the file 'record.json' is missing" in said
    assert "remove" not in said


def test_a_diagnosis_without_a_word_is_no_diagnosis(wrong_answer: Path, tmp_path: Path) -> None:
    (wrong_answer / "diagnosis.md").write_text("\n \n")
    assert "- Cause: not known." in reported(wrong_answer, tmp_path / "out")


def test_a_path_inside_of_an_option_of_a_command_is_not_reported() -> None:
    words = ("/home/me/golem", "--cfg=/home/me/x.cfg", "-cp", "/a/b.jar:/c/d.jar", "{}", "-e", "/opt/y/", "a/b")
    assert by_program(words) == ("golem", "--cfg=x.cfg", "-cp", "b.jar:d.jar", "{}", "-e", "y/", "a/b")


def test_a_finding_of_a_build_is_not_one_of_the_release(wrong_answer: Path, tmp_path: Path) -> None:
    changed(wrong_answer / "record.json", solving=["--z3-library=/opt/z3"])
    checks = ReportChecks(lambda _: ("unsat",), (("z3-solver 5.4.0.0", "sat, right"),))
    found = sections(write_report(wrong_answer, tmp_path / "out", known_issues(), checks).read_text())
    first = "- Answer: `unsat`; `sat` is right, in a build of Z3 5.4.0.0; z3-solver 5.4.0.0: sat, right."
    assert first in found[""]
    assert "pip install" not in found["To reproduce"]
    assert "`z3` is that of a build of Z3 5.4.0.0, which may differ from the release." in found["To reproduce"]
    assert "Observed in a build of Z3 5.4.0.0." in found["Introduced in"]
    assert "It was seen in a build of Z3 5.4.0.0" in (tmp_path / "out" / "show.sh").read_text()
    assert "/opt" not in (tmp_path / "out" / "show.sh").read_text()
