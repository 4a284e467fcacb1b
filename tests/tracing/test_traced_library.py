"""A traced build: events in memory, edges for libFuzzer. Each test is a process, since a process has one Z3."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from chcfuzz.campaign.runs import history
from chcfuzz.campaign.runs.run_folder import RunFolder
from chcfuzz.tracing.traced_library import DEFAULT_TAGS, TracedLibrary, TracedLibraryError

from tests.targets import ROOT, Campaign, Run
from tests.traced import TRACED, needs_traced_build, older_builds

PROGRAM = """
import json, sys
from pathlib import Path
from chcfuzz.execution.solving import Solving
solving = Solving(z3_library=Path(sys.argv[1]), wall_seconds=200)  # however slow the machine is
solving.activate()
from chcfuzz.execution.pipeline import Pipeline, event_source
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.domains.chc.roots import BUILT_IN
events = event_source(solving)
pipeline = Pipeline(solving, events=events)
found = []
for seed in (*BUILT_IN[:2], BUILT_IN[0]):
    events.edges.clear()
    outcome = pipeline.solve(pipeline.mutant(Recipe(seed)).text, ())
    trace = outcome.trace
    numbers = events.events()
    kept = events.sequence(3)
    sites = events.sites()
    found.append({
        "status": outcome.status.value, "hash": trace.hash, "length": trace.length, "complete": trace.complete,
        "transitions": int(trace.counts.sum()), "ascending": bool((trace.keys[1:] > trace.keys[:-1]).all()),
        "events": len(numbers), "files": sorted({sites[n].file for n in numbers.tolist()}),
        "tags": sorted({sites[n].tag for n in numbers.tolist()}),
        "labels": [kept.labels[n] for n in kept.numbers.tolist()], "start": kept.start,
        "placed": [f"{Path(sites[n].file).name}:{sites[n].line} {sites[n].function}" for n in numbers.tolist()[:3]],
        "edges": int((events.edges.counters > 0).sum()),
    })
