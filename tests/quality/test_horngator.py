"""The benchmark beside HornGator, bench/power/horngator.py: its processor time, its counts and what it refuses."""

import subprocess
import sys
from pathlib import Path

import pytest
from chcfuzz.execution.solving import UsageError
from chcfuzz.solvers.python import INTERRUPTED

from tests.benchmarks import benchmark
from tests.targets import ROOT, SAFETY_NET, comes_true, ends

horngator = benchmark("power.horngator")
LOG = """seed,transformation,prev id,id,result initial,result transformed,chain,elapsed time,solver time,PASS/FAIL
7,init,seeds/a.smt2,1,,SolverResult.SAT,[],0, 0
7,PlugIn,1,2,SolverResult.SAT,SolverResult.UNSAT,"[PlugIn; 1]",1,0,PASS
7,TRANSFORMATION_ERROR,1
7,AddConstraint,1,3,SolverResult.SAT,SolverResult.TIMEOUT,"[AddConstraint]",61,60
7,AddConstraint,1,4,SolverResult.SAT,SolverResult.SAT,"[AddConstraint]",62,60,FAIL-INVALID-MODEL
"""


def test_a_program_ends_when_it_has_used_its_processor_time(tmp_path: Path) -> None:
    idle = "import time; time.sleep(0.7)"
    assert horngator.run_until([sys.executable, "-c", idle], 0.4, tmp_path) < 0.4
    busy = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'while True: pass'])"
    assert horngator.run_until([sys.executable, "-c", busy], 0.4, tmp_path) >= 0.4


ENDED = """
import sys
from pathlib import Path
from bench.campaigns import run_as_program
from bench.power.horngator import run_until
child = "import os, pathlib, sys, time; pathlib.Path(sys.argv[1]).write_text(str(os.getpid())); time.sleep(3600)"
run_as_program(lambda: run_until([sys.executable, "-c", child, sys.argv[1]], 3600, Path(sys.argv[2])))
"""


