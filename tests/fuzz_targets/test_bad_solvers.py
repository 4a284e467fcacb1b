"""A campaign survives a solver that takes the worker along, and one that never comes back."""

import json
import os
import re
from pathlib import Path

import pytest
from chcfuzz.mutators.recipe import digest

from tests.fuzz_targets.solvers import MARK
from tests.targets import ROOT, Run

LUCKY = """(set-logic HORN)
(set-info :status sat)
(declare-fun inv (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (inv x))))
(assert (forall ((x Int)) (=> (and (inv x) (< x 5)) (inv (+ x 1)))))
(assert (forall ((x Int)) (=> (and (inv x) (> x 9)) false)))
(check-sat)
"""
UNLUCKY = LUCKY.replace("inv", MARK)
PATH = os.pathsep.join((str(ROOT), os.environ.get("PYTHONPATH", "")))


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """Two good seeds and one that the bad solvers fail on."""
    folder = tmp_path / "mixed"
    folder.mkdir()
    (folder / "a.smt2").write_text(LUCKY)
    (folder / "b.smt2").write_text(UNLUCKY + "; longer, so that it comes later\n" * 4)
    (folder / "c.smt2").write_text(LUCKY.replace("status sat", "status unsat").replace("(> x 9)", "(> x 2)"))
    return folder


@pytest.mark.slow
def test_a_solver_that_dies_is_survived_and_its_unit_kept(run: Run, mixed: Path, tmp_path: Path) -> None:
    solver = "--solver=tests.fuzz_targets.solvers:DyingSpacer"
    ended = run(mixed, "-runs=40", "-seed=1", "--rlimit=20000", solver, PYTHONPATH=PATH)
    assert ended.code == 0, ended.err
    assert ended.summary["crashes"] >= 1
    assert ended.summary["executions"] > 30, "the campaign went on"
    assert ended.summary["sat"] > 0
    assert ended.summary["unsat"] > 0
    assert ended.summary["findings"]["crash"] >= 1
    records = [json.loads(file.read_text()) for file in (tmp_path / "findings").glob("crash-*/record.json")]
    assert len(records) == ended.summary["findings"]["crash"]
    assert all(record["witness"] == "it dies of signal 11" for record in records)
    assert all(record["runs"] == {} for record in records)
    mutants = [file.read_text() for file in (tmp_path / "findings").glob("crash-*/mutant.smt2")]
    assert all(MARK in mutant for mutant in mutants)


@pytest.mark.slow
@pytest.mark.parametrize("runs", ["-runs=0", "-runs=3"])
def test_a_unit_that_kills_a_worker_does_not_hide_the_rest_of_the_corpus(run: Run, tmp_path: Path, runs: str) -> None:
    folder = tmp_path / "deadly"
    folder.mkdir()
    for number in range(5):
        (folder / f"{number}.smt2").write_text(UNLUCKY.replace("(> x 9)", f"(> x {20 + number})"))
    ended = run(folder, runs, "-seed=1", "--solver=tests.fuzz_targets.solvers:DyingSpacer", PYTHONPATH=PATH)
    assert ended.code == 0, ended.err
    assert ended.summary["crashes"] >= 5


@pytest.mark.slow
def test_a_solver_that_dies_in_a_job_does_not_end_the_others(run: Run, mixed: Path, tmp_path: Path) -> None:
    solver = "--solver=tests.fuzz_targets.solvers:OnceDyingMutantSpacer"
    (tmp_path / "grown").mkdir()
    flags = ("-fork=1", "-seed=1", "--rlimit=20000", "--kinds=parameter", "--status-seconds=0.5", solver)
    aside = tmp_path / "findings" / "unconfirmed"

    def went_on(said: str) -> bool:
        """Determine whether the crash was examined, and a later job has ended."""
        return len(re.findall(r"crash: 0/0/1 .* job: ", said)) > 1 and any(aside.glob("crash-*"))

    environment = {"PYTHONPATH": PATH, "DIED": str(tmp_path / "died")}
    ended = run(tmp_path / "grown", mixed, *flags, until=went_on, **environment)
    assert ended.code == 0, ended.err
    assert ended.summary["crashes"] == 1


