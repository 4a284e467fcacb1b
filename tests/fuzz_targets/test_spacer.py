"""The main job, started the way users start it: a real libFuzzer, a real Z3."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.targets import ROOT, SPACER, Finished, Run, ends, lives

SUMMARY_KEYS = {
    "executions",
    "seconds",
    "finishing_seconds",
    "findings_before",
    "estimate",
    "reserves",
    "scope",
    "solved",
    "mutants",
    "solved_per_second",
    "contradicting",
    "solver_share",
    "solver_steps",
    "solver_seconds",
    "solver_work",
    "first",
    "sat",
    "unsat",
    "undecided",
    "hangs",
    "crashes",
    "replaced",
    "own_errors",
    "unsupported",
    "models",
    "proofs",
    "unique_traces",
    "transitions",
    "stability",
    "findings",
    "suspicions",
    "seeds",
}


@pytest.mark.slow
def test_mutants_between_seeds_count_for_runs_and_nothing_is_executed_after_them(run: Run, seeds: Path) -> None:
    ended = run("-runs=25", "-seed=2", "grown", seeds)
    assert ended.code == 0, ended.err
    assert ended.summary["executions"] == 25
    assert 25 / 3 <= ended.summary["mutants"] <= 25 - len(list(seeds.glob("*")))
    read = run("-runs=0", "-seed=2", "grown", seeds, "--findings=others")
    assert read.summary["mutants"] == 0
    assert "mutants     none, because -runs=0 ends with the " in read.err


def test_a_campaign_ends_with_a_line_for_machines(finished: Finished) -> None:
    ended = finished.ended
    assert ended.code == 0, ended.err
    after_a_second_opinion = {"solvers"}
    assert set(ended.summary) - after_a_second_opinion == SUMMARY_KEYS
    assert ended.summary["executions"] >= 150
    assert ended.summary["sat"] > 0
    assert ended.summary["unsat"] > 0
    assert ended.summary["unique_traces"] > len(list((finished.folder / "seeds").glob("*.smt2")))
    assert 0 < ended.summary["solver_share"] <= 1
    assert ended.summary["stability"] == 1


def test_the_custom_mutator_is_the_one_in_use(finished: Finished) -> None:
    chains = re.findall(r"MS: \d+ ((?:[A-Za-z]+-)+)", finished.ended.err)
    assert chains
    # libFuzzer's byte mutations stand there too: our mutator calls them for a part of its work.
    assert all("Custom" in chain.split("-") or "CustomCrossOver" in chain.split("-") for chain in chains)


def test_what_was_learned_is_kept_and_the_seeds_are_left_alone(finished: Finished, seeds: Path) -> None:
    assert len(list(finished.grown.iterdir())) > 5
    fresh = {file.name: file.read_bytes() for file in seeds.iterdir()}
    assert {file.name: file.read_bytes() for file in (finished.folder / "seeds").iterdir()} == fresh


@pytest.mark.slow
def test_one_seed_makes_one_campaign(finished: Finished, run: Run, seeds: Path, tmp_path: Path) -> None:
    first = sorted(file.name for file in finished.grown.iterdir()), finished.ended.summary["unique_traces"]
    for name, hash_seed in (("anew", "2"), ("known", "3")):
        folder, findings = tmp_path / name, tmp_path / f"{name} findings"
        folder.mkdir()
        if name == "known":  # what is remembered of outcomes changes nothing; what is learned would
            shutil.copytree(finished.folder / "findings" / ".outcomes", findings / ".outcomes")
        ended = run("-runs=150", "-seed=1", f"--findings={findings}", folder, seeds, PYTHONHASHSEED=hash_seed)
        assert (sorted(file.name for file in folder.iterdir()), ended.summary["unique_traces"]) == first


@pytest.mark.slow
def test_a_merge_keeps_every_trace_and_needs_nothing_of_the_old_folder(
    finished: Finished, run: Run, seeds: Path, tmp_path: Path
) -> None:
    grown, merged, moved = (tmp_path / name for name in ("grown", "merged", "moved"))
    shutil.copytree(finished.grown, grown)
    merged.mkdir()
    before = run("-runs=1", grown, seeds).summary["unique_traces"]
    ended = run("-merge=1", merged, grown, seeds)
    assert ended.code == 0, ended.err
    assert 0 < len(list(merged.iterdir())) <= len(list(grown.iterdir())) + len(list(seeds.iterdir()))
    merged.rename(moved)
    shutil.rmtree(grown)
    shutil.rmtree(seeds)
    assert run("-runs=1", moved).summary["unique_traces"] == before


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["-fork=2", "-jobs=2"])
def test_several_processes_share_one_campaign(run: Run, seeds: Path, mode: str) -> None:
    seeds = seeds.rename(seeds.with_name("my seeds"))  # libFuzzer quotes nothing for its shell
    ended = run(mode, "-runs=25", "-seed=1", seeds)
    assert ended.summary["executions"] > 20, ended.err
    assert ended.summary["unique_traces"] > len(list(seeds.glob("*.smt2"))) / 2


@pytest.mark.slow
def test_a_single_file_is_replayed(run: Run, seeds: Path) -> None:
    ended = run(sorted(seeds.glob("*.smt2"))[0])
    assert ended.code == 0
    assert "Executed" in ended.err


@pytest.mark.slow
def test_it_can_be_started_from_any_folder(seeds: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "else where"
    elsewhere.mkdir()
    command = [sys.executable, os.path.relpath(SPACER, elsewhere), "-runs=20", os.path.relpath(seeds, elsewhere)]
    done = subprocess.run(command, cwd=elsewhere, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("chcfuzz-summary: ")


@pytest.mark.slow
def test_an_interrupt_ends_a_campaign_with_its_summary(run: Run, seeds: Path) -> None:
    ended = run("--verbose", seeds, until=lambda said: "INITED" in said)
    assert ended.code == 0, ended.err
    assert ended.summary["executions"] > 0


@pytest.mark.slow
def test_a_killed_supervisor_leaves_no_worker(seeds: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    with open(log, "wb") as file:
        process = subprocess.Popen(
            [sys.executable, str(SPACER), "-v", str(seeds)], cwd=tmp_path, stdout=file, stderr=file
        )
    while b"INITED" not in log.read_bytes():
        assert process.poll() is None, log.read_text()
        time.sleep(0.1)
    (worker,) = map(int, Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split())
    process.kill()
    process.wait()
    try:
        assert ends(worker), "the worker goes on"
    finally:
        if lives(worker):
            os.kill(worker, signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["no-such-folder"], "no-such-folder"),
        (["--no-such-flag"], "--no-such-flag"),
        (["--findings", "/proc/findings", "-runs=1"], "/proc/findings"),
        (["--z3", "4.7.1", "-runs=1"], "4.7.1"),
    ],
)
def test_bad_use_is_one_line_and_a_failure(run: Run, arguments: list[str], told: str) -> None:
    ended = run(*arguments)
    assert ended.code == 2
    # Which Z3 it is comes first, and what a campaign elsewhere on this machine has left.
    others = ("events from", "belongs to a killed campaign")
    lines = [line for line in ended.err.splitlines() if not any(words in line for words in others)]
    assert len(lines) == 1
    assert lines[0].startswith("chcfuzz: ")
    assert told in lines[0]


@pytest.mark.slow
def test_an_empty_folder_is_told_and_fuzzed_from_the_built_in_seeds(run: Run, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    ended = run("-runs=40", "-seed=1", empty)
    assert "is empty; the campaign starts from the built-in seeds" in ended.err
    assert ended.summary["sat"] + ended.summary["unsat"] > 0


@pytest.mark.slow
def test_a_broken_seed_is_told_once_and_the_others_run(run: Run, seeds: Path) -> None:
    (seeds / "broken.smt2").write_text("(set-logic HORN)\n(assert (forall ((x Int)) (=> (< x) false)))\n")
    ended = run("-runs=30", "-seed=1", seeds)
    assert ended.code == 0
    assert sum("chcfuzz: left out: " in line and "broken.smt2:2:" in line for line in ended.err.splitlines()) == 1
    assert ended.summary["sat"] > 0


@pytest.mark.slow
def test_help_names_our_flags_and_libfuzzers(run: Run) -> None:
    ours, theirs = run("--help"), run("-help=1")
    assert ours.code == 0
    assert "--stop-on-finding" in ours.out
    assert re.search(r"^\s*merge\s", theirs.err, re.MULTILINE)


@pytest.mark.slow
def test_every_seed_of_the_project_is_an_input(run: Run) -> None:
    files = sorted((ROOT / "corpus").rglob("*.smt2"))
    ended = run("--rlimit=1000", *files)  # `tests/corpus` checks their answers
    assert ended.code == 0, ended.err[-2000:]


@pytest.mark.slow
def test_a_campaign_can_end_at_its_first_contradiction(run: Run, seeds: Path) -> None:
    flags = ["--solver=tests.quality.planted:PlantedSpacer", "--stop-at-first=contradiction", "--status-seconds=0.2"]
    done = run(*flags, "-seed=1", "-runs=100000", seeds, PYTHONPATH=str(ROOT))
    assert done.code == 0
    first = done.summary["first"]["contradiction"]
    assert 0 < first["executions"] <= done.summary["executions"] < 100000
    assert done.summary["contradicting"]["seen"] > 0