def test_a_benchmark_that_is_ended_ends_what_it_has_started(tmp_path: Path) -> None:
    noted = tmp_path / "pid"
    words = [sys.executable, "-c", ENDED, str(noted), str(tmp_path)]
    with subprocess.Popen(words, cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
        assert comes_true(lambda: noted.exists() and noted.read_text() != "")
        process.terminate()
        assert process.wait(SAFETY_NET) == INTERRUPTED
        assert process.stderr is not None
        assert process.stderr.read() == "interrupted; the same command continues\n"
    assert ends(int(noted.read_text()))


def test_decided_mutants_of_its_log_are_counted_without_seeds(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    assert horngator.decided_in(log) == 0
    log.write_text(LOG)
    assert horngator.decided_in(log) == 2


def test_findings_of_both_tools_are_added_up_by_kind() -> None:
    def trial(tool: str, seed: int, decided: int, **findings: int) -> object:
        return horngator.Trial(tool, "5.4.1.0", seed, 600.0, decided, findings, len(findings), 1)

    peer = [trial("horngator", seed, 100 + seed) for seed in (1, 2, 3)]
    own = [trial("chcfuzz", seed, 200 + seed, model=seed) for seed in (1, 2, 3)]
    _, first, second = horngator.table([*peer, *own])
    assert first[:4] == ["5.4.1.0", "horngator", "3", "102"]
    assert first[-3:] == ["none", "0", "0"]
    assert second[:4] == ["5.4.1.0", "chcfuzz", "3", "202"]
    assert second[5] == "1.00"
    assert second[-3:] == ["model 6", "3", "0"]


def test_trials_with_a_wrong_answer_are_counted() -> None:
    kinds = ({"wrong-answer": 3, "wrong-model": 1}, {"crash": 2}, {"wrong-answer": 1})
    own = [horngator.Trial("chcfuzz", "4.13.4.0", seed, 60.0, 9, each, 1, 1) for seed, each in enumerate(kinds, 1)]
    head, row = horngator.table(own)
    assert dict(zip(head, row, strict=True))["trials with a wrong answer"] == "2"


def test_a_file_is_a_seed_and_so_are_the_files_of_folders(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for name in ("one.smt2", "folder/two.smt2", "folder/three.txt"):
        (tmp_path / name).write_text("(set-logic HORN)")
    horngator.write_seeds([tmp_path / "one.smt2", tmp_path / "folder"], tmp_path / "into", has_results=False)
    assert sorted(each.name for each in (tmp_path / "into").iterdir()) == ["00000-one.smt2", "00001-two.smt2"]


def test_random_seeds_are_read_from_the_lines_of_a_file(tmp_path: Path) -> None:
    (file := tmp_path / "12.txt").write_text("618080194\n641462085\n36533129")
    assert horngator.read_numbers(file, 2) == [618080194, 641462085]
    with pytest.raises(UsageError, match=r"12\.txt' has 3 random seeds for 4 trials; give fewer --trials"):
        horngator.read_numbers(file, 4)
    with pytest.raises(UsageError, match=r"cannot read .*missing"):
        horngator.read_numbers(tmp_path / "missing", 2)
    file.write_text("618080194\n-2\n")
    with pytest.raises(UsageError, match=r"'-2' in .* is no random seed"):
        horngator.read_numbers(file, 2)


def test_other_seeds_than_those_of_results_are_refused(tmp_path: Path) -> None:
    seeds, into = tmp_path / "seeds", tmp_path / "into"
    seeds.mkdir()
    with pytest.raises(UsageError, match=r"no \.smt2 file"):
        horngator.write_seeds([seeds], into, has_results=False)
    (seeds / "a.smt2").write_text("(set-logic HORN)")
    horngator.write_seeds([seeds], into, has_results=False)
    horngator.write_seeds([seeds], into, has_results=True)
    (seeds / "b.smt2").write_text("(set-logic HORN)")
    with pytest.raises(UsageError, match="of other seeds"):
        horngator.write_seeds([seeds], into, has_results=True)


def test_a_clone_that_does_not_start_is_named(tmp_path: Path) -> None:
    clone, folder = tmp_path / "clone", tmp_path / "trial"
    (clone / "horngator").mkdir(parents=True)
    (clone / "horngator" / "__main__.py").write_text("raise SystemExit('a package is missing')")
    folder.mkdir()
    with pytest.raises(UsageError, match=r"HornGator does not start; see '.*output'"):
        horngator.Peer(clone, tmp_path, Path(sys.executable)).run(folder, 60, 1)
    assert (folder / "peer" / "output").read_text() == "a package is missing\n"


def test_a_folder_without_the_program_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["horngator", "--peer", str(tmp_path), "--into", str(tmp_path / "into")])
    with pytest.raises(UsageError, match=r"no clone of HornGator: it lacks horngator/__main__\.py"):
        horngator.main()


def test_the_time_of_a_program_that_ends_at_once_counts(tmp_path: Path) -> None:
    assert horngator.run_until([sys.executable, "-c", "pass"], 60, tmp_path) > 0


def test_a_program_is_started_again_until_its_runs_have_used_the_time(tmp_path: Path) -> None:
    def command(number: int) -> list[str]:
        return [sys.executable, "-c", f"print({number})"]

    times = list(horngator.repeated(command, 0.2, tmp_path))
    assert times == sorted(times)
    assert times[-1] >= 0.2 > max([0.0, *times[:-1]])
    assert (tmp_path / "output").read_text().split() == list(map(str, range(len(times))))


def test_a_program_that_uses_no_time_is_not_started_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(horngator, "run_until", lambda *_: 0.0)
    with pytest.raises(UsageError, match=r"a program used no processor time; see '.*output'"):
        next(horngator.repeated(lambda _: [], 60, tmp_path))