print(json.dumps(found))
"""


@pytest.mark.slow
@needs_traced_build
def test_executions_leave_events_hashes_and_edges() -> None:
    command = [sys.executable, "-c", PROGRAM, str(TRACED)]
    runs = [json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(2)]
    assert [[result["hash"] for result in run] for run in runs] == [[result["hash"] for result in runs[0]]] * 2
    first, second, again = runs[0]
    assert (first["status"], second["status"]) == ("sat", "unsat")
    assert first["hash"] == again["hash"] != second["hash"]
    for result in runs[0]:
        assert result["complete"]
        assert result["ascending"]
        assert result["length"] == result["events"] == result["transitions"] > 10
        assert any(file.startswith("src/muz/spacer/") for file in result["files"])
        assert set(result["tags"]) <= set(DEFAULT_TAGS)
        assert result["edges"] > 1000
        assert (result["labels"], result["start"]) == (result["placed"], 0)
        assert len(result["labels"]) == 3


def test_a_library_that_is_not_traced_is_refused_in_one_line(tmp_path: Path) -> None:
    library = tmp_path / "libz3.so"
    library.write_text("no library")
    with pytest.raises(TracedLibraryError) as caught:
        TracedLibrary(library)
    assert str(library) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("missing", ["all", "BUILD_INFO", "library"])
def test_a_folder_without_a_finished_build_is_refused(run: Run, tmp_path: Path, missing: str) -> None:
    folder = tmp_path / "build"
    if missing != "all":
        folder.mkdir()
    if missing == "library":
        (folder / "BUILD_INFO").write_text("version=5.4.0.0\n")
    ended = run("-runs=1", f"--z3-library={folder}")
    assert ended.code == 2
    assert len(ended.err.splitlines()) == 1
    assert str(folder) in ended.err
    assert "build_z3_traced.sh" in ended.err


def coverage(ended: Campaign) -> int:
    """Return the number of counters that libFuzzer saw, by its last line."""
    last = [line for line in ended.err.splitlines() if " cov: " in line][-1]
    return int(last.split(" cov: ")[1].split()[0])


@pytest.mark.slow
@needs_traced_build
def test_an_unknown_tag_is_refused_with_those_there_are(run: Run) -> None:
    ended = run("-runs=1", f"--z3-library={TRACED}", "--trace-tags=spacer,no_such_tag")
    assert ended.code == 2
    assert "'no_such_tag'" in ended.err
    assert "spacer" in ended.err


@pytest.mark.slow
@needs_traced_build
def test_libfuzzer_counts_native_edges_and_uses_the_custom_mutator(run: Run, seeds: Path) -> None:
    ended = run("--verbose", "-runs=120", "-seed=1", "--features=all", f"--z3-library={TRACED}", seeds)
    assert ended.code == 0, ended.err
    assert f"edges from {TRACED.resolve()}" in ended.err
    assert coverage(ended) > 5_000
    assert "Custom-" in ended.err
    assert ended.summary["stability"] == 1


@pytest.mark.slow
@needs_traced_build
def test_by_default_edges_are_counted_and_libfuzzer_sees_traces_alone(run: Run, seeds: Path, tmp_path: Path) -> None:
    flags = ("--verbose", "-runs=120", "-seed=1", f"--z3-library={TRACED}")
    traces, usual = coverage(run(*flags, "--features=traces", seeds)), run(*flags, "--run-dir", tmp_path / "run", seeds)
    assert 0 < traces < coverage(usual) < 5_000
    found = history.read(RunFolder(tmp_path / "run")).last
    assert found is not None
    assert (found.edges or 0) > 5_000


@pytest.mark.parametrize("build", older_builds)
def test_builds_of_older_releases_are_fuzzed_like_the_newest(run: Run, seeds: Path, build: Path) -> None:
    # Their default tags are those of the newest that they have.
    ended = run("-runs=60", "-seed=1", f"--z3-library={build}", seeds)
    assert ended.code == 0, ended.err
    assert f"Z3 {build.name.removesuffix('-trace')}, " in ended.err
    assert "Custom-" in ended.err
    assert ended.summary["unique_traces"] > 10
    assert ended.summary["stability"] == 1


@pytest.mark.slow
@needs_traced_build
def test_merge_fork_and_replay_work_with_native_edges(run: Run, seeds: Path, tmp_path: Path) -> None:
    grown, merged = tmp_path / "grown", tmp_path / "merged"
    grown.mkdir()
    merged.mkdir()
    library = f"--z3-library={TRACED}"
    assert run("-fork=2", "-runs=15", "-seed=1", "--features=all", library, grown, seeds).summary["executions"] > 10
    ended = run("-merge=1", "--features=all", library, merged, grown, seeds)
    assert ended.code == 0, ended.err
    units = sorted(merged.iterdir())
    assert units
    assert run(library, units[0]).code == 0


@pytest.mark.slow
@needs_traced_build
def test_coverage_shows_z3s_sources_beside_ours(tmp_path: Path) -> None:
    chcfuzz = Path(sys.executable).parent / "chcfuzz"
    folder = tmp_path / "coverage"
    command = [chcfuzz, "coverage", ROOT / "corpus" / "queries", f"--into={folder}", f"--z3-library={TRACED}"]
    command.append("--python")
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True)
    assert any("src/muz/spacer/spacer_context.cpp" in line for line in done.stdout.splitlines())
    assert any(line.startswith("never reached in muz/spacer/") for line in done.stdout.splitlines())
    assert "spacer::" in (folder / "unreached.html").read_text()
    report = [sys.executable, "-m", "coverage", "json", f"--rcfile={folder / 'coveragerc'}", "-o", "-"]
    files = json.loads(subprocess.run(report, cwd=tmp_path, capture_output=True, text=True, check=True).stdout)["files"]
    spacer = files["z3/src/muz/spacer/spacer_context.cpp"]
    assert len(spacer["executed_lines"]) > 100
    assert spacer["missing_lines"]
    assert any(name.endswith("mutators/chain.py") for name in files)


def covered(corpus: Path, solver: str, into: Path) -> subprocess.CompletedProcess[str]:
    """Run `chcfuzz coverage` with a solver of the tests."""
    chcfuzz = Path(sys.executable).parent / "chcfuzz"
    command = [chcfuzz, "coverage", corpus, f"--z3-library={TRACED}", f"--solver={solver}", f"--into={into}"]
    command += ["--json", "--quiet"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, corpus.parent)))}
    return subprocess.run(list(map(str, command)), env=environment, capture_output=True, text=True, check=False)


def corpus_of(folder: Path, **sorts: str) -> Path:
    folder.mkdir()
    for name, sort in sorts.items():
        (folder / f"{name}.smt2").write_text(f"(set-logic HORN)\n(declare-fun p ({sort}) Bool)\n")
    return folder


@pytest.mark.slow
@needs_traced_build
def test_a_unit_of_which_the_solver_dies_is_named_and_the_others_count(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path / "corpus", deadly="(Array Int Int)", tame="Int")
    done = covered(corpus, "tests.quality.test_look_alikes:TwoDeathsSpacer", tmp_path / "into")
    assert done.returncode == 0, done.stderr
    named = [line for line in done.stderr.splitlines() if line.startswith("chcfuzz: Z3 ")]
    assert len(named) == 1, done.stderr
    assert named[0].endswith("deadly.smt2', which is left out")
    result = json.loads(done.stdout)
    assert (result["units"], result["died"]) == (1, 1)
    assert any(function["file"].startswith("muz/spacer/") for function in result["never_reached"])
    assert sum(file["lines_reached"] for file in result["files"]) > 100


@pytest.mark.slow
@needs_traced_build
def test_an_error_of_our_own_is_not_taken_for_a_death_of_the_solver(tmp_path: Path) -> None:
    (tmp_path / "faulty.py").write_text(
        "from chcfuzz.domains.chc.solvers.spacer import Spacer\n"
        "class Faulty(Spacer):\n"
        "    def solve(self, text, parameters, rlimit):\n"
        "        raise KeyError('ours')\n"
    )
    done = covered(corpus_of(tmp_path / "corpus", tame="Int"), "faulty:Faulty", tmp_path / "into")
    assert done.returncode == 1
    assert "KeyError: 'ours'" in done.stderr
    assert "left out" not in done.stderr


def test_coverage_without_a_traced_build_is_one_line(tmp_path: Path) -> None:
    chcfuzz = Path(sys.executable).parent / "chcfuzz"
    (tmp_path / "a.smt2").write_text("(set-logic HORN)\n(declare-fun p () Bool)\n(assert p)\n(check-sat)\n")
    done = subprocess.run([str(chcfuzz), "coverage", "."], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("chcfuzz: coverage needs a build with edge counters")
    assert len(done.stderr.splitlines()) == 1