@pytest.mark.slow
def test_a_death_that_does_not_happen_again_is_put_aside(run: Run, mixed: Path, tmp_path: Path) -> None:
    # The confirming process cannot see what kills only the worker: here, by its environment.
    solver = "--solver=tests.fuzz_targets.solvers:OnceDyingSpacer"
    ended = run(mixed, "-runs=20", "-seed=1", "--rlimit=20000", solver, PYTHONPATH=PATH, DIED=str(tmp_path / "died"))
    assert ended.code == 0, ended.err
    assert ended.summary["crashes"] == 1
    assert ended.summary["findings"] == {}
    (unit, suspicion) = sorted((tmp_path / "findings/unconfirmed").iterdir())
    assert unit.name.startswith("crash-")
    assert suspicion.name == f"{unit.name}.json"


@pytest.mark.slow
def test_a_solver_that_ends_the_process_is_survived_like_one_that_dies(run: Run, mixed: Path, tmp_path: Path) -> None:
    solver = "--solver=tests.fuzz_targets.solvers:LeavingSpacer"
    ended = run(mixed, "-runs=20", "-seed=1", "--rlimit=20000", solver, PYTHONPATH=PATH)
    assert ended.code == 0, ended.err
    assert ended.summary["executions"] > 10, "the campaign went on"
    records = [json.loads(file.read_text()) for file in (tmp_path / "findings").glob("crash-*/record.json")]
    assert records
    assert {record["witness"] for record in records} == {"it ends the process with exit code 110"}


@pytest.mark.slow
def test_a_death_that_becomes_a_hang_is_put_aside(run: Run, mixed: Path, tmp_path: Path) -> None:
    solver = "--solver=tests.fuzz_targets.solvers:ThenDeafSpacer"
    flags = ("--wall-seconds=1", "--rlimit=20000", "-runs=4", "-seed=1")
    ended = run(mixed, *flags, solver, PYTHONPATH=PATH, DIED=str(tmp_path / "died"))
    assert ended.code == 0, ended.err
    assert ended.summary["crashes"] == 1
    assert ended.summary["findings"] == {}
    assert list((tmp_path / "findings/unconfirmed").glob("crash-*"))


@pytest.mark.slow
def test_a_solver_that_never_comes_back_is_survived(run: Run, mixed: Path, tmp_path: Path) -> None:
    solver = "--solver=tests.fuzz_targets.solvers:DeafSpacer"
    flags = ("--wall-seconds=1", "--rlimit=20000", "-runs=6", "-seed=1")
    ended = run(mixed, *flags, solver, PYTHONPATH=PATH)
    assert ended.code == 0, ended.err
    assert ended.summary["executions"] >= 6, "the campaign went on"
    assert ended.summary["crashes"] == 0
    aside = list((tmp_path / "findings/unconfirmed").glob("stuck-*"))
    assert aside
    assert any(MARK.encode() in unit.read_bytes() for unit in aside), "the seed itself is plain text"


@pytest.mark.slow
def test_a_solver_that_never_comes_back_is_counted(run: Run, mixed: Path) -> None:
    solver = "--solver=tests.fuzz_targets.solvers:DeafSpacer"
    ended = run(mixed, "--wall-seconds=1", "-runs=2", "-seed=1", solver, PYTHONPATH=PATH)
    assert ended.summary["hangs"] >= 1


@pytest.mark.slow
def test_a_solver_that_refuses_to_be_made_ends_the_campaign_with_its_reason(run: Run, mixed: Path) -> None:
    ended = run(mixed, "-runs=2", "-seed=1", "--solver=tests.quality.planted:RefusingSpacer", PYTHONPATH=PATH)
    assert ended.code == 2
    assert "chcfuzz: the moon is full; wait for a day" in ended.err.splitlines()
    assert "internal error" not in ended.err


