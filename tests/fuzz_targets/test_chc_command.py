"""The campaign on a command: solvers that lie, die, sleep and babble, and the z3 of the installed wheel."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from chcfuzz.solvers.dialects import DIALECTS
from chcfuzz.solvers.z3_release import active

from tests.targets import ROOT, Campaign, Run, lives

SAT = """(set-logic HORN)
(set-info :status sat)
(declare-fun inv (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (inv x))))
(assert (forall ((x Int)) (=> (and (inv x) (< x 5)) (inv (+ x 1)))))
(assert (forall ((x Int)) (=> (and (inv x) (> x 9)) false)))
(check-sat)
"""
UNSAT = SAT.replace("status sat", "status unsat").replace("(> x 9)", "(> x 2)")
Z3 = str(active().executable)

Made = Callable[..., Path]
Start = Callable[..., Campaign]


# A command is limited by the wall clock only, which is long here: its mutants must be as easy as their seeds.
SIMPLE = "--kinds=rewrite,parameter"


@pytest.fixture
def script(tmp_path: Path) -> Made:
    """A solver that is a shell script, in a folder whose name needs quotes."""

    def make(text: str, name: str = "solver") -> Path:
        folder = tmp_path / "some solvers"
        folder.mkdir(exist_ok=True)
        path = folder / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return path

    return make


@pytest.fixture
def start(run_command: Run, tmp_path: Path) -> Start:
    """A short campaign of a command on these seeds."""

    def started(command: object, seeds: tuple[str, ...], *flags: object, runs: int = 6) -> Campaign:
        corpus = tmp_path / "seeds"
        corpus.mkdir(exist_ok=True)
        for number, text in enumerate(seeds):
            (corpus / f"{number}.smt2").write_text(text)
        quoted = shlex.quote(str(command)) if isinstance(command, Path) else str(command)
        fixed = ("-seed=1", "--per-bucket=1", "--second-opinion=0", SIMPLE)
        return run_command(corpus, f"--command={quoted}", f"-runs={runs}", *fixed, *flags)

    return started


def records(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(file.read_text()) for file in sorted((folder / "findings").glob("*/record.json"))]


@pytest.mark.slow
def test_an_unsat_that_is_a_lie_is_found_and_spacers_model_says_so(start: Start, script: Made, tmp_path: Path) -> None:
    liar = script("echo unsat")
    ended = start(liar, (SAT,))
    assert ended.code == 0, ended.err
    assert set(ended.summary["findings"]) == {"wrong-answer"}, ended.err
    for record in records(tmp_path):
        assert record["command"] == [str(liar), "{}"]
        assert re.fullmatch(r"Z3 [\d.]+ answers sat, with a model that holds in every clause", record["witness"])
        assert (record["expected"], record["runs"]["given"]["status"]) == ("sat", "unsat")


@pytest.mark.slow
def test_a_sat_that_is_a_lie_is_found_and_a_refutation_says_so(start: Start, script: Made, tmp_path: Path) -> None:
    ended = start(script("echo sat"), (UNSAT,))
    assert ended.summary["findings"] == {"wrong-answer": 1}, ended.err
    (record,) = records(tmp_path)
    assert "refutation" in record["witness"]


@pytest.mark.slow
def test_a_right_answer_with_a_wrong_model_is_found(start: Start, script: Made, tmp_path: Path) -> None:
    printed = "echo sat; echo '(model (define-fun inv ((x Int)) Bool (< x 5)))'"
    ended = start(script(f"grep -q 'inv (Int) Bool' \"$1\" || exit 0; {printed}"), (SAT,))
    assert set(ended.summary["findings"]) == {"wrong-model"}, ended.err
    (record,) = records(tmp_path)
    assert "is false under the model at x = " in record["witness"]
    (evidence,) = (tmp_path / "findings").glob("*/evidence.smt2")
    said = subprocess.run([Z3, str(evidence)], capture_output=True, text=True, check=False).stdout
    assert said.startswith("sat\n"), "any solver sees it"


@pytest.mark.slow
def test_a_command_that_dies_is_found_and_the_campaign_goes_on(start: Start, script: Made, tmp_path: Path) -> None:
    ended = start(script(f'grep -q \'(> x 9)\' "$1" && kill -SEGV $$; exec {Z3} "$1"'), (SAT, UNSAT))
    assert set(ended.summary["findings"]) == {"crash"}, ended.err
    assert ended.summary["crashes"] == 0, "the worker lives on"
    assert ended.summary["unsat"] > 0
    (record,) = records(tmp_path)
    assert record["witness"] == "it dies of signal 11 (Segmentation fault)"


@pytest.mark.slow
def test_a_command_that_sleeps_is_undecided_and_nothing_is_kept(start: Start, script: Made, tmp_path: Path) -> None:
    ended = start(script("exec sleep 100"), (SAT, UNSAT), "--wall-seconds=0.5", runs=4)
    assert ended.code == 0, ended.err
    assert ended.summary["hangs"] == ended.summary["executions"] > 2
    assert ended.summary["findings"] == {}
    assert len(list((tmp_path / "seeds").iterdir())) == 2


@pytest.mark.slow
def test_a_command_that_babbles_is_undecided(start: Start, script: Made) -> None:
    ended = start(script("head -c 300 /dev/urandom; echo; echo '(sat) or unsat?'"), (SAT, UNSAT))
    assert ended.code == 0, ended.err
    assert ended.summary["undecided"] == ended.summary["solved"] > 0
    assert ended.summary["findings"] == {}


@pytest.mark.slow
def test_the_class_of_an_error_is_new_once(start: Start, script: Made, tmp_path: Path) -> None:
    """Its numbers are not: libFuzzer keeps one unit for each class, whatever line the error names."""
    refuses = script("""echo "(error \\"line $(wc -c < "$1") is bad\\")" """)
    ended = start(refuses, (SAT,), "-reduce_inputs=0", runs=40)
    assert ended.summary["undecided"] > 5, ended.err
    assert ended.summary["unique_traces"] == 1
    assert ended.summary["findings"] == {}
    assert len(list((tmp_path / "seeds").iterdir())) <= 2


@pytest.mark.slow
def test_an_error_in_the_commands_own_code_is_found(start: Start, script: Made, tmp_path: Path) -> None:
    thrown = 'Exception in thread "main" java.lang.AssertionError'
    ended = start(script(f"echo '{thrown}' >&2; exit 1"), (SAT,))
    assert set(ended.summary["findings"]) == {"exception"}, ended.err
    assert records(tmp_path)[0]["witness"] == f"it says: {thrown}"


@pytest.mark.slow
def test_z3_as_a_command_is_fuzzed_without_a_finding(start: Start) -> None:
    ended = start(Z3, (SAT, UNSAT), runs=40)
    assert ended.code == 0, ended.err
    assert f"chcfuzz: {Z3}, no options known; it answers sat with a model where sat is right" in ended.err
    assert ended.summary["findings"] == {}
    assert ended.summary["sat"] > 0
    assert ended.summary["unsat"] > 0
    assert ended.summary["unique_traces"] > 2
    assert ended.summary["stability"] == 1


@pytest.mark.slow
def test_options_of_the_command_are_mutated_and_those_of_spacer_are_not(
    start: Start, script: Made, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    noted = script(f'echo "$@" >> {log}; exec {Z3} "$(eval echo \\"\\${{$#}}\\")"', name="eld")
    ended = start(noted, (SAT, UNSAT), "--kinds=parameter", runs=60)
    assert ended.code == 0, ended.err
    assert "options of eldarica" in ended.err
    given = {word for line in log.read_text().splitlines() for word in line.split()[:-1]}
    assert len(given) > 5
    assert all(word.startswith("-") for word in given)
    assert {"-sym:bfs", "-sym:dfs", "-cloneArrays"} & given == set(), "experimental ones only when told to"
    assert not any("fp." in line or "spacer" in line for line in log.read_text().splitlines())


@pytest.mark.slow
def test_a_finding_names_the_option_it_needs_and_shows_itself(start: Start, script: Made, tmp_path: Path) -> None:
    right = f'"-log:3 -ssol -scex /"*) exec {Z3} "$4"'  # without any option but those that it always gets
    liar = script(f'case "$*" in {right};; *) echo unsat;; esac', name="eld")
    ended = start(liar, (SAT,), "--kinds=parameter", "--stop-on-finding", runs=20)
    assert ended.code == 77, "libFuzzer's code for a crash"
    assert ended.summary["findings"] == {"wrong-answer": 1}, ended.err
    (record,) = records(tmp_path)
    ((name, value),) = record["parameters"].items()
    (switch,) = DIALECTS["eldarica"].switches([(name, value)])
    assert record["command"] == [str(liar), "-ssol", "-scex", switch, "{}"]
    assert record["scope"]["switches"] == "one option changed"
    (folder,) = (tmp_path / "findings").glob("wrong-answer-*")
    assert "set-option" not in (folder / "mutant.smt2").read_text()
    environment = {**os.environ, "Z3": str(Z3), "PYTHON": sys.executable}
    shown = subprocess.run([str(folder / "show.sh")], env=environment, capture_output=True, text=True, check=False)
    assert shown.stdout.splitlines()[:2] == ["mutant.smt2: unsat was seen here, sat is right:", "unsat"]
    main = "import sys; from chcfuzz.commands.main import main; sys.exit(main())"
    replay = [sys.executable, "-c", main, "replay", str(folder), f"--command={shlex.quote(str(liar))}"]
    done = subprocess.run(replay, capture_output=True, text=True, cwd=ROOT, check=False)
    assert f"{shlex.quote(str(liar))} -ssol -scex {switch} '{{}}' answers unsat" in done.stdout, done.stderr
    assert "oracle answer: wrong-answer" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["-fork=2", "-merge=1"])
def test_a_command_with_blanks_reaches_the_processes_that_libfuzzer_starts(
    run_command: Run, script: Made, tmp_path: Path, mode: str
) -> None:
    for name, text in (("one", SAT), ("two", UNSAT)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "seed.smt2").write_text(text)
    noted = tmp_path / "noted"
    solver = script(f'echo "$1 $2" >> {noted}; exec {Z3} "$3"')
    command = shlex.join([str(solver), "two words", "; $HOME %2C,"])
    flags = ("-runs=10", SIMPLE) if mode == "-fork=2" else ()
    ended = run_command(mode, f"--command={command}", *flags, tmp_path / "one", tmp_path / "two")
    assert ended.code == 0, ended.err
    assert ended.summary["executions"] >= 2
    assert ended.summary["sat"] + ended.summary["unsat"] >= 2
    assert set(noted.read_text().splitlines()) == {"two words ; $HOME %2C,"}


@pytest.mark.parametrize(
    ("flags", "complaint"),
    [
        ((), "--command is missing; name the solver"),
        (("--command=nosuchsolver -x",), "cannot start 'nosuchsolver': no such program"),
        (("--command=sh", "--solver=a:B"), "--solver names a class in the place of Spacer"),
        (("--command=sh", "--performance"), "--performance needs a resource count"),
        (("--command=sh", "--dialect=french"), "--dialect: invalid choice: 'french'"),
    ],
)
def test_bad_use_is_one_line(run_command: Run, flags: tuple[str, ...], complaint: str) -> None:
    ended = run_command(*flags)
    assert ended.code == 2
    assert complaint in ended.err
    assert len(ended.err.splitlines()) == 1


def test_a_program_that_does_not_run_here_is_one_line(run_command: Run, tmp_path: Path) -> None:
    program = tmp_path / "broken"
    program.write_bytes(b"\x7fELF but no more")
    program.chmod(0o755)
    ended = run_command(f"--command={program}")
    assert (ended.code, len(ended.err.splitlines())) == (2, 1)
    assert "Exec format error" in ended.err


def test_the_target_for_spacer_takes_no_command(run: Run) -> None:
    ended = run("--command=sh")
    assert (ended.code, len(ended.err.splitlines())) == (2, 1)
    assert "--command is for fuzz_targets/chc_command.py" in ended.err


@pytest.mark.slow
def test_a_campaign_leaves_no_solver_behind(start: Start, script: Made, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    sleeper = script(f"echo $$ >> {pids}; sleep 50 & echo $! >> {pids}; exec sleep 50")
    start(sleeper, (SAT,), "--wall-seconds=0.5", runs=2)
    assert [pid for pid in pids.read_text().split() if lives(int(pid))] == []
