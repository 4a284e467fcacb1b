"""The text of a finding runs as a maintainer runs it: with the program, or else through the library."""

from pathlib import Path

import pytest
from chcfuzz.execution.reports import RunReport, UnitReport
from chcfuzz.solvers.z3_release import active
from chcfuzz.triage.examine.conclusion import Conclusion, End, Reproduction, first_showing
from chcfuzz.triage.examine.confirm import Confirmation
from chcfuzz.triage.examine.messages import Described
from chcfuzz.triage.examine.signature import Signature
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.findings.record import Finding, Record
from chcfuzz.triage.findings.reductions import Reduction, SystemFiles
from chcfuzz.triage.findings.reproducing import in_words, reproduced, reproductions

from tests.campaign.conftest import SAT
from tests.triage.records import a_record

ANNOTATED = SAT.replace("(set-info :status sat)", "(set-info :status unsat)")
SMT = "(set-option :smt.bv.solver 2)\n(set-logic ALL)\n(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n"


def a_program(folder: Path, answer: str) -> str:
    path = folder / "z3"
    path.write_text(f"#!/bin/sh\necho {answer}\n")
    path.chmod(0o755)
    return f"--z3-program={path}"


def wrong(answer: str = "sat", **changes: object) -> Record:
    return a_record("wrong-answer", answer=answer, z3=active().version, **changes)


def test_output_that_is_cut_says_so_and_counts_whole(tmp_path: Path) -> None:
    flag = a_program(tmp_path, "sat")
    (tmp_path / "z3").write_text("#!/bin/sh\nyes '; a comment' | head -n 3000\necho sat\n")
    (run,) = reproductions(wrong(solving=(flag,)), "mutant.smt2", ANNOTATED)
    assert run.output.endswith("(cut after 20,000 characters)\n")
    assert run.shows, "the answer is behind the cut"


def test_the_program_runs_first_and_its_whole_output_is_kept() -> None:
    (run,) = reproductions(wrong(), "mutant.smt2", ANNOTATED)
    assert run.command == ("z3", "mutant.smt2")
    assert run.shows
    first, second = run.output.splitlines()
    assert first == "sat"
    assert "check annotation that says unsat" in second


def test_the_library_runs_if_the_program_answers_otherwise(tmp_path: Path) -> None:
    record = wrong(solving=(a_program(tmp_path, "unsat"),))
    program, library = reproductions(record, "mutant.smt2", SAT)
    assert (program.shows, library.shows) == (False, True)
    assert library.command == ("python3", "ask_z3.py", "mutant.smt2")
    assert library.output == "sat\n"
    assert in_words((program, library)) == (
        "`python3 ask_z3.py mutant.smt2` shows it, `z3 mutant.smt2` does not show it"
    )


def test_a_finding_about_the_program_is_not_shown_by_the_library(tmp_path: Path) -> None:
    record = wrong(solving=(a_program(tmp_path, "unsat"),), parameters={"solver": "z3-program"})
    (run,) = reproductions(record, "mutant.smt2", SAT)
    assert run.shows is False


def test_a_command_runs_as_it_ran(tmp_path: Path) -> None:
    a_program(tmp_path, "unsat")
    record = wrong("unsat", command=(str(tmp_path / "z3"), "-q", "{}"))
    (run,) = reproductions(record, "reduced.smt2", SAT)
    assert run == Reproduction(("z3", "-q", "reduced.smt2"), "unsat\n", shows=True)
    assert reproductions(wrong(command=(str(tmp_path / "gone"), "{}")), "mutant.smt2", SAT) == ()


def test_a_class_in_the_place_of_the_solver_has_no_released_form() -> None:
    assert reproductions(wrong(solving=("--solver=some:Spacer",)), "mutant.smt2", SAT) == ()


@pytest.mark.parametrize(
    ("name", "release", "command"),
    [
        ("z3:smt.bv.solver=2", active().version, ("z3", "mutant.smt2")),
        ("bitwuzla", "0.10.0", ("python3", "ask_smt.py", "bitwuzla", "mutant.smt2")),
    ],
)
def test_one_of_several_solvers_runs_as_its_program_or_its_package(
    name: str, release: str, command: tuple[str, ...]
) -> None:
    record = wrong(solving=("--domain=smt",), solvers={name: release})
    text = SMT if name.startswith("z3") else SMT.partition("\n")[2].replace("Int", "Bool").replace("(> x 3)", "x")
    (run,) = reproductions(record, "mutant.smt2", text)
    assert (run.command, run.output.split(), run.shows) == (command, ["sat"], True)


def confirmed(seen: str) -> Confirmation:
    """A finding whose unit is a system that is sat, and to which the solver answered otherwise, or so."""
    unit = UnitReport(active().version, SAT, SAT, SAT, (), "equivalent", "unsat", ())
    signature = Signature("wrong-answer", default=True)
    conclusion = Conclusion(End.CONFIRMED, "wrong-answer", "a refutation", SAT.encode(), signature)
    given = RunReport(status=seen, reason="", verdicts=(), model_holds=False, trace_hash="", events=0, cost=0)
    suspicion = Suspicion(SAT.encode(), "wrong-answer", seen=seen)
    return Confirmation(suspicion, conclusion, Described(unit, None, False, (), ()), given)


@pytest.mark.parametrize(("seen", "end"), [("sat", End.CONFIRMED), ("unsat", End.VANISHED)])
def test_a_finding_that_its_text_does_not_show_has_vanished(seen: str, end: End) -> None:
    found = reproduced(confirmed(seen))
    assert found.end is end
    assert (first_showing(found.reproductions) is None) == (end is End.VANISHED)


def test_a_reduced_system_that_does_not_show_it_is_not_the_smallest(tmp_path: Path) -> None:
    def smallest(*runs: Reproduction) -> str:
        reduction = Reduction(minimal=True, parameters={}, chain=(), words="", reproductions=runs)
        (tmp_path / "reduced.json").write_bytes(reduction.to_json())
        return Finding(tmp_path, wrong()).smallest.system

    other, shows = (Reproduction(("z3", "reduced.smt2"), "", shows) for shows in (False, True))
    assert [smallest(), smallest(other), smallest(other, shows)] == ["reduced.smt2", "mutant.smt2", "reduced.smt2"]
    assert SystemFiles(tmp_path).is_reproducible
