"""`reduce`, `locate`, `report`, `triage` and `replay` on a file of a user who has never fuzzed."""

import gzip
from pathlib import Path
from types import SimpleNamespace

import pytest
from chcfuzz.commands import main, triage
from chcfuzz.commands.inputs import bytes_of
from chcfuzz.commands.own_file import NothingWrongError, is_own
from chcfuzz.execution.reports import RunReport, VerdictReport
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.solvers.outcome import Status
from chcfuzz.triage.examine.conclusion import Conclusion, End, Witness
from chcfuzz.triage.examine.signature import Signature
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.findings.own_file import _first_finding
from chcfuzz.triage.findings.own_file_text import RunVerdict, is_settled, sentences, without_examination

from tests.campaign.conftest import UNSAT
from tests.commands.test_chcfuzz import chcfuzz

ALWAYS_SAT = "#!/bin/sh\necho sat\n"
SAT = UNSAT.replace(":status unsat", ":status sat")


def a_run(status: str, *verdicts: VerdictReport) -> RunReport:
    return RunReport(status=status, verdicts=verdicts)


def test_a_checked_model_and_a_checked_derivation_settle_an_answer() -> None:
    model, proof = VerdictReport("model", "pass"), VerdictReport("proof", "pass")
    assert is_settled(a_run("sat", model))
    assert is_settled(a_run("unsat", proof))
    assert not is_settled(a_run("unsat", model))
    assert not is_settled(a_run("sat", model, VerdictReport("answer", "wrong-answer")))
    assert is_settled(a_run("unknown"))


def test_the_verdict_is_a_sentence_for_each_kind_of_end() -> None:
    assert without_examination(a_run("sat", VerdictReport("model", "pass"))) == "That is right: its model was checked."
    wrong = VerdictReport("model", "wrong-model", "clause 2 is false under the model")
    assert without_examination(a_run("sat", wrong)) == "This is a wrong model: clause 2 is false under the model."
    assert without_examination(a_run("unsat")) == "Nothing contradicts this answer."
    assert without_examination(a_run("unknown")) == "That is no answer, so nothing can be wrong with it."
    died = sentences(RunVerdict("Spacer 5.4.1.0 0123abcd", RunReport(status="crash", reason="signal 11")))
    assert died[0] == "Spacer 5.4.1.0 died (signal 11)."


def test_a_checked_model_is_stronger_than_a_promised_status() -> None:
    promise, model = VerdictReport("answer", "wrong-answer"), VerdictReport("model", "pass")
    right = "That is right, and the status that is promised is wrong: its model was checked."
    assert without_examination(a_run("sat", promise, model)) == right
    assert not a_run("sat", promise, model).faults
    assert a_run("sat", promise).faults == [promise]
    assert a_run("unsat", promise, model).faults == [promise]


def test_a_folder_and_a_file_of_buckets_are_not_own_files(tmp_path: Path) -> None:
    (tmp_path / "buckets.json").write_text("{}")
    (tmp_path / "mine.smt2").write_text(UNSAT)
    assert [is_own(path) for path in (tmp_path, tmp_path / "buckets.json", tmp_path / "none")] == [False] * 3
    assert is_own(tmp_path / "mine.smt2")
    assert is_own(Path("-"))


def test_a_file_that_is_not_a_problem_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.smt2").write_text("(set-logic HORN)\n(assert (p 0))\n(check-sat)\n")
    for command in ("reduce", "locate", "report", "triage"):
        assert main.main([command, str(tmp_path / "mine.smt2")]) == 2
        printed = capsys.readouterr()
        assert len(printed.err.splitlines()) == 1
        assert "mine.smt2" in printed.err


