"""`--workers N`: one campaign in several processes."""

from collections import Counter
from pathlib import Path

import pytest

from tests.fuzz_targets.solvers import MARK
from tests.targets import ROOT, TAME, Run

TELLING = "--solver=tests.fuzz_targets.solvers:TellingSpacer"
DYING = "--solver=tests.fuzz_targets.solvers:DyingSpacer"
KILLER = f"(set-logic HORN)(declare-fun {MARK} () Bool)(assert {MARK})(assert (=> {MARK} false))(check-sat)"


@pytest.mark.slow
def test_they_share_the_work_and_none_solves_a_seed_that_another_has(run: Run, seeds: Path, tmp_path: Path) -> None:
    # With -runs=1 libFuzzer only reads; nothing is run again for stability among so few.
    solved = tmp_path / "solved"
    ended = run("--workers=2", "-runs=1", TELLING, "--second-opinion=0", seeds, SOLVED=str(solved))
    assert ended.code == 0, ended.err
    told = [line.split(" ", 1) for line in solved.read_text().splitlines()]
    assert len({process for process, _ in told}) == 2
    seen = Counter(what for _, what in told)
    assert len(seen) == len(list(seeds.iterdir())) + 1  # and libFuzzer's empty unit
    # Each may begin with the empty one, and libFuzzer reach one unit that the other worker is not done with.
    assert sum(seen.values()) <= len(seen) + 2


@pytest.mark.slow
def test_they_take_over_what_the_others_find(run: Run, seeds: Path, tmp_path: Path) -> None:
    # libFuzzer reads the units of other workers once a second, and prints RELOAD if there were any.
    ended = run("-v", "--workers=2", TAME, "-seed=1", tmp_path / "grown", seeds, until=lambda said: "RELOAD" in said)
    assert ended.code == 0, ended.err
    assert ended.summary["executions"] > ended.summary["solved"] > 0


@pytest.mark.slow
def test_a_worker_that_dies_is_replaced_and_the_others_go_on(run: Run, seeds: Path, tmp_path: Path) -> None:
    (seeds / "killer.smt2").write_text(KILLER)
    ended = run("--workers=2", "-runs=60", "-seed=1", DYING, tmp_path / "grown", seeds, PYTHONPATH=str(ROOT))
    assert ended.code == 0, ended.err
    assert ended.summary["crashes"] == 1
    assert ended.summary["replaced"] >= 1
    assert ended.summary["findings"]["crash"] == 1  # beside wrong models of Z3's own
    assert ended.summary["solved"] > 30


@pytest.mark.slow
def test_a_signal_ends_them_together(run: Run, seeds: Path, tmp_path: Path) -> None:
    ended = run(
        "-v", "--workers=2", TAME, "-seed=1", tmp_path / "grown", seeds, until=lambda said: said.count("INITED") == 2
    )
    assert ended.code == 0, ended.err
    assert ended.summary["executions"] > 0


@pytest.mark.slow
def test_a_seat_where_no_worker_gets_to_work_ends_all_however_busy_the_others_are(
    run: Run, seeds: Path, tmp_path: Path
) -> None:
    one_works = "--solver=tests.fuzz_targets.solvers:OneWorksSpacer"
    ended = run("--workers=2", "-seed=1", one_works, tmp_path / "grown", seeds, WORKS=str(tmp_path / "works"))
    assert ended.code != 0, ended.err
    assert "again before it executed anything; giving up" in ended.err
    assert ended.summary["replaced"] == 3


@pytest.mark.slow
def test_a_file_is_run_by_one_of_them(run: Run, seeds: Path) -> None:
    ended = run("--workers=2", next(seeds.iterdir()))
    assert ended.code == 0, ended.err
    assert ended.err.count("Executed ") == 1


@pytest.mark.parametrize("mode", ["-fork=2", "-jobs=2", "-merge=1"])
def test_libfuzzers_own_ways_are_not_joined_with_it(run: Run, seeds: Path, mode: str) -> None:
    ended = run("--workers=2", mode, seeds)
    assert ended.code == 2
    assert ended.err.startswith("chcfuzz: --workers=2 ")
    assert len(ended.err.splitlines()) == 1
