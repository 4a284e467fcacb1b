"""Edge counters of a command: a program that was compiled with them writes them; other programs lack edges."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from chcfuzz.campaign.runs import history
from chcfuzz.campaign.runs.run_folder import RunFolder
from chcfuzz.solvers.command import Command
from chcfuzz.tracing.command_edges import NONE, CommandEdgesError, edges_of

from tests.targets import ROOT, Run

LONG = 60.0
PAGE = (ROOT / "docs" / "command-edges.md").read_text()
# Answers by the text's length: the loop runs once per character, and an odd length takes another branch.
PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
int main(int count, char **arguments) {
    FILE *file = count > 1 ? fopen(arguments[1], "r") : NULL;
    if (file == NULL)
        return 1;
    int length = 0;
    while (fgetc(file) != EOF)
        ++length;
    if (length == 3)
        abort();
    if (length % 2) {
        puts("unknown");
        return 0;
    }
    puts("sat");
    return 0;
}
"""


def blocks(language: str) -> list[str]:
    """Return the code blocks of docs/command-edges.md in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def compiled(folder: Path, source: str) -> Path:
    """Compile a C program as docs/command-edges.md describes; skip the test if clang is missing."""
    commands = blocks("sh")[0]
    for name in ("clang++", "clang"):
        found = shutil.which(f"{name}-19") or shutil.which(name)
        if found is None:
            pytest.skip(f"needs {name}: run ./build_z3_traced.sh --install-deps")
        commands = re.sub(rf"^{re.escape(name)} ", f"{found} ", commands, flags=re.MULTILINE)
    (folder / "tracing").symlink_to(ROOT / "tracing")
    (folder / "mysolver.c").write_text(source)
    subprocess.run(["sh", "-e", "-c", commands], cwd=folder, check=True)
    return folder / "mysolver"


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program with edge counters."""
    return compiled(tmp_path_factory.mktemp("counted"), PROGRAM)


def test_the_program_of_the_documentation_has_edges(tmp_path: Path) -> None:
    command = Command.of([str(compiled(tmp_path, blocks("c")[0]))], LONG).with_edges()
    assert len(command.events.edges.counters) == 6, "the number on the page"
    assert command.solve("(check-sat)").status.value == "sat"
    without_query = command.events.edges.saved()
    command.events.edges.clear()
    assert command.solve("(assert false)").status.value == "unknown"
    assert (command.events.edges.saved() != without_query).any()


def test_the_counts_are_those_of_the_last_run_that_ended_by_itself(counted: Path) -> None:
    command = Command.of([str(counted)], LONG).with_edges()
    edges = command.events.edges
    assert 5 < len(edges.counters) == len(edges.pcs) < 100
    assert not edges.counters.any()
    assert command.solve("even").status.value == "sat"
    even = edges.saved()
    assert {4, 5} & set(even.tolist()), "four characters, and the end of the file"
    edges.clear()
    command.solve("e(ven")
    odd = edges.saved()
    assert ((even == 0) != (odd == 0)).sum() >= 2, "two paths through the program"
    edges.clear()
    assert command.solve("odd").status.value == "crash"
    assert not edges.counters.any()


def test_addresses_are_the_same_in_every_process_and_differ_from_those_of_other_counters(counted: Path) -> None:
    pcs = edges_of(str(counted)).edges.pcs
    assert len(set(pcs[:, 0].tolist())) == len(pcs)
    assert (pcs[:, 0] > 1 << 22).all()
    assert (pcs[:, 0] < (1 << 22) + counted.stat().st_size).all()
    assert 1 in pcs[:, 1], "main's first edge is a function's"


def test_another_command_leaves_the_counts_alone(counted: Path) -> None:
    command = Command.of([str(counted)], LONG).with_edges()
    command.solve("even")
    before = command.events.edges.saved()
    other = Command.of([str(counted)], LONG)
    other.solve("e(ven")
    assert (command.events.edges.saved() == before).all()
    assert len(other.events.edges.counters) == 0


def test_a_process_that_is_killed_leaves_no_file_of_counts(counted: Path, tmp_path: Path) -> None:
    (tmp_path / "temporary").mkdir()
    imports = "from chcfuzz.tracing.command_edges import edges_of"
    prints = f"print(len(edges_of({str(counted)!r}).edges.counters), flush=True)"
    killed = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    environment = {**os.environ, "TMPDIR": str(tmp_path / "temporary")}
    program = [sys.executable, "-c", f"{imports}\n{prints}\n{killed}"]
    done = subprocess.run(program, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == -9
    assert int(done.stdout) > 5, done.stderr
    assert not list((tmp_path / "temporary").iterdir())


def test_a_program_without_the_recorder_has_no_edges_and_one_that_writes_none_is_an_error(tmp_path: Path) -> None:
    program = tmp_path / "solver"
    program.write_text("#!/bin/sh\necho sat\n")
    program.chmod(0o755)
    assert edges_of(str(program)) is NONE
    assert edges_of(str(tmp_path / "missing")) is NONE
    silent = tmp_path / "silent"
    silent.write_text("#!/bin/sh\n# CHCFUZZ_EDGES\necho sat\n")
    silent.chmod(0o755)
    with pytest.raises(CommandEdgesError, match=r"contains chcfuzz's recorder of edges, but .* writes no edges"):
        edges_of(str(silent))


def test_a_script_that_starts_a_counted_program_has_its_edges(counted: Path, tmp_path: Path) -> None:
    script = tmp_path / "solver"
    script.write_text(f'#!/bin/sh\n# CHCFUZZ_EDGES\nexec {counted} "$@"\n')
    script.chmod(0o755)
    assert len(edges_of(str(script)).edges.counters) == len(edges_of(str(counted)).edges.counters)


@pytest.mark.slow
def test_a_campaign_counts_the_edges_of_a_command(run_command: Run, seeds: Path, counted: Path, tmp_path: Path) -> None:
    ended = run_command("--command", counted, "-runs=30", "-seed=1", "--run-dir", tmp_path / "run", seeds)
    assert ended.code == 0, ended.err
    found = history.read(RunFolder(tmp_path / "run"))
    assert found.last is not None
    assert found.last.edges is not None
    assert found.all_edges is not None
    assert 3 < found.last.edges <= found.all_edges < 100