@pytest.mark.parametrize(("content", "reason"), [(b"", "is empty"), (b"hello\n", "is neither SMT-LIB nor a unit")])
def test_bytes_that_nobody_wrote_as_a_problem_get_no_verdict(
    content: bytes, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine").write_bytes(content)
    for command in ("reduce", "locate", "report", "triage"):
        assert main.main([command, str(tmp_path / "mine")]) == 2
        printed = capsys.readouterr()
        assert (printed.out, len(printed.err.splitlines())) == ("", 1)
        assert reason in printed.err
    assert main.main(["show", str(tmp_path / "mine")]) == (0 if content else 2), "any bytes are a unit"
    assert reason in capsys.readouterr().err


def test_right_answers_to_some_files_do_not_hide_findings_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def examined(path: Path, *_: object) -> Path:
        if path.name.startswith("right"):
            raise NothingWrongError(f"{path.name}: right")
        return path

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(triage, "finding_of", examined)
    (tmp_path / "findings").mkdir()
    for name in ("right-1", "wrong", "right-2"):
        (tmp_path / name).write_text(UNSAT)
    assert main.main(["triage", "right-1", "wrong", "right-2", "--no-reduce"]) == 0
    printed = capsys.readouterr()
    assert printed.err.splitlines() == ["chcfuzz: right-1: right", "chcfuzz: right-2: right"]
    assert main.main(["triage", "right-1", "right-2", "--no-reduce"]) == 1
    assert capsys.readouterr().err == printed.err


def test_a_packed_file_is_unpacked(tmp_path: Path) -> None:
    file = tmp_path / "mine.smt2.gz"
    file.write_bytes(gzip.compress(UNSAT.encode()))
    assert bytes_of(file) == UNSAT.encode()
    for content in (file.read_bytes()[:-9], UNSAT.encode()):
        file.write_bytes(content)
        with pytest.raises(UsageError, match=r"mine\.smt2\.gz.*; name another file$"):
            bytes_of(file)


def test_solvers_that_agree_are_named() -> None:
    doubt = Conclusion(End.CONTRADICTION, "wrong-answer", "no witness", b"", Signature("wrong-answer", default=True))
    run = RunVerdict(
        "z3 5.4.1.0", RunReport(status="unsat", others={"cvc5": "unsat", "bitwuzla": "unknown"}), doubt, True
    )
    assert sentences(run)[1].startswith(
        "Nothing contradicts this answer, cvc5 gives it, too, and no witness was found "
    )


def test_a_right_answer_that_another_solver_contradicts_is_right_and_the_other_is_named() -> None:
    against = Witness(Status.UNSAT, "the system has a refutation of 2 steps", "0: clause 0 |- (p 0)", "")
    signature = Signature("contradiction", default=True, between=("Spacer",))
    words = "answers unsat, Spacer sat; a refutation is right: Spacer is wrong; the answer is right"
    conclusion = Conclusion(End.CONTRADICTION, "contradiction", words, b"", signature, against=against)
    assert sentences(RunVerdict("./mine", RunReport(status="unsat"), conclusion)) == [
        "./mine answers unsat.",
        "That is right: the system has a refutation of 2 steps.",
        "  1: clause 1 |- (p 0)",
        "Spacer answers sat, which is wrong.",
    ]


@pytest.mark.parametrize("against", [None, Witness(Status.UNSAT, "a refutation", "", "")])
def test_a_contradiction_is_a_finding_unless_a_witness_shows_that_the_answer_is_right(
    monkeypatch: pytest.MonkeyPatch, against: Witness | None
) -> None:
    signature = Signature("contradiction", default=True, between=("Spacer",))
    conclusion = Conclusion(End.CONTRADICTION, "contradiction", "", b"", signature, against=against)
    confirmed = SimpleNamespace(end=End.CONTRADICTION, conclusion=conclusion)
    monkeypatch.setattr("chcfuzz.triage.findings.own_file.confirm", lambda *_: confirmed)
    judged = RunVerdict("./mine", RunReport(status="unsat"))
    found = _first_finding(judged, [Suspicion(b"unit", "disagreement")], Solving())
    assert found is not None
    assert found.is_finding == (against is None)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with an unsatisfiable system, and a solver that always answers sat."""
    (tmp_path / "mine.smt2").write_text(UNSAT.replace("(set-info :status unsat)\n", ""))
    solver = tmp_path / "solver"
    solver.write_text(ALWAYS_SAT)
    solver.chmod(0o755)
    return tmp_path


@pytest.mark.slow
def test_the_file_of_a_wrong_answer_is_reduced_located_grouped_and_reported(folder: Path) -> None:
    solver = ("--command", "./solver {}")
    reduced = chcfuzz(folder, "reduce", "mine.smt2", *solver)
    assert reduced.returncode == 0, reduced.stderr
    assert "wrong answer (the system has a refutation" in reduced.stderr
    (finding,) = (path for path in (folder / "findings").iterdir() if path.name.startswith("wrong-answer"))
    assert (finding / "reduced.smt2").is_file()
    reported = chcfuzz(folder, "report", "mine.smt2", "--out", "report", *solver)
    assert reported.returncode == 0, reported.stderr
    assert "the finding is known" in reported.stderr
    assert (folder / "report/report.md").is_file()
    grouped = chcfuzz(folder, "triage", "mine.smt2", *solver)
    assert "1 bucket, 1 finding" in grouped.stdout
    assert chcfuzz(folder, "locate", "mine.smt2", *solver).returncode == 0
    assert (finding / "location.json").is_file()


@pytest.mark.slow
def test_replay_of_a_file_ends_with_a_verdict_and_its_witness(folder: Path) -> None:
    done = chcfuzz(folder, "replay", "mine.smt2", "--command", "./solver {}")
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert any(line.startswith("That is wrong. The right answer is unsat: ") for line in lines)
    assert lines[-1].endswith("|- false")


@pytest.mark.slow
def test_a_right_answer_with_a_wrong_declaration_is_not_reduced(folder: Path) -> None:
    (folder / "lie.smt2").write_text(SAT)
    done = chcfuzz(folder, "reduce", "lie.smt2")
    assert done.returncode == 1
    assert "That is right, and the status that the file declares is wrong" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (folder / "findings").exists()
    assert chcfuzz(folder, "replay", "lie.smt2").returncode == 0