@pytest.mark.slow
def test_with_stop_on_finding_a_finding_is_libfuzzers_crash(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "lucky"
    folder.mkdir()
    (folder / "a.smt2").write_text(LUCKY)
    solver = "--solver=tests.quality.planted:ForgetfulSpacer"
    ended = run(folder, "-runs=20", "-seed=1", "--stop-on-finding", solver, PYTHONPATH=PATH)
    assert ended.code == 77
    assert ended.summary["findings"] == {"wrong-model": 1}
    (artifact,) = tmp_path.glob("crash-*")
    assert artifact.name == f"crash-{digest(artifact.read_bytes())}"
    assert run(artifact, "--stop-on-finding", solver, PYTHONPATH=PATH).code == 77


@pytest.mark.slow
def test_a_file_that_is_a_finding_is_one_in_a_fresh_folder_too(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.smt2"
    file.write_text(LUCKY)
    ended = run(file, "--stop-on-finding", "--solver=tests.quality.planted:ForgetfulSpacer", PYTHONPATH=PATH)
    assert ended.code == 77, ended.err


@pytest.mark.slow
def test_a_file_with_a_suspicious_verdict_is_a_crash_that_reproduces(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.smt2"
    file.write_text(LUCKY)
    for _ in range(2):  # nothing that the first run stores keeps the second one from solving it
        ended = run(file, "--solver=tests.quality.planted:ForgetfulSpacer", PYTHONPATH=PATH)
        assert ended.code == 77, ended.err
        assert "chcfuzz: oracle model: wrong-model: clause" in ended.err
    assert run(file).code == 0
    unlucky = tmp_path / "b.smt2"
    unlucky.write_text(UNLUCKY)
    assert run(unlucky, "--solver=tests.fuzz_targets.solvers:LeavingSpacer", PYTHONPATH=PATH).code == 77


@pytest.mark.slow
def test_a_disk_that_fills_up_ends_the_campaign_with_one_line(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "lucky"
    folder.mkdir()
    (folder / "a.smt2").write_text(LUCKY)
    findings = tmp_path / "findings"
    findings.mkdir()
    (findings / "unconfirmed").touch()  # a file in place of the folder that the store needs
    solver = "--solver=tests.fuzz_targets.solvers:OnceDyingSpacer"
    (folder / "b.smt2").write_text(UNLUCKY)
    ended = run(folder, "-runs=20", "-seed=1", solver, PYTHONPATH=PATH, DIED=str(tmp_path / "died"))
    assert ended.code == 2
    assert sum("cannot write findings" in line for line in ended.err.splitlines()) == 1
    assert "Traceback" not in ended.err


@pytest.mark.slow
def test_a_disk_that_fills_up_ends_all_jobs(run: Run, mixed: Path, tmp_path: Path) -> None:
    (tmp_path / "grown").mkdir()
    findings = tmp_path / "findings"
    findings.mkdir()
    (findings / "unconfirmed").touch()  # a file in place of the folder that the store needs
    solver = "--solver=tests.fuzz_targets.solvers:OnceForgetfulSpacer"
    flags = ("-fork=1", "-seed=1", "--rlimit=20000", solver)
    ended = run(tmp_path / "grown", mixed, *flags, PYTHONPATH=PATH, FORGOT=str(tmp_path / "forgot"))
    assert ended.code == 2, ended.err
    assert sum("cannot write findings" in line for line in ended.err.splitlines()) >= 1
    assert "Traceback" not in ended.err
    folders = [os.path.realpath(link) for link in Path("/proc").glob("[0-9]*/cwd")]
    assert str(tmp_path) not in folders, "no process is left behind"


@pytest.mark.slow
def test_a_crash_is_minimized(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.smt2"
    file.write_text(LUCKY + "; a comment that a smaller unit has no need of, and it goes on for quite a while\n" * 3)
    solver = "--solver=tests.quality.planted:ForgetfulSpacer"
    ended = run("-minimize_crash=1", "-runs=60", file, "--stop-on-finding", solver, PYTHONPATH=PATH)
    assert ended.code == 0, ended.err
    smaller = list(tmp_path.glob("minimized-from-*"))
    assert smaller
    assert all(unit.stat().st_size < file.stat().st_size for unit in smaller)
    assert run(smaller[0], "--stop-on-finding", solver, PYTHONPATH=PATH).code == 77
