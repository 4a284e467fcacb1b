"""Edge counters of a command: a program that was compiled with them hands them over, one that was not has none."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from chcfuzz.campaign import history
from chcfuzz.campaign.run_folder import RunFolder
from chcfuzz.solvers.command import Command
from chcfuzz.tracing.command_edges import NONE, CommandEdgesError, edges_of

from tests.targets import ROOT, Run

LONG = 60.0
# Answers by the text's length, in as many steps, and by another way for an odd one.
PROGRAM = r"""
#include <cstdio>
#include <cstdlib>
int main(int count, char **words) {
    FILE *file = count > 1 ? std::fopen(words[1], "r") : nullptr;
    if (!file)
        return 1;
    int length = 0;
    while (std::fgetc(file) != EOF)
        ++length;
    if (length == 3)
        std::abort();
    if (length % 2) {
        std::puts("unknown");
        return 0;
    }
    std::puts("sat");
    return 0;
}
"""


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program with edge counters, as `get_golem.sh` compiles and leaves one."""
    compiler = shutil.which("clang++-19") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("needs clang++")
    folder = tmp_path_factory.mktemp("counted")
    (folder / "main.cpp").write_text(PROGRAM)
    flags = ["-O0", "-fsanitize-coverage=inline-8bit-counters,pc-table"]
    subprocess.run([compiler, *flags, "-c", folder / "main.cpp", "-o", folder / "main.o"], check=True)
    native = ROOT / "tracing" / "native" / "command_edges.cpp"
    subprocess.run([compiler, "-std=c++17", folder / "main.o", native, "-o", folder / "solver"], check=True)
    (folder / "BUILD_INFO").write_text("profile=trace\nedges=yes\n")
    return folder / "solver"


def test_the_counts_are_those_of_the_last_run_that_ended_by_itself(counted: Path) -> None:
    command = Command.of([str(counted)], LONG, is_counted=True)
    edges = command.events.edges
    assert 5 < len(edges.counters) == len(edges.pcs) < 100
    assert not edges.counters.any()
    assert command.solve("even").status.value == "sat"
    even = edges.saved()
    assert {4, 5} & set(even.tolist()), "four characters, and their end"
    edges.clear()
    command.solve("e(ven")
    odd = edges.saved()
    assert ((even == 0) != (odd == 0)).sum() >= 2, "two ways through it"
    edges.clear()
    assert command.solve("odd").status.value == "crash"
    assert not edges.counters.any()


def test_places_are_the_same_in_every_process_and_lie_apart_from_other_counters(counted: Path) -> None:
    pcs = edges_of(str(counted)).edges.pcs
    assert len(set(pcs[:, 0].tolist())) == len(pcs)
    assert (pcs[:, 0] > 1 << 22).all()
    assert (pcs[:, 0] < (1 << 22) + counted.stat().st_size).all()
    assert 1 in pcs[:, 1], "main's first edge is a function's"


def test_a_command_that_is_asked_besides_leaves_the_counts_alone(counted: Path) -> None:
    command = Command.of([str(counted)], LONG, is_counted=True)
    command.solve("even")
    before = command.events.edges.saved()
    besides = Command.of([str(counted)], LONG)
    besides.solve("e(ven")
    assert (command.events.edges.saved() == before).all()
    assert len(besides.events.edges.counters) == 0


def test_a_process_that_is_killed_leaves_no_file_of_counts(counted: Path, tmp_path: Path) -> None:
    (tmp_path / "temporary").mkdir()
    asks = "from chcfuzz.tracing.command_edges import edges_of"
    says = f"print(len(edges_of({str(counted)!r}).edges.counters), flush=True)"
    killed = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    environment = {**os.environ, "TMPDIR": str(tmp_path / "temporary")}
    program = [sys.executable, "-c", f"{asks}\n{says}\n{killed}"]
    done = subprocess.run(program, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == -9
    assert int(done.stdout) > 5, done.stderr
    assert not list((tmp_path / "temporary").iterdir())


def test_a_program_whose_build_tells_of_no_edges_has_none_and_one_that_lies_is_told(tmp_path: Path) -> None:
    program = tmp_path / "solver"
    program.write_text("#!/bin/sh\necho sat\n")
    program.chmod(0o755)
    assert edges_of(str(program)) is NONE
    (tmp_path / "lies").mkdir()
    program = program.rename(tmp_path / "lies" / "solver")
    (tmp_path / "lies" / "BUILD_INFO").write_text("edges=yes\n")
    with pytest.raises(CommandEdgesError, match="does not tell its edges, though its BUILD_INFO says 'edges=yes'"):
        edges_of(str(program))


@pytest.mark.slow
def test_a_campaign_counts_the_edges_of_a_command(run_command: Run, seeds: Path, counted: Path, tmp_path: Path) -> None:
    ended = run_command("--command", counted, "-runs=30", "-seed=1", "--run-dir", tmp_path / "run", seeds)
    assert ended.code == 0, ended.err
    told = history.read(RunFolder(tmp_path / "run"))
    assert told.last is not None
    assert told.last.edges is not None
    assert 3 < told.last.edges <= told.all_edges < 100
